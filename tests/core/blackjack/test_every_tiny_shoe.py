"""Every decision on every short shoe: the core and a second, separately written program agree to the last unit."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind
from table_controller.core.blackjack.rules import read_rules, values_of
from table_controller.core.blackjack.words import BetKind
from table_controller.core.cards import Card
from table_controller.play.felt import FLOOR, Felt
from tests.core.blackjack.oracle import Oracle

BET = 101  # odd, so that every rounding shows
STARTS = ["".join(ranks) for ranks in product("A68T", repeat=4)]
TAILS = ("5A9T37TA68" * 3, "TTA4628A95" * 3)
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in houses.NAMES),
    ("golden_wolf", {"peek": ["T"]}),
    ("golden_wolf", {"max_hands_aces": 4, "double_split_aces": True}),
    ("goldfishka", {"bj_loss": "obo"}),
    ("goldfishka", {"bj_loss": "bb+1", "push": "stay"}),
    ("live_dealer", {"bj_loss": "obo", "bj_when": "end"}),
    ("classic", {"soft17": "hit", "double": "9-11", "das": False}),
    ("classic", {"charlie": [5, [1, 1]], "double": "10-11", "max_hands": 2}),
    ("classic", {"hole_card": False, "peek": [], "even_money": True, "split": "rank", "surrender": "none"}),
]
FREE = {"min_bet": None, "max_bet": None, "bet_step": 1, "pairs": None, "side_max": None}


def shoes() -> Iterator[str]:
    for number, start in enumerate(STARTS):
        yield start + TAILS[number % len(TAILS)]


def courses(felt: Felt, shoe: str) -> Iterator[tuple[Felt, list[tuple[str, str, set[str]]]]]:
    """Every way this shoe can be played, with what was asked: stage, answer, options."""
    todo = [(felt, 0, list[tuple[str, str, set[str]]]())]
    while todo:
        felt, used, asked = todo.pop()
        used = deal_on(felt, shoe, used)
        point = felt.point()
        if point is None:
            felt.used = used
            yield felt, asked
            continue
        options = {str(action) for action in point.legal}
        for action in point.legal:
            branch = Felt(state=felt.state, seq=felt.seq, hole=felt.hole)
            branch.signal(point.place, action)
            todo.append((branch, used, [*asked, (point.stage, str(action), options)]))


def deal_on(felt: Felt, shoe: str, used: int) -> int:
    """Deal until somebody must decide or all is settled."""
    felt.cards = (Card.parse(rank + "S") for rank in shoe[used:])
    felt.used = used
    while felt.point() is None and felt.round.due.kind is not DueKind.PAY:
        felt.deal()
    return felt.used


def opened(rules: dict[str, Any], house: str) -> Felt:
    felt = Felt()
    felt.open(rules, houses.house_values(house))
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, BET))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    return felt


@pytest.mark.parametrize(("house", "changes"), VARIANTS, ids=str)
def test_the_core_and_a_second_program_agree(house: str, changes: dict[str, Any]) -> None:
    rules = values_of(read_rules({**houses.rule_values(house), **FREE, **changes, "decks": 8}))
    played = 0
    for shoe in shoes():
        for felt, asked in courses(opened(rules, house), shoe):
            played += 1
            compare(rules, shoe, felt, asked)
    assert played > len(STARTS)


def compare(rules: dict[str, Any], shoe: str, felt: Felt, asked: list[tuple[str, str, set[str]]]) -> None:
    answers = iter(asked)

    def ask(stage: str, options: set[str]) -> str:
        wanted_stage, answer, legal = next(answers)
        assert (stage, options) == (wanted_stage, legal), (shoe, asked)
        return answer

    oracle = Oracle(rules, list(shoe), BET, ask)
    oracle.play()
    assert next(answers, None) is None, (shoe, asked)
    lines = {line.hand: line for line in felt.round.lines if line.bet is BetKind.MAIN}
    mine = [(str(lines[at].result), lines[at].net, lines[at].carried) for at in sorted(lines)]
    theirs = [(seat.result, seat.net, seat.carried) for seat in oracle.seats]
    assert mine == theirs, (shoe, asked)
    insured = sum(line.net for line in felt.round.lines if line.bet is BetKind.INSURANCE)
    assert (insured, felt.used) == (oracle.insurance_net, oracle.used), (shoe, asked)
