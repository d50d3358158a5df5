"""Frames in, sightings out: each region is read at native resolution, only after something changed and came to rest."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.frames import Frame
from vision.geometry import Image, Quad
from vision.reader import ReadCard, Reader
from vision.sighting import Doubt, Look, Sighting, Spot
from vision.steady import Steady

GATE_SIZE = (480, 270)
# Grey levels, after blurring, that sensor noise and codec do not reach.
MOVEMENT = 10.0
WORKING_HEIGHTS = (130.0, 185.0)


@dataclass(frozen=True)
class Region:
    """A slot's rectangle in pixels of the full frame, and how tall a card is there."""

    slot: str
    x: int
    y: int
    width: int
    height: int
    card_height: float

    def cut(self, image: Image) -> Image:
        return image[self.y : self.y + self.height, self.x : self.x + self.width]

    @property
    def scales(self) -> list[float]:
        return [working / self.card_height for working in WORKING_HEIGHTS]


@dataclass
class Gate:
    """Says in which regions something moves, from two consecutive frames at low resolution."""

    regions: Sequence[Region]
    _last: Image | None = None

    def moving(self, image: Image) -> set[str]:
        """Slots that differ from the frame before; all of them on the first frame."""
        grey = cv2.cvtColor(cv2.resize(image, GATE_SIZE, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        small = np.asarray(cv2.GaussianBlur(grey, (5, 5), 0), np.uint8)
        last, self._last = self._last, small
        if last is None:
            return {region.slot for region in self.regions}
        changed = np.asarray(cv2.absdiff(small, last), np.uint8)
        across, along = GATE_SIZE[0] / image.shape[1], GATE_SIZE[1] / image.shape[0]
        return {region.slot for region in self.regions if _changed(changed, region, across, along)}


def _changed(changed: Image, region: Region, across: float, along: float) -> bool:
    left, top = int(region.x * across), int(region.y * along)
    right, bottom = int((region.x + region.width) * across) + 1, int((region.y + region.height) * along) + 1
    return float(changed[top:bottom, left:right].max(initial=0)) > MOVEMENT


@dataclass
class Pipeline:
    """Reads what came to rest until everything there was said or asked about."""

    reader: Reader
    regions: Sequence[Region]
    steady: Steady
    looks_after_rest: int = 8
    _due: dict[str, int] = field(default_factory=dict)

    def run(self, frames: Iterable[tuple[int, Frame]]) -> Iterator[Sighting | Doubt]:
        """Frames with the time they were taken at, nanoseconds; sightings as soon as they are final."""
        gate = Gate(self.regions)
        for at_ns, frame in frames:
            moving = gate.moving(frame.image)
            looks = [look for region in self.regions for look in self._looks(region, frame.image, moving)]
            yield from self.steady.frame(at_ns, looks, moving)

    def _looks(self, region: Region, image: Image, moving: set[str]) -> list[Look]:
        if region.slot in moving:
            self._due[region.slot] = self.looks_after_rest
            return []
        due = self._due.get(region.slot, 0)
        if due == 0 and not self.steady.waiting(region.slot):
            return []
        self._due[region.slot] = max(0, due - 1)
        sheet = self.reader.sheet(region.cut(image), region.scales)
        return [_look(region, card) for card in sheet]


def _look(region: Region, card: ReadCard) -> Look:
    x, y = middle(card.indices)
    return Look(Spot(region.slot, region.x + x, region.y + y), card.card, card.confidence)


def middle(quads: Sequence[Quad]) -> tuple[float, float]:
    """The centre of a card's surest index: it does not wander when the other corner is covered."""
    x, y = quads[0].mean(axis=0)
    return float(x), float(y)
