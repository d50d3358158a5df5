"""From read indices to cards: two equal cards are two, one card with both corners visible is one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from table_controller.core.cards import Card
from vision.classifier import Opinion
from vision.geometry import Quad, grown, sides

# In units of the index height, from the smallest standard index to the largest jumbo one.
CORNER_DISTANCE = (1.8, 8.0)
# Across over along in the index's own frame: bridge and poker width, perspective allowed for.
CORNER_SLOPE = (0.45, 1.35)
SIZE_RATIO = 1.5
USUAL_SLOPE = 0.8
OPPOSITE_COSINE = -0.9
DOUBT = 0.5
# Two indices whose centres are farther apart than this, in index heights, are not one print found twice.
APART = 0.7


@dataclass(frozen=True)
class IndexReading:
    """One index: where it is, in reading order, what it seems to say, and how sure the detector was."""

    quad: Quad
    opinion: Opinion
    score: float = 1.0

    @property
    def worth_asking(self) -> bool:
        """Is this likely enough an index, if only one of another alphabet, to trouble a person with it?"""
        return self.opinion.reality >= 0.3 or self.score >= 0.5


@dataclass(frozen=True)
class SheetCard:
    """One physical card; `card` is None when its evidence contradicts itself."""

    card: Card | None
    confidence: float
    indices: tuple[IndexReading, ...]
    quad: Quad | None = None


def assemble(readings: Sequence[IndexReading], outlines: Sequence[Quad] = ()) -> list[SheetCard]:
    """Group the readings of one picture into cards; `outlines` are quads of cards seen whole."""
    groups: list[tuple[list[IndexReading], Quad | None]] = []
    left = list(readings)
    for outline in outlines:
        own = own_of(outline, left)
        if own:
            groups.append((own, outline))
            left = _without(left, own)
    for one, other in _partners(left):
        groups.append(([one, other], None))
        left = _without(left, (one, other))
    groups += [([reading], None) for reading in left]
    return [_judged(group, outline) for group, outline in groups]


def own_of(outline: Quad, readings: Sequence[IndexReading]) -> list[IndexReading]:
    """The readings of the outlined card itself: not what another card, laid upon it, firmly shows beside its corner."""
    inside = [reading for reading in readings if holds(outline, reading)]
    if not inside:
        return []
    pairs: list[tuple[IndexReading, ...]] = [two for two in combinations(inside, 2) if corner_misfit(*two) is not None]
    leaders = max(pairs or [(reading,) for reading in inside], key=_surest)
    return [reading for reading in inside if not _strange(outline, leaders, reading)]


def _surest(readings: Sequence[IndexReading]) -> float:
    return max(reading.opinion.confidence for reading in readings)


def _strange(outline: Quad, leaders: Sequence[IndexReading], other: IndexReading) -> bool:
    """Firmly another name, and neither at a leader's own place nor where the one leader's opposite corner must be."""
    if other.opinion.card == leaders[0].opinion.card or other.opinion.confidence < DOUBT:
        return False
    if any(_apart(leader, other) <= APART for leader in leaders):
        return False
    return len(leaders) > 1 or not _opposite(outline, leaders[0], other)


def _apart(one: IndexReading, other: IndexReading) -> float:
    """Between centres, in index heights."""
    step = other.quad.mean(axis=0) - one.quad.mean(axis=0)
    return float(np.hypot(*step)) / max(sides(one.quad)[1], sides(other.quad)[1])


def _opposite(outline: Quad, one: IndexReading, other: IndexReading) -> bool:
    """In opposite quarters of the outlined card."""
    (x, y), (other_x, other_y) = (_within(outline, reading.quad.mean(axis=0)) for reading in (one, other))
    return (x < 0.5) != (other_x < 0.5) and (y < 0.5) != (other_y < 0.5)


def _within(outline: Quad, point: Quad) -> tuple[float, float]:
    """Across and along the outline, each from 0 to 1."""
    axes = np.stack([outline[1] - outline[0], outline[3] - outline[0]], axis=1)
    across, along = np.linalg.lstsq(axes, point - outline[0], rcond=None)[0]
    return float(across), float(along)


def _without(readings: Sequence[IndexReading], taken: Sequence[IndexReading]) -> list[IndexReading]:
    return [reading for reading in readings if all(reading is not other for other in taken)]


def _partners(readings: Sequence[IndexReading]) -> list[tuple[IndexReading, IndexReading]]:
    """Opposite corners of one card, the pairs of the best shape first, each index once."""
    fits = [
        (misfit, one, other)
        for one, other in combinations(readings, 2)
        if (misfit := corner_misfit(one, other)) is not None
    ]
    pairs: list[tuple[IndexReading, IndexReading]] = []
    for _, one, other in sorted(fits, key=lambda fit: fit[0]):
        if all(one is not taken and other is not taken for pair in pairs for taken in pair):
            pairs.append((one, other))
    return pairs


def holds(outline: Quad, reading: IndexReading) -> bool:
    """The index lies in one of the four corners of the outlined card, along its long side, suit towards the middle."""
    (across, along), (_, suit) = (_within(outline, point) for point in _ends(reading.quad))
    inwards = (suit > along) == (along < 0.5)
    corner = -0.05 < min(across, 1 - across) < 0.32 and 0 < min(along, 1 - along) < 0.36
    return bool(inwards and corner and sides(reading.quad)[1] < 0.5 * sides(outline)[1])


def _ends(quad: Quad) -> tuple[Quad, Quad]:
    """The middle of an index and the middle of its lower edge, where the suit is."""
    return np.asarray(quad.mean(axis=0), np.float32), np.asarray(quad[2:].mean(axis=0), np.float32)


def corner_misfit(one: IndexReading, other: IndexReading) -> float | None:
    """How far two indices are from lying as the opposite corners of one card do; None when they cannot be.

    Equal name, equal size, half a turn apart, at a card's distance; 0 is the usual slope of a card's diagonal.
    """
    height, other_height = sides(one.quad)[1], sides(other.quad)[1]
    down, other_down = _down(one.quad), _down(other.quad)
    if one.opinion.card != other.opinion.card or float(down @ other_down) > OPPOSITE_COSINE:
        return None
    if not 1 / SIZE_RATIO < height / max(other_height, 1e-6) < SIZE_RATIO:
        return None
    axis = (down - other_down) / float(np.hypot(*(down - other_down)))
    step = other.quad.mean(axis=0) - one.quad.mean(axis=0)
    along, across = float(step @ axis), float(step @ np.array([axis[1], -axis[0]]))
    distance = float(np.hypot(*step)) * 2 / (height + other_height)
    if along <= 0 or not CORNER_DISTANCE[0] < distance < CORNER_DISTANCE[1]:
        return None
    slope = across / along
    return abs(math.log(slope / USUAL_SLOPE)) if CORNER_SLOPE[0] < slope < CORNER_SLOPE[1] else None


def _down(quad: Quad) -> Quad:
    """Unit vector from rank to suit."""
    way = (quad[3] + quad[2] - quad[0] - quad[1]).astype(np.float32)
    return np.asarray(way / max(float(np.hypot(*way)), 1e-6), np.float32)


def _judged(group: list[IndexReading], outline: Quad | None) -> SheetCard:
    """Agreeing corners strengthen one another; a corner that firmly says something else makes the card unreadable.

    But both corners are of one print: who takes its clubs for spades does so twice, so together they are no surer of
    the suit than the surer of the two.
    """
    best = max(group, key=lambda reading: reading.opinion.confidence)
    card, confidence = best.opinion.card, best.opinion.confidence
    for reading in group:
        if reading is best or reading.opinion.confidence < DOUBT:
            continue
        if reading.opinion.card != card:
            return SheetCard(None, confidence, tuple(group), outline)
        confidence = 1 - (1 - confidence) * (1 - reading.opinion.confidence)
    agreeing = tuple(reading for reading in group if reading.opinion.card == card)
    confidence = min(confidence, max(reading.opinion.suit_confidence for reading in agreeing))
    return SheetCard(card, confidence, agreeing, outline)


def covers(outline: Quad, quad: Quad) -> bool:
    """The quad's centre lies within the outline, a little rim allowed."""
    rim = grown(outline, 1.05)
    centre = quad.mean(axis=0)
    edges = np.roll(rim, -1, axis=0) - rim
    to_centre = centre - rim
    turns = edges[:, 0] * to_centre[:, 1] - edges[:, 1] * to_centre[:, 0]
    return bool((turns >= 0).all() or (turns <= 0).all())
