"""krupier update: put a release of a folder of wheels into use without a network, or go back to the one before."""

import os
import tomllib
from importlib.resources import files
from pathlib import Path

import click

from table_controller.commands import fail
from table_controller.core.house import Language
from table_controller.journal.errors import JournalError
from table_controller.release.change import roll_back
from table_controller.release.change import update as put_in
from table_controller.release.shelf import Shelf
from table_controller.release.wheels import NotInstalled

SHELF = Path("/opt/krupier")
DATA = Path("/var/lib/krupier")
PATH = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.argument("wheels", type=PATH, required=False)
@click.option("--back", is_flag=True, help="Go back to the release before this one.")
@click.option("--shelf", type=PATH, default=SHELF, show_default=True, help="Where the releases lie.")
@click.option("--data", type=PATH, default=DATA, show_default=True, help="Where the records of the tables lie.")
@click.option("--extra", default="run", show_default=True, help="What to install beside the core; empty for nothing.")
@click.option("--lang", type=click.Choice([one.value for one in Language]), default="en", show_default=True)
def update(wheels: Path | None, *, back: bool, shelf: Path, data: Path, extra: str, lang: str) -> None:
    """Install the release in the folder WHEELS and use it from the next start on; refused while a table is open."""
    if (wheels is None) is not back:
        fail("name the folder of wheels, or ask for --back")
    says = tomllib.loads(files(__package__).joinpath("texts", f"{lang}.toml").read_text("utf-8"))["step"]

    def tell(step: str, version: str) -> None:
        click.echo(says[step].format(version=version), err=True)

    try:
        releases = Shelf(shelf)
        version = roll_back(releases, data, tell) if wheels is None else put_in(releases, wheels, data, extra, tell)
    except (NotInstalled, JournalError) as reason:
        click.echo(f"krupier: {reason}; {says['kept']}", err=True)
        raise SystemExit(1) from None
    except OSError as reason:
        fail(f"{reason.filename}: {os.strerror(reason.errno or 0)}; name folders that can be used")
    click.echo(version)
