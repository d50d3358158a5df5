"""Cards cut out of labelled photographs, to lie on the drawn felt as real cards with the shadow they had."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import PACK, Card
from vision import picture
from vision.geometry import Image, Quad, box_quad
from vision.rendered import deck, paint
from vision.slots import CARD_HEIGHT, CARD_WIDTH

LABELS: Final = "labels.jsonl"
# A card cut out is made this tall at most, pixels; smaller ones are left as small as they are.
TALLEST: Final = 700
SMALLEST: Final = 50.0
# Taller than this a card is seen as well as any table camera sees it.
WELL_SEEN: Final = 220.0
# Of the card's width, around it: where its shadow lies.
RIM: Final = 0.07
# Long side over short side, as a camera may see a card that lies whole and flat.
SHAPES: Final = (1.05, 1.75)
LEAST_FILLED: Final = 0.9
PAPER_ROUND_MM: Final = 3.2


class PhotographsUnusable(ValueError):
    """The folder has no labelled cards that can be cut out; the message says what is missing."""


@dataclass(frozen=True)
class Cutting:
    """One card as a photograph shows it: its outline with a short side first, how much of its rim is white paper."""

    card: Card
    photograph: Path
    outline: Quad
    tags: tuple[str, ...] = ()
    rim: float = 1.0

    @property
    def worth(self) -> float:
        """Larger, squarer, alone in its picture and without a hand over it; nobody asks whether it is read well."""
        across, along, back, up = (np.hypot(*side) for side in np.roll(self.outline, -1, axis=0) - self.outline)
        skew = abs(np.log(across / back)) + abs(np.log(along / up))
        shape = abs(np.log((along + up) / (across + back) / (CARD_HEIGHT / CARD_WIDTH)))
        plain = 0.25 * ("single" in self.tags) - 0.5 * ("hand_occlusion" in self.tags)
        return float(min((along + up) / 2, WELL_SEEN) / WELL_SEEN - 3 * skew - 3 * shape + plain + 3 * self.rim)


@dataclass(frozen=True)
class Label:
    """A card somebody marked in a photograph: its name, its box x, y, width and height, the photograph's tags."""

    photograph: Path
    card: Card
    box: tuple[float, float, float, float]
    tags: tuple[str, ...]


def labelled(folder: Path) -> Iterator[Label]:
    """Every card of labels.jsonl that is labelled as a whole; raises PhotographsUnusable."""
    try:
        for line in (folder / LABELS).read_text("utf-8").splitlines():
            told: dict[str, Any] = json.loads(line)
            for entry in told["cards"]:
                if entry["kind"] == "card":
                    card = Card.parse(("T" if entry["rank"] == "10" else entry["rank"]) + entry["suit"])
                    x, y, width, height = (float(value) for value in entry["box"])
                    yield Label(folder / told["image"], card, (x, y, width, height), tuple(told.get("tags", ())))
    except OSError as error:
        raise PhotographsUnusable(
            f"{folder / LABELS}: {error.strerror}; name a folder of labelled photographs"
        ) from error
    except (KeyError, ValueError, TypeError) as error:
        raise PhotographsUnusable(f"{folder / LABELS}: a line is no label: {error}") from error


def cuttings(folder: Path) -> dict[Card, list[Cutting]]:
    """Every card that can be cut out whole, the best of its name first."""
    found: dict[Card, list[Cutting]] = {}
    shown: tuple[Path, Image] | None = None
    for label in labelled(folder):
        if shown is None or shown[0] != label.photograph:
            shown = (label.photograph, picture.load(label.photograph))
        outline = outline_in(shown[1], label.box)
        if outline is not None:
            found.setdefault(label.card, []).append(
                Cutting(label.card, label.photograph, outline, label.tags, white_rim(shown[1], outline))
            )
    return {card: sorted(cut, key=lambda one: -one.worth) for card, cut in found.items()}


def outline_in(image: Image, box: tuple[float, float, float, float]) -> Quad | None:
    """The four corners of the card that fills a labelled box; None when it is covered, cut off or cannot be told."""
    x, y, width, height = box
    rim = 0.06 * max(width, height)
    x0, y0 = max(0, int(x - rim)), max(0, int(y - rim))
    patch = image[y0 : int(y + height + rim), x0 : int(x + width + rim)]
    paper = _paper(patch)
    contours, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    largest = cv2.convexHull(max(contours, key=cv2.contourArea))
    quad = _quad_of(np.asarray(largest, np.float32))
    if quad is None:
        return None
    quad = quad + np.array([x0, y0], np.float32)
    low, high = quad.min(axis=0), quad.max(axis=0)
    off = max(abs(low[0] - x), abs(low[1] - y), abs(high[0] - x - width), abs(high[1] - y - height))
    return _upright(quad) if off < 0.12 * max(width, height) else None


def white_rim(image: Image, outline: Quad) -> float:
    """Share of the card's rim, where nothing is printed, that is paper: a hand or another card takes some of it."""
    target = box_quad(0, 0, 140, 196)
    straight = cv2.warpPerspective(image, cv2.getPerspectiveTransform(outline, target), (140, 196))
    rim = np.ones((196, 140), bool)
    rim[9:-9, 9:-9] = False
    rim[:4], rim[-4:], rim[:, :4], rim[:, -4:] = False, False, False, False
    return float((_paper(np.asarray(straight, np.uint8))[rim] > 0).mean())


def _paper(patch: Image) -> NDArray[np.uint8]:
    """Bright and hardly coloured, holes of print closed."""
    light = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB)[..., 0]
    _, mask = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    kernel = np.ones((5, 5), np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel[:3, :3]), np.uint8)


def _quad_of(hull: NDArray[np.float32]) -> Quad | None:
    """The hull as four corners, where four corners describe it well."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.04, 0.06, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            quad = np.asarray(corners, np.float32).reshape(4, 2)
            filled = cv2.contourArea(hull) / max(1.0, cv2.contourArea(quad))
            return quad if LEAST_FILLED < filled < 1.12 else None
    around = cv2.boxPoints(cv2.minAreaRect(hull))
    filled = cv2.contourArea(hull) / max(1.0, cv2.contourArea(around))
    return np.asarray(around, np.float32) if filled > LEAST_FILLED else None


def _upright(quad: Quad) -> Quad | None:
    """Clockwise in the picture with a short side first; None for a shape no whole card has."""
    centre = quad.mean(axis=0)
    quad = quad[np.argsort(np.arctan2(quad[:, 1] - centre[1], quad[:, 0] - centre[0]))]
    first, second = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[1]))
    if first > second:
        quad, first, second = np.roll(quad, -1, axis=0), second, first
    if not SHAPES[0] < second / max(first, 1e-3) < SHAPES[1] or second < SMALLEST:
        return None
    return np.asarray(quad, np.float32)


def cut(photograph: Image, outline: Quad) -> paint.Picture:
    """The card straightened, with its own shadow around it as a darkening of whatever it is laid on."""
    tall = min(TALLEST, round(float(np.hypot(*(outline[3] - outline[0])))))
    wide = round(tall * CARD_WIDTH / CARD_HEIGHT)
    rim = round(wide * RIM)
    target = box_quad(rim, rim, rim + wide, rim + tall)
    transform = cv2.getPerspectiveTransform(outline, target)
    size = (wide + 2 * rim, tall + 2 * rim)
    straight = cv2.warpPerspective(photograph, transform, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    alpha = np.zeros(size[::-1], np.uint8)
    alpha[rim:-rim, rim:-rim] = paint.rounded(wide, tall, PAPER_ROUND_MM * tall / CARD_HEIGHT)
    image = np.asarray(straight, np.uint8)
    per_mm = tall / CARD_HEIGHT
    return paint.Picture(image, alpha, size[0] / per_mm, size[1] / per_mm, shade=_shade(image, alpha))


def _shade(image: Image, alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How much darker than its surroundings each place beside the card is, 255 for not at all; fading outwards."""
    light = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB)[..., 0], (0, 0), 1.5).astype(np.float32)
    edge = np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]])
    darker = np.clip(light / max(1.0, float(np.percentile(edge, 70))), 0.35, 1.0)
    outside = cv2.distanceTransform((alpha == 0).astype(np.uint8), cv2.DIST_L2, 3)
    fades = np.clip(1 - outside / max(1.0, float(outside.max())), 0, 1)
    shade = 1 - (1 - darker) * fades
    return np.asarray(np.where(alpha > 0, 1.0, shade) * 255, np.uint8)


class CutDeck:
    """A deck of photographed cards; the best cutting of every name, backs as the house deck prints them."""

    def __init__(self, folder: Path) -> None:
        self._found = cuttings(folder)
        if not self._found:
            raise PhotographsUnusable(f"{folder}: no whole card could be cut out of these photographs")
        self._back = paint.Picture(
            deck.back(),
            paint.rounded(*deck.SIZE, PAPER_ROUND_MM * deck.PIXELS_PER_MM),
            deck.CARD_WIDTH_MM,
            deck.CARD_HEIGHT_MM,
        )

    @property
    def missing(self) -> list[Card]:
        """Cards no photograph shows whole; they are drawn."""
        return [card for card in PACK if card not in self._found]

    @cache  # noqa: B019 - one deck lives as long as the process
    def picture(self, card: Card | None) -> paint.Picture:
        if card is None:
            return self._back
        if card not in self._found:
            return replace(self._back, image=deck.face(card, deck.STANDARD))
        best = self._found[card][0]
        return cut(picture.load(best.photograph), best.outline)
