"""Knocks at the controller's door: one message out, one answer back, each on a connection of its own.

A controller that is slow or gone costs the one who asked a few seconds and nobody else anything.
"""

from contextlib import closing
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Final

import msgspec

from table_controller.port.words import Answer, Ask, Complain, Conclude, Kept, Look, Note, Outcome, Said, Status, Told

PATIENCE_SECONDS: Final = 4.0
DOWN: Final = Answer(Outcome.DOWN, 0, "no_controller")
_told: Final[msgspec.json.Decoder[Told]] = msgspec.json.Decoder(Told)


class Gateway:
    """The door of one table, in the folder the tables keep their sockets in."""

    def __init__(self, data: Path, table: str) -> None:
        self._socket = data / "run" / f"{table}.sock"
        self._key = data / "run" / f"{table}.key"

    def ask(self, said: Ask | Note | Kept | Complain | Conclude) -> Answer:
        """Says it and waits for the answer; DOWN if nobody answers in time (it may still have been heard)."""
        told = self._talk(said)
        return told if isinstance(told, Answer) else DOWN

    def look(self) -> Status | None:
        """The table's condition, None if nobody answers."""
        told = self._talk(Look())
        return told if isinstance(told, Status) else None

    def _talk(self, said: Said) -> Told | None:
        try:
            with closing(self._knock()) as door:
                door.send_bytes(msgspec.json.encode(said))
                return _told.decode(door.recv_bytes(1 << 20)) if door.poll(PATIENCE_SECONDS) else None
        except (OSError, EOFError, AuthenticationError, msgspec.MsgspecError):
            return None

    def _knock(self) -> Connection:
        return Client(str(self._socket), family="AF_UNIX", authkey=self._key.read_bytes())
