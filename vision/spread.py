"""Cards spread out before the camera: what lies where, and which back belongs to which face."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

import numpy as np

from table_controller.core.cards import Card
from vision.cardsheet import covers
from vision.geometry import Quad, overlap, sides
from vision.reader import ReadCard, Reading

# Of a card's shorter side: a card turned over lies no farther from where it lay.
SAME_PLACE: Final = 0.5
# Of a card's longer side: the next row begins at least so far below.
NEXT_ROW: Final = 0.5
# Of a card's shorter side, below which no more than a corner of it was seen.
WHOLE: Final = 0.75
# Cards spread for a check lie side by side; outlines that share more than this are one card seen twice.
MOST_SHARED: Final = 0.12


@dataclass(frozen=True)
class Laid:
    """One card of a picture: its outline, or as much of it as was seen; `card` None where no name could be read."""

    quad: Quad
    card: Card | None

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.quad.mean(axis=0)
        return float(x), float(y)


@dataclass(frozen=True)
class Pairing:
    """The back (by number) of every face, None where none lies there, and the backs that lie where no face was seen."""

    backs: tuple[int | None, ...]
    spare: tuple[int, ...]


def faces(seen: Reading) -> list[Laid]:
    """Every card that lies face up, row by row.

    A card seen whole must show both its corners alike to be named: here nothing lies on it, so there is no excuse.
    """
    outlines = distinct(seen.outlines)
    laid = [Laid(outline, _name(outline, seen.cards)) for outline in outlines]
    # A name without a card around it may be a ghost, and a ghost might hide a missing card: it is asked for again.
    laid += [Laid(_spanned(card), None) for card in seen.cards if not _inside(_spanned(card), outlines)]
    stray = [quad for quad in seen.unreadable if not _inside(quad, [*outlines, *(one.quad for one in laid)])]
    laid += [Laid(quad, None) for quad in stray]
    return [laid[number] for number in in_rows([one.quad for one in laid])]


def backs(seen: Reading) -> list[Quad]:
    """The outline of every card that lies face down, row by row."""
    found = distinct(seen.face_down)
    return [found[number] for number in in_rows(found)]


def paired(laid: Sequence[Laid], turned: Sequence[Quad]) -> Pairing:
    """Each face with the back nearest to its place, the nearest pairs first, each once."""
    near = sorted(
        (distance, face, back)
        for face, one in enumerate(laid)
        for back, quad in enumerate(turned)
        if (distance := _apart(one.centre, quad)) < SAME_PLACE * min(sides(quad))
    )
    partner: dict[int, int] = {}
    for _, face, back in near:
        if face not in partner and back not in partner.values():
            partner[face] = back
    spare = tuple(back for back in range(len(turned)) if back not in partner.values())
    return Pairing(tuple(partner.get(face) for face in range(len(laid))), spare)


def gathered(laid: Sequence[Laid], turned: Sequence[Quad]) -> list[Laid]:
    """Corners and marks that lie where one back lies now are one card, and nothing new where it was seen whole."""
    taken = {
        back for back, quad in enumerate(turned) if any(whole(one, turned) and covers(quad, one.quad) for one in laid)
    }
    kept: list[Laid] = []
    for one in laid:
        over = [] if whole(one, turned) else [back for back, quad in enumerate(turned) if covers(quad, one.quad)]
        if not over:
            kept.append(one)
        elif over[0] not in taken:
            taken.add(over[0])
            kept.append(Laid(turned[over[0]], None))
    return kept


def whole(one: Laid, turned: Sequence[Quad]) -> bool:
    """Whether the whole card was seen, not a corner of it: it is about as large as these."""
    return bool(turned) and min(sides(one.quad)) > WHOLE * float(np.median([min(sides(quad)) for quad in turned]))


def distinct(quads: Sequence[Quad]) -> list[Quad]:
    """Each card once: of outlines that share a place the first, which the detector is surest of."""
    kept: list[Quad] = []
    for quad in quads:
        if not any(overlap(other, quad) > MOST_SHARED or covers(other, quad) or covers(quad, other) for other in kept):
            kept.append(quad)
    return kept


def in_rows(quads: Sequence[Quad]) -> list[int]:
    """The numbers of the quads as one reads: row by row, each from the left."""
    if not quads:
        return []
    return [number for row in rows(quads) for number in row]


def rows(quads: Sequence[Quad]) -> list[list[int]]:
    """The same, each row by itself; rows may slope, but lie apart."""
    middles = np.array([quad.mean(axis=0) for quad in quads])
    gap = NEXT_ROW * float(np.median([max(sides(quad)) for quad in quads]))
    found: list[list[int]] = []
    for number in np.argsort(middles[:, 1]).tolist():
        near = found and middles[number, 1] - np.mean(middles[found[-1], 1]) < gap
        if near:
            found[-1].append(number)
        else:
            found.append([number])
    return [sorted(row, key=lambda number: float(middles[number, 0])) for row in found]


def _name(outline: Quad, cards: Sequence[ReadCard]) -> Card | None:
    own = [card for card in cards if _inside(_spanned(card), [outline])]
    return own[0].card if len(own) == 1 and len(own[0].indices) > 1 else None


def _spanned(card: ReadCard) -> Quad:
    """The card's outline, or what its corners span."""
    if card.quad is not None:
        return card.quad
    points = np.concatenate(card.indices)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def _inside(quad: Quad, outlines: Sequence[Quad]) -> bool:
    return any(covers(outline, quad) for outline in outlines)


def _apart(place: tuple[float, float], quad: Quad) -> float:
    x, y = quad.mean(axis=0)
    return hypot(place[0] - float(x), place[1] - float(y))
