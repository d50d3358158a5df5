"""Decks laid out in rows on a cloth under a camera, faces and then the same cards turned over in place; drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table_controller.core.cards import Card
from vision.calibration import Calibration
from vision.geometry import Image
from vision.rendered import deck, paint
from vision.rendered.places import Stance
from vision.rendered.table import HouseDeck

ROW: Final = 13
PITCH: Final = (71.0, 98.0)
PIXELS_PER_MM: Final = 1.7
RIM_MM: Final = 40.0
CLOTH: Final = (62, 96, 24)
SHAKE_MM, SHAKE_DEGREES = 1.0, 1.2
HOUSE: Final = HouseDeck()


@dataclass(frozen=True)
class Held:
    """A card as it is: its name, and its back: 0 the house's, others from elsewhere, see FOREIGN."""

    card: Card
    back: int = 0


def _back(image: Image) -> paint.Picture:
    return paint.Picture(image, HOUSE.picture(None).alpha, deck.CARD_WIDTH_MM, deck.CARD_HEIGHT_MM)


def _red() -> Image:
    """The house's lattice in another maker's red."""
    return np.asarray(deck.back()[..., ::-1].copy(), np.uint8)


def _plain() -> Image:
    """The house's blue without its lattice, but for a ring."""
    image = np.full_like(deck.back(), deck.PAPER)
    image[24:-24, 24:-24] = (110, 52, 28)
    cv2.circle(image, (image.shape[1] // 2, image.shape[0] // 2), 110, (190, 150, 120), 8, cv2.LINE_AA)
    return image


def _borderless() -> Image:
    """Green diamonds up to the edge."""
    image = np.full_like(deck.back(), (70, 96, 40))
    for y in range(0, image.shape[0], 60):
        for x in range(0, image.shape[1], 60):
            cv2.circle(image, (x + 30, y + 30), 14, (150, 200, 160), -1, cv2.LINE_AA)
    return image


FOREIGN: Final = (HOUSE.picture(None), _back(_red()), _back(_plain()), _back(_borderless()))


def spread(cards: Sequence[Held], seed: int) -> tuple[Image, Image]:
    """Up to four rows of thirteen: their faces, and their backs after each was turned over where it lay."""
    rng = np.random.default_rng(seed)
    stances = [
        Stance(
            (number % ROW) * PITCH[0] + float(rng.normal(0, SHAKE_MM)),
            (number // ROW) * PITCH[1] + float(rng.normal(0, SHAKE_MM)),
            float(rng.normal(0, SHAKE_DEGREES)) + 180 * int(rng.integers(0, 2)),
        )
        for number in range(len(cards))
    ]
    rows = -(-len(cards) // ROW)
    faces, sight = cloth(min(ROW, len(cards)), rows, rng)
    backs, _ = cloth(min(ROW, len(cards)), rows, rng)
    for held, stance in zip(cards, stances, strict=True):
        paint.lay(faces, HOUSE.picture(held.card), stance, sight)
        over = Stance(stance.x + float(rng.normal(0, 2)), stance.y + float(rng.normal(0, 2)), -stance.turn)
        paint.lay(backs, FOREIGN[held.back], over, sight)
    return sensed(faces, rng), sensed(backs, rng)


def alone(held: Held, seed: int) -> Image:
    """One card shown again, a little turned."""
    return _one(HOUSE.picture(held.card), seed)


def back_alone(held: Held, seed: int) -> Image:
    """Its back shown again."""
    return _one(FOREIGN[held.back], seed)


def _one(picture: paint.Picture, seed: int) -> Image:
    rng = np.random.default_rng(seed)
    image, sight = cloth(3, 2, rng)
    paint.lay(image, picture, Stance(70.0, 48.0, float(rng.uniform(-12, 12))), sight)
    return sensed(image, rng)


def cloth(columns: int, rows: int, rng: np.random.Generator) -> tuple[Image, Calibration]:
    """An empty cloth large enough, and how millimetres lie on it."""
    wide = round(((columns - 1) * PITCH[0] + deck.CARD_WIDTH_MM + 2 * RIM_MM) * PIXELS_PER_MM)
    high = round(((rows - 1) * PITCH[1] + deck.CARD_HEIGHT_MM + 2 * RIM_MM) * PIXELS_PER_MM)
    mm = 1 / PIXELS_PER_MM
    left, top = -RIM_MM - deck.CARD_WIDTH_MM / 2, -RIM_MM - deck.CARD_HEIGHT_MM / 2
    sight = Calibration(np.array([[mm, 0, left], [0, mm, top], [0, 0, 1]], np.float64), 0.0, {})
    grain = rng.normal(0, 5, (high // 4, wide // 4)).astype(np.float32)
    weave = cv2.resize(grain, (wide, high), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.asarray(np.clip(np.array(CLOTH, np.float32) + weave, 0, 255), np.uint8), sight


def sensed(image: Image, rng: np.random.Generator) -> Image:
    """As a camera gives it: light from one side, a little soft, grainy, and through JPEG."""
    high, wide = image.shape[:2]
    light = np.linspace(0.9, 1.06, wide, dtype=np.float32)[None, :, None] * float(rng.uniform(0.94, 1.04))
    soft = cv2.GaussianBlur(image, (0, 0), 0.6).astype(np.float32) * light
    noisy = np.clip(soft + rng.normal(0, 3, (high, wide, 3)), 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
