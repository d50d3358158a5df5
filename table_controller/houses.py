"""Rule sets and house files on disk: found by name, read with every mistake reported at once."""

import hashlib
import tomllib
from importlib import resources
from pathlib import Path

import msgspec

from table_controller.core.blackjack.rules import RuleSet, read_rules, values_of
from table_controller.core.house import read_house
from table_controller.core.parameters import Problem, Unusable

NAMES = ("golden_wolf", "bil_cup", "goldfishka", "live_dealer", "classic")


NUMBERS = dict(zip(("000", "001", "002", "003", "004"), NAMES, strict=True))
"""The houses by the number of their rule document."""


class NoSuchHouse(LookupError):
    """Neither one of the five nor a file."""


def _file(name: str, folder: str = "") -> Path:
    """Where the rules (or the house file) of a name, a number or a path lie; a file of your own has classic's house."""
    own = name.endswith(".toml")
    if own and not folder:
        return Path(name)
    known = "classic" if own else NUMBERS.get(name, name)
    if known not in NAMES:
        raise NoSuchHouse(f"{name!r} is no house; name one of {', '.join(NAMES)}, 000 to 004, or a rule-set file .toml")
    return Path(str(resources.files("table_controller"))) / "rules" / folder / f"{known}.toml"


def read_toml(path: Path) -> dict[str, object]:
    """The values of a TOML file; raises Unusable naming the line that is no TOML, OSError if it cannot be read."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as broken:
        raise Unusable([Problem("", None, f"{path.name} is no TOML file: {broken}")]) from None


def rule_values(name: str) -> dict[str, object]:
    """The named values of a rule set: a house by name or number, or a file of your own."""
    return values_of(read_rules(read_toml(_file(name))))


def rules_with(name: str, overrides: dict[str, object]) -> RuleSet:
    """A rule set with some keys changed; raises Unusable, NoSuchHouse or OSError."""
    return read_rules({**rule_values(name), **overrides})


def house_values(name: str) -> dict[str, object]:
    """The named values of the house file that goes with a rule set."""
    values = read_toml(_file(name, "houses"))
    read_house(values)
    return values


def fingerprint(rules: RuleSet) -> str:
    """SHA-256 of a rule set's canonical JSON: the same rules have the same one on every machine."""
    return hashlib.sha256(msgspec.json.encode(values_of(rules), order="deterministic")).hexdigest()
