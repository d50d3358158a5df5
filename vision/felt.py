"""The felt in millimetres: where each box's cards lie, and whether the camera sees enough of an index there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from vision.calibration import Calibration, Points

BOX_PITCH = 220.0
ARC_RADIUS = 900.0
# The arc of the boxes is centred this far behind the dealer's cards.
ARC_CENTRE = -420.0
CARDS_WIDTH, CARDS_DEPTH = 210.0, 260.0
STANDARD_INDEX, JUMBO_INDEX = 17.0, 27.0
# Two cameras differ by less about where a card lies, millimetres: each may be off by three, and so may its reading.
TWO_CAMERAS_MM = 10.0


@dataclass(frozen=True)
class Zone:
    """A named polygon (n, 2) in table millimetres."""

    name: str
    outline: Points

    def contains(self, x: float, y: float) -> bool:
        return cv2.pointPolygonTest(self.outline.astype(np.float32), (float(x), float(y)), False) >= 0

    def depth(self, x: float, y: float) -> float:
        """Millimetres to the outline, negative outside."""
        return float(cv2.pointPolygonTest(self.outline.astype(np.float32), (float(x), float(y)), True))

    @property
    def holds_cards(self) -> bool:
        return self.name == "dealer" or self.name.startswith("box")

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.outline.mean(axis=0)
        return float(x), float(y)


def felt(boxes: int = 7) -> list[Zone]:
    """Zones of a table seen from above: x to the right as the camera sees it, y from the dealer to the players.

    Box 1 is at the dealer's left; the dealer looks down the picture, so that is its right. The origin is the middle
    of the dealer's cards.
    """
    zones = [_rectangle("dealer", 0, 0, 420, 150)]
    for number in range(1, boxes + 1):
        angle = ((boxes + 1) / 2 - number) * BOX_PITCH / ARC_RADIUS
        away = np.array([np.sin(angle), np.cos(angle)])
        middle = np.array([0.0, ARC_CENTRE])
        cards, circle = middle + away * ARC_RADIUS, middle + away * (ARC_RADIUS + 210)
        zones.append(_turned(f"box{number}", cards, angle, (CARDS_WIDTH * 0.75, CARDS_DEPTH)))
        zones.append(_turned(f"circle{number}", circle, angle, (110, 110)))
    return [*zones, _rectangle("shoe", 560, -20, 160, 220), _rectangle("discard", -560, -20, 160, 220)]


def placed(zones: list[Zone], moves: Mapping[str, tuple[float, float]]) -> list[Zone]:
    """The zones as they really lie: each moved by so many millimetres; a betting circle goes with its box."""
    return [_moved(zone, moves.get(zone.name.replace("circle", "box"), (0.0, 0.0))) for zone in zones]


def _moved(zone: Zone, by: tuple[float, float]) -> Zone:
    return Zone(zone.name, np.asarray(zone.outline + np.array(by), np.float64))


def _rectangle(name: str, x: float, y: float, width: float, depth: float) -> Zone:
    return _turned(name, np.array([x, y]), 0.0, (width, depth))


def _turned(name: str, centre: Points, angle: float, size: tuple[float, float]) -> Zone:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return Zone(name, np.asarray(centre + half @ turn, np.float64))


def zone_at(zones: list[Zone], x: float, y: float) -> Zone | None:
    return next((zone for zone in zones if zone.contains(x, y)), None)


def owner(zones: Sequence[Zone], x: float, y: float, others: Sequence[Zone] = ()) -> str:
    """The dealer's zone or the box that a card at this place belongs to: where it lies, else the nearest.

    Nobody's, "", where it may belong to one of `others`, which another camera reads: were it said by both, one card
    would be two.
    """
    depths = {zone.name: zone.depth(x, y) for zone in zones if zone.holds_cards}
    beside = max((zone.depth(x, y) for zone in others if zone.holds_cards), default=-np.inf)
    best = max(depths, key=lambda name: depths[name], default="")
    return best if best and depths[best] > beside + TWO_CAMERAS_MM else ""


class Verdict(StrEnum):
    """Plain words for the installer."""

    GOOD = "good"
    USABLE = "usable, but jumbo-index cards, a second camera or 4K would read better"
    TOO_FEW_PIXELS = "too few pixels: do not run the table like this"


@dataclass(frozen=True)
class IndexHeight:
    """How tall rank plus suit is in the picture at one zone."""

    zone: str
    pixels: float

    @property
    def verdict(self) -> Verdict:
        if self.pixels >= 28:
            return Verdict.GOOD
        return Verdict.USABLE if self.pixels >= 18 else Verdict.TOO_FEW_PIXELS


def index_heights(calibration: Calibration, zones: list[Zone], index_mm: float = STANDARD_INDEX) -> list[IndexHeight]:
    """The height of an index, measured at the worst corner of every zone that holds cards."""
    holding = [zone for zone in zones if zone.holds_cards]
    return [
        IndexHeight(zone.name, index_mm * min(calibration.pixels_per_mm(float(x), float(y)) for x, y in zone.outline))
        for zone in holding
    ]
