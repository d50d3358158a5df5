"""krupier hold, purge: what must stay although its time is over, and letting go of the rest."""

from datetime import date
from pathlib import Path

import click

from table_controller.core.people import Person, Role
from table_controller.journal.errors import NotKept
from table_controller.journal.naming import table_and_day
from table_controller.journal.policy import Retention
from table_controller.journal.retention import Hold, due, holds_of, lift_hold, place_hold
from table_controller.journal.retention import purge as purge_day
from table_controller.port.words import HoldDay, LetGo
from table_controller.record_commands.asking import PATH, answering, day_of
from table_controller.record_commands.knocking import door_of, new_id, through
from table_controller.record_commands.writing import KEY, writing

LONGEST_YEARS = 1000  # the calendar ends in 9999


@click.group()
def hold() -> None:
    """Legal holds. PATH is the day being written, where the order is recorded."""


@hold.command()
@click.argument("path", type=PATH)
@click.option("--day", required=True, help="The day to keep, such as 2026-11-29.")
@click.option("--reason", required=True, help="Why, in a few words.")
@click.option("--by", "name", required=True, help="Who orders it.")
@KEY
@answering
def place(path: Path, *, day: str, reason: str, name: str, key: Path | None) -> None:
    """Keep a day until the hold is lifted."""
    if (door := door_of(path)) is not None:
        through(door, HoldDay(id=new_id(), by=Person(name, Role.ADMINISTRATOR), day=day, reason=reason))
        click.echo(f"{day} is held: {reason}")
        return
    with writing(path, key) as recorder:
        table, _ = table_and_day(recorder.day.path)
        recorder.note([place_hold(Hold(table, day, reason, name))], seal=True)
    click.echo(f"{day} is held: {reason}")


@hold.command()
@click.argument("path", type=PATH)
@click.option("--day", required=True, help="The day whose holds end.")
@click.option("--by", "name", required=True, help="Who orders it.")
@KEY
@answering
def lift(path: Path, *, day: str, name: str, key: Path | None) -> None:
    """End every hold on a day."""
    if (door := door_of(path)) is not None:
        through(door, HoldDay(id=new_id(), by=Person(name, Role.ADMINISTRATOR), day=day, lift=True))
        click.echo(f"{day} is held no longer")
        return
    with writing(path, key) as recorder:
        standing = [one for one in holds_of(recorder.day.path).standing if one.day == day]
        if not standing:
            raise NotKept(f"{day} is under no hold")
        recorder.note([lift_hold(one, name) for one in standing], seal=True)
    click.echo(f"{day} is held no longer")


@hold.command("list")
@click.argument("path", type=PATH)
@answering
def list_(path: Path) -> None:
    """Holds that stand."""
    for one in holds_of(day_of(path)).standing:
        click.echo(f"{one.table} {one.day}: {one.reason} ({one.by})")


@click.command()
@click.argument("path", type=PATH)
@click.option(
    "--years",
    type=click.IntRange(0, LONGEST_YEARS),
    default=3,
    show_default=True,
    help="Years kept after the end of the calendar year.",
)
@click.option("--dry-run", is_flag=True, help="Only say what is due.")
@KEY
@answering
def purge(path: Path, *, years: int, dry_run: bool, key: Path | None) -> None:
    """Remove days past their time and under no hold, each recorded first in the day being written."""
    policy, today = Retention(years), date.today()
    if dry_run:
        gone = [found.name for found in due(day_of(path), policy, today)]
    elif (door := door_of(path)) is not None:
        let_go = LetGo(id=new_id(), by=Person("technician", Role.TECHNICIAN), years=years)
        gone = through(door, let_go).detail.split()
    else:
        with writing(path, key) as recorder:
            gone = purge_day(recorder.day, policy, today)
    for name in gone:
        click.echo(name)
