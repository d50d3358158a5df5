"""What a table was closed with: the next opening is compared with it (WAC 230-15-495)."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from table_controller.core.events import TableClosed
from table_controller.games import GAMES
from table_controller.journal.errors import JournalError
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.vocabulary import EVENT


class Opener(NamedTuple):
    """The last closing of a table: its chips, its day, who counted."""

    chips: Mapping[int, int]
    day: str
    by: str
    second: str


def last_closing(data: Path, table: str) -> Opener | None:
    """The newest closing on record, None for a table that was never closed."""
    words = next(iter(GAMES.values())).words
    for path in reversed(journals(data, table)):
        try:
            reader = open_reader(path)
            try:
                rows = reader.of_kinds(f"{EVENT}table_closed")
            finally:
                reader.close()
        except JournalError:
            continue
        said = words.read(rows[-1]) if rows else None
        if isinstance(said, TableClosed):
            return Opener(said.chips, table_and_day(path)[1], said.by.name, said.second.name)
    return None


def differs(opener: Opener | None, counted: Mapping[int, int]) -> bool:
    """Whether a count is not what the table was closed with."""
    return opener is not None and {chip: n for chip, n in opener.chips.items() if n} != dict(counted)
