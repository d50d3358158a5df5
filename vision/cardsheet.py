"""From read indices to cards: two equal cards are two, one card with both corners visible is one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from table_controller.core.cards import Card
from vision.classifier import Opinion
from vision.geometry import Quad, grown, sides

# In units of the index height, from the smallest standard index to the largest jumbo one.
CORNER_DISTANCE = (1.8, 8.0)
# Across over along in the index's own frame: bridge and poker width, perspective allowed for.
CORNER_SLOPE = (0.45, 1.35)
SIZE_RATIO = 1.5
OPPOSITE_COSINE = -0.9
DOUBT = 0.5


@dataclass(frozen=True)
class IndexReading:
    """One index: where it is, in reading order, and what it seems to say."""

    quad: Quad
    opinion: Opinion


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
    left = sorted(readings, key=lambda reading: -reading.opinion.confidence)
    for outline in outlines:
        inside = [reading for reading in left if holds(outline, reading)]
        if inside:
            groups.append((inside, outline))
            left = [reading for reading in left if all(reading is not taken for taken in inside)]
    while left:
        first = left.pop(0)
        partner = next((other for other in left if same_card(first, other)), None)
        left = [reading for reading in left if reading is not partner]
        groups.append(([first, partner] if partner else [first], None))
    return [_judged(group, outline) for group, outline in groups]


def holds(outline: Quad, reading: IndexReading) -> bool:
    """The index lies in one of the four corners of the outlined card, along its long side."""
    frame = np.linalg.lstsq(
        np.stack([outline[1] - outline[0], outline[3] - outline[0]], axis=1),
        reading.quad.mean(axis=0) - outline[0],
        rcond=None,
    )[0]
    across, along = float(frame[0]), float(frame[1])
    corner = min(across, 1 - across) > -0.05 and 0 < min(along, 1 - along) < 0.36 and min(across, 1 - across) < 0.32
    return corner and sides(reading.quad)[1] < 0.5 * sides(outline)[1]


def same_card(one: IndexReading, other: IndexReading) -> bool:
    """Could these be the two opposite corners of one card? Equal name, half a turn apart, at a card's distance."""
    if one.opinion.card != other.opinion.card:
        return False
    height, other_height = sides(one.quad)[1], sides(other.quad)[1]
    if not 1 / SIZE_RATIO < height / max(other_height, 1e-6) < SIZE_RATIO:
        return False
    down, other_down = _down(one.quad), _down(other.quad)
    if float(down @ other_down) > OPPOSITE_COSINE:
        return False
    down = down - other_down
    down /= np.hypot(*down)
    step = other.quad.mean(axis=0) - one.quad.mean(axis=0)
    along, across = float(step @ down), float(step @ np.array([down[1], -down[0]]))
    distance = float(np.hypot(*step)) / ((height + other_height) / 2)
    fits = along > 0 and CORNER_SLOPE[0] < across / along < CORNER_SLOPE[1]
    return fits and CORNER_DISTANCE[0] < distance < CORNER_DISTANCE[1]


def _down(quad: Quad) -> Quad:
    """Unit vector from rank to suit."""
    way = (quad[3] + quad[2] - quad[0] - quad[1]).astype(np.float32)
    return np.asarray(way / max(float(np.hypot(*way)), 1e-6), np.float32)


def _judged(group: list[IndexReading], outline: Quad | None) -> SheetCard:
    """Agreeing corners strengthen one another; a corner that firmly says something else makes the card unreadable."""
    best = max(group, key=lambda reading: reading.opinion.confidence)
    card, confidence = best.opinion.card, best.opinion.confidence
    for reading in group:
        if reading is best or reading.opinion.confidence < DOUBT:
            continue
        if reading.opinion.card != card:
            return SheetCard(None, confidence, tuple(group), outline)
        confidence = 1 - (1 - confidence) * (1 - reading.opinion.confidence)
    agreeing = tuple(reading for reading in group if reading.opinion.card == card)
    return SheetCard(card, confidence, agreeing, outline)


def covers(outline: Quad, quad: Quad) -> bool:
    """The quad's centre lies within the outline, a little rim allowed."""
    rim = grown(outline, 1.05)
    centre = quad.mean(axis=0)
    edges = np.roll(rim, -1, axis=0) - rim
    to_centre = centre - rim
    turns = edges[:, 0] * to_centre[:, 1] - edges[:, 1] * to_centre[:, 0]
    return bool((turns >= 0).all() or (turns <= 0).all())
