"""What one player is given of a round: his own box, the dealer, what concerns everybody, and nothing of the others."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import events as fact
from table_controller.core import stimuli as said
from table_controller.core.cards import Card
from table_controller.core.house import Language
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Cause
from table_controller.export.archive import unpack
from table_controller.export.make import Ask, export
from table_controller.export.masking import disputed_boxes, seen_by
from table_controller.journal.complaints import Complaint, complaint_opened
from table_controller.journal.evidence import evidence_folder, keep_evidence
from table_controller.play.felt import FLOOR, SECOND
from table_controller.play.recorded import RecordedFelt
from tests.evening import EveningClock, decide, open_felt, open_house, play_round

DAY = "2026-11-29"
MINE, OTHERS = 3, 1
NINE = Card.parse("9C")
CAUSE = Cause("test", 1)


@pytest.fixture
def felt(tmp_path: Path, house_key: Ed25519PrivateKey) -> Iterator[RecordedFelt]:
    """An evening of one round so far."""
    felt = open_felt(tmp_path / f"T07-{DAY}.db", house_key, EveningClock())
    open_house(felt)
    play_round(felt)
    yield felt
    felt.recorder.leave()


def bets_are_closed(felt: RecordedFelt) -> int:
    """Boxes 1 and 3 wait for the cards of the round returned."""
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    for box in (OTHERS, MINE):
        felt.command(said.PlaceBet(felt.cause(), FLOOR, box, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    assert felt.state.round is not None
    return felt.state.round.number


def played_out(felt: RecordedFelt) -> None:
    felt.play(lambda point: decide(felt.chance, point))


def bundle(felt: RecordedFelt, key: Ed25519PrivateKey, number: int, box: int | None) -> dict[str, bytes]:
    return unpack(export(felt.recorder.day.path, Ask(number, box, Language.ENGLISH, UTC, 1), key))


@pytest.fixture
def noted(felt: RecordedFelt) -> int:
    """A round during which pictures are kept and another player complains; a picture is of the round before."""
    number = bets_are_closed(felt)
    for of_round, name, box in ((number, "table", None), (number, "one", OTHERS), (number, "own", MINE), (1, "old", 1)):
        folder = evidence_folder(felt.recorder.day.path, of_round)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.jpg").write_bytes(name.encode())
        felt.recorder.note([keep_evidence(folder / f"{name}.jpg", of_round, box)])
    felt.recorder.note([complaint_opened(Complaint(1, DAY, number, OTHERS, "Mr Kowalski was paid wrong", "Anna"), DAY)])
    played_out(felt)
    felt.clear()
    return number


def test_what_was_noted_of_others_during_the_round_is_not_for_one_player(
    felt: RecordedFelt, house_key: Ed25519PrivateKey, noted: int
) -> None:
    members = bundle(felt, house_key, noted, MINE)
    assert {name for name in members if name.startswith("evidence/")} == {"evidence/own.jpg"}
    assert b"own.jpg" in members["journal.jsonl"]
    for secret in (b"Kowalski", b"table.jpg", b"one.jpg", b"old.jpg"):
        assert secret not in members["journal.jsonl"]


def test_a_whole_bundle_has_the_evidence_of_its_own_round_alone(
    felt: RecordedFelt, house_key: Ed25519PrivateKey, noted: int
) -> None:
    members = bundle(felt, house_key, noted, None)
    names = {name for name in members if name.startswith("evidence/")}
    assert names == {"evidence/own.jpg", "evidence/one.jpg", "evidence/table.jpg"}
    assert b"Kowalski" in members["journal.jsonl"]


def test_a_player_learns_the_rules_but_not_the_float(felt: RecordedFelt, house_key: Ed25519PrivateKey) -> None:
    mine, whole = (bundle(felt, house_key, 1, box) for box in (MINE, None))
    assert b"event.table_opened" in whole["journal.jsonl"]
    assert b"event.table_opened" not in mine["journal.jsonl"]
    assert mine["rules.json"] == whole["rules.json"]


@pytest.mark.parametrize(("box", "told"), [(OTHERS, True), (MINE, False)])
def test_how_a_payment_was_put_right_is_told_to_its_own_box_alone(
    felt: RecordedFelt, house_key: Ed25519PrivateKey, box: int, told: bool
) -> None:
    number = bets_are_closed(felt)
    played_out(felt)
    felt.command(said.ReportPayout(felt.cause(), FLOOR, OTHERS, 12_345))
    question = next(one.dispute for one in felt.events if isinstance(one, fact.PayoutReported))
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, question, Remedy.PAY_DIFFERENCE, SECOND))
    felt.clear()
    content = bundle(felt, house_key, number, box)["journal.jsonl"]
    assert (b"event.dispute_resolved" in content) is told
    assert (b"stimulus.resolve_dispute" in content) is told


@pytest.mark.parametrize(("place", "seen"), [(Place(OTHERS), False), (Place(MINE), True), (DEALER, True)])
def test_a_card_that_left_the_shoe_is_shown_only_where_it_went_to_this_box_or_the_dealer(
    place: Place, seen: bool
) -> None:
    course = {
        1: said.CardDrawn(CAUSE, NINE),
        2: fact.CardLeftShoe(CAUSE, NINE),
        3: fact.CardDealt(CAUSE, place, NINE, said.Face.UP),
    }
    assert seen_by(MINE, course, {}) == (set(course) if seen else set())


def test_a_card_that_left_the_shoe_before_anyone_saw_where_it_went_is_masked() -> None:
    course = {1: said.CardDrawn(CAUSE, NINE), 2: fact.CardLeftShoe(CAUSE, NINE)}
    assert seen_by(MINE, course, {}) == set()


@pytest.mark.parametrize(("place", "seen"), [(Place(OTHERS), set()), (Place(MINE), {1, 2}), (DEALER, {1, 2})])
def test_the_answer_to_a_question_is_seen_by_those_it_was_about(place: Place, seen: set[int]) -> None:
    question = fact.Disputed(CAUSE, 7, Irregularity.UNREADABLE, place, None)
    course = {
        1: said.ResolveDispute(CAUSE, FLOOR, 7, Remedy.TYPE_CARD, None, None, NINE),
        2: fact.DisputeResolved(CAUSE, 7, Irregularity.UNREADABLE, Remedy.TYPE_CARD, FLOOR, None),
    }
    assert seen_by(MINE, course, disputed_boxes({0: question})) == seen


def test_a_player_sees_his_own_card_named_in_a_question_nobody_can_place() -> None:
    course = {1: said.ResolveDispute(CAUSE, FLOOR, 7, Remedy.TYPE_CARD, None, Place(MINE), NINE)}
    assert seen_by(MINE, course, {}) == {1}


@pytest.mark.parametrize(("box", "seen"), [(OTHERS, set()), (MINE, {1, 2})])
def test_a_refusal_is_read_by_the_box_that_asked(box: int, seen: set[int]) -> None:
    refusal = fact.CommandRefused(CAUSE, FLOOR, "place_bet", f"223 on box {box}")
    assert seen_by(MINE, {1: said.PlaceBet(CAUSE, FLOOR, box, 223), 2: refusal}, {}) == seen


def test_the_card_that_ends_a_round_settles_each_box_for_itself() -> None:
    course = {
        1: said.CardSeen(CAUSE, DEALER, NINE),
        2: fact.CardDealt(CAUSE, DEALER, NINE, said.Face.UP),
        3: fact.BoxSettled(CAUSE, OTHERS),
        4: fact.BoxSettled(CAUSE, MINE),
    }
    assert seen_by(MINE, course, {}) == {1, 2, 4}
