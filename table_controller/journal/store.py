"""What any home of the record must do, and the one kept in memory for replay and tests."""

from collections.abc import Sequence
from typing import Protocol

from table_controller.journal.chain import Head
from table_controller.journal.errors import AppendConflict
from table_controller.journal.record import Record


class Reader(Protocol):
    """Follows a journal by number; holds nothing open between two reads."""

    def read(self, after: int, limit: int = 1000) -> list[Record]:
        """At most `limit` rows with seq > `after`, in order."""

    def head(self) -> Head | None:
        """The last row, None if there is no row."""


class Store(Reader, Protocol):
    """A reader that can also append."""

    def append(self, records: Sequence[Record]) -> None:
        """All rows or none; on disk when it returns.

        Raises AppendConflict if they do not continue the head, JournalUnwritable or JournalBusy if nothing was kept.
        """

    def tidy(self) -> None:
        """Housekeeping between appends; what it raises says nothing about the appends before it."""

    def close(self) -> None:
        """Lets go of the file."""


def refuse_strangers(head: Head | None, records: Sequence[Record]) -> None:
    """Raises AppendConflict unless the records continue `head`."""
    first = records[0]
    expected = (1, first.prev) if head is None else (head.seq + 1, head.hash)
    if (first.seq, first.prev) != expected:
        raise AppendConflict(f"record {first.seq} does not continue a journal whose next record is {expected[0]}")


class MemoryStore:
    """A journal that forgets itself."""

    def __init__(self) -> None:
        self._records: list[Record] = []

    def append(self, records: Sequence[Record]) -> None:
        refuse_strangers(self.head(), records)
        self._records.extend(records)

    def read(self, after: int, limit: int = 1000) -> list[Record]:
        return self._records[after : after + limit]

    def head(self) -> Head | None:
        return Head(self._records[-1].seq, self._records[-1].hash) if self._records else None

    def tidy(self) -> None:
        return

    def close(self) -> None:
        self._records = []
