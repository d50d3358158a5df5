"""One look at a part of a slot: which cards lie where, and what is to be seen where one is missing."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import hypot
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import backs as backs_of
from vision.geometry import Image, Quad
from vision.reader import ReadCard, Reader, Reading
from vision.sighting import Back, Look, Name, Spot
from vision.slots import IndexPlace, Part, Slot, Stance
from vision.steady import Absence, Absent

# Two indices whose card would have its centre at one place are corners of one card.
ONE_CARD_MM: Final = 14.0
# The same for a deck that prints its indices elsewhere than was thought; equal cards of one hand lie farther apart.
CORNERS_APART_MM: Final = 18.0
# This much around the hole card is painted over: the index of a card close beside it must stay free.
VEIL_RIM_MM: Final = 1.0
# Half an index and its paper, in pixels of a slot's view: less than that is no index to read.
INDEX_RIM: Final = 30.0
GREY: Final = (114, 114, 114)
# Half a patch at which felt is known from a card, in pixels of a slot's view.
BARE_RIM: Final = 8
# A patch that is as bare as this, in grey levels from the felt's own colour, shows felt.
FELT_LIKE: Final = 30.0


Known = Sequence[tuple[Spot, Name]]
Named = tuple[Stance, Name, float]


@dataclass(frozen=True)
class Limits:
    """What of a slot may be read: backs only, and nothing around the hole card, (x, y) millimetres."""

    backs_only: bool = False
    hole: tuple[float, float] | None = None


@dataclass(frozen=True)
class Looked:
    """What one look found, and what is seen where it found nothing."""

    looks: list[Look]
    absent: Absent


class Looker:
    """Reads a part of a slot's upright view and says where on the table each card lies."""

    def __init__(self, reader: Reader, index: IndexPlace, owner: Callable[[float, float], str]) -> None:
        self._reader, self._index, self._owner = reader, index, owner

    def look(self, slot: Slot, view: Image, part: Part, known: Known, limits: Limits) -> Looked:
        """Where nothing may be read the view is painted over first; what is said there stays said."""
        hidden = _hidden(slot, known, limits)
        if hidden:
            view = _painted_over(slot, view, hidden)
        cut = np.ascontiguousarray(view[part.y : part.y + part.height, part.x : part.x + part.width])
        seen = self._reader.read(cut, [1.0])
        if limits.backs_only:
            seen = Reading((), (), seen.face_down)
        # A back has no index: one that is seen where a back was said is that of a card turned over.
        backs = [backs_of.colour(backs_of.look(cut, quad)) for quad in seen.face_down]
        looks = self._looks(slot, part, seen, [spot for spot, name in known if name is not Back.BACK], backs)
        moved = _moved(looks, known)
        felt = np.asarray(np.median(view[::7, ::7].reshape(-1, 3), axis=0), np.float64)

        def absent(spot: Spot) -> Absence | None:
            if spot.slot != slot.name or limits.backs_only or any(_near(spot, there) for there in hidden):
                return None
            missing = self._absence(slot, view, part, spot, felt)
            return Absence.BARE if missing is Absence.HIDDEN and spot in moved else missing

        return Looked(looks, absent)

    def _looks(
        self, slot: Slot, part: Part, seen: Reading, known: Iterable[Spot], colours: Sequence[str]
    ) -> list[Look]:
        shift = np.array([part.x, part.y], np.float32)
        whole = [card for card in seen.cards if len(card.indices) > 1]
        corners = [card for card in seen.cards if len(card.indices) == 1]
        named: list[Named] = [(self._stance(slot, card, shift), card.card, card.confidence) for card in whole]
        named += _distinct([(self._stance(slot, card, shift), card.card, card.confidence) for card in corners])
        backs = [slot.stance_of_back((quad + shift).astype(np.float32)) for quad in seen.face_down]
        looks = [_look(slot, stance, name, sure) for stance, name, sure in named]
        looks += [
            replace(_look(slot, stance, Back.BACK, 1.0), back=colour)
            for stance, colour in zip(backs, colours, strict=True)
        ]
        taken = [look.spot for look in looks] + list(known)
        looks += self._doubtful(slot, [(quad + shift).astype(np.float32) for quad in seen.unreadable], taken)
        return [look for look in looks if self._owner(look.spot.x, look.spot.y) == slot.name]

    def _stance(self, slot: Slot, card: ReadCard, shift: Quad) -> Stance:
        """From both corners where both were read: then it matters little how far from the edge they are printed."""
        one, *others = [slot.stance_of((quad + shift).astype(np.float32), self._index) for quad in card.indices]
        return between(one, others[0]) if others else one

    def _doubtful(self, slot: Slot, quads: Iterable[Quad], taken: list[Spot]) -> list[Look]:
        """Indices without a name, but not the other corner of a card that has one."""
        looks: list[Look] = []
        for quad in quads:
            stance = slot.stance_of(quad, self._index)
            if all(hypot(spot.x - stance.x, spot.y - stance.y) > ONE_CARD_MM for spot in taken):
                looks.append(_look(slot, stance, None, 0.0))
                taken.append(looks[-1].spot)
        return looks

    def _absence(self, slot: Slot, view: Image, part: Part, spot: Spot, felt: NDArray[np.float64]) -> Absence | None:
        """Where the card's middle and at least one corner show felt, and no corner in view shows anything else, it is
        gone. Something lies on it only if both corners were looked at; otherwise nothing is known about it.
        """
        stance = Stance(spot.x, spot.y, spot.turn)
        corners = [slot.in_view(*corner) for corner in stance.indices(self._index)]
        middle = slot.in_view(spot.x, spot.y)
        in_view = [corner for corner in corners if slot.whole.holds(*corner, BARE_RIM)]
        if in_view and slot.whole.holds(*middle, BARE_RIM) and all(_bare(view, at, felt) for at in (middle, *in_view)):
            return Absence.BARE
        return Absence.HIDDEN if all(part.holds(x, y, INDEX_RIM) for x, y in corners) else None


def _look(slot: Slot, stance: Stance, name: Name | None, confidence: float) -> Look:
    return Look(Spot(slot.name, stance.x, stance.y, stance.turn), name, confidence)


def _moved(looks: Sequence[Look], known: Known) -> list[Spot]:
    """Spots whose card is seen lying somewhere new: it did not vanish beneath another one."""
    new = [
        look.card for look in looks if all(hypot(s.x - look.spot.x, s.y - look.spot.y) > ONE_CARD_MM for s, _ in known)
    ]
    return [spot for spot, name in known if name in new]


def _distinct(named: Sequence[Named]) -> list[Named]:
    """Both corners of one card, read apart, are one card: of equal name, half a turn between them, the nearest two."""
    pairs = sorted(
        (hypot(a.x - b.x, a.y - b.y), i, j)
        for (i, (a, name, _)), (j, (b, other, _)) in combinations(enumerate(named), 2)
        if name == other and _opposite(a, b)
    )
    partner: dict[int, int] = {}
    for _, i, j in pairs:
        if i not in partner and j not in partner:
            partner[i], partner[j] = j, i
    joined = [
        (between(named[i][0], named[j][0]), named[i][1], max(named[i][2], named[j][2]))
        for i, j in partner.items()
        if i < j
    ]
    return joined + [one for number, one in enumerate(named) if number not in partner]


def _opposite(one: Stance, other: Stance) -> bool:
    turn = abs(abs((one.turn - other.turn) % 360) - 180)
    return turn < 25 and hypot(one.x - other.x, one.y - other.y) < CORNERS_APART_MM


def between(one: Stance, other: Stance) -> Stance:
    """Where a card lies by the word of both its corners."""
    return Stance((one.x + other.x) / 2, (one.y + other.y) / 2, one.turn)


def _near(spot: Spot, stance: Stance) -> bool:
    return hypot(spot.x - stance.x, spot.y - stance.y) < ONE_CARD_MM


def _hidden(slot: Slot, known: Known, limits: Limits) -> list[Stance]:
    """Where the hole card lies, as it was seen to lie."""
    if limits.hole is None:
        return []
    told = Stance(*limits.hole, 0.0)
    seen = [Stance(spot.x, spot.y, spot.turn) for spot, name in known if name is Back.BACK and _near(spot, told)]
    x, y = slot.in_view(told.x, told.y)
    return seen or ([told] if slot.whole.holds(x, y) else [])


def _painted_over(slot: Slot, view: Image, stances: Iterable[Stance]) -> Image:
    view = view.copy()
    for stance in stances:
        outline = stance.corners(VEIL_RIM_MM)
        corners = np.array([slot.in_view(float(x), float(y)) for x, y in outline])
        cv2.fillConvexPoly(view, np.round(corners).astype(np.int32), GREY)
    return view


def _bare(view: Image, place: tuple[float, float], felt: NDArray[np.float64]) -> bool:
    x, y = round(place[0]), round(place[1])
    patch = view[max(0, y - BARE_RIM) : y + BARE_RIM + 1, max(0, x - BARE_RIM) : x + BARE_RIM + 1]
    return patch.size > 0 and bool(np.abs(patch.reshape(-1, 3).mean(axis=0) - felt).max() < FELT_LIKE)
