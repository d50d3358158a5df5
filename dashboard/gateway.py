"""Knocks at the controller's door: one message out, one answer back, each on a line of its own.

A controller that is slow or gone costs the one who asked a few seconds and nobody else anything.
"""

from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from table_controller.port.client import Door, DoorClosed
from table_controller.port.words import Answer, Ask, Complain, Conclude, Kept, Look, Note, Outcome, Said, Status, Told

PATIENCE_SECONDS: Final = 4.0
LOOK_SECONDS: Final = 1.0
DOWN: Final = Answer(Outcome.DOWN, 0, "no_controller")


class Gateway:
    """The door of one table, in the folder the tables keep their sockets in."""

    def __init__(self, data: Path, table: str) -> None:
        self._data = data
        self._table = table

    def ask(self, said: Ask | Note | Kept | Complain | Conclude) -> Answer:
        """Says it and waits for the answer; DOWN if nobody answers in time (it may still have been heard)."""
        told = self._talk(said, PATIENCE_SECONDS)
        return told if isinstance(told, Answer) else DOWN

    def look(self) -> Status | None:
        """The table's condition, None if nobody answers."""
        told = self._talk(Look(), LOOK_SECONDS)
        return told if isinstance(told, Status) else None

    def _talk(self, said: Said, patience_s: float) -> Told | None:
        try:
            with closing(Door(self._data, self._table, patience_s)) as door:
                return door.say(said)
        except (DoorClosed, OSError, msgspec.MsgspecError):
            return None
