"""What a table takes is on disk before anyone learns of it, once, and sealed at the end of each round."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause
from table_controller.journal.errors import DayIsOver
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR
from table_controller.play.recorded import RecordedFelt
from tests.evening import EveningClock, open_felt, open_house, play_round, rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "T07-2026-11-29.db"


@pytest.fixture
def felt(path: Path, house_key: Ed25519PrivateKey) -> Iterator[RecordedFelt]:
    table = open_felt(path, house_key, EveningClock())
    open_house(table)
    yield table
    table.recorder.leave()


@pytest.mark.usefixtures("felt")
def test_a_day_begins_with_its_key_its_state_and_its_program(path: Path) -> None:
    assert [row.kind for row in rows(path)[:3]] == [
        "journal.day_opened",
        "journal.opening_state",
        "journal.started",
    ]


def test_what_was_said_and_what_was_judged_are_both_kept_with_their_source(felt: RecordedFelt, path: Path) -> None:
    felt.recorder.take(said.CardDrawn(Cause("shoe", 7, 1)), boot_id="b3")
    drawn, judged = rows(path)[-2:]
    assert (drawn.kind, drawn.source, drawn.source_seq, drawn.boot_id) == ("stimulus.card_drawn", "shoe", 7, "b3")
    assert (judged.kind, judged.source) == ("event.observation_noted", "judge")


def test_an_observation_out_of_place_is_kept_with_what_the_judge_made_of_it(felt: RecordedFelt, path: Path) -> None:
    felt.say(said.CardSeen(felt.cause(), Place(2)))
    assert [row.kind for row in rows(path)[-2:]] == ["stimulus.card_seen", "event.disputed"]


def test_the_same_number_from_the_same_source_is_recorded_once(felt: RecordedFelt, path: Path) -> None:
    drawn = said.CardDrawn(Cause("shoe", 7, 1))
    felt.recorder.take(drawn)
    before = rows(path)
    assert felt.recorder.take(drawn).events == ()
    assert rows(path) == before


def test_a_tick_that_nothing_comes_of_leaves_no_row(felt: RecordedFelt, path: Path) -> None:
    before = rows(path)
    felt.recorder.take(said.Tick(Cause("clock", 1, 1)))
    assert rows(path) == before


def test_a_refused_command_is_on_record(felt: RecordedFelt, path: Path) -> None:
    felt.say(said.VoidRound(felt.cause(), FLOOR, FLOOR, "nothing to void"))
    assert [row.kind for row in rows(path)[-2:]] == ["stimulus.void_round", "event.command_refused"]


def test_every_round_is_sealed_when_it_is_settled_and_when_it_is_over(felt: RecordedFelt, path: Path) -> None:
    play_round(felt)
    kinds = [row.kind for row in rows(path)]
    for end in ("event.round_settled", "event.round_closed"):
        assert kinds[kinds.index(end) + 1] == "journal.seal"
    assert verify_file(path).sealed == len(kinds)


def test_rows_of_a_round_carry_its_number_from_the_opening_of_the_bets_on(felt: RecordedFelt, path: Path) -> None:
    play_round(felt)
    numbered = [row.kind for row in rows(path) if row.round == 1]
    assert numbered[:2] == ["stimulus.open_bets", "event.round_opened"]
    assert numbered[-2:] == ["stimulus.table_cleared", "event.round_closed"]


def test_a_table_goes_on_in_the_middle_of_a_round(felt: RecordedFelt, path: Path, house_key: Ed25519PrivateKey) -> None:
    play_round(felt)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 3, 300))
    before = felt.state
    felt.recorder.leave()
    again = open_felt(path, house_key, felt.clock)
    assert again.state == before
    assert again.round.number == 2
    again.recorder.leave()


def test_the_next_day_begins_with_the_state_the_last_one_ended_with(
    felt: RecordedFelt, path: Path, house_key: Ed25519PrivateKey
) -> None:
    play_round(felt)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    before = felt.state
    felt.recorder.close()
    tomorrow = open_felt(path.with_name("T07-2026-11-30.db"), house_key, felt.clock)
    assert tomorrow.state == before
    play_rest_of_round(tomorrow)
    assert verify_file(path.with_name("T07-2026-11-30.db")).ok
    tomorrow.recorder.leave()


def play_rest_of_round(felt: RecordedFelt) -> None:
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 3, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))


def test_a_closed_day_is_not_opened_again(felt: RecordedFelt, path: Path, house_key: Ed25519PrivateKey) -> None:
    felt.recorder.close()
    before = verify_file(path)
    with pytest.raises(DayIsOver, match="open the next day"):
        open_felt(path, house_key, felt.clock)
    assert verify_file(path) == before
