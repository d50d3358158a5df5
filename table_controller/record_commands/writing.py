"""How a command writes to a record: at a table whose controller is not running, with the house's key."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from table_controller.journal.keys import load_key
from table_controller.journal.record import Moment
from table_controller.record_commands.asking import PATH, day_of, key_place, warn
from table_controller.shell.recorder import Recorder, open_recorder

KEY: Final = click.option(
    "--key", type=PATH, help="The house's key; default: house.key or keys/house.key beside the journal."
)


@contextmanager
def writing(path: Path, key: Path | None) -> Iterator[Recorder]:
    """The record of the day being written, checked; JournalBusy if its controller is running."""
    journal = day_of(path)
    recorder = open_recorder(journal, load_key(key_place(key, journal)), _clock, "blackjack", warn)
    try:
        yield recorder
    finally:
        recorder.leave()


def _clock() -> Moment:
    return Moment(time.time_ns(), time.monotonic_ns())
