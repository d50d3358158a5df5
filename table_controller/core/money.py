"""Money is whole minor units (grosz, cent, penny). Ratios are pairs of integers; only rounding is ever a choice."""

from collections.abc import Mapping
from enum import StrEnum

Ratio = tuple[int, int]
Chips = dict[int, int]


class Rounding(StrEnum):
    """What becomes of a payout that is no whole number of minor units."""

    DOWN = "down"
    UP = "up"
    EXACT = "exact"


def share(amount: int, ratio: Ratio, rounding: Rounding) -> int:
    """`amount` x `ratio` in minor units, rounded for (up) or against (down, exact) the player."""
    numerator, denominator = ratio
    if rounding is Rounding.UP:
        return -(-amount * numerator // denominator)
    return amount * numerator // denominator


def divides(amount: int, ratio: Ratio) -> bool:
    """Whether `amount` x `ratio` is a whole number of minor units."""
    return amount * ratio[0] % ratio[1] == 0


def worth(chips: Mapping[int, int]) -> int:
    """What a count of chips is worth: denomination in minor units -> number of chips."""
    return sum(denomination * number for denomination, number in chips.items())
