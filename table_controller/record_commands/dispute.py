"""krupier dispute: take down, list and close complaints, through the door of a running table or without one."""

from pathlib import Path

import click

from table_controller.core.people import Person, Role
from table_controller.journal.complaints import complaint_bundle, complaints_of
from table_controller.journal.keys import load_key
from table_controller.journal.naming import journal_path, table_and_day
from table_controller.port.words import Complain, Conclude
from table_controller.record_commands.asking import PATH, answering, day_of, key_place
from table_controller.record_commands.knocking import door_of, new_id, through
from table_controller.record_commands.writing import KEY, writing
from table_controller.shell.complaints import Heard, Lock, close_complaint, open_complaint


@click.group()
def dispute() -> None:
    """Complaints of players. A running table is told through its door."""


@dispute.command("open")
@click.argument("path", type=PATH)
@click.option("--round", "number", type=int, required=True, help="The round complained about; see krupier replay --at.")
@click.option("--box", type=int, required=True, help="The box of the player who complains.")
@click.option("--reason", required=True, help="What is said, in a few words.")
@click.option("--by", "name", required=True, help="Who takes it down.")
@click.option("--lock", type=click.Choice([one.value for one in Lock]), default="next_round", help="What stops.")
@KEY
@answering
def open_(path: Path, *, number: int, box: int, reason: str, name: str, lock: str, key: Path | None) -> None:
    """Freeze a round's evidence in a bundle, hold its day, lock the table, record who said what."""
    if (door := door_of(path)) is not None:
        table, day = table_and_day(day_of(path, number))
        said = Complain(
            id=new_id(), by=Person(name, Role.PIT_BOSS), day=day, round=number, box=box, reason=reason, lock=lock
        )
        complaint = through(door, said).detail
        bundle = complaint_bundle(journal_path(day_of(path).parent, table, day), number, int(complaint))
        click.echo(f"complaint {complaint}: {bundle}")
        return
    with writing(path, key) as recorder:
        journal = day_of(path, number)
        heard = Heard(journal, number, box, reason, Person(name, Role.PIT_BOSS))
        bundle = open_complaint(recorder, heard, Lock(lock), load_key(key_place(key, journal)))
    click.echo(f"complaint {complaints_of(recorder.day.path).last}: {bundle}")


@dispute.command("list")
@click.argument("path", type=PATH)
@answering
def list_(path: Path) -> None:
    """Complaints that are open."""
    for one in complaints_of(day_of(path)).standing:
        click.echo(f"{one.number}: {one.day}, round {one.round}, box {one.box}: {one.reason} (taken down by {one.by})")


@dispute.command()
@click.argument("path", type=PATH)
@click.argument("number", type=int)
@click.option("--by", "name", required=True, help="Who decides.")
@click.option("--decision", required=True, help="What was decided, in a few words.")
@KEY
@answering
def close(path: Path, number: int, *, name: str, decision: str, key: Path | None) -> None:
    """Close a complaint by name, with a decision; the next round may open."""
    if (door := door_of(path)) is not None:
        through(door, Conclude(id=new_id(), by=Person(name, Role.PIT_BOSS), number=number, decision=decision))
        click.echo(f"complaint {number}: {decision} ({name})")
        return
    with writing(path, key) as recorder:
        close_complaint(recorder, number, Person(name, Role.PIT_BOSS), decision)
    click.echo(f"complaint {number}: {decision} ({name})")
