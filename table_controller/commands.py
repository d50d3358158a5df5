"""Commands of the rule room: rules, play."""

import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click
import msgspec

from table_controller import houses
from table_controller.core.blackjack.rules import read_rules, values_of
from table_controller.core.house import read_house
from table_controller.core.parameters import Unusable
from table_controller.play.cases import answer


def fail(message: str) -> NoReturn:
    """One line on stderr, exit status 2: the request itself is unusable."""
    click.echo(f"krupier: {message}", err=True)
    raise SystemExit(2)


@contextmanager
def usable() -> Iterator[None]:
    """Ends the command with status 2 where a house, a rule file or a path named by the person cannot be used."""
    try:
        yield
    except (houses.NoSuchHouse, Unusable) as unknown:
        fail(str(unknown))
    except OSError as missing:
        fail(f"{missing.filename}: {missing.strerror}; name a readable file")


@click.group()
def rules() -> None:
    """Rule sets: the five houses, and files of your own."""


@rules.command("list")
def list_rules() -> None:
    """Names and fingerprints of the shipped rule sets."""
    click.echo(f"{'rule set':<12} fingerprint: the SHA-256 of its values, the same on every machine", err=True)
    for name in houses.NAMES:
        click.echo(f"{name:<12} {houses.fingerprint(houses.rules_with(name, {}))}")


@rules.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, keys as in docs/rules.md.")
def show(name: str, as_json: bool) -> None:
    """Every value of a rule set: a house by name or number, or a file of your own."""
    with usable():
        values = houses.rule_values(name)
    if as_json:
        click.echo(msgspec.json.encode(values))
        return
    for key, value in values.items():
        click.echo(f"{key:<20} = {msgspec.json.encode('none' if value is None else value).decode()}")


@rules.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check a rule-set file or a house file; every mistake is listed with what is allowed."""
    try:
        click.echo(f"{file}: {_checked(file)}")
    except OSError as missing:
        fail(f"{file}: {missing.strerror}; name a readable rule-set or house file")
    except Unusable as wrong:
        for problem in wrong.problems:
            click.echo(f"{file}: {problem}", err=True)
        raise SystemExit(1) from None


def _checked(file: Path) -> str:
    values = houses.read_toml(file)
    if "remedies" in values or "denominations" in values:
        read_house(values)
        return "a house file, all in order"
    rule_set = read_rules(values)
    return f"a rule set, {len(values_of(rule_set))} keys in order, fingerprint {houses.fingerprint(rule_set)}"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def play(file: Path) -> None:
    """Play scripted cases, one JSON object a line, through the real core."""
    with usable():
        lines = file.read_bytes().removeprefix(BOM_UTF8).splitlines()
    wrong = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            told = answer(line)
            if "error" in told:
                wrong += 1
                told["line"] = number
            sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    raise SystemExit(1 if wrong else 0)
