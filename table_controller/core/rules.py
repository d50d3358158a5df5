"""What the rule sets of all games have in common; a game adds its own keys."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from table_controller.core.parameters import Problem, Read, Values, flag, one_of, optional, whole


class Shuffle(StrEnum):
    """When the shoe is shuffled: at the house's cut card, or before every round."""

    OPEN = "open"
    EVERY_ROUND = "every_round"


class TableRules(Struct, frozen=True, kw_only=True):
    """Shoe, boxes, limits (minor units; None is no limit) and the house's loss limit."""

    decks: int
    shuffle: Shuffle
    boxes: int
    min_bet: int | None
    max_bet: int | None
    bet_step: int
    budget: int | None
    practice: bool

    @property
    def peeks(self) -> bool:
        """Whether a hidden card is looked at before it is turned."""
        return False


TABLE_KEYS: Final[Mapping[str, Read]] = {
    "decks": whole(1, 8),
    "shuffle": one_of(Shuffle),
    "boxes": whole(1, 15),
    "min_bet": optional(whole(1)),
    "max_bet": optional(whole(1)),
    "bet_step": whole(1),
    "budget": optional(whole(1)),
    "practice": flag,
}


def limits_disagree(read: Values) -> list[Problem]:
    """Problems between bet limits that are each allowed by themselves."""
    low, high = read.get("min_bet"), read.get("max_bet")
    if not isinstance(low, int) or not isinstance(high, int) or low <= high:
        return []
    return [Problem("min_bet", low, f"must not be above max_bet ({high})")]
