"""Suit shapes that no font has: drawn from random measures, so that a club is known by its lobes, not by one print.

Also the judge of the fonts: some print a club where a spade should be, and such a font teaches a lie.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Mask = NDArray[np.uint8]
Field = NDArray[np.float32]
SIZE, SMALL = 96, 24
SPADE, HEART, DIAMOND, CLUB = range(4)


@dataclass(frozen=True)
class Measures:
    """How one invented deck draws its suits, lengths as shares of a shape's height; `seed` bends its outline."""

    lobe: float
    spread: float
    pointed: float
    stem: float
    foot: float
    hollow: float
    wide: float
    bend: float
    seed: int


def measures(rng: Rng) -> Measures:
    """Random measures of one deck."""
    return Measures(
        lobe=float(rng.uniform(0.2, 0.27)),
        spread=float(rng.uniform(0.2, 0.29)),
        pointed=float(rng.uniform(0.6, 1.6)),
        stem=float(rng.uniform(0.015, 0.09)),
        foot=float(rng.uniform(0.05, 0.3)),
        hollow=float(rng.uniform(0.6, 1.25)),
        wide=float(rng.uniform(0.75, 1.25)),
        bend=float(rng.uniform(0, 2.5)),
        seed=int(rng.integers(1 << 30)),
    )


def drawn(suit: int, with_: Measures) -> Mask:
    """The ink of one suit, 96 pixels high, cut to its bounds."""
    y, x = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32) / (SIZE - 1)
    x -= 0.5
    shapes = {SPADE: _spade, HEART: _heart, DIAMOND: _diamond, CLUB: _club}
    return fitted(bent((shapes[suit](x, y, with_) * 255).astype(np.uint8), with_.bend, with_.seed), with_.wide)


def _disc(x: Field, y: Field, at: tuple[float, float], radius: float) -> NDArray[np.bool_]:
    return np.asarray((x - at[0]) ** 2 + (y - at[1]) ** 2 <= radius**2)


def _heart(x: Field, y: Field, with_: Measures) -> NDArray[np.bool_]:
    """Two lobes, and a point whose sides are hollow or full."""
    radius, top = with_.lobe + 0.02, with_.lobe + 0.02
    lobes = _disc(x, y, (-radius * 0.95, top), radius) | _disc(x, y, (radius * 0.95, top), radius)
    down = np.clip((0.98 - y) / (0.98 - top * 1.15), 0, 1)
    point = (np.abs(x) <= 1.85 * radius * down**with_.pointed) & (y >= top * 1.1)
    return np.asarray(lobes | point | ((np.abs(x) < radius) & (np.abs(y - top) < radius * 0.35)))


def _stem(x: Field, y: Field, with_: Measures) -> NDArray[np.bool_]:
    """Widening to its foot along a hollow curve."""
    down = np.clip((y - 0.55) / 0.45, 0, 1)
    return np.asarray((np.abs(x) <= with_.stem + with_.foot * down**3) & (y >= 0.5))


def _spade(x: Field, y: Field, with_: Measures) -> NDArray[np.bool_]:
    return np.asarray(_heart(x, np.asarray((0.86 - y) / 0.86, np.float32), with_) & (y < 0.86) | _stem(x, y, with_))


def _diamond(x: Field, y: Field, with_: Measures) -> NDArray[np.bool_]:
    power = with_.hollow
    return np.asarray((np.abs(x) / 0.4) ** power + (np.abs(y - 0.5) / 0.5) ** power <= 1)


def _club(x: Field, y: Field, with_: Measures) -> NDArray[np.bool_]:
    radius, low = with_.lobe, 0.5 + with_.lobe * 0.35
    lobes = _disc(x, y, (0, radius), radius) | _disc(x, y, (-with_.spread, low), radius)
    lobes |= _disc(x, y, (with_.spread, low), radius) | _disc(x, y, (0, 0.47), radius * 0.4)
    return np.asarray(lobes | _stem(x, y, with_))


def bent(ink: Mask, amount: float, seed: int) -> Mask:
    """The ink with its outline gently bent; `amount` in pixels of 96, the same bend for the same seed."""
    field = np.random.default_rng(seed).normal(0, amount, (2, 4, 4)).astype(np.float32)
    height, width = ink.shape
    shift = [cv2.resize(part, (width, height), interpolation=cv2.INTER_CUBIC) for part in field]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return np.asarray(cv2.remap(ink, x + shift[0], y + shift[1], cv2.INTER_LINEAR), np.uint8)


def fitted(ink: Mask, wide: float) -> Mask:
    """Cut to the ink's bounds, stretched across, 96 pixels high; empty when there is no ink."""
    rows, columns = np.flatnonzero(ink.max(axis=1) > 127), np.flatnonzero(ink.max(axis=0) > 127)
    if len(rows) < 8 or len(columns) < 8:
        return np.zeros((0, 0), np.uint8)
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = max(8, round(ink.shape[1] * SIZE / ink.shape[0] * wide))
    return np.asarray(cv2.resize(ink, (width, SIZE), interpolation=cv2.INTER_AREA), np.uint8)


def truthful(shapes: Sequence[Sequence[Mask]]) -> list[bool]:
    """For each font's four shapes: is each most like what the other fonts print for that very suit?"""
    small = np.array([[_small(shape) for shape in font] for font in shapes], np.float32)
    usual = np.median(small, axis=0)
    apart = np.abs(small[:, :, None] - usual[None, None]).mean(axis=(3, 4))
    return [bool((font.argmin(axis=1) == np.arange(4)).all()) for font in apart]


def _small(shape: Mask) -> Field:
    return np.asarray(cv2.resize(shape, (SMALL, SMALL), interpolation=cv2.INTER_AREA), np.float32)
