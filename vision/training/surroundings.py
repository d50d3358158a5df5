"""What lies around the cards: felt with print, real surfaces, chips, hands, lettering."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.art import Image

Rng = np.random.Generator
FELTS = [
    (60, 95, 20),
    (70, 60, 25),
    (40, 35, 110),
    (95, 60, 25),
    (45, 45, 45),
    (90, 90, 30),
    (35, 75, 40),
    (80, 30, 70),
]
WORDS = [
    "BLACKJACK PAYS 3 TO 2",
    "INSURANCE",
    "PAYS 2 TO 1",
    "A",
    "K",
    "Q",
    "J",
    "10",
    "7",
    "21",
    "BAR",
    "DEALER",
    "MIN 25",
    "9",
    "4",
]
FONTS = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX]


@lru_cache(maxsize=128)
def _photograph(path: Path) -> Image | None:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    factor = 640 / max(picture.shape[:2])
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def ground(rng: Rng, size: int, photographs: list[Path]) -> Image:
    """A square of table: felt (two in three), a cut of a photograph, or wood."""
    kind = rng.random()
    if kind < 0.25 and photographs and (cut := _cut(rng, size, photographs)) is not None:
        return cut
    if kind < 0.38:
        return _wood(rng, size)
    return _felt(rng, size)


def _cut(rng: Rng, size: int, photographs: list[Path]) -> Image | None:
    picture = _photograph(photographs[rng.integers(len(photographs))])
    if picture is None:
        return None
    side = int(rng.integers(80, min(picture.shape[:2])))
    x, y = rng.integers(picture.shape[1] - side + 1), rng.integers(picture.shape[0] - side + 1)
    return np.asarray(
        cv2.resize(picture[y : y + side, x : x + side], (size, size), interpolation=cv2.INTER_LINEAR), np.uint8
    )


def _wood(rng: Rng, size: int) -> Image:
    colour = np.array([rng.uniform(30, 130), rng.uniform(60, 160), rng.uniform(90, 200)])
    grain = cv2.resize(
        rng.normal(0, 1, (size // int(rng.integers(2, 6)) + 2, 4)), (size, size), interpolation=cv2.INTER_CUBIC
    )
    if rng.random() < 0.5:
        grain = grain.T
    return np.asarray(np.clip(colour + grain[..., None] * rng.uniform(5, 25), 0, 255), np.uint8)


def _felt(rng: Rng, size: int) -> Image:
    base = np.array(FELTS[rng.integers(len(FELTS))], np.float64) + rng.uniform(-25, 25, 3)
    base *= rng.uniform(0.5, 1.6)
    noise = np.zeros((size, size))
    for cells in (4, 24, size):
        octave = rng.normal(0, 1, (cells, cells))
        noise += cv2.resize(octave, (size, size), interpolation=cv2.INTER_LINEAR) * rng.uniform(0, 7)
    felt = np.clip(base + noise[..., None], 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _print_lines(rng, felt)
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(1, 4))):
            lettering(rng, felt)
    return felt


def _print_lines(rng: Rng, felt: Image) -> None:
    size = felt.shape[0]
    colour = tuple(int(c) for c in rng.integers(120, 256, 3))
    for _ in range(int(rng.integers(1, 4))):
        centre = tuple(int(c) for c in rng.integers(-size, 2 * size, 2))
        axes = tuple(int(c) for c in rng.integers(size // 4, size * 2, 2))
        cv2.ellipse(
            felt, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, int(rng.integers(1, 5)), cv2.LINE_AA
        )


def lettering(rng: Rng, image: Image) -> None:
    """Print a word or a single letter that could be taken for an index."""
    size = image.shape[0]
    text, font = str(rng.choice(WORDS)), int(rng.choice(FONTS))
    colour = tuple(int(c) for c in (rng.integers(150, 256, 3) if rng.random() < 0.7 else rng.integers(0, 256, 3)))
    layer = np.zeros_like(image)
    at = (int(rng.integers(0, size)), int(rng.integers(0, size)))
    cv2.putText(
        layer, text, at, font, float(rng.uniform(0.5, 2)), (255, 255, 255), int(rng.integers(1, 4)), cv2.LINE_AA
    )
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.uniform(0, 360)), 1)
    alpha = cv2.warpAffine(layer, turn, (size, size)).astype(np.float32) / 255
    image[:] = (image * (1 - alpha) + np.array(colour, np.float32) * alpha).astype(np.uint8)


def chip(rng: Rng, image: Image, owner: NDArray[np.int16]) -> None:
    """Lay a chip with edge spots and a number; it covers what is below."""
    size = image.shape[0]
    centre, radius = tuple(int(c) for c in rng.integers(0, size, 2)), int(rng.integers(12, 40))
    colour = tuple(int(c) for c in rng.integers(0, 256, 3))
    cv2.circle(image, centre, radius, colour, -1, cv2.LINE_AA)
    pale = (235, 240, 240)
    for start in range(0, 360, 60):
        cv2.ellipse(image, centre, (radius, radius), 0, start, start + 22, pale, max(2, radius // 5), cv2.LINE_AA)
    cv2.circle(image, centre, radius * 6 // 10, pale if rng.random() < 0.5 else colour, -1, cv2.LINE_AA)
    at = (centre[0] - radius // 3, centre[1] + radius // 4)
    cv2.putText(image, str(rng.choice(["5", "25", "100", "1", "10"])), at, 0, radius / 50, (30, 30, 30), 1, cv2.LINE_AA)
    cv2.circle(owner, centre, radius, -1, -1)


def sleeve(rng: Rng, image: Image, owner: NDArray[np.int16]) -> None:
    """Reach a hand with fingers, or a sleeve, in from the edge."""
    size = image.shape[0]
    skin = np.array([rng.uniform(60, 170), rng.uniform(80, 185), rng.uniform(110, 225)])
    mask = np.zeros((size, size), np.uint8)
    edge = _edge_point(rng, size)
    palm = edge + (np.array([size / 2, size / 2]) + rng.uniform(-size / 3, size / 3, 2) - edge) * rng.uniform(0.3, 0.9)
    thickness = int(rng.integers(size // 12, size // 5))
    cv2.line(mask, tuple(map(int, edge)), tuple(map(int, palm)), 255, thickness, cv2.LINE_AA)
    towards = (palm - edge) / (np.hypot(*(palm - edge)) + 1)
    for spread in rng.uniform(-0.6, 0.6, int(rng.integers(0, 5))):
        finger = (
            np.array([towards[0] - spread * towards[1], towards[1] + spread * towards[0]])
            * rng.uniform(0.15, 0.3)
            * size
        )
        cv2.line(mask, tuple(map(int, palm)), tuple(map(int, palm + finger)), 255, max(6, thickness // 3), cv2.LINE_AA)
    shade = cv2.resize(rng.uniform(0.75, 1.15, (4, 4)), (size, size), interpolation=cv2.INTER_CUBIC)[..., None]
    alpha = cv2.GaussianBlur(mask, (5, 5), 0)[..., None].astype(np.float32) / 255
    image[:] = np.clip(image * (1 - alpha) + skin * shade * alpha, 0, 255).astype(np.uint8)
    owner[mask > 127] = -1


def _edge_point(rng: Rng, size: int) -> NDArray[np.float64]:
    along = float(rng.uniform(0, size))
    return np.array([[along, -10.0], [along, size + 10.0], [-10.0, along], [size + 10.0, along]][rng.integers(4)])
