"""What the commands of the record share: their options, and how an error becomes one line and a status."""

import tomllib
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from functools import wraps
from pathlib import Path
from typing import Final, ParamSpec
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from table_controller.commands import fail
from table_controller.core.house import Language
from table_controller.core.parameters import Unusable
from table_controller.houses import NoSuchHouse
from table_controller.journal.errors import JournalDamaged, JournalError, NotKept
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.verify import verify_file
from table_controller.replay.opening import load
from table_controller.replay.walk import played_rows

P = ParamSpec("P")
CONFIG: Final = "table.toml"
KEY_PLACES: Final = ("house.key", "keys/house.key", "../keys/house.key")

PATH: Final = click.Path(path_type=Path)
LANGUAGE: Final = click.option(
    "--lang", type=click.Choice([one.value for one in Language]), default="en", help="Language of the paper."
)
ZONE: Final = click.option(
    "--zone",
    help="Time zone, such as Europe/Warsaw. Default: that of a table.toml beside the record, or this machine's.",
)
JSON: Final = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")


def answering(command: Callable[P, None]) -> Callable[P, None]:
    """A record that is not what was written ends with status 1; a request that cannot be answered with 2."""

    @wraps(command)
    def answer(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except JournalDamaged as damage:
            click.echo(f"krupier: {damage}", err=True)
            raise SystemExit(1) from None
        except (JournalError, NoSuchHouse, Unusable) as reason:
            fail(str(reason))
        except OSError as reason:
            if reason.filename is None:
                raise
            fail(f"{reason.filename}: {reason.strerror}; name a file or folder that can be used")

    return answer


def warn(text: str) -> None:
    """A message that is no answer."""
    click.echo(f"krupier: {text}", err=True)


def zone_of(name: str | None, record: Path) -> tzinfo:
    """The zone of that name; else the venue's, as the table.toml beside the record says; else this machine's."""
    name = name or _venue_zone(record)
    if name is None:
        return datetime.now(UTC).astimezone().tzinfo or UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        fail(f"--zone {name}: no such time zone; write it like Europe/Warsaw")


def _venue_zone(record: Path) -> str | None:
    folder = (record if record.is_dir() else record.parent).absolute()
    for place in (folder, folder.parent):
        with suppress(OSError, ValueError):
            zone = tomllib.loads((place / CONFIG).read_text("utf-8")).get("zone")
            return zone if isinstance(zone, str) else None
    return None


def new_file(path: Path) -> Path:
    """A place to write to where nothing lies yet; raises NotKept."""
    if path.exists():
        raise NotKept(f"{path} is there already; name a new file, or move that one away")
    if not path.parent.is_dir():
        raise NotKept(f"{path.parent}: no such folder; make it first, or name another")
    return path


def doubt(journals: Iterable[Path], *, as_json: bool) -> int:
    """Checks what is about to be shown; returns the status to end with.

    A record that is not good is named: on stderr, and above a text as well.
    """
    bad = next((verdict for verdict in map(verify_file, journals) if not verdict.ok), None)
    if bad is None:
        return 0
    mark = f"{Path(bad.path).name}: NOT GOOD, do not rely on what follows: {bad.reason}"
    warn(mark)
    if not as_json:
        click.echo(mark)
    return 1


def day_of(path: Path, number: int | None = None) -> Path:
    """A journal itself; in a folder the day that holds the round, or the last day. Raises NotKept."""
    if not path.is_dir():
        if not path.exists():
            raise NotKept(f"{path}: no such file; name a journal, or the folder of one table's journals")
        return path
    days = journals(path)
    if not days:
        raise NotKept(f"{path}: no journal here; it would be named like T07-2026-11-29.db")
    tables = sorted({table_and_day(day)[0] for day in days})
    if len(tables) > 1:
        raise NotKept(f"{path}: journals of {len(tables)} tables, {', '.join(tables)}; name one journal")
    if number is None:
        return days[-1]
    for day in reversed(days):
        if any(row.round == number for row in played_rows(load(day, warn))):
            return day
    raise NotKept(f"{path}: no day here holds round {number}")


def key_place(given: Path | None, journal: Path) -> Path:
    """The key file named, or the one that lies where keys lie beside a journal."""
    if given is not None:
        return given
    places = [journal.parent / place for place in KEY_PLACES]
    return next((place for place in places if place.exists()), places[0])
