"""Invented indices: any font, any suit shape, jumbo or standard, two or four colours, painted over a deck's own."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from fontTools.ttLib import TTFont, TTLibError
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from vision.training.art import FACE_HEIGHT, FACE_WIDTH, RANKS, SUITS, Image
from vision.training.corners import paper_of
from vision.training.suits import Measures, bent, drawn, fitted, measures, truthful

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
FOREIGN = [
    "B",
    "D",
    "V",
    "R",
    "F",
    "L",
    "N",
    "P",
    "M",
    "W",
    "X",
    "Z",
    "1",
    "11",
    "12",
    "13",
    "В",
    "Д",
    "С",
    "E",
    "H",
    "U",
]
TWO_COLOURS = {"S": (25, 20, 20), "C": (25, 20, 20), "H": (35, 25, 205), "D": (35, 25, 205)}
FOUR_COLOURS = {"S": (25, 20, 20), "C": (50, 120, 20), "H": (35, 25, 205), "D": (190, 80, 20)}
Mask = NDArray[np.uint8]


@dataclass(frozen=True)
class Style:
    """How one invented deck prints its indices; lengths in face pixels."""

    rank_font: str
    suit_font: str
    colours: dict[str, tuple[int, int, int]]
    rank_height: int
    suit_height: int
    stretch: float
    weight: int
    left: int
    top: int
    gap: int
    four: bool = False
    suits: Measures | None = None
    suit_width: float = 1.0
    bend: float = 0.0
    frame: int = 0


def fonts(folder: Path) -> tuple[list[str], list[str]]:
    """Fonts that can print ranks, and fonts that can print the four suits."""
    ranks, suits = [], []
    for path in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")]):
        letters = _letters(path)
        if set(map(ord, "A23456789JQK10BDVR")) <= letters and "Italic" not in path.name and "Oblique" not in path.name:
            ranks.append(str(path))
        if set(map(ord, SYMBOLS.values())) <= letters and _draws_suits(str(path)):
            suits.append(str(path))
    honest = truthful([[glyph(font, symbol) for symbol in SYMBOLS.values()] for font in suits])
    return ranks, [font for font, good in zip(suits, honest, strict=True) if good]


def _draws_suits(font: str) -> bool:
    """False for fonts whose suits are placeholders: filled corners, or one shape for all."""
    shapes = [glyph(font, symbol) for symbol in SYMBOLS.values()]
    if not all(shape.size for shape in shapes):
        return False
    small = [np.asarray(cv2.resize(shape, (24, 24), interpolation=cv2.INTER_AREA), np.float32) for shape in shapes]
    cornered = any(float(shape[:2, :2].mean()) > 128 and float(shape[-2:, -2:].mean()) > 128 for shape in small)
    differ = min(float(np.abs(small[i] - small[j]).mean()) for i in range(4) for j in range(i)) > 12
    filled = all(float(shape.mean()) > 85 for shape in small)
    return differ and filled and not cornered


def _letters(path: Path) -> set[int]:
    try:
        return set(TTFont(path, lazy=True).getBestCmap() or {})
    except TTLibError:
        return set()


@lru_cache(maxsize=20000)
def glyph(font: str, text: str) -> Mask:
    """The ink of a text, 96 pixels high, cut to its bounds; empty when the font draws nothing."""
    face = ImageFont.truetype(font, 128)
    left, top, right, bottom = face.getbbox(text)
    picture = Pillow.new("L", (max(1, int(right - left)) + 8, max(1, int(bottom - top)) + 8))
    ImageDraw.Draw(picture).text((4 - left, 4 - top), text, fill=255, font=face)
    ink = np.asarray(picture)
    rows, columns = np.flatnonzero(ink.max(axis=1)), np.flatnonzero(ink.max(axis=0))
    if len(rows) < 8 or len(columns) < 4:
        return np.zeros((0, 0), np.uint8)
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return np.asarray(
        cv2.resize(ink, (max(4, ink.shape[1] * 96 // ink.shape[0]), 96), interpolation=cv2.INTER_AREA), np.uint8
    )


def invent(rng: np.random.Generator, rank_fonts: list[str], suit_fonts: list[str]) -> Style:
    """A random style; about four in ten are jumbo."""
    jumbo = rng.random() < 0.4
    rank = int(rng.integers(72, 118) if jumbo else rng.integers(42, 76))
    return Style(
        rank_font=str(rng.choice(rank_fonts)),
        suit_font=str(rng.choice(suit_fonts)),
        colours=_tinted(rng, FOUR_COLOURS if rng.random() < 0.18 else TWO_COLOURS),
        rank_height=rank,
        suit_height=int(rank * rng.uniform(0.5, 1.05)),
        stretch=float(rng.uniform(0.65, 1.1)),
        weight=int(rng.choice([0, 0, 0, 1, 2])),
        left=int(rng.integers(9, 24)),
        top=int(rng.integers(12, 30)),
        gap=int(rng.integers(4, 18)),
        four=bool(rng.random() < 0.1),
        suits=measures(rng) if rng.random() < 0.45 else None,
        suit_width=float(rng.uniform(0.8, 1.25)),
        bend=float(rng.choice([0.0, rng.uniform(0.0, 2.5)])),
        frame=int(rng.integers(3, 14)) if rng.random() < 0.4 else 0,
    )


def _tinted(rng: np.random.Generator, colours: dict[str, tuple[int, int, int]]) -> dict[str, tuple[int, int, int]]:
    """Every deck's inks are a little off: dark ones pale towards grey, red ones towards orange or crimson."""
    shift = rng.integers(-22, 23, 3) + max(0, int(rng.integers(-60, 45)))
    mixed = {suit: np.clip(np.array(bgr) + shift, 0, 255) for suit, bgr in colours.items()}
    return {suit: (int(bgr[0]), int(bgr[1]), int(bgr[2])) for suit, bgr in mixed.items()}


def paint(face: Image, card: int, style: Style, foreign: str | None = None) -> tuple[Image, NDArray[np.float32]] | None:
    """A copy of the face with invented indices and the box of the upper left one; None when a font lacks a glyph."""
    rank, suit = RANKS[card // 4], SUITS[card % 4]
    top = glyph(style.rank_font, foreign or ("10" if rank == "T" else rank))
    below = _suit(style, suit)
    if not top.size or not below.size:
        return None
    top = _sized(top, style.rank_height, style.stretch * (0.8 if rank == "T" else 1.0), style.weight)
    below = _sized(below, style.suit_height, 1.0, 0)
    if rank == "T":
        style = replace(style, left=max(5, style.left - 5))
    width = max(top.shape[1], below.shape[1])
    box = np.array([style.left, style.top, style.left + width, style.top + top.shape[0] + style.gap + below.shape[0]])
    if box[2] > FACE_WIDTH * 0.45 or box[3] > FACE_HEIGHT * 0.48:
        return None
    corner = _corner(top, below, style.gap)
    stamped = _stamped(face, corner, style, style.colours[suit])
    if style.frame and rank in "JQK" and not style.four:
        _framed(stamped, (int(box[2]) + style.frame, style.top), style.colours[suit])
    return stamped, box.astype(np.float32)


def _suit(style: Style, suit: str) -> Mask:
    """The suit's ink: drawn from measures, or a font's, stretched and bent as the deck has it."""
    if style.suits is not None:
        return drawn(SUITS.index(suit), style.suits)
    ink = glyph(style.suit_font, SYMBOLS[suit])
    return (
        fitted(
            bent(cv2.copyMakeBorder(ink, 4, 4, 4, 4, cv2.BORDER_CONSTANT).astype(np.uint8), style.bend, 5),
            style.suit_width,
        )
        if ink.size
        else ink
    )


def _framed(face: Image, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    """The line around a court picture, which may pass close by its index."""
    end = (FACE_WIDTH - at[0], FACE_HEIGHT - at[1])
    for one, other in ((at, (at[0], end[1])), ((end[0], at[1]), end)):
        cv2.line(face, one, other, colour, 2, cv2.LINE_AA)


def _sized(ink: Mask, height: int, stretch: float, weight: int) -> Mask:
    width = max(3, round(ink.shape[1] * height / ink.shape[0] * stretch))
    ink = np.asarray(cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.dilate(ink, np.ones((weight + 1, weight + 1), np.uint8)), np.uint8) if weight else ink


def _corner(top: Mask, below: Mask, gap: int) -> Mask:
    width = max(top.shape[1], below.shape[1])
    corner = np.zeros((top.shape[0] + gap + below.shape[0], width), np.uint8)
    for ink, y in ((top, 0), (below, top.shape[0] + gap)):
        x = (width - ink.shape[1]) // 2
        corner[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
    return corner


def _stamped(face: Image, corner: Mask, style: Style, colour: tuple[int, int, int]) -> Image:
    """Erase the printed corners, then print the new ones, the lower right turned half round."""
    face, paper = face.copy(), paper_of(face)
    for mirrored in (False, True) if style.four else (False,):
        for _ in range(2):
            x = FACE_WIDTH - style.left - corner.shape[1] if mirrored else style.left
            _print(face, corner, (x, style.top), (paper, np.array(colour, np.float32)))
            face = np.ascontiguousarray(face[::-1, ::-1])
    return face


def _print(
    face: Image, corner: Mask, at: tuple[int, int], colours: tuple[NDArray[np.float32], NDArray[np.float32]]
) -> None:
    paper, ink = colours
    x, y = at
    height, width = corner.shape
    right, bottom = max(x + width + 6, round(0.17 * FACE_WIDTH)), max(y + height + 6, round(0.27 * FACE_HEIGHT))
    left = min(x - 4, FACE_WIDTH - round(0.17 * FACE_WIDTH)) if x > FACE_WIDTH // 2 else 5
    face[6:bottom, max(5, left) : min(FACE_WIDTH - 5, right)] = paper
    alpha = corner[..., None].astype(np.float32) / 255
    region = face[y : y + height, x : x + width]
    region[:] = (region * (1 - alpha) + ink * alpha).astype(np.uint8)
