"""Any moment of a recorded day again, and the judge asked again."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller import houses
from table_controller.core.blackjack.words import BetSettled
from table_controller.core.events import Event
from table_controller.core.table import TableState
from table_controller.journal.errors import NotKept, UnknownKind
from table_controller.journal.vocabulary import Vocabulary
from table_controller.play.recorded import RecordedFelt
from table_controller.replay.judge_again import differences, what_if
from table_controller.replay.opening import Recorded, load
from table_controller.replay.walk import Walk, events_between, rows_of_round, state_at
from tests.evening import EveningClock, nobody_warns, open_felt, open_house, play_evening, play_round

ROUNDS = 12


class Evening:
    """A played evening, its record, and the live state after every row that was on disk at the time."""

    def __init__(self, path: Path, felt: RecordedFelt, states: dict[int, TableState]) -> None:
        self.path, self.felt, self.states = path, felt, states
        self.day = load(path, nobody_warns)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    folder = tmp_path_factory.mktemp("evening")
    from table_controller.journal.keys import make_key

    path = folder / "T07-2026-11-29.db"
    felt = open_felt(path, make_key(folder / "house.key"), EveningClock())
    states: dict[int, TableState] = {}
    open_house(felt)
    for _ in range(ROUNDS):
        play_evening(felt, 1)
        states[felt.recorder.day.writer.head.seq] = felt.state
    felt.recorder.close()
    return Evening(path, felt, states)


def test_the_state_at_a_row_is_the_state_that_was_live_then(evening: Evening) -> None:
    for seq, state in evening.states.items():
        assert state_at(evening.day, seq) == state


def test_a_step_back_undoes_a_step_forward(evening: Evening) -> None:
    walk = Walk(evening.day)
    forward = [walk.state, *(walk.forward() for _ in evening.day.rows)]
    back = [walk.state, *(walk.back() for _ in evening.day.rows)]
    assert back == forward[::-1]


def test_a_row_the_day_does_not_have_is_refused_with_those_it_has(evening: Evening) -> None:
    for seq in (-1, len(evening.day.rows) + 1):
        with pytest.raises(NotKept, match=f"rows 1 to {len(evening.day.rows)}"):
            state_at(evening.day, seq)


def test_a_round_the_day_does_not_have_is_refused_with_those_it_has(evening: Evening) -> None:
    with pytest.raises(NotKept, match=f"rounds 1 to {ROUNDS}"):
        rows_of_round(evening.day, ROUNDS + 1)


def test_the_judge_asked_again_decides_as_was_recorded(evening: Evening) -> None:
    assert list(differences(evening.day)) == []


def changed(day: Recorded, kind: str, was: bytes, now: bytes) -> tuple[Recorded, int]:
    """The day with one body changed, and the row it was changed in."""
    at = next(n for n, row in enumerate(day.rows) if row.kind == kind and was in row.body)
    rows = list(day.rows)
    rows[at] = msgspec.structs.replace(rows[at], body=rows[at].body.replace(was, now))
    return day._replace(rows=rows), at + 1


def test_a_decision_recorded_otherwise_is_found_at_its_row(evening: Evening) -> None:
    day, at = changed(evening.day, "event.bet_placed", b'"amount":300', b'"amount":350')
    first = next(differences(day))
    assert first.seq == at
    assert "350" in str(first.recorded)
    assert "300" in str(first.now)


def test_a_decision_left_out_is_found(evening: Evening) -> None:
    at = next(n for n, row in enumerate(evening.day.rows) if row.kind == "event.card_dealt")
    rows = [row for n, row in enumerate(evening.day.rows) if n != at]
    first = next(differences(evening.day._replace(rows=rows)))
    assert first.recorded is None
    assert type(first.now).__name__ == "CardDealt"


def naturals(events: tuple[Event, ...]) -> list[BetSettled]:
    return [event for event in events if isinstance(event, BetSettled) and event.line.result == "blackjack"]


def test_other_rules_pay_a_natural_otherwise_and_the_record_stays(evening: Evening) -> None:
    before = evening.path.read_bytes()
    rules = {**houses.rule_values("classic"), "bj_pays": [6, 5]}
    tried = [what_if(Walk(evening.day), number, rules) for number in range(1, ROUNDS + 1)]
    parted = [one for one in tried if one.parts]
    with_natural = [one for one in tried if naturals(one.recorded)]
    assert with_natural
    assert parted == with_natural
    for one in with_natural:
        for was, now in zip(naturals(one.recorded), naturals(one.now), strict=True):
            assert (was.line.net, now.line.net) == (was.line.stake * 3 // 2, was.line.stake * 6 // 5)
    assert evening.path.read_bytes() == before


def test_the_same_rules_make_the_same_round(evening: Evening) -> None:
    for number in range(1, ROUNDS + 1):
        tried = what_if(Walk(evening.day), number, houses.rule_values("classic"))
        assert tried.parts is None
        assert tried.now == tried.recorded == tuple(events_between(evening.day, rows_of_round(evening.day, number)))


HARD_17_AND_4 = """
import sys
from pathlib import Path
from table_controller.replay.opening import load
day = load(Path(sys.argv[1]), print)
print(day.game.write_state(day.end()).decode())
"""


def test_e11_rules_travel_with_the_record_and_no_order_depends_on_chance(
    tmp_path: Path, house_key: Ed25519PrivateKey
) -> None:
    path = tmp_path / "T07-2026-11-29.db"
    felt = open_felt(path, house_key, EveningClock())
    open_house(felt, "classic", {"soft17": "hit"})
    play_a_dealer_drawing_to_soft_17(felt)
    felt.recorder.close()
    day = load(path, nobody_warns)
    lines = [event.line for event in map(day.said, day.rows) if isinstance(event, BetSettled)]
    assert [(line.stake, line.net) for line in lines] == [(1000, -1000)]
    assert list(differences(day)) == []
    states = {
        subprocess.run(
            [sys.executable, "-c", HARD_17_AND_4, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert states == {day.game.write_state(felt.state) + b"\n"}


def play_a_dealer_drawing_to_soft_17(felt: RecordedFelt) -> None:
    """Player T,T against A,6: the dealer draws a 4 and has 21."""
    from table_controller.core.cards import cards

    felt.load()
    play_round(felt, boxes=(1,), stake=1000, deal=cards("TS AS TH 6S 4D"))


def test_e11_a_version_of_tomorrow_is_refused_not_guessed(evening: Evening) -> None:
    row = next(row for row in evening.day.rows if row.kind == "event.card_dealt")
    with pytest.raises(UnknownKind, match="version 9"):
        evening.day.said(msgspec.structs.replace(row, version=9))
    with pytest.raises(UnknownKind, match=r"event\.card_eaten"):
        evening.day.said(msgspec.structs.replace(row, kind="event.card_eaten", body=b'{"kind":"card_eaten"}'))


def test_an_old_version_is_read_through_every_step_since(evening: Evening) -> None:
    row = next(row for row in evening.day.rows if row.kind == "event.bets_closed")
    old = msgspec.structs.replace(row, version=-1, body=row.body.replace(b'"exposure"', b'"risk"'))
    steps = {
        ("event.bets_closed", -1): lambda fields: {**fields, "danger": fields.pop("risk")},
        ("event.bets_closed", 0): lambda fields: {**fields, "exposure": fields.pop("danger")},
    }
    assert Vocabulary(evening.day.game.game, steps).read(old) == evening.day.said(row)
    with pytest.raises(UnknownKind, match="nothing reads version -1"):
        evening.day.said(old)
