"""An update and a roll-back, step by step; whichever step is cut off, the old release or the new one is in use."""

from collections.abc import Callable
from pathlib import Path

from table_controller.journal.certificate import certificate_of
from table_controller.journal.naming import journals, table_and_day
from table_controller.release.shelf import Shelf
from table_controller.release.wheels import NotInstalled, install, release_in, run
from table_controller.replay.opening import load

Tell = Callable[[str, str], None]


def refuse_open_tables(data: Path) -> None:
    """Raises NotInstalled while a table of the data folder is open by its own record, its day not closed."""
    newest = {table_and_day(day)[0]: day for day in journals(data)} if data.is_dir() else {}
    for table, day in newest.items():
        if certificate_of(day) is None and load(day, lambda _: None).end().rules is not None:
            raise NotInstalled(f"table {table} is open; close it first, then ask again")


def update(shelf: Shelf, wheels: Path, data: Path, extra: str, tell: Tell) -> str:
    """Install the release of a folder of wheels, prove that it reads every record, and put it into use."""
    version = release_in(wheels)
    tell("open_tables", version)
    refuse_open_tables(data)
    if version not in shelf.complete():
        tell("clearing", version)
        shelf.clear(version)
        tell("installing", version)
        install(shelf, wheels, version, extra)
        tell("finishing", version)
        shelf.finish(version)
    _put_into_use(shelf, version, data, tell)
    return version


def roll_back(shelf: Shelf, data: Path, tell: Tell) -> str:
    """Put the release before the current one into use again, if it reads every record that was written since."""
    version = shelf.previous()
    if version is None or version not in shelf.complete():
        raise NotInstalled("there is no release to go back to")
    tell("open_tables", version)
    refuse_open_tables(data)
    _put_into_use(shelf, version, data, tell)
    return version


def _put_into_use(shelf: Shelf, version: str, data: Path, tell: Tell) -> None:
    tell("reading", version)
    if data.is_dir() and journals(data):
        run([str(shelf.command(version)), "verify", str(data)], f"release {version} cannot read the record")
    else:
        run([str(shelf.command(version)), "--version"], f"release {version} does not start")
    # A table may have opened while the release was made.
    refuse_open_tables(data)
    tell("using", version)
    shelf.use(version)
    tell("done", version)
