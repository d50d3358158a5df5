"""Days are kept as long as the law says, held days longer, and what goes is recorded before it goes."""

from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.journal.anchors import Anchor, Anchors, missing
from table_controller.journal.day import Day, open_day
from table_controller.journal.errors import NotAllowed
from table_controller.journal.folder import purged_heads, verify_folder
from table_controller.journal.naming import journal_path, journals
from table_controller.journal.policy import Retention
from table_controller.journal.retention import (
    PURGED,
    Hold,
    Holds,
    carry_holds,
    holds_of,
    lift_hold,
    place_hold,
    purge,
)
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.verify import verify_file
from tests.journal.conftest import OpenDay, TickingClock, play_rounds

POLAND = Retention()
HOLD = Hold("T07", "2023-05-01", "complaint 17", "supervisor-2")


@pytest.mark.parametrize("day", [date(2026, 1, 1), date(2026, 12, 31)])
def test_poland_keeps_a_day_three_years_from_the_end_of_its_year(day: date) -> None:
    assert POLAND.keeps_until(day) == date(2029, 12, 31)


@pytest.fixture
def old_days(open_table: OpenDay) -> Day:
    """Two days of 2023, and today being written."""
    for day in ("2023-05-01", "2023-05-02"):
        opened = open_table(day)
        play_rounds(opened, 1)
        opened.close()
    return open_table("2027-01-01")


def names(day: Day) -> list[str]:
    return [path.name for path in journals(day.path.parent)]


def test_nothing_goes_before_its_time(old_days: Day) -> None:
    assert purge(old_days, POLAND, date(2026, 12, 31)) == []
    assert len(names(old_days)) == 3


def test_days_past_their_time_go(old_days: Day) -> None:
    assert purge(old_days, POLAND, date(2027, 1, 1)) == ["T07-2023-05-01.db", "T07-2023-05-02.db"]
    assert names(old_days) == ["T07-2027-01-01.db"]


def test_a_held_day_stays_until_the_hold_is_lifted(old_days: Day) -> None:
    old_days.writer.write([place_hold(HOLD)])
    assert purge(old_days, POLAND, date(2027, 1, 1)) == ["T07-2023-05-02.db"]
    old_days.writer.write([lift_hold(HOLD, "supervisor-2")])
    assert purge(old_days, POLAND, date(2027, 1, 1)) == ["T07-2023-05-01.db"]


def test_a_hold_is_carried_into_the_next_day(old_days: Day, open_table: OpenDay) -> None:
    old_days.writer.write([place_hold(HOLD)])
    carried = holds_of(old_days.path)
    old_days.close()
    next_day = open_table("2027-01-02")
    next_day.writer.write([carry_holds(carried)])
    assert holds_of(next_day.path) == Holds((HOLD,))
    assert "T07-2023-05-01.db" not in purge(next_day, POLAND, date(2027, 1, 1))


def test_a_purge_is_recorded_with_what_went(old_days: Day) -> None:
    head = verify_file(journals(old_days.path.parent)[0]).head
    purge(old_days, POLAND, date(2027, 1, 1))
    reader = open_reader(old_days.path)
    bodies = [record.body.decode() for record in reader.of_kinds(PURGED)]
    reader.close()
    assert len(bodies) == 2
    assert str(head) in bodies[0]


def test_the_chain_of_a_folder_can_be_followed_across_a_purge(old_days: Day) -> None:
    purge(old_days, POLAND, date(2027, 1, 1))
    assert verify_folder(old_days.path.parent).ok


def test_a_day_that_went_without_a_record_of_it_is_missed(old_days: Day) -> None:
    gone = journals(old_days.path.parent)[1]
    gone.unlink()
    verdict = verify_folder(old_days.path.parent)
    assert not verdict.ok
    assert verdict.reason == "T07-2027-01-01.db does not follow T07-2023-05-01.db; a day between them is missing"


def test_an_open_day_is_never_purged(old_days: Day, tmp_path: Path) -> None:
    assert purge(old_days, Retention(0), date(2050, 1, 1)) == ["T07-2023-05-01.db", "T07-2023-05-02.db"]
    assert (tmp_path / "T07-2027-01-01.db").exists()


def test_a_table_never_lets_go_of_the_days_of_another(
    old_days: Day, tmp_path: Path, house_key: Ed25519PrivateKey, clock: TickingClock
) -> None:
    """A hold that stands in the record of T07 is not known to T01."""
    old_days.writer.write([place_hold(HOLD)])
    neighbour = open_day(journal_path(tmp_path, "T01", "2027-01-01"), house_key, clock)
    assert purge(neighbour, POLAND, date(2027, 1, 1)) == []
    neighbour.leave()
    assert "T07-2023-05-01.db" in names(old_days)


def test_a_day_whose_head_left_the_house_is_there_or_was_purged(old_days: Day) -> None:
    folder = old_days.path.parent
    kept = [day for day in verify_folder(folder).days if day.closed]
    heads = Anchors(tuple(Anchor("T07", str(day.day), str(day.head), str(day.fingerprint)) for day in kept), 0)
    assert missing(heads, kept, ()) is None
    assert missing(heads, kept[1:], ()) == "T07 2023-05-01: its head left the house, but the day is not here"
    purge(old_days, POLAND, date(2027, 1, 1))
    assert missing(heads, verify_folder(folder).days, set(purged_heads(journals(folder)))) is None


@pytest.mark.parametrize(
    ("hold", "reason"),
    [
        (Hold("T07", "nonsense", "court", "Anna"), "'nonsense' is no day to hold; write it like 2026-11-29"),
        (Hold("T07", "20230501", "court", "Anna"), "'20230501' is no day to hold; write it like 2026-11-29"),
        (Hold("T07", "2023-05-01", " ", "Anna"), "a day is held by name and for a reason"),
        (Hold("T07", "2023-05-01", "court", ""), "a day is held by name and for a reason"),
    ],
)
def test_a_hold_says_which_day_why_and_by_whose_order(hold: Hold, reason: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        place_hold(hold)
    assert str(refusal.value) == reason


def test_a_hold_is_lifted_by_name() -> None:
    with pytest.raises(NotAllowed, match="lifted by name"):
        lift_hold(HOLD, " ")
