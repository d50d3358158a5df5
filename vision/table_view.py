"""What a table's camera and eyes need to know of their table, from the words of its configuration."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from vision import installing
from vision.calibration import Calibration
from vision.door import camera_name, device_of
from vision.felt import Zone, felt, placed
from vision.films import Film, Reel, Stills
from vision.frames import CameraLost, Device
from vision.health import SettingsLock
from vision.recording import segments_of
from vision.rendered import deck as drawn
from vision.rendered.cuttings import CutDeck
from vision.rendered.orders import Orders, script
from vision.rendered.paint import view
from vision.rendered.source import DrawnCamera
from vision.rendered.table import Deck, HouseDeck, Painter, Scene, Shot
from vision.sharing import Sight, shared
from vision.slots import JUMBO, STANDARD, IndexPlace
from vision.sources import locked, usb_camera

WAYS: Final = "usb:ID, rtsp://…, http://…, file:PATH, recorded:DIR, folder:PATH, rendered:SCRIPT or photographs:DIR"
ABOUT_NOW_NS: Final = 300_000_000_000
V4L2: Final = Path("/dev/v4l/by-id")
RENDERED, PHOTOGRAPHS = "rendered", "photographs"


class SourceUnknown(ValueError):
    """The configuration names no source that exists; the message says how they are written."""


@dataclass(frozen=True)
class Table:
    """One table's camera: where pictures come from and how they lie over the felt."""

    source: str
    width: int = 1920
    height: int = 1080
    rate: int = 15
    boxes: int = 7
    calibration: Path | None = None
    jumbo: bool = False
    exposure: float | None = None
    white_balance: float | None = None
    focus: float | None = None
    sound: bool = False
    name: str = "T01"
    fed: Path | None = None
    number: int = 1
    beside: "Table | None" = None
    """Where the table has two cameras: the other one."""

    @property
    def camera_name(self) -> str:
        """What this camera's files are named after."""
        return camera_name(self.name, self.number)

    def device(self, name: str) -> str:
        """One of this camera's devices, as the controller knows it."""
        return device_of(name, self.number)

    @property
    def is_rendered(self) -> bool:
        """Drawn by this program, with its own or with photographed cards: it obeys orders and needs no calibration."""
        return self.source.partition(":")[0] in {RENDERED, PHOTOGRAPHS}

    @property
    def zones(self) -> list[Zone]:
        """Where the boxes lie, by the first camera's calibration; raises OSError or ValueError if it cannot be read."""
        first = self._cameras[0].calibration
        return placed(felt(self.boxes), installing.load_moves(first) if first else {})

    @property
    def read(self) -> list[Zone]:
        """The zones this camera reads: all of them, or those it sees better than the other; raises as `zones` does."""
        shares = shared(self.zones, self.sights)
        return [zone for zone in self.zones if shares[zone.name] == self.number - 1]

    @property
    def index(self) -> IndexPlace:
        """Where the deck prints its indices."""
        if self.source.partition(":")[0] == RENDERED:
            return IndexPlace(*drawn.JUMBO.middle)
        return JUMBO if self.jumbo else STANDARD

    def calibrated(self) -> Calibration | None:
        """How pixels lie over millimetres; None where nobody calibrated. Raises OSError, KeyError, ValueError."""
        if self.calibration is not None:
            return installing.load(self.calibration)
        return view(self.width, self.height, self.side) if self.is_rendered else None

    @property
    def sights(self) -> list[Sight]:
        """How the table's cameras see the felt. Raises as `calibrated` does, ValueError where nobody calibrated."""
        return [one._sight() for one in self._cameras]

    def _sight(self) -> Sight:
        calibration = self.calibrated()
        if calibration is None:
            raise ValueError(f"{self.source}: not calibrated, and each of two cameras must be")
        return Sight(calibration, self.width, self.height)

    @property
    def calibrations(self) -> list[Path]:
        """The files that say how the table's cameras see the felt."""
        return [one.calibration for one in self._cameras if one.calibration is not None]

    @property
    def side(self) -> int:
        """From which side of a drawn table it looks, 0 for a camera alone."""
        return 0 if self.beside is None else self.number

    @property
    def _cameras(self) -> "list[Table]":
        """Both in their order, or this one."""
        both = [self] if self.beside is None else [self, replace(self.beside, number=3 - self.number, beside=self)]
        return sorted(both, key=lambda one: one.number)


class Projector:
    """Shows a recording once: a camera that is opened again afterwards stays lost."""

    def __init__(self, load: Callable[[], Film | Reel]) -> None:
        self._load = load
        self._film: Film | Reel | None = None

    def open(self) -> Film | Reel:
        if self._film is not None and self._film.over:
            raise CameraLost("the recording is over")
        self._film = self._load()
        return self._film


def opener_of(table: Table) -> tuple[Callable[[], Device], DrawnCamera | None]:
    """What opens the table's camera, each time anew; and the drawn table itself, where it is one.

    Raises SourceUnknown, and OSError or ValueError for what it names.
    """
    kind, _, rest = table.source.partition(":")
    match kind:
        case "usb":
            device = rest if rest.isdecimal() else str(V4L2 / rest)
            return lambda: usb_camera(device, table.width, table.height, table.rate), None
        case "rtsp" | "rtsps" | "http" | "https":
            return lambda: Film(table.source, stream=True, sound=table.sound), None
        case "file":
            return Projector(lambda: Film(rest, sound=table.sound)).open, None
        case "recorded":
            return Projector(lambda: _reel(table, segments_of(Path(rest)))).open, None
        case "folder":
            return lambda: Stills(Path(rest), table.rate), None
        case "rendered":
            camera = _drawn(table, HouseDeck(), script(Path(rest)) if rest else ())
            return lambda: camera, camera
        case "photographs":
            with_photographs = _drawn(table, CutDeck(Path(rest)), ())
            return lambda: with_photographs, with_photographs
    raise SourceUnknown(f"{table.source}: write {WAYS}")


def _reel(table: Table, segments: list[tuple[Path, int]]) -> Reel:
    """Recordings by two cameras that begin about now, as those a benchmark has drawn, run side by side."""
    both = table.beside is not None and table.beside.source.startswith("recorded:")
    return Reel(segments, now=both and bool(segments) and abs(segments[0][1] - time.time_ns()) < ABOUT_NOW_NS)


def lock_of(table: Table) -> SettingsLock:
    """What is to be locked of a camera on a cable; nobody else has settings."""
    if not table.source.startswith("usb:"):
        return SettingsLock({})
    return SettingsLock(locked(table.exposure, table.white_balance, table.focus))


def scene_of(table: Table) -> tuple[Scene, Painter]:
    """A rendered table's felt and who draws it, for somebody with a clock of his own; raises OSError, ValueError."""
    kind, _, rest = table.source.partition(":")
    return _painted(table, CutDeck(Path(rest)) if kind == PHOTOGRAPHS else HouseDeck())


def _painted(table: Table, cards: Deck) -> tuple[Scene, Painter]:
    scene = Scene(table.boxes)
    return scene, Painter(scene, Shot(table.width, table.height, f"TABLE {table.name}", table.side), cards)


def _drawn(table: Table, cards: Deck, orders: Iterable[Orders]) -> DrawnCamera:
    scene, painter = _painted(table, cards)
    return DrawnCamera(painter, scene, table.rate, orders)
