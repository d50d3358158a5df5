"""Slots as the eyes look at them: each box upright and at the same scale, wherever it lies and however it is turned."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin
from typing import Final

import cv2
import numpy as np

from vision.calibration import Calibration, Points
from vision.felt import Zone
from vision.geometry import Image, Quad

# A card is this tall where it is read; see docs/recognition.md and `make bench`.
WORKING_HEIGHT: Final = 150.0
CARD_WIDTH, CARD_HEIGHT = 63.5, 88.9
SCALE: Final = WORKING_HEIGHT / CARD_HEIGHT
# Cards stick out of their box sideways (a split hand, a long one) more than lengthways; millimetres.
GRID: Final = 7
RIM: Final = {"box": (46.0, 20.0), "dealer": (40.0, 30.0), "circle": (6.0, 6.0)}


@dataclass(frozen=True)
class IndexPlace:
    """Centre of the upper left index, millimetres from the card's upper left corner."""

    x: float
    y: float


STANDARD: Final = IndexPlace(5.0, 11.0)
JUMBO: Final = IndexPlace(7.6, 17.3)


@dataclass(frozen=True)
class Stance:
    """Where a card lies on the table: its centre in millimetres, its turn in degrees clockwise in the picture."""

    x: float
    y: float
    turn: float

    def point(self, across: float, along: float) -> tuple[float, float]:
        """A point given from the card's centre in the card's own directions."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        return self.x + across * c - along * s, self.y + across * s + along * c

    def corners(self, rim: float = 0.0) -> Points:
        """The card's outline (4, 2), grown by `rim`."""
        half = np.array([CARD_WIDTH / 2 + rim, CARD_HEIGHT / 2 + rim])
        return np.array([self.point(*(half * side)) for side in ([-1, -1], [1, -1], [1, 1], [-1, 1])], np.float64)

    def indices(self, index: IndexPlace) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where both indices of the card are."""
        across, along = CARD_WIDTH / 2 - index.x, CARD_HEIGHT / 2 - index.y
        return self.point(-across, -along), self.point(across, along)


@dataclass(frozen=True)
class Part:
    """A rectangle of a slot, in pixels of its upright view."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: float, y: float, rim: float = 0.0) -> bool:
        inside = self.x + rim <= x <= self.x + self.width - rim
        return inside and self.y + rim <= y <= self.y + self.height - rim


@dataclass(frozen=True)
class Slot:
    """One zone of the felt seen by one camera: `to_table` maps pixels of the upright view to millimetres."""

    name: str
    size: tuple[int, int]
    to_table: Points
    to_picture: Points

    @property
    def holds_cards(self) -> bool:
        return self.name == "dealer" or self.name.startswith("box")

    @property
    def whole(self) -> Part:
        return Part(0, 0, *self.size)

    def view(self, image: Image, part: Part | None = None) -> Image:
        """The slot, or a part of it, upright, uint8 (height, width, 3)."""
        part = part or self.whole
        there = self.to_picture @ np.array([[1, 0, part.x], [0, 1, part.y], [0, 0, 1]], np.float64)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(image, there, (part.width, part.height), flags=flags), np.uint8)

    def on_table(self, pixels: Points) -> Points:
        """Pixels (n, 2) of the upright view to millimetres."""
        moved = cv2.perspectiveTransform(pixels.reshape(-1, 1, 2).astype(np.float64), self.to_table)
        return np.asarray(moved, np.float64).reshape(-1, 2)

    def in_view(self, x: float, y: float) -> tuple[float, float]:
        """Millimetres to a pixel of the upright view."""
        there = np.linalg.inv(self.to_table) @ np.array([x, y, 1.0])
        return float(there[0] / there[2]), float(there[1] / there[2])

    def in_picture(self) -> Points:
        """The slot's corners (4, 2) in pixels of the camera's picture."""
        width, height = self.size
        corners = np.array([[[0, 0]], [[width, 0]], [[width, height]], [[0, height]]], np.float64)
        return np.asarray(cv2.perspectiveTransform(corners, self.to_picture), np.float64).reshape(-1, 2)

    def stance_of(self, index: Quad, place: IndexPlace) -> Stance:
        """Where the card lies to which an index (in pixels of the upright view, in reading order) belongs."""
        quad = self.on_table(index.astype(np.float64))
        x, y = quad.mean(axis=0)
        down = quad[2] + quad[3] - quad[0] - quad[1]
        turn = _within(degrees(atan2(float(down[1]), float(down[0]))) - 90)
        at_index = Stance(float(x), float(y), turn)
        return Stance(*at_index.point(CARD_WIDTH / 2 - place.x, CARD_HEIGHT / 2 - place.y), turn)

    def stance_of_back(self, back: Quad) -> Stance:
        """Where a card lies whose whole outline is seen."""
        quad = self.on_table(back.astype(np.float64))
        x, y = quad.mean(axis=0)
        long, short = quad[3] + quad[2] - quad[0] - quad[1], quad[1] + quad[2] - quad[0] - quad[3]
        way = long if np.hypot(*long) > np.hypot(*short) else np.array([-short[1], short[0]])
        return Stance(float(x), float(y), _within(degrees(atan2(float(way[1]), float(way[0]))) - 90))


def _within(turn: float) -> float:
    """The same turn between -180 and 180 degrees."""
    return (turn + 180) % 360 - 180


def slots_of(calibration: Calibration, zones: Sequence[Zone]) -> list[Slot]:
    """The slots of the felt as this camera sees them."""
    rims = {zone.name: _rim(zone.name) for zone in zones}
    return [_slot(calibration, zone, rim) for zone in zones if (rim := rims[zone.name]) is not None]


def _rim(name: str) -> tuple[float, float] | None:
    return next((rim for kind, rim in RIM.items() if name.startswith(kind)), None)


def _slot(calibration: Calibration, zone: Zone, rim: tuple[float, float]) -> Slot:
    corner, right, down = zone.outline[0], zone.outline[1] - zone.outline[0], zone.outline[3] - zone.outline[0]
    width, depth = float(np.hypot(*right)), float(np.hypot(*down))
    right, down = right / width, down / depth
    start = corner - right * rim[0] - down * rim[1]
    size = (round((width + 2 * rim[0]) * SCALE), round((depth + 2 * rim[1]) * SCALE))
    columns = np.column_stack([right / SCALE, down / SCALE, start])
    to_table = np.vstack([columns, [0.0, 0.0, 1.0]])
    return Slot(zone.name, size, np.asarray(to_table, np.float64), _to_picture(calibration, to_table, size))


def _to_picture(calibration: Calibration, to_table: Points, size: tuple[int, int]) -> Points:
    """Over so small a part of the picture a lens bends lines as little as a homography can follow."""
    straight = np.asarray(np.linalg.inv(calibration.homography) @ to_table, np.float64)
    across, along = np.meshgrid(*(np.linspace(0, side, GRID) for side in size))
    view = np.column_stack([across.ravel(), along.ravel()])
    table = np.asarray(cv2.perspectiveTransform(view.reshape(-1, 1, 2), to_table), np.float64).reshape(-1, 2)
    if calibration.lens is None or not calibration.reaches(table).all():
        return straight
    bent, _ = cv2.findHomography(view, calibration.to_picture(table))
    return np.asarray(bent, np.float64)
