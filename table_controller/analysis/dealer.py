"""The dealer's hand: how likely each outcome is, exactly, for any shoe."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from table_controller.analysis.compiled import Floats, Whole, compiled
from table_controller.analysis.hands import VALUES

OUTCOMES = 7
"""Outcomes 0 to 4 are totals of 17 to 21, then bust, then a natural."""
BUST = 5
NATURAL = 6


class Dealer(NamedTuple):
    """Hands on which a dealer with one upcard draws, in order of their number of cards.

    `after[hand, value]` is the hand after that card, or -1 - outcome where the dealer then stands or has bust.
    """

    drawn: Whole
    cards: Whole
    after: Whole


@lru_cache(maxsize=2 * VALUES)
def dealer_with(up: int, hits_soft_17: bool) -> Dealer:
    """The dealer showing the value of index `up`, standing on all 17 or hitting the soft one."""
    start = (0,) * VALUES
    found, order, after = {start: 0}, [start], list[list[int]]()
    for drawn in order:
        ways = []
        for value in range(VALUES):
            more = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
            outcome = _outcome(up, more, hits_soft_17)
            if outcome is None and more not in found:
                found[more] = len(order)
                order.append(more)
            ways.append(found[more] if outcome is None else -1 - outcome)
        after.append(ways)
    drawn_array = np.array(order, dtype=np.int64)
    return Dealer(drawn_array, drawn_array.sum(axis=1), np.array(after, dtype=np.int64))


def _outcome(up: int, drawn: tuple[int, ...], hits_soft_17: bool) -> int | None:
    """None while the dealer draws."""
    hard = up + 1 + sum(value * number for value, number in enumerate(drawn, 1))
    soft = (up == 0 or drawn[0] > 0) and hard <= 11
    total = hard + 10 * soft
    if total > 21:
        return BUST
    if total == 21 and sum(drawn) == 1:
        return NATURAL
    if total < 17 or (total == 17 and soft and hits_soft_17):
        return None
    return total - 17


@compiled
def outcomes(dealer: Dealer, shoe: Floats, weight: Floats, odds: Floats) -> None:
    """Fill `odds` with the probability of each outcome when the dealer draws from `shoe`; `weight` is working room."""
    weight[:] = 0.0
    weight[0] = 1.0
    odds[:] = 0.0
    left = shoe.sum()
    for hand in range(weight.size):
        if weight[hand] == 0.0:
            continue
        each = weight[hand] / (left - dealer.cards[hand])
        for value in range(shoe.size):
            number = shoe[value] - dealer.drawn[hand, value]
            if number > 0.0:
                after = dealer.after[hand, value]
                if after >= 0:
                    weight[after] += each * number
                else:
                    odds[-1 - after] += each * number
