"""A plain deck drawn with lines, so that the renderer is tested without any package of card art."""

import cv2
import numpy as np

from vision.geometry import Image
from vision.training.art import FACE_HEIGHT, FACE_WIDTH, RANKS
from vision.training.decks import BACK, JOKER, Deck

INDEX_BOX = np.array([14.0, 16.0, 62.0, 110.0], np.float32)


def face(card: int) -> Image:
    picture = np.full((FACE_HEIGHT, FACE_WIDTH, 3), 245, np.uint8)
    if card == BACK:
        picture[20:-20, 20:-20] = (150, 60, 40)
        return picture
    if card == JOKER:
        cv2.circle(picture, (FACE_WIDTH // 2, FACE_HEIGHT // 2), 80, (60, 60, 200), -1)
        return picture
    for _ in range(2):
        cv2.putText(picture, RANKS[card // 4], (16, 62), cv2.FONT_HERSHEY_SIMPLEX, 1.9, (30, 30, 30), 6)
        centre, colour = (38, 90), (40, 40, 200) if card % 4 in (1, 2) else (30, 30, 30)
        cv2.ellipse(picture, centre, (18, 10 + 3 * (card % 4)), 0, 0, 360, colour, -1)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    return picture


def deck() -> Deck:
    return Deck("drawn", "test", np.stack([face(card) for card in range(54)]), np.tile(INDEX_BOX, (52, 1)))
