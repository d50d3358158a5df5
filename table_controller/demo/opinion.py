"""A second opinion on the money: what every box is owed, from the cards that were really dealt and the house's values.

It shares nothing with the core: cards are two letters, totals are found by trying every ace, money is exact fractions.
"""

from fractions import Fraction
from itertools import product
from math import floor
from typing import Any, NamedTuple

from table_controller.demo.truth import TrueBox, TrueHand, TrueRound

Values = dict[str, Any]
RED = "HD"


class Owed(NamedTuple):
    """Won or lost by a box, and what stays on it for the next round."""

    net: int
    carried: int = 0


def owed(rules: Values, played: TrueRound) -> dict[int, Owed]:
    """Every box of a round that was played to its end."""
    return {number: _box(rules, played, box) for number, box in played.boxes.items()}


def best(cards: list[str]) -> int:
    """The best total, or the least if all are over 21."""
    choices = [(1, 11) if card[0] == "A" else (10,) if card[0] in "TJQK" else (int(card[0]),) for card in cards]
    sums = [sum(values) for values in product(*choices)]
    return max((one for one in sums if one <= 21), default=min(sums))


def _is_natural(cards: list[str]) -> bool:
    return len(cards) == 2 and best(cards) == 21


def _box(rules: Values, played: TrueRound, box: TrueBox) -> Owed:
    natural = _is_natural(played.dealer)
    net = _insurance(rules, box, natural=natural) + _pairs(rules, box)
    carried, left = 0, _what_a_natural_takes(rules, box)
    for hand in box.hands:
        won = _closed(rules, hand)
        if won is None and natural and not _player_natural(hand):
            won = -min(left, hand.stake)
            left += won
        if won is None:
            won = _compared(rules, played, hand)
            if won == 0 and rules["push"] == "stay" and not played.practice and not carried:
                carried = min(box.main, hand.stake)
        net += won
    return Owed(net, carried)


def _player_natural(hand: TrueHand) -> bool:
    return not hand.from_split and _is_natural(hand.cards)


def _closed(rules: Values, hand: TrueHand) -> int | None:
    """What a hand won or lost before the dealer's cards counted."""
    if hand.ended == "surrender":
        return floor(Fraction(hand.stake, 2)) - hand.stake
    if hand.ended == "even_money":
        return hand.stake
    if best(hand.cards) > 21:
        return -hand.stake
    charlie = rules["charlie"]
    if charlie and len(hand.cards) >= charlie[0]:
        return floor(hand.stake * Fraction(*charlie[1]))
    return None


def _compared(rules: Values, played: TrueRound, hand: TrueHand) -> int:
    if _player_natural(hand):
        return 0 if _is_natural(played.dealer) else floor(hand.stake * Fraction(*rules["bj_pays"]))
    mine, theirs = best(hand.cards), best(played.dealer)
    if theirs > 21 or mine > theirs:
        return hand.stake
    return -hand.stake if mine < theirs else 0


def _what_a_natural_takes(rules: Values, box: TrueBox) -> int:
    if rules["bj_loss"] == "all":
        return sum(hand.stake for hand in box.hands)
    bust = any(best(hand.cards) > 21 for hand in box.hands)
    return 0 if rules["bj_loss"] == "obo" and bust else box.main


def _insurance(rules: Values, box: TrueBox, *, natural: bool) -> int:
    return floor(box.insurance * Fraction(*rules["insurance_pays"])) if natural else -box.insurance


def _pairs(rules: Values, box: TrueBox) -> int:
    if not box.pairs:
        return 0
    first, second = _first_two(box)
    if first[0] != second[0]:
        return -box.pairs
    if first[1] == second[1]:
        return box.pairs * int(rules["pairs"]["perfect"])
    alike = (first[1] in RED) == (second[1] in RED)
    return box.pairs * int(rules["pairs"]["coloured" if alike else "mixed"])


def _first_two(box: TrueBox) -> tuple[str, str]:
    """The cards the box was first dealt, also where they were split since."""
    first = box.hands[0]
    return (first.cards[0], box.hands[1].cards[0]) if first.from_split else (first.cards[0], first.cards[1])
