"""The state a day's record starts from: carried over by value as its first row, found again from the day before."""

from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from table_controller.core.events import Event
from table_controller.core.step import replay
from table_controller.core.table import TableState
from table_controller.games import PlayedGame, played
from table_controller.journal.errors import JournalDamaged, UnknownKind
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.record import UNREADABLE, Draft, Record, content_of
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.verify import journal_records

OPENING_STATE: Final = "journal.opening_state"
VERSION: Final = 1
Warn = Callable[[str], None]


class Opening(Struct, frozen=True):
    """Body of the row: the game by name, the table's state as its game writes it."""

    game: str
    state: msgspec.Raw


class Recorded(NamedTuple):
    """A day as recorded: whose game, the state before its first event, all rows in order; row n is `rows[n - 1]`."""

    game: PlayedGame
    start: TableState
    rows: Sequence[Record]

    def said(self, record: Record) -> object:
        """What a row says, in today's words; None for the journal's own rows."""
        return self.game.words.read(record)

    def end(self) -> TableState:
        """The state after the last row."""
        events = (said for said in map(self.game.words.read, self.rows) if isinstance(said, Event))
        return replay(self.game.game, events, self.start)


def carry(game: str, state: TableState) -> Draft:
    """The row a new day begins with."""
    body = msgspec.json.encode(Opening(game, msgspec.Raw(played(game).write_state(state))))
    return Draft(kind=OPENING_STATE, version=VERSION, body=body, source="journal")


def load(path: Path, warn: Warn) -> Recorded:
    """Every row of a day and the state it starts from.

    A state by value that cannot be used is passed over with a warning: the day before is replayed instead.
    """
    reader = open_reader(path)
    try:
        rows = list(journal_records(reader))
    finally:
        reader.close()
    row = next((record for record in rows[1:3] if record.kind == OPENING_STATE), None)
    if row is None:
        raise JournalDamaged(f"{path.name}: the day does not say what state it starts from", 2)
    opening = content_of(row, Opening)
    game = played(opening.game)
    try:
        if row.version != VERSION:
            raise UnknownKind(f"its layout is {row.version}, this program reads {VERSION}")
        return Recorded(game, game.read_state(bytes(opening.state)), rows)
    except (UnknownKind, *UNREADABLE) as reason:
        warn(f"{path.name}: the opening state is not used ({reason}); replaying the day before")
        return Recorded(game, _end_of_the_day_before(path, warn) or game.game.empty, rows)


def _end_of_the_day_before(path: Path, warn: Warn) -> TableState | None:
    days = journals(path.parent, table_and_day(path)[0])
    earlier = list(takewhile(lambda day: day != path, days))
    return load(earlier[-1], warn).end() if earlier else None
