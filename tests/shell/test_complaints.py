"""A complaint freezes, holds and locks; a named person ends it."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.events import CommandRefused, RoundOpened
from table_controller.core.people import Person, Role
from table_controller.export.bundle import verify_bundle
from table_controller.journal.complaints import complaints_of
from table_controller.journal.errors import NotAllowed, NotKept
from table_controller.journal.retention import holds_of
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR
from table_controller.play.recorded import RecordedFelt
from table_controller.shell.complaints import Heard, Lock, close_complaint, open_complaint
from tests.evening import EveningClock, open_felt, open_house, play_round


@pytest.fixture
def felt(tmp_path: Path, house_key: Ed25519PrivateKey) -> RecordedFelt:
    table = open_felt(tmp_path / "T07-2026-11-29.db", house_key, EveningClock())
    open_house(table)
    play_round(table)
    play_round(table)
    return table


def complain(felt: RecordedFelt, key: Ed25519PrivateKey, lock: Lock, box: int = 3) -> Path:
    heard = Heard(felt.recorder.day.path, 2, box, "paid wrong", FLOOR)
    bundle = open_complaint(felt.recorder, heard, lock, key)
    felt.state = felt.recorder.state
    return bundle


def test_a_complaint_freezes_the_round_in_a_bundle_that_verifies(
    felt: RecordedFelt, house_key: Ed25519PrivateKey
) -> None:
    bundle = complain(felt, house_key, Lock.NONE)
    assert verify_bundle(bundle).ok
    assert bundle.name == "T07-2026-11-29-round-2-complaint-1.zip"
    assert b"paid wrong" in bundle.read_bytes()
    felt.recorder.leave()


def test_the_day_of_a_complaint_is_held(felt: RecordedFelt, house_key: Ed25519PrivateKey) -> None:
    complain(felt, house_key, Lock.NONE)
    assert [(hold.day, hold.reason) for hold in holds_of(felt.recorder.day.path).standing] == [
        ("2026-11-29", "complaint 1")
    ]
    felt.recorder.leave()


@pytest.mark.parametrize("lock", [Lock.NEXT_ROUND, Lock.TABLE])
def test_no_round_opens_until_a_named_person_has_decided(
    felt: RecordedFelt, house_key: Ed25519PrivateKey, lock: Lock
) -> None:
    complain(felt, house_key, lock)
    (refused,) = felt.say(said.OpenBets(felt.cause(), FLOOR))
    assert isinstance(refused, CommandRefused)
    close_complaint(felt.recorder, 1, FLOOR, "difference paid")
    felt.state = felt.recorder.state
    if lock is Lock.TABLE:
        assert felt.state.paused
        felt.command(said.ResumeTable(felt.cause(), FLOOR))
    (opened,) = felt.say(said.OpenBets(felt.cause(), FLOOR))
    assert isinstance(opened, RoundOpened)
    felt.recorder.leave()


def test_without_a_lock_the_game_goes_on(felt: RecordedFelt, house_key: Ed25519PrivateKey) -> None:
    complain(felt, house_key, Lock.NONE)
    play_round(felt)
    assert felt.state.rounds == 3
    felt.recorder.leave()


@pytest.mark.parametrize(
    ("by", "decision"),
    [
        (Person("dealer-1", Role.DEALER), "paid"),
        (Person(" ", Role.PIT_BOSS), "paid"),
        (Person("floor", Role.PIT_BOSS), " "),
    ],
)
def test_it_takes_a_name_a_role_and_a_decision_to_close_one(
    felt: RecordedFelt, house_key: Ed25519PrivateKey, by: Person, decision: str
) -> None:
    complain(felt, house_key, Lock.NEXT_ROUND)
    with pytest.raises(NotAllowed, match="closed by name"):
        close_complaint(felt.recorder, 1, by, decision)
    assert len(complaints_of(felt.recorder.day.path).standing) == 1
    felt.recorder.leave()


def test_a_complaint_about_a_box_without_a_bet_records_nothing(
    felt: RecordedFelt, house_key: Ed25519PrivateKey
) -> None:
    head = felt.recorder.day.writer.head
    with pytest.raises(NotKept, match="box 7"):
        complain(felt, house_key, Lock.TABLE, box=7)
    assert felt.recorder.day.writer.head == head
    felt.recorder.leave()


def test_an_open_complaint_is_carried_with_its_lock_into_the_next_day(
    felt: RecordedFelt, house_key: Ed25519PrivateKey
) -> None:
    complain(felt, house_key, Lock.NEXT_ROUND)
    felt.recorder.close()
    tomorrow = open_felt(felt.recorder.day.path.with_name("T07-2026-11-30.db"), house_key, felt.clock)
    assert [one.number for one in complaints_of(tomorrow.recorder.day.path).standing] == [1]
    (refused,) = tomorrow.say(said.OpenBets(tomorrow.cause(), FLOOR))
    assert isinstance(refused, CommandRefused)
    close_complaint(tomorrow.recorder, 1, FLOOR, "paid rightly")
    assert complaints_of(tomorrow.recorder.day.path).standing == ()
    assert verify_file(tomorrow.recorder.day.path).ok
    tomorrow.recorder.leave()


def test_a_complaint_that_is_not_open_cannot_be_closed(felt: RecordedFelt) -> None:
    with pytest.raises(NotKept, match="complaint 9"):
        close_complaint(felt.recorder, 9, FLOOR, "paid")
    felt.recorder.leave()
