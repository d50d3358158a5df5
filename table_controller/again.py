"""krupier run with `fed`: a recorded evening in place of camera, boards, people; at last the records are compared."""

import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import click
import msgspec

from table_controller.cameras import numbered
from table_controller.commands import fail
from table_controller.config import Config
from table_controller.journal.errors import JournalError
from table_controller.journal.naming import journals
from table_controller.port.fed import FedClock
from table_controller.port.footage import footage_of, video_folder
from table_controller.replay.again import is_fact, parting
from table_controller.replay.opening import load
from table_controller.shell.controller import say

LOOK_S: Final = 0.5


def must_be_feedable(config: Config, record: Path) -> None:
    """Ends the command where the evening cannot be fed into this folder."""
    if not record.is_file():
        fail(f"fed: {record}: no such record; name a day such as .../{config.table}-2026-11-29.db")
    for number, _ in numbered(config):
        video = video_folder(record.parent, config.table, number)
        if not footage_of(video).segments:
            fail(f"fed: {record}: no video of camera {number} beside it; configure the cameras of that evening")
    if journals(config.data, config.table):
        fail(f"data: {config.data}: holds a record of {config.table}; an evening is fed into a folder of its own")


def ended(config: Config) -> threading.Event:
    """Set once the evening has been fed to its end."""
    done, clock = threading.Event(), FedClock(config.data, config.table)

    def look() -> None:
        while not done.wait(LOOK_S):
            with suppress(OSError):
                if clock.read().last_row is not None:
                    done.set()

    threading.Thread(target=look, name="fed", daemon=True).start()
    return done


def compare(config: Config, record: Path) -> int:
    """Say on one line whether both records tell the same; the exit status. What came of the stopping is left out."""
    try:
        then, now = (load(path, say).rows for path in (record, journals(config.data, config.table)[-1]))
        last_row = FedClock(config.data, config.table).read().last_row
    except (JournalError, IndexError, OSError) as error:
        fail(f"the evening was not recorded again: {error}")
    parts = parting(then, now[:last_row])
    whole = last_row is not None
    told: dict[str, object] = {"same": parts is None and whole, "whole": whole, "events": sum(map(is_fact, then))}
    if parts is not None:
        told |= {"then": parts.then, "now": parts.now}
    click.echo(msgspec.json.encode(told))
    return 0 if told["same"] else 1
