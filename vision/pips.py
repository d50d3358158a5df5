"""A second witness for cards seen whole: the pips in the middle are counted, without any network.

Only the printed layout every alphabet shares is believed (two columns alike, a middle one, each a mirror of itself);
courts, aces, covered and fancy faces say nothing.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import PACK
from vision.classifier import Opinion
from vision.geometry import Image, Quad, box_quad, sides

WIDTH, HEIGHT = 120, 168
LEAST_HEIGHT = 60.0
# The part of the face between the indices, as shares of width and height.
INNER = (0.2, 0.07, 0.8, 0.93)
LEAST_CONTRAST = 35.0
PIP_AREA = (0.004, 0.045)
AREA_RATIO = 2.2
MIDDLE = (0.42, 0.58)
SLACK = 0.05
# Pips in the outer columns (each) and in the middle one, to the place of the rank in A23456789TJQK.
LAYOUTS = {(0, 2): 1, (0, 3): 2, (2, 0): 3, (2, 1): 4, (3, 0): 5, (3, 1): 6, (3, 2): 7, (4, 1): 8, (4, 2): 9}
# Chance that a layout this strict tells the truth.
TRUTHFUL = 0.98
# Share of an index's opinion that could be anything, however sure it sounds: pips that contradict it silence it.
FALLIBLE = 0.01

Points = NDArray[np.float64]


def counted(image: Image, outline: Quad) -> int | None:
    """The rank (0-12 in A23456789TJQK) that the pips of a whole card show; None when they cannot be trusted."""
    if sides(outline)[1] < LEAST_HEIGHT:
        return None
    target = box_quad(0, 0, WIDTH, HEIGHT)
    turn = cv2.getPerspectiveTransform(outline.astype(np.float32), target)
    face = np.asarray(cv2.warpPerspective(image, turn, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR), np.uint8)
    return _rank_of(_pips(face))


def _pips(face: Image) -> Points:
    """Centres (n, 2) of all ink between the indices, shares of the face; empty when some of it is no pip."""
    left, top, right, bottom = (round(part * side) for part, side in zip(INNER, (WIDTH, HEIGHT) * 2, strict=True))
    inner = face[top:bottom, left:right]
    off = np.abs(inner.astype(np.float32) - np.median(inner.reshape(-1, 3), axis=0)).max(axis=2).astype(np.uint8)
    level, _ = cv2.threshold(off, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    ink = (off > max(level, LEAST_CONTRAST)).astype(np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(ink)
    areas = stats[1:count, cv2.CC_STAT_AREA] / (WIDTH * HEIGHT)
    seen = areas > PIP_AREA[0] / 4
    at = (centres[1:count][seen] + (left, top)) / (WIDTH, HEIGHT)
    areas = areas[seen]
    alike = len(areas) > 0 and PIP_AREA[0] < areas.min() and areas.max() < min(PIP_AREA[1], areas.min() * AREA_RATIO)
    return np.asarray(at if alike else np.zeros((0, 2)), np.float64)


def _rank_of(pips: Points) -> int | None:
    x, y = pips[:, 0], pips[:, 1]
    left, right = np.sort(y[x < MIDDLE[0]]), np.sort(y[x > MIDDLE[1]])
    middle = np.sort(y[(x >= MIDDLE[0]) & (x <= MIDDLE[1])])
    rank = LAYOUTS.get((len(left), len(middle)))
    if rank is None or len(left) != len(right):
        return None
    level = bool((np.abs(left - right) < SLACK).all())
    return rank if level and _mirrored(left) and (_mirrored(middle) or rank == 6) and _spread(left, middle) else None


def _mirrored(column: Points) -> bool:
    return bool((np.abs(column + column[::-1] - 1) < 2 * SLACK).all())


def _spread(left: Points, middle: Points) -> bool:
    """The outermost pips lie near the ends of the card, and none of a column is missing in between."""
    column = left if len(left) else middle
    steps = np.diff(column)
    even = bool(steps.max() - steps.min() < 2 * SLACK)
    return even and bool(0.1 < column[0] < 0.3)


def weighed(opinion: Opinion, rank: int | None) -> Opinion:
    """The opinion of an index, once the pips have said their rank; as sure of being an index as before."""
    if rank is None:
        return opinion
    likely = np.full(len(PACK), (1 - TRUTHFUL) / 12, np.float32)
    likely[rank * 4 : rank * 4 + 4] = TRUTHFUL
    chances = (opinion.chances * (1 - FALLIBLE) + FALLIBLE * opinion.reality / len(PACK)) * likely
    return Opinion(np.asarray(chances * (opinion.reality / max(float(chances.sum()), 1e-9)), np.float32))
