"""The door of a running table: a Unix socket, a thread per caller, one question and one answer at a time."""

import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener, answer_challenge, deliver_challenge
from typing import IO, Final

from table_controller.port import wire
from table_controller.port.wire import DoorPlace, hold, make_door_key, make_private
from table_controller.port.words import Answer, Outcome, Said, Told

CALLERS: Final = 256
LONGEST_MESSAGE: Final = wire.LONGEST

Respond = Callable[[Said], Told]


class PortServer:
    """Answers callers with `respond`, which any thread may call. `start` opens the door, `close` shuts it."""

    def __init__(self, place: DoorPlace, respond: Respond) -> None:
        self.place = place
        self._respond = respond
        self._callers = threading.BoundedSemaphore(CALLERS)
        self._lines: set[Connection] = set()
        self._listener: Listener | None = None
        self._key = b""
        self._held: IO[bytes] | None = None

    def start(self) -> None:
        """Open the door with a fresh key; a socket left over by a program that was killed is cleared away.

        Raises PlaceTaken while another program has this door.
        """
        self._held = hold(self.place.key.with_suffix(".door"), "a controller of this table runs")
        make_private(self.place.address.parent)
        self.place.address.unlink(missing_ok=True)
        self._key = make_door_key(self.place)
        # The handshake is done by each caller's own thread: one who never answers it keeps nobody else waiting.
        self._listener = Listener(str(self.place.address), family="AF_UNIX", backlog=64)
        self.place.address.chmod(0o600)
        threading.Thread(target=self._accept, name="door", daemon=True).start()

    def close(self) -> None:
        """Shut the door; callers who are inside are hung up on."""
        if self._listener is None:
            return
        listener, self._listener = self._listener, None
        listener.close()
        self.place.address.unlink(missing_ok=True)
        for line in list(self._lines):
            with suppress(OSError):
                line.close()
        if self._held is not None:
            self._held.close()

    def _accept(self) -> None:
        while (listener := self._listener) is not None:
            try:
                line = listener.accept()
            except OSError:
                continue
            if not self._callers.acquire(blocking=False):
                line.close()
                continue
            self._lines.add(line)
            threading.Thread(target=self._serve, args=(line,), name="caller", daemon=True).start()

    def _serve(self, line: Connection) -> None:
        try:
            deliver_challenge(line, self._key)
            answer_challenge(line, self._key)
            while True:
                line.send_bytes(wire.write(self._answer(line.recv_bytes(LONGEST_MESSAGE))))
        except (OSError, EOFError, AuthenticationError, ValueError):
            return
        finally:
            self._lines.discard(line)
            line.close()
            self._callers.release()

    def _answer(self, body: bytes) -> Told:
        try:
            said = wire.read_said(body)
        except wire.Unreadable as error:
            return Answer(Outcome.UNREADABLE, 0, detail=str(error))
        return self._respond(said)
