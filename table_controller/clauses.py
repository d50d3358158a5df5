"""Which line of a house's document says a value of its rules, read from the rule files themselves."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from msgspec import Struct

from table_controller.houses import NAMES, NUMBERS, rule_values

VALUE: Final = re.compile(r"(\w+) *= .*?# *(.*)")
LINES: Final = re.compile(r"l\.(\d[\d, -]*\d|\d)")


class Source(Struct, frozen=True):
    """Document and lines of it (such as "28, 35-37"); no lines where it does not say so.

    `open`: the document is silent or leaves it open, and the value is the house's default.
    """

    document: str
    lines: str = ""
    open: bool = False


@cache
def sources(house: str) -> Mapping[str, Source]:
    """Every value of a house's rules with the place that says it."""
    number = next(number for number, name in NUMBERS.items() if name == house)
    text = files(__package__).joinpath("rules", f"{house}.toml").read_text("utf-8")
    found = (VALUE.match(line) for line in text.splitlines())
    return {said[1]: _source(number, said[2]) for said in found if said is not None}


def _source(document: str, note: str) -> Source:
    lines = ", ".join(LINES.findall(note))
    return Source(document, lines, open="open:" in note or not lines)


def sources_of(rules: Mapping[str, object]) -> Mapping[str, Source]:
    """The sources of recorded rules: of the house they agree with most, and of the values they agree in."""
    house = max(NAMES, key=lambda name: _agreeing(rules, rule_values(name)))
    values = rule_values(house)
    return {key: source for key, source in sources(house).items() if rules.get(key) == values[key]}


def _agreeing(rules: Mapping[str, object], values: Mapping[str, object]) -> int:
    return sum(rules.get(key) == value for key, value in values.items())
