"""Reading a table of named values so that every mistake in it is reported at once, each with what is allowed."""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct

Values = Mapping[str, object]
Read = Callable[[object], object]


class Problem(Struct, frozen=True):
    """One value that cannot be used: where, what it is, what would be allowed."""

    key: str
    value: object
    allowed: str

    def __str__(self) -> str:
        named = self.key if self.value is None else f"{self.key} = {self.value!r}"
        return f"{named}: {self.allowed}" if self.key else self.allowed


class Unusable(ValueError):
    """Values that do not make a rule set or house; carries every problem found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, self.problems)))


def read_all(spec: Mapping[str, Read], values: Values, prefix: str = "") -> tuple[dict[str, object], list[Problem]]:
    """Each value read by the reader of its key, and a problem for every missing, unknown or unreadable one."""
    read: dict[str, object] = {}
    problems = [Problem(prefix + key, values[key], unknown(key, spec)) for key in values if key not in spec]
    for key, reader in spec.items():
        if key not in values:
            problems.append(Problem(prefix + key, None, "missing; every key must be given"))
            continue
        try:
            read[key] = reader(values[key])
        except ValueError as refused:
            problems.append(Problem(prefix + key, values[key], str(refused)))
    return read, problems


def unknown(key: str, known: Iterable[str]) -> str:
    """What to say of a key nobody knows: the one it is probably meant for."""
    near = get_close_matches(key, list(known), n=1)
    return f"unknown key; did you mean {near[0]}?" if near else "unknown key"


def flag(value: object) -> bool:
    """true or false."""
    if isinstance(value, bool):
        return value
    raise ValueError("must be true or false")


def whole(low: int, high: int | None = None) -> Read:
    """A whole number within limits."""
    allowed = f"must be a whole number from {low}" + (f" to {high}" if high is not None else "")

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < low or (high is not None and value > high):
            raise ValueError(allowed)
        return value

    return read


def optional(reader: Read) -> Read:
    """The same, or "none" (null in JSON)."""

    def read(value: object) -> object:
        if value is None or value == "none":
            return None
        try:
            return reader(value)
        except ValueError as refused:
            raise ValueError(f'{refused}, or "none"') from None

    return read


E = TypeVar("E", bound=StrEnum)


def one_of(choices: type[E]) -> Callable[[object], E]:
    """One word of an enumeration."""

    def read(value: object) -> E:
        word = "none" if value is None else value
        if isinstance(word, str) and word in choices._value2member_map_:
            return choices(word)
        raise ValueError(f"must be one of {', '.join(choices)}")

    return read


def several_of(choices: type[E]) -> Callable[[object], tuple[E, ...]]:
    """A list of different words of an enumeration, possibly empty."""
    read_one = one_of(choices)

    def read(value: object) -> tuple[E, ...]:
        if not isinstance(value, list | tuple):
            raise ValueError(f"must be a list of words from {', '.join(choices)}")
        words = tuple(read_one(word) for word in value)
        if len(set(words)) != len(words):
            raise ValueError("must name each word once")
        return words

    return read


def ratio(value: object) -> tuple[int, int]:
    """A pay-out such as [3, 2], or a fraction written "1/2"."""
    pair = [int(part) for part in value.split("/")] if isinstance(value, str) and _fraction(value) else value
    if (
        isinstance(pair, list | tuple)
        and len(pair) == 2
        and all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in pair)
    ):
        return (pair[0], pair[1])
    raise ValueError('must be two whole numbers such as [3, 2] or "1/2", both at least 1')


def _fraction(text: str) -> bool:
    numerator, slash, denominator = text.partition("/")
    return bool(slash) and numerator.isdecimal() and denominator.isdecimal()


def at_most_one(value: object) -> tuple[int, int]:
    """A fraction not above 1, such as "1/2"."""
    part = ratio(value)
    if part[0] > part[1]:
        raise ValueError('must be a fraction not above 1, such as "1/2"')
    return part


def at_least_even(value: object) -> tuple[int, int]:
    """A pay-out not below 1:1, such as [3, 2]."""
    pays = ratio(value)
    if pays[0] < pays[1]:
        raise ValueError("must pay at least 1:1, such as [3, 2]")
    return pays
