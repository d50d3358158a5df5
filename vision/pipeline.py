"""Frames in, sightings out: a slot is read only where something changed, after it came to rest."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.felt import Zone, owner
from vision.frames import Frame
from vision.gate import Gate
from vision.geometry import Image
from vision.looking import Limits, Looker
from vision.reader import Reader
from vision.sighting import Changed, Left, Said
from vision.slots import SCALE, IndexPlace, Part, Slot, slots_of
from vision.steady import Rule, Steady

# Looks without a verdict, then only every few frames: what is still not read will not be read by haste.
LOOKS_AFTER_REST, SLOW, SOON = 10, 5, 4
# Grey levels by which a place differs from how it was when it was last read.
DIFFERENT: Final = 22
LEAST_CHANGE_MM: Final = 5.0
PART_RIM_MM, PART_STEP = 14.0, 64
# So many slots are read in one frame; the others wait for the next one.
SLOTS_A_FRAME: Final = 2


@dataclass(frozen=True)
class Heed:
    """What the table tells the eyes: slots that are due a card, and the time before which no frame of those counts;
    slots not to be looked at; slots where only backs may be looked for; where (x, y) nothing may be read."""

    due: Collection[str] = ()
    veiled: Collection[str] = ()
    backs: Collection[str] = ()
    hole: tuple[float, float] | None = None
    after_ns: int = 0


@dataclass(frozen=True)
class View:
    """What one camera sees: its calibration, the zones of the felt it reads, where the deck prints its indices, and
    the zones that another camera reads."""

    calibration: Calibration
    zones: Sequence[Zone]
    index: IndexPlace
    others: Sequence[Zone] = ()


@dataclass
class _Watched:
    """One slot: how it looked when it was last read through, and the part that is being read since."""

    slot: Slot
    settled: Image | None = None
    before: Image | None = None
    pending: bool = False
    part: Part | None = None
    looks: int = 0
    seen: bool = False

    def urgency(self, due: Collection[str]) -> tuple[bool, bool, int]:
        """Lowest first: where a card is due, then what was begun and may soon be said."""
        return self.slot.name not in due, self.looks > SOON, -self.looks


class Pipeline:
    """Reads what came to rest until everything there was said or asked about. Not to be looked at: veiled slots."""

    def __init__(self, reader: Reader, sight: View, rule: Rule) -> None:
        zones = list(sight.zones)
        self._zones, self._others = zones, sight.others
        self._looker = Looker(reader, sight.index, self._owner)
        self.steady, self._frames = Steady(rule), 0
        self._watched = {slot.name: _Watched(slot) for slot in slots_of(sight.calibration, zones)}
        self._gate = Gate({name: watched.slot.in_picture() for name, watched in self._watched.items()})

    def _owner(self, x: float, y: float) -> str:
        """Whose a card is: his who said it, for at the line between two boxes each may measure it as its own."""
        home = owner(self._zones, x, y, self._others)
        return self.steady.said_in(x, y) or home if home else ""

    @property
    def slots(self) -> list[Slot]:
        return [watched.slot for watched in self._watched.values()]

    def run(self, frames: Iterable[tuple[int, Frame]], heed: Heed | None = None) -> Iterator[Said]:
        """Frames with the time they were taken at, nanoseconds; sightings as soon as they are final."""
        for at_ns, frame in frames:
            yield from self.frame(at_ns, frame.image, heed or Heed())

    def frame(self, at_ns: int, image: Image, heed: Heed) -> list[Said]:
        """What is to be said after this frame."""
        moving = self._gate.moving(image)
        for name in moving:
            self._watched[name].pending, self._watched[name].looks = True, 0
            self._watched[name].part = None
        said: list[Said] = list(self.steady.frame(at_ns, (), moving))
        for watched in self._to_read(moving, heed, at_ns):
            said += self._read(watched, image, at_ns, heed)
        return said

    def unseen(self) -> set[str]:
        """Slots that were not looked at since the eyes opened."""
        return {name for name, watched in self._watched.items() if not watched.seen}

    def reading(self, heed: Heed) -> bool:
        """Is there a slot of which something may still be said though nothing moves?"""
        return any(watched.pending and name not in heed.veiled for name, watched in self._watched.items())

    def before(self, slot: str) -> Image | None:
        """How a circle looked before it changed last, upright."""
        return self._watched[slot].before

    def forget(self) -> None:
        """The picture was interrupted: everything is looked at afresh, and said again only where it differs."""
        for watched in self._watched.values():
            watched.settled, watched.pending, watched.looks, watched.part = None, True, 0, None

    def _to_read(self, moving: Collection[str], heed: Heed, at_ns: int) -> list[_Watched]:
        veiled = set(heed.veiled) | (set(heed.due) if at_ns < heed.after_ns else set())
        waiting = [
            watched
            for name, watched in self._watched.items()
            if watched.pending and name not in moving and name not in veiled
        ]
        self._frames += 1
        ready = [one for one in waiting if one.looks < LOOKS_AFTER_REST or self._frames % SLOW == 0]
        cards = sorted((one for one in ready if one.slot.holds_cards), key=lambda one: one.urgency(heed.due))
        due = [one for one in cards if one.slot.name in heed.due]  # nothing is to delay what is waited for
        chosen = (due or cards)[:SLOTS_A_FRAME] + [one for one in ready if not one.slot.holds_cards]
        for watched in chosen:
            watched.looks += 1
        return chosen

    def _read(self, watched: _Watched, image: Image, at_ns: int, heed: Heed) -> list[Said]:
        slot = watched.slot
        view = slot.view(image)
        watched.seen = watched.seen or slot.holds_cards
        if watched.part is None:
            watched.part = changed_part(view, watched.settled)
        if watched.part is None:
            watched.pending = False
            return []
        if not slot.holds_cards:
            return self._changed(watched, view, at_ns)
        limits = Limits(slot.name in heed.backs, heed.hole)
        looked = self._looker.look(slot, view, watched.part, self.steady.spots(slot.name), limits)
        said = departures_first(self.steady.frame(at_ns, looked.looks, (), looked.absent))
        if not self.steady.waiting(slot.name) and watched.looks >= 2:
            watched.settled, watched.pending, watched.part = view, False, None
        return said

    @staticmethod
    def _changed(watched: _Watched, view: Image, at_ns: int) -> list[Said]:
        if watched.looks < 3:
            return []
        watched.before, first = watched.settled, watched.settled is None
        watched.settled, watched.pending, watched.part, watched.seen = view, False, None, True
        return [] if first else [Changed(watched.slot.name, at_ns)]


def departures_first(said: Iterable[Said]) -> list[Said]:
    """Of a card that moved it is said first that it left."""
    return sorted(said, key=lambda one: not isinstance(one, Left))


def changed_part(view: Image, settled: Image | None) -> Part | None:
    """Where a view differs from an earlier one, with a rim: everything when there is none, None for nowhere."""
    height, width = view.shape[:2]
    if settled is None:
        return Part(0, 0, width, height)
    grey = [cv2.GaussianBlur(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), (7, 7), 0) for one in (view, settled)]
    differs = (cv2.absdiff(grey[0], grey[1]) > DIFFERENT).astype(np.uint8)
    least = round(LEAST_CHANGE_MM * SCALE)
    differs = np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    x, y, wide, high = cv2.boundingRect(differs)
    if max(wide, high) < least:
        return None
    rim = round(PART_RIM_MM * SCALE)
    x0, x1 = _stretched(x - rim, x + wide + rim, width)
    y0, y1 = _stretched(y - rim, y + high + rim, height)
    return Part(x0, y0, x1 - x0, y1 - y0)


def _stretched(low: int, high: int, limit: int) -> tuple[int, int]:
    """To a multiple of PART_STEP, so that the network sees few different sizes, but not beyond 0 and `limit`."""
    want = min(limit, -(-(high - low) // PART_STEP) * PART_STEP)
    low = max(0, min(low - (want - (high - low)) // 2, limit - want))
    return low, low + want
