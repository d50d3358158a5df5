"""A blackjack rule set: every key of the five houses, read with all mistakes reported at once."""

from enum import StrEnum
from typing import Final

import msgspec

from table_controller.core.money import Ratio, Rounding
from table_controller.core.parameters import (
    Problem,
    Unusable,
    Values,
    at_least_even,
    at_most_one,
    flag,
    one_of,
    optional,
    ratio,
    read_all,
    several_of,
    whole,
)
from table_controller.core.rules import TABLE_KEYS, TableRules, limits_disagree


class DealerUp(StrEnum):
    """Which of the dealer's two cards lies face up."""

    FIRST = "first"
    LAST = "last"


class PeekUnder(StrEnum):
    """Upcards under which the hole card is checked: an ace, a ten-value."""

    ACE = "A"
    TEN = "T"


class Soft17(StrEnum):
    """What the dealer does on soft 17."""

    STAND = "stand"
    HIT = "hit"


class NaturalPaid(StrEnum):
    """When a natural is paid."""

    END = "end"
    ON_TURN_IF_SAFE = "on_turn_if_safe"


class Double(StrEnum):
    """On which two cards a hand may be doubled; the last two on hard totals only."""

    NONE = "none"
    ANY2 = "any2"
    HARD_9_11 = "9-11"
    HARD_10_11 = "10-11"


class Split(StrEnum):
    """Which pairs may be split: equal in value (K-Q) or in rank."""

    NONE = "none"
    VALUE = "value"
    RANK = "rank"


class SplitDeal(StrEnum):
    """When split hands get their second card."""

    ON_TURN = "on_turn"
    BOTH = "both"


class Surrender(StrEnum):
    """Late: after any check that is due; early: before it too, or where nobody checks."""

    NONE = "none"
    LATE = "late"
    EARLY = "early"


class NaturalTakes(StrEnum):
    """What a dealer natural found after play takes from the hands still open."""

    ALL = "all"
    ORIGINAL = "obo"
    BUSTED_AND_ONE = "bb+1"


class Push(StrEnum):
    """Whether an equal total gives the stake back or leaves it on the box."""

    RETURN = "return"
    STAY = "stay"


class Charlie(msgspec.Struct, frozen=True):
    """That many cards without bust are paid at once."""

    cards: int
    pays: Ratio


class Pairs(msgspec.Struct, frozen=True):
    """Pay-outs to one of the side bet on a box's first two cards."""

    mixed: int
    coloured: int
    perfect: int


class RuleSet(TableRules, frozen=True, kw_only=True):
    """Blackjack as one house plays it. Keys and meanings: docs/rules.md."""

    hole_card: bool
    dealer_up: DealerUp
    peek: tuple[PeekUnder, ...]
    soft17: Soft17
    bj_pays: Ratio
    bj_when: NaturalPaid
    even_money: bool
    insurance: bool
    insurance_max: Ratio
    insurance_exact: bool
    insurance_bj: bool
    insurance_pays: Ratio
    double: Double
    das: bool
    split: Split
    max_hands: int
    max_hands_aces: int
    split_aces_one_card: bool
    double_split_aces: bool
    split_deal: SplitDeal
    surrender: Surrender
    charlie: Charlie | None
    auto_stand_21: bool
    bj_loss: NaturalTakes
    push: Push
    pairs: Pairs | None
    side_max: Ratio | None
    rounding: Rounding

    @property
    def peeks(self) -> bool:
        return bool(self.peek)


def _charlie(value: object) -> Charlie:
    if isinstance(value, list | tuple) and len(value) == 2:
        try:
            return Charlie(_at_least_three(value[0]), ratio(value[1]))
        except ValueError:
            pass
    raise ValueError("must be [cards from 3 to 9, [num, den]] such as [7, [3, 2]]")


def _at_least_three(value: object) -> int:
    if isinstance(value, int) and 3 <= value <= 9:
        return value
    raise ValueError


def _pairs(value: object) -> Pairs:
    try:
        pays = msgspec.convert(value, Pairs)
    except msgspec.ValidationError:
        pays = Pairs(0, 0, 0)
    if (
        not isinstance(value, dict)
        or set(value) != {"mixed", "coloured", "perfect"}
        or min(pays.mixed, pays.coloured, pays.perfect) < 1
    ):
        raise ValueError("must be {mixed, coloured, perfect}, each a whole number from 1")
    return pays


KEYS: Final = {
    "decks": TABLE_KEYS["decks"],
    "shuffle": TABLE_KEYS["shuffle"],
    "boxes": TABLE_KEYS["boxes"],
    "hole_card": flag,
    "dealer_up": one_of(DealerUp),
    "peek": several_of(PeekUnder),
    "soft17": one_of(Soft17),
    "bj_pays": at_least_even,
    "bj_when": one_of(NaturalPaid),
    "even_money": flag,
    "insurance": flag,
    "insurance_max": at_most_one,
    "insurance_exact": flag,
    "insurance_bj": flag,
    "insurance_pays": ratio,
    "double": one_of(Double),
    "das": flag,
    "split": one_of(Split),
    "max_hands": whole(1, 4),
    "max_hands_aces": whole(1, 4),
    "split_aces_one_card": flag,
    "double_split_aces": flag,
    "split_deal": one_of(SplitDeal),
    "surrender": one_of(Surrender),
    "charlie": optional(_charlie),
    "auto_stand_21": flag,
    "bj_loss": one_of(NaturalTakes),
    "push": one_of(Push),
    **{key: TABLE_KEYS[key] for key in ("min_bet", "max_bet", "bet_step", "budget", "practice")},
    "pairs": optional(_pairs),
    "side_max": optional(ratio),
    "rounding": one_of(Rounding),
}


def read_rules(values: Values) -> RuleSet:
    """A rule set from named values; raises Unusable with every problem."""
    read, problems = read_all(KEYS, values)
    problems += [*limits_disagree(read), *_disagreements(read, values)]
    if problems:
        raise Unusable(problems)
    return msgspec.convert(read, RuleSet)


def _disagreements(read: Values, values: Values) -> list[Problem]:
    """Problems between values that are each allowed by themselves."""
    no_hole = read.get("hole_card") is False
    checks = (
        (no_hole and bool(read.get("peek")), "peek", "must be [] where there is no hole card"),
        (no_hole and read.get("dealer_up") is DealerUp.LAST, "dealer_up", "must be first where there is no hole card"),
    )
    return [Problem(key, values[key], allowed) for wrong, key, allowed in checks if wrong]


def values_of(rules: RuleSet) -> dict[str, object]:
    """The rule set as plain named values, keys in the order of the documentation; `read_rules` reads them back."""
    plain = msgspec.to_builtins(rules)
    plain["insurance_max"] = "{}/{}".format(*rules.insurance_max)
    plain["side_max"] = rules.side_max and "{}/{}".format(*rules.side_max)
    plain["charlie"] = rules.charlie and [rules.charlie.cards, list(rules.charlie.pays)]
    return {key: list(plain[key]) if isinstance(plain[key], tuple) else plain[key] for key in KEYS}
