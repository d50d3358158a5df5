"""A clock that is set is noticed; a clock that goes is not."""

import pytest

from table_controller.journal.clocks import ClockSet, clock_settings
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.verify import verify_file
from tests.journal.conftest import OpenDay, TickingClock, said

HOUR_NS = 3_600_000_000_000


@pytest.mark.parametrize("by_ns", [HOUR_NS, -HOUR_NS])
def test_a_clock_set_by_an_hour_is_named_with_its_row_and_breaks_nothing(
    open_table: OpenDay, clock: TickingClock, by_ns: int
) -> None:
    day = open_table("2026-11-29")
    day.writer.write([said(1)])
    clock.at_ns += by_ns
    day.writer.write([said(2)], seal=True)
    reader = open_reader(day.path)
    assert list(clock_settings(reader.read(0))) == [ClockSet(3, by_ns)]
    reader.close()
    assert verify_file(day.path).ok


def test_waiting_an_hour_is_no_setting(open_table: OpenDay, clock: TickingClock) -> None:
    day = open_table("2026-11-29")
    clock.at_ns += HOUR_NS
    clock.mono_ns += HOUR_NS
    day.writer.write([said(1)])
    reader = open_reader(day.path)
    assert list(clock_settings(reader.read(0))) == []
    reader.close()
