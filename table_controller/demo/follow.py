"""The table's state as its record tells it, for people of the demo who sit outside the controller's process."""

from pathlib import Path

from table_controller.core.events import Event
from table_controller.core.step import replay
from table_controller.core.table import TableState
from table_controller.journal.sqlite_store import open_reader
from table_controller.replay.opening import load
from table_controller.shell.controller import say


class Follower:
    """Reads what has been added since it last looked. Used by one thread."""

    def __init__(self, journal: Path) -> None:
        day = load(journal, say)
        self._game = day.game
        self._state = day.end()
        self._seq = len(day.rows)
        self._reader = open_reader(journal)

    def look(self) -> TableState:
        """The state after the last row on disk."""
        while rows := self._reader.read(self._seq):
            facts = (fact for row in rows if isinstance(fact := self._game.words.read(row), Event))
            self._state = replay(self._game.game, facts, self._state)
            self._seq = rows[-1].seq
        return self._state
