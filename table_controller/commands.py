"""Commands of the rule room: rules, play."""

import sys
from pathlib import Path
from typing import NoReturn

import click
import msgspec

from table_controller import houses
from table_controller.core.blackjack.rules import read_rules, values_of
from table_controller.core.parameters import Unusable
from table_controller.play.cases import answer


def fail(message: str) -> NoReturn:
    """One line on stderr, exit status 2: the request itself is unusable."""
    click.echo(f"krupier: {message}", err=True)
    raise SystemExit(2)


@click.group()
def rules() -> None:
    """Rule sets: the five houses, and files of your own."""


@rules.command("list")
def list_rules() -> None:
    """Names and fingerprints of the shipped rule sets."""
    for name in houses.NAMES:
        click.echo(f"{name:<12} {houses.fingerprint(houses.rules_with(name, {}))}")


@rules.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, keys as in docs/rules.md.")
def show(name: str, as_json: bool) -> None:
    """Every value of one rule set."""
    try:
        values = houses.rule_values(name)
    except houses.NoSuchHouse as unknown:
        fail(str(unknown))
    if as_json:
        click.echo(msgspec.json.encode(values))
        return
    for key, value in values.items():
        click.echo(f"{key:<20} {msgspec.json.encode(value).decode() if value is not None else 'none'}")


@rules.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check a rule-set file; every mistake is listed with what is allowed."""
    try:
        checked = read_rules(houses.read_toml(file))
    except OSError as missing:
        fail(f"{file}: {missing.strerror}; name a readable rule-set file")
    except Unusable as wrong:
        for problem in wrong.problems:
            click.echo(f"{file}: {problem}", err=True)
        raise SystemExit(1) from None
    click.echo(f"{file}: {len(values_of(checked))} keys in order, fingerprint {houses.fingerprint(checked)}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def play(file: Path) -> None:
    """Play scripted cases, one JSON object a line, through the real core."""
    try:
        lines = file.read_bytes().splitlines()
    except OSError as missing:
        fail(f"{file}: {missing.strerror}; name a readable file of cases, one JSON object a line")
    wrong = 0
    for line in lines:
        if line.strip():
            told = answer(line)
            wrong += "error" in told
            sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    raise SystemExit(1 if wrong else 0)
