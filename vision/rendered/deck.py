"""The drawn house deck: every face from pen strokes, so that no packaged art and no font is needed at the table."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import Card, Suit
from vision.geometry import Image

Path2 = NDArray[np.float32]
PIXELS_PER_MM: Final = 6.0
CARD_WIDTH_MM: Final = 63.5
CARD_HEIGHT_MM: Final = 88.9
SIZE: Final = (round(CARD_WIDTH_MM * PIXELS_PER_MM), round(CARD_HEIGHT_MM * PIXELS_PER_MM))
PAPER: Final = (240, 247, 248)
BLACK, RED = (38, 28, 24), (44, 30, 196)
INKS: Final = {Suit.SPADES: BLACK, Suit.CLUBS: BLACK, Suit.HEARTS: RED, Suit.DIAMONDS: RED}
PIP_MM: Final = 10.0
TEN_WIDER: Final = 1.35
# Sub-pixel bits of OpenCV's drawing functions.
SHIFT: Final = 4


@dataclass(frozen=True)
class Index:
    """How the deck prints its corners, millimetres."""

    rank_height: float
    rank_width: float
    pen: float
    suit_height: float
    gap: float
    left: float
    top: float

    @property
    def height(self) -> float:
        """Rank plus suit."""
        return self.rank_height + self.pen + self.gap + self.suit_height

    @property
    def width(self) -> float:
        return self.rank_width + self.pen

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of the upper left index, from the card's upper left corner."""
        return self.left + self.width / 2, self.top + self.height / 2


JUMBO: Final = Index(12.6, 7.4, 2.2, 11.6, 1.5, 2.8, 3.4)
STANDARD: Final = Index(8.2, 4.8, 1.5, 6.6, 0.9, 2.2, 3.4)


@cache
def _drawings() -> dict[str, dict[str, str]]:
    told = tomllib.loads(Path(__file__).with_name("strokes.toml").read_text("utf-8"))
    return {group: {str(name): str(path) for name, path in paths.items()} for group, paths in told.items()}


def _strokes(path: str) -> list[Path2]:
    """The polylines of a path, curves in sixteen steps."""
    strokes: list[list[tuple[float, float]]] = []
    for letter, points in _steps(path):
        if letter == "M":
            strokes.append([points[0]])
        elif letter == "L":
            strokes[-1].append(points[0])
        else:
            strokes[-1] += list(_curve(strokes[-1][-1], points))
    return [np.array(stroke, np.float32) for stroke in strokes]


def _steps(path: str) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    for step in path.replace("M", "|M").replace("L", "|L").replace("C", "|C").split("|")[1:]:
        numbers = [float(number) for number in step[1:].split()]
        yield step[0], list(zip(numbers[::2], numbers[1::2], strict=True))


def _curve(start: tuple[float, float], points: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    corners = np.array([start, *points])
    for t in np.linspace(0, 1, 17)[1:]:
        weights = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        x, y = weights @ corners
        yield float(x), float(y)


def _placed(path: str, box: tuple[float, float, float, float]) -> list[Path2]:
    """Strokes in pixels of the face; `box` is x, y, width, height in millimetres."""
    x, y, width, height = box
    scale, start = np.array([width, height], np.float32), np.array([x, y], np.float32)
    return [np.asarray((stroke * scale + start) * PIXELS_PER_MM, np.float32) for stroke in _strokes(path)]


def _fixed(points: Path2) -> NDArray[np.int32]:
    return np.round(points * (1 << SHIFT)).astype(np.int32)


def _pen(face: Image, path: str, box: tuple[float, float, float, float], ink: tuple[int, int, int], pen: float) -> None:
    lines = [_fixed(stroke) for stroke in _placed(path, box)]
    cv2.polylines(face, lines, False, ink, round(pen * PIXELS_PER_MM), cv2.LINE_AA, SHIFT)


def _fill(face: Image, path: str, box: tuple[float, float, float, float], ink: tuple[int, int, int]) -> None:
    for outline in _placed(path, box):
        cv2.fillPoly(face, [_fixed(outline)], ink, cv2.LINE_AA, SHIFT)


def _turned(face: Image) -> Image:
    return np.ascontiguousarray(face[::-1, ::-1])


def _suit(face: Image, card: Card, centre: tuple[float, float], height: float) -> None:
    width = height * 0.94
    box = (centre[0] - width / 2, centre[1] - height / 2, width, height)
    _fill(face, _drawings()["suits"][card.suit], box, INKS[card.suit])


def _index(face: Image, card: Card, style: Index) -> None:
    """The upper left corner."""
    x, half = style.left + style.width / 2, style.pen / 2
    width = style.rank_width * (TEN_WIDER if card.rank == "T" else 1)
    box = (x - width / 2, style.top + half, width, style.rank_height)
    _pen(face, _drawings()["ranks"][card.rank], box, INKS[card.suit], style.pen)
    _suit(face, card, (x, style.top + style.height - style.suit_height / 2), style.suit_height)


# The upper half's pips as shares of the pip field (the lower half is its mirror), and those upright on the middle line.
SIDES: Final = ((0.0, 0.0), (1.0, 0.0))
FOUR: Final = (*SIDES, (0.0, 1 / 3), (1.0, 1 / 3))
UPPER: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    2: ((0.5, 0.0),),
    3: ((0.5, 0.0),),
    4: SIDES,
    5: SIDES,
    6: SIDES,
    7: SIDES,
    8: (*SIDES, (0.5, 0.25)),
    9: FOUR,
    10: (*FOUR, (0.5, 1 / 6)),
}
BESIDE: Final = ((0.0, 0.5), (1.0, 0.5))
MIDDLE: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    3: ((0.5, 0.5),),
    5: ((0.5, 0.5),),
    6: BESIDE,
    7: (*BESIDE, (0.5, 0.25)),
    8: BESIDE,
    9: ((0.5, 0.5),),
}


def _number(face: Image, card: Card, style: Index) -> Image:
    count = 10 if card.rank == "T" else int(card.rank)
    left = style.left + style.width + PIP_MM / 2 + 3
    wide, high = CARD_WIDTH_MM - 2 * left, CARD_HEIGHT_MM - 2 * 14

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x * wide, 14 + y * high

    for x, y in MIDDLE.get(count, ()):
        _suit(face, card, at(x, y), PIP_MM)
    for _ in range(2):
        for x, y in UPPER[count]:
            _suit(face, card, at(x, y), PIP_MM)
        face = _turned(face)
    return face


def _court(face: Image, card: Card, style: Index) -> Image:
    """A frame, a crown or cap over the suit, and the same upside down; the frame keeps clear of the index."""
    left, top = style.left + style.width + 1.6, 8.0
    corners = np.array([[left, top], [CARD_WIDTH_MM - left, CARD_HEIGHT_MM - top]]) * PIXELS_PER_MM
    (x0, y0), (x1, y1) = np.round(corners).astype(int).tolist()
    cv2.rectangle(face, (x0, y0), (x1, y1), (196, 214, 232), -1)
    cv2.rectangle(face, (x0, y0), (x1, y1), (120, 90, 40), 3, cv2.LINE_AA)
    width = CARD_WIDTH_MM - 2 * left - 8
    for _ in range(2):
        _fill(face, _drawings()["court"][card.rank], (left + 4, top + 4, width, 15), (40, 150, 205))
        _suit(face, card, (CARD_WIDTH_MM / 2, top + 28), 13)
        face = _turned(face)
    cv2.line(face, (x0, face.shape[0] // 2), (x1, face.shape[0] // 2), (120, 90, 40), 3, cv2.LINE_AA)
    return face


@cache
def face(card: Card, style: Index = JUMBO) -> Image:
    """A card face, uint8 (533, 381, 3)."""
    picture: Image = np.full((SIZE[1], SIZE[0], 3), PAPER, np.uint8)
    if card.rank == "A":
        _suit(picture, card, (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2), 27)
    elif card.rank in "JQK":
        picture = _court(picture, card, style)
    else:
        picture = _number(picture, card, style)
    for _ in range(2):
        _index(picture, card, style)
        picture = _turned(picture)
    return picture


@cache
def back() -> Image:
    """The deck's back: a lattice within a white rim."""
    picture: Image = np.full((SIZE[1], SIZE[0], 3), PAPER, np.uint8)
    rim = round(4 * PIXELS_PER_MM)
    inner = picture[rim:-rim, rim:-rim]
    inner[:] = (110, 52, 28)
    for start in range(-inner.shape[0], inner.shape[1], 22):
        for slope in (1, -1):
            x = start if slope == 1 else inner.shape[1] - start
            cv2.line(inner, (x, 0), (x + slope * inner.shape[0], inner.shape[0]), (190, 150, 120), 2, cv2.LINE_AA)
    return picture
