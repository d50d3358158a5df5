"""One upcard under one rule set, in the numbers that compiled code reads; and the odds of cards and dealer in it."""

from typing import NamedTuple

import numpy as np

from table_controller.analysis.compiled import Floats, compiled
from table_controller.analysis.dealer import NATURAL, OUTCOMES, Dealer, dealer_with, outcomes
from table_controller.analysis.hands import Hands, all_hands
from table_controller.core.blackjack.rules import NaturalTakes, PeekUnder, RuleSet, Soft17

ACE = 0
TEN = 9
NO_CHARLIE = 99
TAKES_STAKE = 0
TAKES_ONE = 1
TAKES_NOTHING = 2


class Scene(NamedTuple):
    """What every computation under one upcard shares.

    `not_hole` is the value that a checked hole card is known not to have, -1 where nobody checked. `takes` is what a
    dealer natural takes from a hand still open: its stake, one unit, or nothing (where the box pays for all its hands).
    """

    hands: Hands
    dealer: Dealer
    charlie: int
    charlie_pays: float
    not_hole: int
    takes: int


def scene_of(rules: RuleSet, up: int) -> Scene:
    """The scene of an upcard for a hand that was not split."""
    charlie = rules.charlie
    return Scene(
        all_hands(),
        dealer_with(up, rules.soft17 is Soft17.HIT),
        charlie.cards if charlie else NO_CHARLIE,
        charlie.pays[0] / charlie.pays[1] if charlie else 0.0,
        _not_hole(rules, up),
        TAKES_STAKE if rules.bj_loss is NaturalTakes.ALL else TAKES_ONE,
    )


def _not_hole(rules: RuleSet, up: int) -> int:
    if up == ACE and PeekUnder.ACE in rules.peek:
        return TEN
    return ACE if up == TEN and PeekUnder.TEN in rules.peek else -1


def shoe_without(decks: int, up: int) -> Floats:
    """How many cards of each value are unseen once the upcard lies."""
    shoe = np.full(10, 4.0 * decks)
    shoe[TEN] *= 4
    shoe[up] -= 1
    return shoe


@compiled
def chance(shoe: Floats, value: int, not_hole: int) -> float:
    """How likely the next of the unseen cards, one of which may be the checked hole card, has this value."""
    number, left = shoe[value], shoe.sum()
    if number <= 0.0:
        return 0.0
    if not_hole < 0:
        return float(number / left)
    hidden = shoe[not_hole]
    if value == not_hole:
        return float(number / (left - 1.0))
    return float(number * (left - hidden - 1.0) / ((left - hidden) * (left - 1.0)))


@compiled
def fill_odds(scene: Scene, shoe: Floats, odds: Floats, natural: Floats) -> None:
    """Dealer outcomes beside every hand of two cards and more; a natural that is checked for is told apart."""
    weight = np.empty(scene.dealer.cards.size)
    for hand in range(11, scene.hands.total.size):
        left = shoe - scene.hands.held[hand]
        if left.min() < 0.0:
            odds[hand] = 0.0
            continue
        outcomes(scene.dealer, left, weight, odds[hand])
        natural[hand] = odds[hand, NATURAL]
        if scene.not_hole >= 0:
            odds[hand] /= 1.0 - natural[hand]
            odds[hand, NATURAL] = 0.0


@compiled
def wins(total: int, odds: Floats) -> float:
    """Won less lost, of one unit standing on `total`, a dealer natural left out."""
    net = odds[5]
    for outcome in range(5):
        if total > 17 + outcome:
            net += odds[outcome]
        elif total < 17 + outcome:
            net -= odds[outcome]
    return float(net)


@compiled
def natural_costs(takes: int, stake: float) -> float:
    """What a dealer natural takes from an open hand."""
    if takes == TAKES_STAKE:
        return stake
    return 1.0 if takes == TAKES_ONE else 0.0


def no_odds(hands: Hands) -> Floats:
    """A table of odds in which nothing is known yet."""
    return np.full((hands.total.size, OUTCOMES), -1.0)
