"""Knocks at a controller's door: says one thing, waits for the answer."""

import threading
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Final

import msgspec

from table_controller.core.codec import ENCODER
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.port import wire
from table_controller.port.words import Answer, Ask, Said, Status, Told, Watching

PATIENCE_S: Final = 5.0


class DoorClosed(ConnectionError):
    """Nobody answers: the controller is not running, or has been too busy for too long."""


class _Patient:
    """A line on which nobody is waited for longer than so many seconds."""

    def __init__(self, line: Connection, patience_s: float) -> None:
        self._line = line
        self._patience = patience_s
        self.send_bytes = line.send_bytes
        self.close = line.close

    def recv_bytes(self, longest: int | None = None) -> bytes:
        """Raises TimeoutError."""
        if not self._line.poll(self._patience):
            raise TimeoutError(f"no answer within {self._patience} s")
        return self._line.recv_bytes(longest)


class Door:
    """One caller's way to a table. Connects by itself, again too; threads may share it, they take turns."""

    def __init__(self, data: Path, table: str, patience_s: float = PATIENCE_S) -> None:
        self.place = wire.door_of(data, table)
        self._patience = patience_s
        self._line: _Patient | None = None
        self._turn = threading.Lock()

    def say(self, said: Said) -> Told:
        """The controller's answer; raises DoorClosed. Whether it was heard is then unknown: say it again, same id."""
        body = wire.write(said)
        with self._turn:
            fresh = self._line is None
            try:
                return self._exchange(body)
            except (OSError, EOFError, ValueError, AuthenticationError) as lost:
                self._hang_up()
                if fresh or isinstance(lost, TimeoutError):
                    raise DoorClosed(f"{self.place.address}: {lost}") from None
            try:  # the line was an old one: the controller may have been started again since
                return self._exchange(body)
            except (OSError, EOFError, ValueError, AuthenticationError) as lost:
                self._hang_up()
                raise DoorClosed(f"{self.place.address}: {lost}") from None

    def ask(self, said: Said) -> Answer:
        """`say` for what is answered by an outcome."""
        told = self.say(said)
        assert isinstance(told, Answer), told
        return told

    def look(self, said: Said) -> Status | Watching:
        """`say` for questions."""
        told = self.say(said)
        assert isinstance(told, Status | Watching), told
        return told

    def close(self) -> None:
        """Hang up; the next `say` connects again."""
        with self._turn:
            self._hang_up()

    def _exchange(self, body: bytes) -> Told:
        line = self._line = self._line or self._connect()
        line.send_bytes(body)
        return wire.read_told(line.recv_bytes(wire.LONGEST))

    def _connect(self) -> "_Patient":
        key = wire.read_door_key(self.place)
        line = _Patient(Client(str(self.place.address), family="AF_UNIX"), self._patience)
        try:
            # The same handshake as Client's own, which would wait for ever for a controller that hangs.
            answer_challenge(line, key)  # type: ignore[arg-type]  # needs no more of it than these two methods
            deliver_challenge(line, key)  # type: ignore[arg-type]
        except BaseException:
            line.close()
            raise
        return line

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line = None


def ask_for(stimulus: Stimulus, tap: str, version: int) -> Ask:
    """What a person asks for, as it goes through the door; the cause in it is left out."""
    plain = msgspec.json.decode(ENCODER.encode(stimulus))
    del plain["cause"]
    return Ask(tap, version, msgspec.Raw(msgspec.json.encode(plain)), stimulus.cause.by)


NOBODY: Final = Cause("", 0)
"""The cause of a stimulus that is only made to be asked for."""
