"""Two records of one evening: what must be the same in both, and what an evening holds of the world outside."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from table_controller.core.events import DeviceFailed
from table_controller.core.stimuli import Cause, DeviceBack, DeviceLost, PlaceBet
from table_controller.journal.keys import make_key
from table_controller.journal.record import Record
from table_controller.play.recorded import PlayedClock
from table_controller.replay.again import BOARDS, PEOPLE, evening_of, fact_of, is_fact, parting
from table_controller.replay.opening import Recorded, load
from tests.evening import EIGHT_IN_THE_EVENING, nobody_warns, open_felt, open_house, play_evening

DAY_NS = 86_400_000_000_000


def recorded(folder: Path, *, begins_ns: int = EIGHT_IN_THE_EVENING, rounds: int = 2, fails: bool = False) -> Recorded:
    folder.mkdir()
    path = folder / "T07-2026-11-29.db"
    felt = open_felt(path, make_key(folder / "house.key"), PlayedClock(begins_ns))
    open_house(felt)
    if fails:
        felt.say(DeviceLost(Cause("watch", 0), "recorder"))
        felt.say(DeviceBack(Cause("watch", 1), "recorder"))
    play_evening(felt, rounds)
    felt.recorder.leave()
    return load(path, nobody_warns)


@pytest.fixture
def then(tmp_path: Path) -> Recorded:
    return recorded(tmp_path / "then")


def test_an_evening_that_came_later_is_the_same(then: Recorded, tmp_path: Path) -> None:
    now = recorded(tmp_path / "now", begins_ns=EIGHT_IN_THE_EVENING + DAY_NS // 48)
    assert [row.body for row in now.rows if is_fact(row)] != [row.body for row in then.rows if is_fact(row)]
    assert parting(then.rows, now.rows) is None


def test_a_device_of_the_computer_that_failed_makes_no_other_evening(then: Recorded, tmp_path: Path) -> None:
    now = recorded(tmp_path / "now", fails=True)
    assert any(isinstance(now.said(row), DeviceFailed) for row in now.rows)
    assert parting(then.rows, now.rows) is None


def otherwise(row: Record) -> Record:
    return replace(row, body=row.body.replace(b'"amount":300', b'"amount":400'))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda facts: facts[:-1],
        lambda facts: [*facts, facts[-1]],
        lambda facts: [facts[1], facts[0], *facts[2:]],
        lambda facts: [otherwise(row) for row in facts],
    ],
    ids=["one is missing", "one is too many", "two changed places", "one says something else"],
)
def test_any_fact_that_differs_is_told(then: Recorded, spoil: Callable[[list[Record]], list[Record]]) -> None:
    facts = [row for row in then.rows if is_fact(row)]
    found = parting(facts, spoil(facts))
    assert found is not None
    assert found.then != found.now


def test_a_fact_is_told_without_its_time(then: Recorded) -> None:
    bet = next(row for row in then.rows if row.kind == "event.bet_placed")
    assert '"box":1' in fact_of(bet)
    assert "at_ns" not in fact_of(bet)


def test_an_evening_holds_what_people_asked_for_and_which_facts_came_before(then: Recorded) -> None:
    rows = [
        replace(row, source=PEOPLE) if row.kind == "stimulus.place_bet" else row
        for row in then.rows
        if row.source != PEOPLE or row.kind == "stimulus.place_bet"
    ]
    evening = evening_of(then._replace(rows=rows))
    assert [type(word.stimulus) for word in evening.words] == [PlaceBet] * 6
    first = evening.words[0].row
    assert evening.facts_before(first) == sum(is_fact(row) for row in rows if row.seq < first)
    assert evening.boards == {}


def test_a_boards_word_is_known_by_its_row(then: Recorded) -> None:
    said = replace(then.rows[9], kind=BOARDS, source="0001", source_seq=7, boot_id="3")
    assert evening_of(then._replace(rows=[*then.rows[:9], said])).boards == {("0001", 3, 7): said.seq}
