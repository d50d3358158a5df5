"""Money, line by line: roundings, limits, exposure. What a whole round does is in the scenarios and cases."""

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.legal import affords, insurance_limit, may_double, offer_to
from table_controller.core.blackjack.phases.betting import bet_faults
from table_controller.core.blackjack.round import Box, Hand
from table_controller.core.blackjack.settle import (
    charlie_line,
    even_money_line,
    insurance_line,
    natural_line,
    surrender_line,
)
from table_controller.core.blackjack.words import When
from table_controller.core.cards import cards
from table_controller.core.money import Rounding, divides, share
from table_controller.core.table import may_refuse_play
from table_controller.play.felt import FLOOR
from table_controller.play.scripted import table_for


def box(stake: int, hand: str = "AS KS") -> Box:
    return Box(3, main=stake, hands=(Hand(cards(hand), stake),))


@pytest.mark.parametrize(
    ("rounding", "natural", "half_back"), [("down", 151, 50), ("up", 152, 51)], ids=["for the house", "for the player"]
)
def test_an_odd_stake_is_rounded_as_the_house_says(rounding: str, natural: int, half_back: int) -> None:
    rules = houses.rules_with("goldfishka", {"rounding": rounding})
    assert natural_line(rules, box(101), 0, When.END).net == natural
    assert surrender_line(rules, box(101)).back == half_back
    assert surrender_line(rules, box(101)).net == half_back - 101
    assert charlie_line(rules, box(101), 0).net == natural


def test_a_house_that_never_rounds_refuses_bets_that_cannot_be_paid_exactly() -> None:
    rules = houses.rules_with("golden_wolf", {"rounding": "exact", "bet_step": 1, "min_bet": 1})
    assert bet_faults(rules, 101, 0) == ["step"]
    assert bet_faults(rules, 100, 0) == []
    no_surrender = houses.rules_with("bil_cup", {"rounding": "exact", "bj_pays": [1, 1]})
    assert bet_faults(no_surrender, 101, 0) == []


def test_even_money_pays_the_stake_itself() -> None:
    line = even_money_line(box(250))
    assert (line.net, line.back, line.carried) == (250, 500, 0)


def test_insurance_is_never_rounded_up() -> None:
    rules = houses.rules_with("goldfishka", {"rounding": "up"})
    assert insurance_limit(rules, box(101)) == 50


@pytest.mark.parametrize(
    ("amount", "ratio", "down", "up"), [(7, (3, 2), 10, 11), (8, (3, 2), 12, 12), (1, (1, 2), 0, 1)]
)
def test_a_share_is_whole_units(amount: int, ratio: tuple[int, int], down: int, up: int) -> None:
    assert share(amount, ratio, Rounding.DOWN) == down == share(amount, ratio, Rounding.EXACT)
    assert share(amount, ratio, Rounding.UP) == up
    assert divides(amount, ratio) is (down == up)


@pytest.mark.parametrize(
    ("house", "changes", "stake", "exposure"),
    [
        ("golden_wolf", {}, 300, 2400),
        ("golden_wolf", {"das": False}, 300, 1200),
        ("bil_cup", {}, 300, 450),
        ("bil_cup", {"bj_pays": [1, 1], "insurance": False}, 300, 300),
        ("bil_cup", {"double": "any2", "bj_pays": [1, 1]}, 300, 600),
        ("goldfishka", {"double": "none", "split": "none", "max_hands": 1}, 300, 750),
        ("goldfishka", {}, 300, 1800),
    ],
)
def test_the_worst_case_is_known_before_the_first_card(
    house: str, changes: dict[str, object], stake: int, exposure: int
) -> None:
    felt = table_for(houses.rules_with(house, changes), house)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, stake))
    (closed,) = felt.say(said.CloseBets(felt.cause(), FLOOR))
    assert getattr(closed, "exposure", None) == exposure


def test_a_side_bet_adds_to_the_worst_case() -> None:
    felt = table_for(houses.rules_with("live_dealer", {}), "live_dealer")
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 1000))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 100, said.Side.PAIRS))
    (closed,) = felt.say(said.CloseBets(felt.cause(), FLOOR))
    assert getattr(closed, "exposure", None) == 4 * 1000 + 25 * 100


def test_the_budget_must_be_passed_not_reached() -> None:
    felt = table_for(houses.rules_with("golden_wolf", {"budget": 450}), "golden_wolf")
    for _ in range(2):
        felt.command(said.OpenBets(felt.cause(), FLOOR))
        felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
        felt.command(said.CloseBets(felt.cause(), FLOOR))
        felt.cards = iter(cards("AS 9H KD TC"))
        felt.play(lambda point: (point.legal[1], None))
        felt.clear()
        assert may_refuse_play(felt.state) is (felt.state.bank.house_net == -900)
    assert felt.state.bank.house_net == -900


@pytest.mark.parametrize(("rounding", "net"), [("down", 7), ("up", 8)])
def test_a_won_insurance_is_rounded_as_the_house_says(rounding: str, net: int) -> None:
    rules = houses.rules_with("classic", {"insurance_pays": [3, 2], "rounding": rounding})
    insured = Box(1, main=10, insurance=5)
    assert insurance_line(rules, insured, dealer_natural=True, when=When.PEEK).net == net
    assert insurance_line(rules, insured, dealer_natural=False, when=When.PEEK).net == -5


@pytest.mark.parametrize(
    ("double", "allowed"),
    [("none", ""), ("any2", "5S3D 5S4D TS6D AS8D"), ("9-11", "5S4D 5S5D 6S5D"), ("10-11", "5S5D 6S5D")],
)
def test_only_the_totals_a_house_allows_are_doubled(double: str, allowed: str) -> None:
    rules = houses.rules_with("classic", {"double": double})
    pairs = ["5S3D", "5S4D", "5S5D", "6S5D", "7S5D", "TS6D", "AS8D", "AS9D"]
    may = {pair for pair in pairs if may_double(rules, Hand(cards(f"{pair[:2]} {pair[2:]}"), 100))}
    if double == "any2":
        assert may == set(pairs)
    else:
        assert may == set(allowed.split())


def test_the_last_unit_is_enough_to_double() -> None:
    assert affords(Box(1, funds=100), 100)
    assert not affords(Box(1, funds=99), 100)
    assert affords(Box(1), 10**9)


@pytest.mark.parametrize(
    ("changes", "hand", "stake", "offered"),
    [
        ({}, "TS 9D", 100, "insure"),
        ({}, "AS KD", 100, "insure"),
        ({"insurance_bj": False}, "AS KD", 100, None),
        ({"insurance": False}, "TS 9D", 100, None),
        ({"insurance": False, "even_money": True}, "AS KD", 100, "even_money"),
        ({"even_money": True}, "TS 9D", 100, "insure"),
        ({}, "TS 9D", 1, None),
        ({}, "TS 9D", 2, "insure"),
    ],
)
def test_against_an_ace_each_box_is_offered_what_the_house_has(
    changes: dict[str, object], hand: str, stake: int, offered: str | None
) -> None:
    offer = offer_to(houses.rules_with("classic", changes), box(stake, hand))
    assert (offer and offer[0]) == offered


@pytest.mark.parametrize(("exact", "funds", "limit"), [(True, 50, 50), (True, 49, 0), (False, 49, 49), (False, 60, 50)])
def test_insurance_is_limited_by_what_the_player_owns(exact: bool, funds: int, limit: int) -> None:
    rules = houses.rules_with("classic", {"insurance_exact": exact})
    assert insurance_limit(rules, Box(1, main=100, funds=funds)) == limit


def test_a_settled_box_is_offered_nothing() -> None:
    settled = Box(1, main=100, hands=(Hand(cards("TS 9D"), 100, settled=True),))
    assert offer_to(houses.rules_with("classic", {}), settled) is None
