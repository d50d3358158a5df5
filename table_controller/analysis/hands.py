"""Every hand a player can hold without busting, as a multiset of card values; the same for every shoe and house."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from table_controller.analysis.compiled import Flags, Whole

VALUES = 10
"""Card values: index 0 is the ace, index 9 all ten-values."""


class Hands(NamedTuple):
    """Hands in order of their number of cards. `child[hand, value]` is the hand with one card more, -1 if it busts."""

    held: Whole
    total: Whole
    soft: Flags
    cards: Whole
    child: Whole


@lru_cache(maxsize=1)
def all_hands() -> Hands:
    """The 3,072 hands of two cards and more, the ten of one card and the empty one, which is hand 0."""
    found: dict[tuple[int, ...], int] = {(0,) * VALUES: 0}
    order = list(found)
    child: list[list[int]] = []
    for held in order:
        after = [_one_more(held, value) for value in range(VALUES)]
        for more in after:
            if _hard(more) <= 21 and more not in found:
                found[more] = len(order)
                order.append(more)
        child.append([found.get(more, -1) for more in after])
    held_array = np.array(order, dtype=np.int64)
    hard = held_array @ np.arange(1, VALUES + 1)
    soft = (held_array[:, 0] > 0) & (hard <= 11)
    cards = held_array.sum(axis=1)
    return Hands(held_array, hard + 10 * soft, soft, cards, np.array(child, dtype=np.int64))


def _one_more(held: tuple[int, ...], value: int) -> tuple[int, ...]:
    return (*held[:value], held[value] + 1, *held[value + 1 :])


def _hard(held: tuple[int, ...]) -> int:
    return sum(value * number for value, number in enumerate(held, 1))


@lru_cache(maxsize=1)
def two_cards() -> Whole:
    """The hand of any two values, by both."""
    hands = all_hands()
    first = hands.child[0]
    return np.array([[hands.child[first[one], other] for other in range(VALUES)] for one in range(VALUES)])
