"""krupier key: the house's signing key."""

from pathlib import Path

import click

from table_controller.export.identity import grouped
from table_controller.journal.keys import fingerprint, load_key, make_key
from table_controller.record_commands.asking import PATH, answering


@click.group()
def key() -> None:
    """The house's signing key."""


@key.command()
@click.argument("file", type=PATH)
@answering
def new(file: Path) -> None:
    """Make a key only its owner can read, and print its fingerprint."""
    click.echo(grouped(fingerprint(make_key(file).public_key())))


@key.command()
@click.argument("file", type=PATH)
@answering
def show(file: Path) -> None:
    """Print the fingerprint of a key: what strangers know the house by."""
    click.echo(grouped(fingerprint(load_key(file).public_key())))
