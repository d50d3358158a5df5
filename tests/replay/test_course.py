"""A round is told moment by moment: the table after each fact, and the clause it follows from."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller import houses
from table_controller.clauses import Source, sources, sources_of
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import round_of
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import cards
from table_controller.core.step import kind_of
from table_controller.play.felt import FLOOR, Point
from table_controller.play.recorded import RecordedFelt
from table_controller.replay.course import Moment, course_of
from table_controller.replay.opening import load
from table_controller.replay.walk import Walk
from tests.evening import EveningClock, nobody_warns, open_felt, open_house, play_evening


@pytest.fixture
def felt(tmp_path: Path, house_key: Ed25519PrivateKey) -> Iterator[RecordedFelt]:
    felt = open_felt(tmp_path / "T07-2026-11-29.db", house_key, EveningClock())
    yield felt
    felt.recorder.leave()


def course(felt: RecordedFelt, number: int = 1) -> list[Moment]:
    return list(course_of(Walk(load(felt.recorder.day.path, nobody_warns)), number))


def play(felt: RecordedFelt, house: str, deal: str, *wishes: Action) -> list[Moment]:
    """One round on box 1 with these cards; the player does what he wishes, in order, and then stands."""
    open_house(felt, house)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 100))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = iter(cards(deal))
    left = iter(wishes)
    felt.play(lambda point: (wish(point, left), None))
    return course(felt)


def wish(point: Point, left: Iterator[Action]) -> Action:
    return next(left, Action.STAND if point.stage == "play" else Action.NO_INSURANCE)


def behind(moments: list[Moment], kind: str) -> list[tuple[str, ...]]:
    return [tuple(one.key for one in moment.clauses) for moment in moments if kind_of(moment.event) == kind]


def test_the_last_moment_is_the_table_as_it_was(felt: RecordedFelt) -> None:
    open_house(felt)
    play_evening(felt, 12)
    for number in range(1, felt.state.rounds + 1):
        moments = course(felt, number)
        assert all(one.after == other.before for one, other in pairwise(moments))
    assert moments[-1].after == felt.state


def test_the_hole_card_is_in_no_moment_before_it_is_turned(felt: RecordedFelt) -> None:
    moments = play(felt, "golden_wolf", "TS 7H 9D TC")
    for moment in moments:
        rnd = round_of(moment.after)
        if rnd is not None and not rnd.revealed:
            assert "TC" not in map(str, rnd.dealer)
    assert "TC" in map(str, round_of(moments[-1].after).dealer)  # type: ignore[union-attr]


def test_a_blackjack_is_paid_by_its_clause(felt: RecordedFelt) -> None:
    moments = play(felt, "golden_wolf", "AS 7H KD TC")
    assert behind(moments, "bet_settled") == [("bj_pays",)]


def test_splitting_doubling_and_the_second_cards_name_theirs(felt: RecordedFelt) -> None:
    moments = play(felt, "golden_wolf", "8S 6H 8D TC 3C TD 9H 5C", Action.SPLIT, Action.DOUBLE)
    assert behind(moments, "hand_split") == [("split", "max_hands")]
    assert behind(moments, "hand_doubled") == [("double", "das")]
    assert ("split_deal",) in behind(moments, "card_dealt")


def test_the_dealers_drawing_names_his_soft_17_and_the_check_its_clause(felt: RecordedFelt) -> None:
    moments = play(felt, "golden_wolf", "TS TH 9D 4C 6C")
    assert behind(moments, "hole_checked") == [("peek",)]
    assert behind(moments, "card_dealt")[-1] == ("soft17",)


def test_insurance_and_what_it_pays(felt: RecordedFelt) -> None:
    moments = play(felt, "golden_wolf", "TS AH 9D KC", Action.NO_INSURANCE)
    assert behind(moments, "offer_declined") == [("insurance",)]
    assert behind(moments, "bet_settled") == [("peek",)]


@pytest.mark.parametrize("house", houses.NAMES)
def test_every_value_of_every_house_has_a_source(house: str) -> None:
    assert sources(house).keys() == houses.rule_values(house).keys()
    assert sources_of(houses.rule_values(house)) == sources(house)


def test_a_source_is_the_line_of_the_document() -> None:
    found = sources("golden_wolf")
    assert found["peek"] == Source("000", "83, 108", open=True)
    assert found["soft17"] == Source("000", "80-82")
    assert found["boxes"].open


def test_a_value_changed_at_the_table_has_no_source() -> None:
    found = sources_of({**houses.rule_values("golden_wolf"), "max_bet": 500})
    assert "max_bet" not in found
    assert found["soft17"].lines == "80-82"


def test_every_clause_is_a_rule_or_a_house_choice(felt: RecordedFelt) -> None:
    open_house(felt, "live_dealer")
    play_evening(felt, 8)
    rules, house = houses.rule_values("live_dealer"), houses.house_values("live_dealer")
    remedies = house["remedies"]
    assert isinstance(remedies, dict)
    keys = {one for number in range(1, 9) for moment in course(felt, number) for one in moment.clauses}
    assert keys
    for one in keys:
        assert one.key.removeprefix("remedies.") in (remedies if one.of_house else rules)
