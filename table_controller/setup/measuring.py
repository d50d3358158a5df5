"""The camera measured in the browser: markers found, boxes drawn over the picture and dragged to where they lie, saved.

A saved calibration is three files: calibration.json, the picture it was made from, and the house's signature of both.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from vision.calibration import Calibration, Points, calibrate, marker_corners, shifted_mm
from vision.felt import JUMBO_INDEX, STANDARD_INDEX, Zone, felt, index_heights, placed
from vision.geometry import Image
from vision.installing import load, load_moves, read_plan, save
from vision.sheet import PLACES, SIDE
from vision.table_view import Table, opener_of

VIEWS: Final = 5
FAR_MM: Final = 600.0
"""A box dragged farther than this from its usual place was dropped by mistake."""
STILL_MM: Final = 3.0
Moves = Mapping[str, tuple[float, float]]


class Shape(Struct, frozen=True):
    """A place on the picture: its outline and middle in pixels, and how well cards are read there."""

    name: str
    outline: tuple[tuple[float, float], ...]
    middle: tuple[float, float]
    index_pixels: float
    pixels_per_mm: float
    verdict: str


class Measured(Struct, frozen=True):
    """What the markers gave. `since_mm`: how far the picture has moved since the last calibration, None without one."""

    picture: Image
    calibration: Calibration
    moves: Moves
    boxes: int
    since_mm: float | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.picture.shape[1], self.picture.shape[0]

    @property
    def moved(self) -> bool:
        """Whether camera or table were bumped since the last calibration."""
        return self.since_mm is not None and self.since_mm > STILL_MM

    def shapes(self, *, jumbo: bool) -> list[Shape]:
        """The dealer's place and the boxes as they lie now."""
        zones = [zone for zone in placed(felt(self.boxes), self.moves) if zone.holds_cards]
        heights = index_heights(self.calibration, zones, JUMBO_INDEX if jumbo else STANDARD_INDEX)
        return [
            self._shape(zone, height.pixels, height.verdict.name.lower())
            for zone, height in zip(zones, heights, strict=True)
        ]

    def _shape(self, zone: Zone, pixels: float, verdict: str) -> Shape:
        outline = self.calibration.to_picture(zone.outline)
        x, y = outline.mean(axis=0)
        corners = tuple((round(float(across), 1), round(float(down), 1)) for across, down in outline)
        scale = self.calibration.pixels_per_mm(*zone.centre)
        return Shape(
            zone.name, corners, (round(float(x), 1), round(float(y), 1)), round(pixels, 1), round(scale, 2), verdict
        )

    def dragged(self, middles: Mapping[str, tuple[float, float]]) -> Moves:
        """How far each place lies from its usual one, its middle dropped at these pixels; raises ValueError."""
        usual = {zone.name: zone for zone in felt(self.boxes) if zone.holds_cards}
        now = {shape.name: shape for shape in self.shapes(jumbo=False)}
        moves = dict(self.moves)
        for name, dropped in middles.items():
            if name not in usual:
                raise ValueError(name)
            start, end = self.calibration.to_table(np.array([now[name].middle, dropped], np.float64))
            by = np.array(moves.get(name, (0.0, 0.0))) + end - start
            if not np.isfinite(by).all() or float(np.hypot(*by)) > FAR_MM:
                raise ValueError(name)
            moves[name] = (round(float(by[0]), 1), round(float(by[1]), 1))
        return {name: by for name, by in moves.items() if by != (0.0, 0.0)}


def measure(table: Table, plan: Path) -> Measured:
    """Looks through the camera; boxes placed before keep their places.

    Raises CameraLost, OSError, or ValueError with what is in the way.
    """
    opener, _ = opener_of(table)
    device = opener()
    try:
        views = [device.read().image for _ in range(VIEWS)]
    finally:
        device.close()
    calibration = calibrate(views, _places(plan))
    before = table.calibration
    if before is None or not before.exists():
        return Measured(views[-1], calibration, {}, table.boxes)
    return Measured(views[-1], calibration, load_moves(before), table.boxes, shifted_mm(load(before), views[-1]))


def _places(plan: Path) -> dict[int, Points]:
    """The plan that was measured again, or where the sheets say they are to be laid."""
    if plan.exists():
        return read_plan(plan)
    return {one.name: marker_corners(one.x, one.y, SIDE) for one in PLACES}


def keep(measured: Measured, file: Path, key: Ed25519PrivateKey) -> None:
    """Calibration, picture and signature, side by side."""
    save(measured.calibration, file, measured.moves)
    _, coded = cv2.imencode(".jpg", measured.picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    picture_of(file).write_bytes(coded.tobytes())
    signature_of(file).write_text(key.sign(_digest(file)).hex() + "\n", "ascii")


def picture_of(file: Path) -> Path:
    """The picture a calibration was made from."""
    return file.with_suffix(".jpg")


def signature_of(file: Path) -> Path:
    """The house's signature of a calibration and its picture."""
    return file.with_suffix(".sig")


def signed(file: Path, key: Ed25519PublicKey) -> bool:
    """Whether calibration and picture are what this house signed; raises OSError where one of the files is missing."""
    try:
        key.verify(bytes.fromhex(signature_of(file).read_text("ascii")), _digest(file))
    except (InvalidSignature, ValueError):
        return False
    return True


def _digest(file: Path) -> bytes:
    return b"".join(hashlib.sha256(one.read_bytes()).digest() for one in (file, picture_of(file)))
