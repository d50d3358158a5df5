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


class NoSuchHouse(LookupError):
    """A name that is none of the five."""


def _shipped(name: str, folder: str = "") -> Path:
    if name not in NAMES:
        raise NoSuchHouse(f"{name!r} is no rule set; known are {', '.join(NAMES)}")
    return Path(str(resources.files("table_controller"))) / "rules" / folder / f"{name}.toml"


def read_toml(path: Path) -> dict[str, object]:
    """The values of a TOML file; raises Unusable naming the line that is no TOML, OSError if it cannot be read."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as broken:
        raise Unusable([Problem(path.name, "", f"is no TOML file: {broken}")]) from None


def rule_values(name: str) -> dict[str, object]:
    """The named values of a shipped rule set."""
    return values_of(read_rules(read_toml(_shipped(name))))


def rules_with(name: str, overrides: dict[str, object]) -> RuleSet:
    """A shipped rule set with some keys changed; raises Unusable or NoSuchHouse."""
    return read_rules({**rule_values(name), **overrides})


def house_values(name: str) -> dict[str, object]:
    """The named values of a shipped house file; raises Unusable if somebody broke it."""
    values = read_toml(_shipped(name, "houses"))
    read_house(values)
    return values


def fingerprint(rules: RuleSet) -> str:
    """SHA-256 of a rule set's canonical JSON: the same rules have the same one on every machine."""
    return hashlib.sha256(msgspec.json.encode(values_of(rules), order="deterministic")).hexdigest()
