"""Whether somebody set the clock: UTC and the monotonic clock must go on together."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from table_controller.journal.record import Record

STARTED: Final = "journal.started"
TOLERATED_NS: Final = 2_000_000_000  # network time may correct a clock by less


class ClockSet(Struct, frozen=True):
    """Before this row UTC moved by so many nanoseconds more (plus) or less than time passed."""

    seq: int
    by_ns: int


def clock_settings(records: Iterable[Record]) -> Iterator[ClockSet]:
    """Every jump between two rows; a start of the program begins anew, for the monotonic clock does too."""
    before: Record | None = None
    for record in records:
        if before is not None and record.kind != STARTED:
            by_ns = (record.at_ns - before.at_ns) - (record.mono_ns - before.mono_ns)
            if abs(by_ns) > TOLERATED_NS:
                yield ClockSet(record.seq, by_ns)
        before = record
