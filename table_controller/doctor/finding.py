"""One line of the page: what was looked at, how it is, and under which words it is told and mended."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class Colour(StrEnum):
    """Green may play, amber should be looked at, red stops the table from opening."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"


class Finding(Struct, frozen=True):
    """`check` and `state` are keys of the texts; `values` fill their blanks."""

    check: str
    colour: Colour
    state: str
    values: Mapping[str, str] = {}


def green(check: str, state: str, **values: object) -> Finding:
    """All is well."""
    return _finding(check, Colour.GREEN, state, values)


def amber(check: str, state: str, **values: object) -> Finding:
    """Playable, but somebody should look."""
    return _finding(check, Colour.AMBER, state, values)


def red(check: str, state: str, **values: object) -> Finding:
    """Not playable before it is mended."""
    return _finding(check, Colour.RED, state, values)


def _finding(check: str, colour: Colour, state: str, values: Mapping[str, object]) -> Finding:
    return Finding(check, colour, state, {name: str(value) for name, value in values.items()})
