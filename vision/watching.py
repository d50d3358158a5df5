"""The eyes' process: reads the newest shared frame, says what it sees through the controller's door.

`python -m vision.watching --data DIR --table T01 --source rendered:`
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import click

from vision import weights
from vision.agreed import Agreed
from vision.checks import PictureCheck
from vision.door import EYES, Spoken, Spokesman, Stop, TableDoor, evidence_folder, run_folder
from vision.evidence import card_picture, keep
from vision.exchange import FrameReader, Shared, board_of
from vision.geometry import Image
from vision.pipeline import Heed, Pipeline, View
from vision.profile import DeckProfile, ProfileRefused
from vision.reader import Reader, shipped
from vision.sighting import Changed, Left, Said
from vision.steady import Rule
from vision.table_options import table_options
from vision.table_view import Table

DEVICE: Final = "vision"
NO_FRAMES, NOT_CALIBRATED, STARTING = "no_frames", "not_calibrated", "starting"
LONGEST_START_NS: Final = 6_000_000_000
NO_FRAMES_S: Final = 1.0
# How fast this computer is must make no other evening of one that is fed again.
NO_FRAMES_FED_S: Final = 60.0
PAUSE_S: Final = 0.004


class Ear(Protocol):
    """Whom the eyes tell, and who tells them what to heed."""

    @property
    def heed(self) -> Heed:
        """What the controller says now."""

    @property
    def journal(self) -> Path | None:
        """The day's file."""

    @property
    def round(self) -> int | None:
        """The running round."""

    def say(self, spoken: Spoken) -> None:
        """Say this, after everything that was said before."""

    def kept(self, name: str, box: int | None) -> None:
        """A picture was written for the running round."""


class Eyes:
    """One table's eyes: a frame in, words out, the pictures behind them kept."""

    def __init__(self, reader: Reader, view: View, door: Ear, name: str = EYES) -> None:
        self._pipeline = Pipeline(reader, view, Rule(reader.threshold))
        self._check, self._door = PictureCheck(view.calibration), door
        self._spokesman = Spokesman(door.say, eyes=name)
        self._slots = {slot.name: slot for slot in self._pipeline.slots}
        self._trouble: str | None = None
        self._opened_ns = 0

    def see(self, shared: Shared) -> str | None:
        """Take a frame; what is wrong with it, as a code. Of a picture that is not fit nothing is read."""
        was, self._trouble = self._trouble, self._check.trouble(shared.image, shared.at_ns)
        if self._trouble is not None:
            return self._trouble
        if was is not None:
            self._pipeline.forget()
        heed = self._door.heed
        for said in self._pipeline.frame(shared.at_ns, shared.image, heed):
            self._tell(said, shared.image, heed)
        return STARTING if self._starting(shared.at_ns, heed) else None

    def reading(self, heed: Heed) -> bool:
        """Is there something at rest that is not read through yet?"""
        return self._pipeline.reading(heed)

    def _starting(self, at_ns: int, heed: Heed) -> bool:
        """Until everything was looked at once; a table at play when the eyes open is not waited for longer."""
        self._opened_ns = self._opened_ns or at_ns
        return at_ns - self._opened_ns < LONGEST_START_NS and bool(self._pipeline.unseen() - set(heed.veiled))

    def _tell(self, said: Said, image: Image, heed: Heed) -> None:
        names = self._pictures(said, image, heed)
        self._spokesman.tell(said, names)
        slot = said.slot if isinstance(said, Changed) else said.spot.slot
        box = None if slot == "dealer" else int(slot.removeprefix("box").removeprefix("circle"))
        for name in names:
            if name is not None:
                self._door.kept(name, box)

    def _pictures(self, said: Said, image: Image, heed: Heed) -> tuple[str | None, str | None]:
        """Keep what shows it: the card, or the circle before and after. Nothing is cropped from a veiled slot."""
        journal = self._door.journal
        slot = self._slots[said.slot if isinstance(said, Changed) else said.spot.slot]
        if journal is None or isinstance(said, Left) or slot.name in {*heed.veiled, *heed.backs}:
            return None, None
        folder, number = evidence_folder(journal, self._door.round), self._spokesman.next_number()
        if not isinstance(said, Changed):
            picture = card_picture(slot, image, said.spot.x, said.spot.y)
            return None, keep(folder, f"{slot.name}-{number}.jpg", picture)
        before, after = self._pipeline.before(slot.name), slot.view(image)
        was = None if before is None else keep(folder, f"{slot.name}-{number}-before.jpg", before)
        return was, keep(folder, f"{slot.name}-{number}-after.jpg", after)


def watch(data: Path, table: Table, reader: Reader, ready: Callable[[], None]) -> None:
    """Run until SIGTERM or SIGINT. Raises Recalibrated."""
    stop, door = Stop(), TableDoor(data, table.name)
    frames = FrameReader(board_of(run_folder(data, table.name), table.camera_name))
    agreed, view = Agreed(table), view_of(table)
    eyes = None if view is None else Eyes(reader, view, door, table.device(EYES))
    door.start()
    ready()
    seen_s, trouble, looked_ns = 0.0, NO_FRAMES, 0
    patience_s = NO_FRAMES_S if table.fed is None else NO_FRAMES_FED_S
    while not stop.is_set():
        agreed.hold()
        shared = frames.newest()
        if eyes is None:
            trouble = NOT_CALIBRATED
        elif shared is not None:
            seen_s = time.monotonic()
            trouble = eyes.see(shared) or ""
            if not eyes.reading(door.heed) and door.unsaid == 0:
                looked_ns = shared.at_ns
        elif time.monotonic() - seen_s > patience_s:
            trouble = NO_FRAMES
        door.well(table.device(DEVICE), trouble or None, looked_ns)
        if shared is None:
            stop.wait(PAUSE_S)
    door.close()


def view_of(table: Table) -> View | None:
    """What these eyes read; None where nobody calibrated. Raises OSError, KeyError, ValueError."""
    calibration = table.calibrated()
    if calibration is None:
        return None
    own = table.read
    names = {zone.name for zone in own}
    return View(calibration, own, table.index, [zone for zone in table.zones if zone.name not in names])


def opened(deck: Path | None) -> Reader:
    """The shipped reader, with the house's deck profile where one is named. Raises WeightsMissing, ProfileRefused."""
    manifest = weights.find()
    corrections = DeckProfile.load(deck, manifest.fingerprint).corrections if deck else ()
    return shipped(manifest, corrections)


def say(text: str) -> None:
    """A line for whoever looks after the process."""
    click.echo(f"krupier: {text}", err=True)


@click.command()
@table_options
@click.option("--deck", type=click.Path(path_type=Path), help="Deck profile made by deckcheck --learn.")
def main(data: Path, table: Table, deck: Path | None) -> None:
    """Run a table's eyes until they are told to stop."""
    try:
        watch(data, table, opened(deck), lambda: say(f"{table.name}: the eyes are open"))
    except (weights.WeightsMissing, ProfileRefused, OSError, ValueError) as error:
        say(str(error))
        sys.exit(2)


if __name__ == "__main__":
    main()
