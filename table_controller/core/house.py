"""What a house chooses beside the mathematics: remedies, burns, timers, chips, languages, retention, signals."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from table_controller.core.irregular import ALLOWED, Irregularity, Remedy
from table_controller.core.parameters import (
    Problem,
    Read,
    Unusable,
    Values,
    flag,
    one_of,
    optional,
    read_all,
    several_of,
    whole,
)


class Witness(StrEnum):
    """Who says that a card was dealt; the camera always does, a shoe that counts or reads may."""

    CAMERA = "camera"
    SHOE = "shoe"


class Language(StrEnum):
    """Languages every text exists in."""

    POLISH = "pl"
    ENGLISH = "en"
    RUSSIAN = "ru"


class OverBudget(StrEnum):
    """What happens when the house has lost more than its budget: it may refuse, or it does."""

    MAY_REFUSE = "may_refuse"
    REFUSE = "refuse"


class Absent(StrEnum):
    """What becomes of the hand of a player who does not answer in time.

    Play: whoever runs the table plays it by strategy, with signals of the source `ABSENT` (live dealer l.110).
    """

    CALL_SUPERVISOR = "call_supervisor"
    STAND = "stand"
    PLAY = "play"


ABSENT: Final = "absent"
"""The source of signals given for a player who does not answer."""


class Burns(Struct, frozen=True, kw_only=True):
    """Cards burned after a new shoe and after a change of dealer, and whether they are shown."""

    new_shoe: int
    new_dealer: int
    shown: bool


class Timers(Struct, frozen=True, kw_only=True):
    """Seconds a drawn card may go unseen, and a player may take to answer."""

    card_seconds: int
    answer_seconds: int


class House(Struct, frozen=True, kw_only=True):
    """The house file by value. Keys and meanings: docs/rules.md."""

    currency: str
    denominations: tuple[int, ...]
    languages: tuple[Language, ...]
    retention_days: int
    witnesses: tuple[Witness, ...]
    over_budget: OverBudget
    absent: Absent
    deck_check: bool
    back_check: bool
    reader_check: bool
    deck_hours: int | None
    cut_percent: int | None
    burns: Burns
    timers: Timers
    signals: dict[str, dict[str, str]]
    remedies: dict[Irregularity, tuple[Remedy, ...]]


def _section(spec: Mapping[str, Read]) -> Read:
    def read(value: object) -> object:
        if not isinstance(value, dict):
            raise ValueError(f"must be a section with {', '.join(spec)}")
        values, problems = read_all(spec, value)
        if problems:
            raise ValueError("; ".join(map(str, problems)))
        return values

    return read


def _text(value: object) -> str:
    if isinstance(value, str) and value:
        return value
    raise ValueError("must be a text")


def _denominations(value: object) -> tuple[int, ...]:
    if isinstance(value, list | tuple) and value and all(isinstance(chip, int) and chip > 0 for chip in value):
        return tuple(sorted(set(value)))
    raise ValueError("must be a list of chip values in minor units")


def _signals(value: object) -> dict[str, dict[str, str]]:
    """Meaning -> medium (button, gesture, sound) -> what it looks or sounds like."""
    try:
        return msgspec.convert(value, dict[str, dict[str, str]])
    except msgspec.ValidationError:
        raise ValueError("must be a section per signal, each naming button, gesture or sound") from None


def _remedies(value: object) -> dict[Irregularity, tuple[Remedy, ...]]:
    if not isinstance(value, dict):
        raise ValueError("must be a section: irregularity = [remedies, the house's choice first]")
    spec = {irregularity.value: several_of(Remedy) for irregularity in Irregularity}
    read, problems = read_all(spec, value)
    chosen = msgspec.convert(read, dict[Irregularity, tuple[Remedy, ...]])
    for irregularity, remedies in chosen.items():
        if not remedies or set(remedies) - set(ALLOWED[irregularity]):
            problems.append(
                Problem(irregularity, list(remedies), f"must be one or more of {', '.join(ALLOWED[irregularity])}")
            )
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    return chosen


KEYS: Final[Mapping[str, Read]] = {
    "currency": _text,
    "denominations": _denominations,
    "languages": several_of(Language),
    "retention_days": whole(1),
    "witnesses": several_of(Witness),
    "over_budget": one_of(OverBudget),
    "absent": one_of(Absent),
    "deck_check": flag,
    "back_check": flag,
    "reader_check": flag,
    "deck_hours": optional(whole(1, 720)),
    "cut_percent": optional(whole(10, 50)),
    "burns": _section({"new_shoe": whole(0, 9), "new_dealer": whole(0, 9), "shown": flag}),
    "timers": _section({"card_seconds": whole(1, 60), "answer_seconds": whole(5, 600)}),
    "signals": _signals,
    "remedies": _remedies,
}


def read_house(values: Values) -> House:
    """A house from named values; raises Unusable with every problem."""
    read, problems = read_all(KEYS, values)
    if problems:
        raise Unusable(problems)
    return msgspec.convert(read, House)


def house_values(house: House) -> dict[str, object]:
    """The house as plain named values; `read_house` reads them back."""
    plain: dict[str, object] = msgspec.to_builtins(house)
    return plain
