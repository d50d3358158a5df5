"""One rendered square of table: cards as dealers lay them, and the truth about every index, card and back."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Quad, box_quad, sides
from vision.training import light, surroundings
from vision.training.art import FACE_HEIGHT, FACE_WIDTH, Image
from vision.training.decks import BACK, JOKER, Cupboard, DeckInPlay, Face

Rng = np.random.Generator
Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Index:
    """An index in the picture: its quad in reading order, the card (FOREIGN = another alphabet), its visible share."""

    quad: Quad
    card: int
    visible: float
    owner: int


@dataclass(frozen=True)
class Laid:
    """A card in the picture; `card` may be BACK or JOKER; `owner` numbers the cards from the lowest up."""

    quad: Quad
    card: int
    visible: float
    owner: int


@dataclass
class Scene:
    """The picture, uint8 (size, size, 3), the light it was taken in (0-1), and the truth."""

    image: Image
    light: NDArray[np.float32]
    indices: list[Index] = field(default_factory=list)
    cards: list[Laid] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """How a scene is composed: tile size, range of card heights in pixels, backgrounds, every card of another deck."""

    size: int
    heights: tuple[float, float]
    photographs: list[Path]
    mixed: bool = False


def compose(rng: Rng, plan: Plan, cupboard: Cupboard) -> Scene:
    """Lay one to four groups of cards on a random ground, light and photograph them."""
    bare = laid_out(rng, plan, cupboard)
    lit = light.lit(rng, bare.image)
    return replace(bare, image=light.sensed(rng, lit), light=lit)


def laid_out(rng: Rng, plan: Plan, cupboard: Cupboard) -> Scene:
    """The scene as it lies there, in even light and without a camera's faults."""
    size = plan.size
    image = np.ascontiguousarray(surroundings.ground(rng, size, plan.photographs))
    owner = np.full((size, size), -1, np.int16)
    view, height = _perspective(rng, size), float(np.exp(rng.uniform(*np.log(plan.heights))))
    decks = _decks(rng, plan, cupboard)
    placed: list[tuple[Face, Matrix]] = []
    for _ in range(int(rng.integers(1, 3 + int(size / height)))):
        for face, stance in _group(rng, decks, size, height):
            placed.append(_lay(image, owner, face, (view @ stance).astype(np.float32), len(placed)))
    _clutter(rng, image, owner)
    scene = Scene(image, np.asarray(image / 255, np.float32))
    for number, (face, transform) in enumerate(placed):
        _witness(scene, owner, face, transform, number)
    return scene


def _decks(rng: Rng, plan: Plan, cupboard: Cupboard) -> Iterator[DeckInPlay]:
    """The deck of each card in turn: one for the whole table, or a fresh one every time."""
    deck = cupboard.hand(rng)
    while True:
        yield deck
        if plan.mixed:
            deck = cupboard.hand(rng)


def _clutter(rng: Rng, image: Image, owner: NDArray[np.int16]) -> None:
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.35 else 0):
        surroundings.chip(rng, image, owner)
    if rng.random() < 0.18:
        surroundings.sleeve(rng, image, owner)
    if rng.random() < 0.22:
        light.glare(rng, image, owner)


def _perspective(rng: Rng, size: int) -> Matrix:
    square = box_quad(0, 0, size, size)
    strength = 0.05 if rng.random() < 0.75 else 0.16
    moved = square + rng.uniform(-strength, strength, (4, 2)).astype(np.float32) * size
    return np.asarray(cv2.getPerspectiveTransform(square, moved.astype(np.float32)), np.float32)


def _group(rng: Rng, decks: Iterator[DeckInPlay], size: int, height: float) -> list[tuple[Face, Matrix]]:
    """A stack, a row, a fan or single cards with their stances (face pixels to table pixels)."""
    wide = 57.0 if rng.random() < 0.25 else 63.5
    kind, turn = rng.random(), _turn(rng)
    start, step, spin = rng.uniform(0.1, 0.9, 2) * size, _step(rng, kind, height), 0.0
    if kind > 0.86:
        spin = rng.uniform(8, 22)
    stances = []
    for number in range(_count(rng, kind)):
        face = _face(rng, next(decks))
        sideways = 90.0 if rng.random() < 0.06 else 0.0
        angle = turn + sideways + spin * number + rng.normal(0, 2.0)
        at = start + _rotated(step * number, turn) + rng.normal(0, height * 0.01, 2)
        stances.append((face, _stance(at, angle, height, wide / 89.0)))
    return stances


def _turn(rng: Rng) -> float:
    base = float(rng.choice([0, 180])) if rng.random() < 0.65 else float(rng.uniform(0, 360))
    return base + float(rng.normal(0, 8))


def _count(rng: Rng, kind: float) -> int:
    return 1 if kind < 0.16 else int(rng.integers(2, 9 if kind > 0.86 else 6))


def _step(rng: Rng, kind: float, height: float) -> NDArray[np.float64]:
    """Offset from card to card in the group's own axes, pixels."""
    side = float(rng.choice([-1, 1]))
    if kind < 0.62:
        return np.array([rng.uniform(0.12, 0.30) * side, rng.uniform(0.05, 0.32) * float(rng.choice([-1, 1]))]) * height
    if kind < 0.78:
        return np.array([rng.uniform(0.14, 0.5) * side, rng.normal(0, 0.02)]) * height
    if kind < 0.86:
        return np.array([rng.uniform(0.75, 1.0) * side, rng.normal(0, 0.05)]) * height
    return np.array([rng.uniform(0.10, 0.2) * side, rng.normal(0, 0.03)]) * height


def _rotated(vector: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([cosine * vector[0] - sine * vector[1], sine * vector[0] + cosine * vector[1]])


def _stance(at: NDArray[np.float64], degrees: float, height: float, ratio: float) -> Matrix:
    """Face pixels to table pixels: scaled to the card's size, turned, centred at `at`."""
    scale = np.diag([height * ratio / FACE_WIDTH, height / FACE_HEIGHT, 1.0])
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array([[cosine, -sine, at[0]], [sine, cosine, at[1]], [0, 0, 1]])
    centre = np.array([[1, 0, -FACE_WIDTH / 2], [0, 1, -FACE_HEIGHT / 2], [0, 0, 1]])
    return np.asarray(turn @ scale @ centre, np.float32)


def _face(rng: Rng, deck: DeckInPlay) -> Face:
    kind = rng.random()
    if kind < 0.05:
        return deck.back()
    return deck.joker() if kind < 0.07 else deck.face(rng, int(rng.integers(52)))


def _mapped(quad: Quad, transform: Matrix) -> Quad:
    return np.asarray(cv2.perspectiveTransform(quad[None], transform)[0], np.float32)


OUTLINE = box_quad(0, 0, FACE_WIDTH, FACE_HEIGHT)
SHADOW = np.array([[1, 0, 1.5], [0, 1, 2]], np.float32)


def _mask(width: int, height: int) -> NDArray[np.uint8]:
    """A card's outline with rounded corners."""
    mask, radius = np.zeros((height, width), np.uint8), max(1, round(width * 0.055))
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return mask


def _lay(image: Image, owner: NDArray[np.int16], face: Face, transform: Matrix, number: int) -> tuple[Face, Matrix]:
    """Draw one card with its soft shadow; from now on its pixels are `number`'s."""
    quad, size = _mapped(OUTLINE, transform), image.shape[0]
    shrink = max(1.0, FACE_HEIGHT / max(sides(quad)[1], 1) / 1.4)
    small = (round(FACE_WIDTH / shrink), round(FACE_HEIGHT / shrink))
    picture = cv2.resize(face.picture, small, interpolation=cv2.INTER_AREA)
    down = np.diag([FACE_WIDTH / small[0], FACE_HEIGHT / small[1], 1.0]).astype(np.float32)
    warp = (transform @ down).astype(np.float32)
    alpha = cv2.warpPerspective(_mask(*small), warp, (size, size), flags=cv2.INTER_LINEAR)
    drawn = cv2.warpPerspective(picture, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shadow = cv2.GaussianBlur(cv2.warpAffine(alpha, SHADOW, (size, size)), (0, 0), 2)
    weight = alpha[..., None].astype(np.float32) / 255
    ground = image * (1 - shadow[..., None].astype(np.float32) / 255 * 0.4)
    image[:] = (ground * (1 - weight) + drawn * weight).astype(np.uint8)
    owner[alpha > 127] = number
    return face, transform


def _witness(scene: Scene, owner: NDArray[np.int16], face: Face, transform: Matrix, number: int) -> None:
    """Write down what is still visible of one card."""
    quad = _mapped(OUTLINE, transform)
    scene.cards.append(Laid(quad, face.card, _visible(owner, quad, number), number))
    if face.card in (BACK, JOKER):
        return
    for box in face.boxes:
        upper = box_quad(*(float(side) for side in box))
        lower = np.array([FACE_WIDTH, FACE_HEIGHT], np.float32) - upper
        for corner in (upper, lower.astype(np.float32)):
            where = _mapped(corner, transform)
            scene.indices.append(Index(where, face.card, _visible(owner, where, number), number))


def _visible(owner: NDArray[np.int16], quad: Quad, number: int) -> float:
    """Share of the quad's pixels that still belong to the card; what lies outside the picture is not visible."""
    x, y = np.floor(quad.min(axis=0)).astype(int)
    width, height = np.ceil(quad.max(axis=0)).astype(int) - (x, y) + 1
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad - (x, y)).astype(np.int32), 1)
    size = owner.shape[0]
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + width, size), min(y + height, size)
    if x1 <= x0 or y1 <= y0:
        return 0.0
    inside = mask[y0 - y : y1 - y, x0 - x : x1 - x]
    return float(((owner[y0:y1, x0:x1] == number) & (inside > 0)).sum() / max(1, int(mask.sum())))
