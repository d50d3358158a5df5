"""Failures that users of other blackjack programs reported; each is a test. Texts: tests/cases/reported_rules.jsonl."""

import json
from pathlib import Path
from typing import Any

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.due import dealer_draws
from table_controller.core.blackjack.hands import total
from table_controller.core.blackjack.words import Action, HoleTurned
from table_controller.core.cards import cards
from table_controller.core.events import SignalRefused
from table_controller.core.places import Place
from table_controller.core.table import Phase
from table_controller.play.felt import FLOOR, Felt
from table_controller.play.scripted import Bet, Decision, play_round, table_for

REPORTED = Path(__file__).parents[1] / "cases/reported_rules.jsonl"


def round_of(house: str, shoe: str, *decisions: tuple[Any, ...], boxes: int = 1, **changes: Any) -> dict[str, Any]:
    rules = houses.rules_with(house, {"min_bet": None, "max_bet": None, "bet_step": 1, **changes})
    bets = [Bet(box, 10) for box in range(1, boxes + 1)]
    done = [Decision(box, do, hand, amount) for box, hand, do, amount in ((*one, None)[:4] for one in decisions)]
    return play_round(table_for(rules, house), bets, shoe.split(), done)


def test_every_reported_case_of_the_rules_is_tested_here() -> None:
    tested = {name.split("_")[1].upper() for name in globals() if name.startswith("test_f")}
    assert {json.loads(line)["id"] for line in REPORTED.read_text("utf-8").splitlines()} == tested


def test_f01_an_ace_split_and_a_ten_is_no_natural() -> None:
    told = round_of("golden_wolf", "AS 6S AD TD KC 5C 4C", (1, 0, "split"))
    assert [line["net"] for line in told["ledger"]] == [10, -10]
    assert told["net"] == {"1": 0}


def test_f01_split_21_against_a_drawn_21_is_a_push() -> None:
    told = round_of("golden_wolf", "AS 6S AD TD KC 5C 5H", (1, 0, "split"))
    assert [line["result"] for line in told["ledger"]] == ["push", "lose"]


@pytest.mark.parametrize(("hole", "balance"), [("KC", 100), ("9C", 70)])
def test_f02_insurance_is_paid_beside_the_main_bet(hole: str, balance: int) -> None:
    stand = () if hole == "KC" else ((1, 0, "stand"),)
    rules = houses.rules_with("golden_wolf", {"min_bet": None, "bet_step": 1})
    decisions = [Decision(1, "insure", 0, 10), *(Decision(*one[:1], one[2]) for one in stand)]
    told = play_round(table_for(rules, "golden_wolf"), [Bet(1, 20)], f"TS AH 9D {hole}".split(), decisions)
    net: Any = told["net"]
    assert 100 + net["1"] == balance


def test_f04_a_natural_waits_for_the_dealers() -> None:
    assert round_of("golden_wolf", "AS TH QD AC")["net"] == {"1": 0}


def test_f04_a_drawn_21_loses_to_a_natural() -> None:
    told = round_of("bil_cup", "7S TH 7D 7C AC", (1, 0, "hit"), (1, 0, "stand"))
    assert told["net"] == {"1": -10}


def test_f04_a_natural_wins_while_another_box_plays_on() -> None:
    told = round_of("classic", "AS TS 5H QD 8D 6C TC", (2, 0, "stand"), boxes=2)
    assert told["net"] == {"1": 15, "2": -10}
    assert told["dealer"] == ["5H", "6C", "TC"]


@pytest.mark.parametrize(
    ("hand", "points", "soft"),
    [
        ("AS 4S 7S", 12, False),
        ("AS AH AD 6S", 19, True),
        ("AS AH TS", 12, False),
        ("AS AH", 12, True),
        ("AS 6S", 17, True),
        ("AS 6S TS", 17, False),
        ("AS AH 9S", 21, True),
    ],
)
def test_f05_aces_count_eleven_while_that_does_not_bust(hand: str, points: int, soft: bool) -> None:
    assert total(cards(hand)) == (points, soft)


def test_f05_the_dealer_draws_to_ace_four_seven() -> None:
    assert dealer_draws(houses.rules_with("golden_wolf", {}), cards("AS 4S 7S"))


def refused(felt: Felt, hand: int, action: Action) -> bool:
    before = felt.round
    events = felt.signal(Place(1, hand), action)
    return all(isinstance(event, SignalRefused) for event in events) and felt.round == before


def dealt(house: str, shoe: str, funds: int | None = None, **changes: Any) -> Felt:
    felt = table_for(houses.rules_with(house, {"min_bet": None, "bet_step": 1, **changes}), house)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 10, funds=funds))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = iter(cards(shoe))
    while felt.round.phase is Phase.DEALING:
        felt.deal()
    return felt


def test_f06_no_split_after_a_hit() -> None:
    felt = dealt("golden_wolf", "6S 7H 6D TC AS")
    felt.signal(Place(1), Action.HIT)
    felt.deal()
    assert refused(felt, 0, Action.SPLIT)
    assert total(felt.round.boxes[0].hands[0].cards) == (13, False)


def test_f06_no_double_before_the_second_card_of_a_split_hand() -> None:
    felt = dealt("golden_wolf", "8S 7H 8D TC 3S")
    felt.signal(Place(1), Action.SPLIT)
    assert refused(felt, 0, Action.DOUBLE)
    felt.deal()
    assert not refused(felt, 0, Action.DOUBLE)


def test_f06_ten_and_king_split_by_value_only() -> None:
    assert not refused(dealt("golden_wolf", "TS 7H KD TC"), 0, Action.SPLIT)
    assert refused(dealt("golden_wolf", "TS 7H KD TC", split="rank"), 0, Action.SPLIT)


@pytest.mark.parametrize(
    ("shoe", "decisions", "balance"),
    [
        ("TS 9H 8D TC", [(1, 0, "stand")], 90),
        ("TS 9H 9D TC", [(1, 0, "stand")], 100),
        ("TS 9H TD TC", [(1, 0, "stand")], 110),
        ("AS 9H KD TC", [], 115),
    ],
    ids=["lose", "push", "win", "natural"],
)
def test_f08_the_stake_is_taken_once_and_comes_back(shoe: str, decisions: list[Any], balance: int) -> None:
    told = round_of("golden_wolf", shoe, *decisions)
    assert 100 - 10 + told["back"]["1"] == balance


def test_f08_no_split_or_double_without_the_money() -> None:
    felt = dealt("golden_wolf", "8S 7H 8D TC", funds=15)
    assert felt.round.boxes[0].funds == 5
    assert refused(felt, 0, Action.SPLIT)
    assert refused(felt, 0, Action.DOUBLE)


def test_f11_the_round_ends_from_this_shoe_after_the_cut_card() -> None:
    felt = dealt("golden_wolf", "TS 7H 8D TC")
    felt.say(said.CutCardSeen(felt.cause()))
    felt.play(lambda _point: (Action.STAND, None))
    felt.clear()
    assert [type(event).__name__ for event in felt.say(said.OpenBets(felt.cause(), FLOOR))] == ["CommandRefused"]


def test_f11_an_empty_shoe_pauses_the_table() -> None:
    felt = dealt("classic", "9S 4H 9D TC", decks=1)
    for _ in range(48):
        felt.say(said.CardBurnt(felt.cause()))
    felt.signal(Place(1), Action.STAND)
    felt.say(HoleTurned(felt.cause(), felt.hole))
    assert felt.state.phase is Phase.PAUSED
    assert felt.round.lines == ()
    assert felt.round.boxes[0].hands[0].cards == cards("9S 9D")
