"""The controller process: the only writer of a table's record, answering at its door.

`python -m table_controller.shell.controller --data DIR --table T01` runs one without devices.
"""

import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.journal.certificate import file_digest
from table_controller.journal.evidence import LONGEST_NAME, PLAIN_NAME, evidence_folder
from table_controller.journal.keys import load_key, make_key
from table_controller.journal.record import Moment
from table_controller.port.wire import door_of
from table_controller.port.words import Answer, Kept, Outcome, Said, Told
from table_controller.shell.days import Days
from table_controller.shell.hearing import Filed, Hearing
from table_controller.shell.lights import Lights
from table_controller.shell.loop import Loop
from table_controller.shell.port import PortServer, Respond
from table_controller.shell.table import Table

GAME = "blackjack"


def now() -> Moment:
    """Both clocks of this machine."""
    return Moment(time.time_ns(), time.monotonic_ns())


def house_key(data: Path) -> Ed25519PrivateKey:
    """The house's key beside the record; made the first time. Raises KeyUnusable."""
    path = data / "keys" / "house.key"
    return load_key(path) if path.exists() else make_key(path)


def make_loop(data: Path, table: str, expected: Mapping[str, int]) -> Loop:
    """A table's loop over the records in a folder; nothing is opened before it runs."""
    days = Days(folder=data, table=table, key=lambda: house_key(data), clock=now, warn=say)
    return Loop(table, Hearing(Table(days.open), GAME, now, Lights(expected, now().at_ns)), now)


def responder(loop: Loop) -> Respond:
    """What the door's threads answer with; a file of evidence is read by the caller's own thread."""

    def respond(said: Said) -> Told:
        if not isinstance(said, Kept):
            return loop.answer(said)
        digest = _digest(Path(loop.shown.status.journal), said)
        return digest if isinstance(digest, Answer) else loop.answer(Filed(said, digest))

    return respond


def _digest(journal: Path, kept: Kept) -> str | Answer:
    if not PLAIN_NAME.fullmatch(kept.file) or len(kept.file.encode()) > LONGEST_NAME:
        return Answer(Outcome.UNREADABLE, 0, detail=f"{kept.file!r} is no plain file name")
    try:
        return file_digest(evidence_folder(journal, kept.round) / kept.file)
    except OSError as missing:
        return Answer(Outcome.UNREADABLE, 0, detail=f"{missing.filename}: {missing.strerror}")


def say(text: str) -> None:
    """A line for whoever looks after the process."""
    click.echo(f"krupier: {text}", err=True)


@click.command()
@click.option("--data", type=click.Path(path_type=Path), required=True)
@click.option("--table", required=True)
def main(data: Path, table: str) -> None:
    """Run a table's controller without devices, until it is told to stop."""
    data.mkdir(parents=True, exist_ok=True)
    loop = make_loop(data, table, {})
    door, stop = PortServer(door_of(data, table), responder(loop)), threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    loop.turn()
    door.start()
    try:
        loop.run(stop)
    finally:
        door.close()


if __name__ == "__main__":
    sys.exit(main())
