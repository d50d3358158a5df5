"""Paint for the drawn table: the felt with its print, cards with their shadows, chips and a hand in the way."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import DICTIONARY, Calibration, marker_corners
from vision.felt import felt
from vision.geometry import Image
from vision.rendered.places import Stance, circle

Matrix = NDArray[np.float64]
FELT: Final = (62, 96, 24)
PRINT: Final = (110, 150, 96)
# Everything a camera over the table must see, millimetres, and a rim.
VIEW: Final = (-40.0, 308.0, 938.0)
# Of two cameras: the ends of the felt and its upper edge, how deep it is seen at the near end and at the far one.
ASLANT: Final = ((820.0, -140.0), 560.0, 1040.0)
SHADOW: Final = 0.42
# Printed markers as an installer lays them: number, upper left corner in millimetres.
MARKERS: Final = {0: (-790.0, -120.0), 1: (730.0, -120.0), 2: (-790.0, 560.0), 3: (730.0, 640.0)}
MARKER_MM: Final = 60.0
CHIPS: Final = ((40, 40, 190), (170, 90, 30), (50, 130, 40), (40, 40, 40), (150, 60, 140))


@dataclass(frozen=True)
class Picture:
    """A card as it lies: picture uint8 (h, w, 3), its alpha uint8 (h, w), its size in millimetres.

    A photographed card brings its own shadow: `shade`, uint8 (h, w), darkens what it is laid on. A drawn one has none,
    its shadow is painted.
    """

    image: Image
    alpha: NDArray[np.uint8]
    width: float
    height: float
    shade: NDArray[np.uint8] | None = None


def view(width: int, height: int, side: int = 0) -> Calibration:
    """What a camera sees in a picture of this size: all of the table from straight above; where there are two, the
    first (`side` 1) hangs over the picture's left and the second (2) over its right, and cards there are larger.
    """
    bare = Calibration(_straight(width, height) if side == 0 else _aslant(width, height, side), 0.0, {})
    seen = {name: bare.to_picture(marker_corners(x, y, MARKER_MM)) for name, (x, y) in MARKERS.items()}
    whole = {name: at for name, at in seen.items() if (at >= 0).all() and (at < (width, height)).all()}
    return Calibration(bare.homography, 0.0, whole)


def _straight(width: int, height: int) -> Matrix:
    middle_x, middle_y, deep = VIEW[0] + 40.0, VIEW[1], VIEW[2]
    mm = deep / height
    to_table = np.array([[mm, 0, middle_x - mm * width / 2], [0, mm, middle_y - mm * height / 2], [0, 0, 1]])
    return np.asarray(to_table, np.float64)


def _aslant(width: int, height: int, side: int) -> Matrix:
    """Of the near edge of the picture less of the felt is seen than of the far one."""
    (end, top), near, far = ASLANT
    corners = np.array([[-end, top], [end, top], [end, far], [-end, near]], np.float32)
    if side == 2:
        corners = corners[[1, 0, 3, 2]] * np.array([-1, 1], np.float32)
    picture = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(picture, corners), np.float64)


def rounded(width: int, height: int, radius: float) -> NDArray[np.uint8]:
    """A card's outline with rounded corners."""
    mask, r = np.zeros((height, width), np.uint8), max(1, round(radius))
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


def ground(width: int, height: int, sight: Calibration, boxes: int, name: str) -> Image:
    """The empty table: felt, the boxes' print, the shoe, the discard rack and the table's number."""
    rng = np.random.default_rng(7)
    picture = np.full((height, width, 3), FELT, np.float32)
    for grain, strength in ((2, 3.0), (9, 3.0), (160, 7.0)):
        size = (max(2, width // grain), max(2, height // grain))
        noise = rng.normal(0, strength, (size[1], size[0])).astype(np.float32)
        picture += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    painted = np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))
    for zone in felt(boxes):
        corners = np.round(sight.to_picture(zone.outline) * 16).astype(np.int32)
        if zone.name in {"shoe", "discard"}:
            cv2.fillPoly(painted, [corners], (34, 30, 30), cv2.LINE_AA, 4)
        elif zone.name.startswith("box"):
            cv2.polylines(painted, [corners], True, PRINT, 2, cv2.LINE_AA, 4)
    for number in range(1, boxes + 1):
        _ring(painted, sight, circle(number, boxes))
    _lettering(painted, sight, name)
    for number, (x, y) in MARKERS.items():
        lay(painted, _marker(number), Stance(x + MARKER_MM / 2, y + MARKER_MM / 2), sight)
    return painted


def _marker(number: int) -> Picture:
    """A marker with its white rim."""
    printed = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, 240)
    rimmed = cv2.copyMakeBorder(np.asarray(printed, np.uint8), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(235,))
    image = np.asarray(cv2.cvtColor(rimmed, cv2.COLOR_GRAY2BGR), np.uint8)
    side = MARKER_MM * 320 / 240
    return Picture(image, np.full((320, 320), 255, np.uint8), side, side)


def _ring(picture: Image, sight: Calibration, at: Stance) -> None:
    centre = _point(sight, at.x, at.y)
    radius = round(48 * sight.pixels_per_mm(at.x, at.y) * 16)
    cv2.circle(picture, centre, radius, PRINT, 2, cv2.LINE_AA, 4)


def _lettering(picture: Image, sight: Calibration, name: str) -> None:
    scale = sight.pixels_per_mm(0, 0)
    for text, x, y, size in ((name, -800, 705, 1.1), ("KRUPIER", -62, 150, 0.9)):
        at = sight.to_picture(np.array([[x, y]], np.float64))[0]
        place = (round(float(at[0])), round(float(at[1])))
        cv2.putText(picture, text, place, cv2.FONT_HERSHEY_DUPLEX, size * scale, PRINT, 2, cv2.LINE_AA)


def _point(sight: Calibration, x: float, y: float) -> tuple[int, int]:
    """Sixteenths of a pixel."""
    at = sight.to_picture(np.array([[x, y]], np.float64))[0] * 16
    return round(float(at[0])), round(float(at[1]))


def lay(picture: Image, card: Picture, stance: Stance, sight: Calibration) -> None:
    """Draw one card over what is there."""
    transform = _to_picture(card, stance, sight)
    height, width = card.alpha.shape
    quad = cv2.perspectiveTransform(
        np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64), transform
    )
    low, high = np.floor(quad[0].min(axis=0)).astype(int) - 6, np.ceil(quad[0].max(axis=0)).astype(int) + 8
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(picture.shape[1], int(high[0])), min(picture.shape[0], int(high[1]))
    if x1 <= x0 or y1 <= y0:
        return
    shifted = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64) @ transform
    _blend(picture[y0:y1, x0:x1], card, shifted)


def _to_picture(card: Picture, stance: Stance, sight: Calibration) -> Matrix:
    """Pixels of the card's picture to pixels of the table's."""
    height, width = card.alpha.shape
    size = np.diag([card.width / width, card.height / height, 1.0])
    centre = np.array([[1, 0, -card.width / 2], [0, 1, -card.height / 2], [0, 0, 1]])
    turn = np.radians(stance.turn)
    lie = np.array([[np.cos(turn), -np.sin(turn), stance.x], [np.sin(turn), np.cos(turn), stance.y], [0, 0, 1]])
    return np.asarray(np.linalg.inv(sight.homography) @ lie @ centre @ size, np.float64)


def _blend(patch: Image, card: Picture, transform: Matrix) -> None:
    """Minified in two steps: a direct warp would alias the thin strokes of an index."""
    height, width = card.alpha.shape
    shrink = max(1.0, 1 / max(1e-3, float(np.sqrt(abs(np.linalg.det(transform[:2, :2]))))) / 1.5)
    small = (round(width / shrink), round(height / shrink))
    image = cv2.resize(card.image, small, interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(card.alpha, small, interpolation=cv2.INTER_AREA)
    warp = transform @ np.diag([width / small[0], height / small[1], 1.0])
    size = (patch.shape[1], patch.shape[0])
    mask = cv2.warpPerspective(alpha, warp, size, flags=cv2.INTER_LINEAR)
    drawn = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    below = patch.astype(np.float32)
    if card.shade is not None:
        shade = cv2.warpPerspective(
            cv2.resize(card.shade, small, interpolation=cv2.INTER_AREA),
            warp,
            size,
            flags=cv2.INTER_LINEAR,
            borderValue=(255,),
        )
        below *= shade[..., None].astype(np.float32) / 255
    else:
        moved = cv2.warpAffine(mask, np.array([[1, 0, 1.5], [0, 1, 2.5]], np.float32), size)
        below *= 1 - cv2.GaussianBlur(moved, (0, 0), 1.8)[..., None].astype(np.float32) / 255 * SHADOW
    weight = mask[..., None].astype(np.float32) / 255
    patch[:] = (below * (1 - weight) + drawn * weight).astype(np.uint8)


def chips(picture: Image, sight: Calibration, at: Stance, count: int) -> None:
    """A stack of chips seen from above, `count` of them."""
    scale = sight.pixels_per_mm(at.x, at.y)
    for number in range(count):
        centre = _point(sight, at.x + 1.5 * number, at.y - 2.0 * number)
        cv2.circle(picture, centre, round(20 * scale * 16), (225, 225, 225), -1, cv2.LINE_AA, 4)
        cv2.circle(picture, centre, round(17 * scale * 16), CHIPS[number % len(CHIPS)], -1, cv2.LINE_AA, 4)
        cv2.circle(picture, centre, round(11 * scale * 16), (225, 225, 225), 1, cv2.LINE_AA, 4)


def sleeve(picture: Image, sight: Calibration, at: Stance) -> None:
    """A hand and a dark sleeve that reach in from the dealer's side."""
    start, end = _point(sight, at.x, VIEW[1] - VIEW[2] / 2 - 60), _point(sight, at.x, at.y)
    scale = sight.pixels_per_mm(at.x, at.y)
    cv2.line(picture, start, end, (32, 28, 28), round(110 * scale), cv2.LINE_AA, 4)
    cv2.circle(picture, end, round(62 * scale * 16), (130, 160, 205), -1, cv2.LINE_AA, 4)
