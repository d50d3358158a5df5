"""Where the upper left index of a rendered face is: found from the ink of the number cards, deck by deck."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.art import FACE_HEIGHT, FACE_WIDTH, RANKS, Image

Box = NDArray[np.float32]
REACH = (round(0.36 * FACE_WIDTH), round(0.5 * FACE_HEIGHT))
NUMBERS = range(RANKS.index("2"), RANKS.index("9") + 1)


def paper_of(face: Image) -> NDArray[np.float32]:
    """The paper's colour: the median of the free strip between index and edge."""
    strip = face[FACE_HEIGHT // 3 : FACE_HEIGHT * 2 // 3, 12:30]
    return np.asarray(np.median(strip.reshape(-1, 3), axis=0), np.float32)


def ink_boxes(face: Image) -> list[Box]:
    """Boxes x0, y0, x1, y1 of the separate pieces of ink in the corner that do not touch the card's edge."""
    corner = face[: REACH[1], : REACH[0]]
    ink = (np.abs(corner - paper_of(face)).max(axis=2) > 50).astype(np.uint8)
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    boxes = []
    for x, y, width, height, area in stats[1:count]:
        if x > 2 and y > 2 and area > 40 and height < FACE_HEIGHT * 0.28 and x + width < REACH[0]:
            boxes.append(np.array([x, y, x + width, y + height], np.float32))
    return sorted(boxes, key=lambda box: float(box[1]))


def _number_index(face: Image) -> Box | None:
    """Rank and suit of a number card: the two topmost pieces of ink in the left column."""
    column = [box for box in ink_boxes(face) if (box[0] + box[2]) / 2 < 0.24 * FACE_WIDTH]
    if len(column) < 2:
        return None
    top, below = column[0], column[1]
    return np.concatenate([np.minimum(top, below)[:2], np.maximum(top, below)[2:]])


def index_boxes(faces: Image) -> NDArray[np.float32]:
    """One box a card (52, 4) in face pixels; a ten is as wide as its two digits, courts take the deck's usual box."""
    found = [box for rank in NUMBERS for suit in range(4) if (box := _number_index(faces[rank * 4 + suit])) is not None]
    usual = np.median(np.stack(found), axis=0)
    usual[2] = np.percentile([box[2] for box in found], 75)
    boxes = np.tile(usual, (52, 1)).astype(np.float32)
    for card in range(52):
        boxes[card, 0], boxes[card, 2] = _extent(faces[card], boxes[card], RANKS[card // 4])
    return boxes


def _extent(face: Image, usual: Box, rank: str) -> tuple[float, float]:
    """Left and right of the rank's glyphs, never narrower than the deck's usual box."""
    middle, limit = (usual[1] + usual[3]) / 2, usual[2] * (1.7 if rank == "T" else 1.35)
    row = [box for box in ink_boxes(face) if usual[1] - 8 < (box[1] + box[3]) / 2 < middle and box[2] < limit]
    return min([usual[0], *(float(b[0]) for b in row)]), max([usual[2], *(float(b[2]) for b in row)])
