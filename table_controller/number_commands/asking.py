"""What the commands of the numbers share: a house with some keys changed, and files to write."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click
import msgspec

from table_controller import houses
from table_controller.commands import fail
from table_controller.core.blackjack.rules import KEYS, RuleSet
from table_controller.core.house import Language
from table_controller.core.parameters import Problem, Unusable, unknown

SET: Final = click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE", help="A rule key to change; may be repeated."
)
MORE: Final = click.argument("more", nargs=-1, metavar="[KEY=VALUE]...")
JSON: Final = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
COMPOSITION: Final = click.option("--composition", is_flag=True, help="Every hand by its own cards, not by its total.")
LANGUAGE: Final = click.option(
    "--lang", type=click.Choice([one.value for one in Language]), default="en", show_default=True
)


class Asked(NamedTuple):
    """The rules asked about, the house's name, and the keys that were changed."""

    rules: RuleSet
    name: str
    changed: dict[str, object]

    @property
    def title(self) -> str:
        """The name, with what was changed."""
        told = (f"{key}={msgspec.json.encode(value).decode()}" for key, value in self.changed.items())
        return " ".join([self.name, *told])


def asked(name: str, changes: Sequence[str], more: Sequence[str]) -> Asked:
    """The house with its changes; ends the command with status 2 where key or value cannot be used."""
    try:
        changed = dict(map(_change, [*changes, *more]))
        return Asked(houses.rules_with(name, changed), houses.NUMBERS.get(name, name), changed)
    except (houses.NoSuchHouse, Unusable) as reason:
        fail(str(reason))
    except OSError as missing:
        fail(f"{missing.filename}: {missing.strerror}; name a readable file")


def _change(text: str) -> tuple[str, object]:
    key, equals, value = text.partition("=")
    if not equals or key not in KEYS:
        wrong = unknown(key, KEYS) if equals else "write KEY=VALUE, such as decks=8"
        raise Unusable([Problem(key, None, wrong)])
    try:
        return key, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return key, value


def write_text(path: Path, text: str) -> None:
    """A file of text; ends the command with status 2 where it cannot be written."""
    try:
        path.write_text(text, "utf-8")
    except OSError as reason:
        fail(f"{path}: {reason.strerror}; name a file that can be written")
