"""Which back is not like the others? The backs themselves say what the house's back looks like: most of them are it."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image, Quad, box_quad, grown, sides

Look = NDArray[np.float32]
WIDTH, HEIGHT = 60, 84
# Only the inner part, and that coarsely: an outline may be a tenth too large or askew, and a fine pattern shimmers.
INNER: Final = 0.7
CELLS: Final = (3, 4)
# Fewer do not show what is usual.
LEAST_BACKS: Final = 3
# Grey levels from the usual back: alike, and certainly another's; between them nobody can tell, and it is shown again.
# Over 450 drawn backs the house's own were at most 4.5 away (12 where no outline was seen), foreign ones at least 23.
ALIKE: Final = 8.0
OTHER: Final = 16.0
# The cloth beside a place, in sizes of the place; where a card lies, more of it differs from the cloth than this.
BESIDE: Final = (1.03, 1.12)
DIFFERS: Final = 20.0
LEAST_COVERED: Final = 0.05
# Degrees round the circle of hues at which a back is called so; one between two of them has no plain colour.
HUES: Final = {"red": (-12, 56), "yellow": (75, 102), "green": (125, 168), "blue": (238, 300), "purple": (314, 328)}
# Paler than the first a back is grey (or black, or white); only stronger than the second it has a colour.
PALE: Final = (6.0, 10.0)


def look(image: Image, back: Quad) -> Look:
    """A back, upright and small: colour, free of how bright the light on it is, and how rich its pattern is."""
    quad = back if sides(back)[0] <= sides(back)[1] else np.roll(back, 1, axis=0)
    quad = grown(quad, INNER)
    target = box_quad(0, 0, WIDTH, HEIGHT)
    straight = cv2.warpPerspective(image, cv2.getPerspectiveTransform(quad, target), (WIDTH, HEIGHT))
    lab = cv2.cvtColor(straight, cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= 150 / max(1.0, float(lab[..., 0].mean()))
    coarse = cv2.resize(lab, CELLS, interpolation=cv2.INTER_AREA)
    fine = np.abs(lab[..., :1] - cv2.GaussianBlur(lab[..., 0], (0, 0), 3)[..., None])
    pattern = cv2.resize(fine, CELLS, interpolation=cv2.INTER_AREA)[..., None]
    return np.asarray(np.concatenate([coarse, pattern], axis=2), np.float32)


def at_place(image: Image, place: Quad) -> Look | None:
    """The back that lies here though its outline was not seen; None where there is nothing but the cloth."""
    return look(image, place) if _covered(image, place) else None


def _covered(image: Image, place: Quad) -> bool:
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
    beside = _within(image, grown(place, BESIDE[1])) & ~_within(image, grown(place, BESIDE[0]))
    cloth = np.median(lab[beside], axis=0)
    apart = np.linalg.norm(lab[_within(image, grown(place, INNER))] - cloth, axis=1)
    return float((apart > DIFFERS).mean()) > LEAST_COVERED


def _within(image: Image, quad: Quad) -> NDArray[np.bool_]:
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask > 0


def usual(looks: Sequence[Look]) -> Look | None:
    """What most of the backs look like; None among too few."""
    if len(looks) < LEAST_BACKS:
        return None
    return np.asarray(np.median(np.stack([_towards(one, looks[0]) for one in looks]), axis=0), np.float32)


def foreign(one: Look, house: Look) -> bool | None:
    """Is this back another's than the house's? None where nobody can tell."""
    apart = float(np.abs(_towards(one, house) - house).sum(axis=2).mean())
    return None if ALIKE < apart < OTHER else apart >= OTHER


def colour(one: Look) -> str:
    """The plain colour of a back, "" for one between two: it is told from other backs by name, from day to day."""
    across, along = one[..., 1].mean() - 128, one[..., 2].mean() - 128
    strength, hue = float(np.hypot(across, along)), float(np.degrees(np.arctan2(along, across)))
    if strength < PALE[0]:
        return "grey"
    turns = (hue, hue + 360)
    plain = [name for name, (low, high) in HUES.items() if any(low <= turn <= high for turn in turns)]
    return plain[0] if plain and strength > PALE[1] else ""


def _towards(one: Look, other: Look) -> Look:
    """Half a turn round where that is more like the other: backs need not look the same both ways."""
    turned = one[::-1, ::-1]
    return turned if np.abs(turned - other).mean() < np.abs(one - other).mean() else one
