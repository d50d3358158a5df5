"""The drawn table: obeys orders, and shows itself at any moment as a camera over it would see it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Protocol

import cv2
import numpy as np

from table_controller.core.cards import Card
from vision.geometry import Image
from vision.rendered import deck, paint
from vision.rendered.orders import Chips, Lay, Lens, Orders, OrderUnclear, Reach, Shift, Sight, Take, Turn
from vision.rendered.places import SHOE_MOUTH, Stance, circle, place

MILLISECOND: Final = 1_000_000
NOISE: Final = 7
SHAKE_MM, SHAKE_DEGREES = 1.5, 2.0
ACROSS_MM: Final = 28.0


class Deck(Protocol):
    """Where the pictures of cards come from; None is a back."""

    def picture(self, card: Card | None) -> paint.Picture: ...


class HouseDeck:
    """The deck drawn by this package."""

    def __init__(self, index: deck.Index = deck.JUMBO) -> None:
        self._index = index
        self._outline = paint.rounded(*deck.SIZE, 3.3 * deck.PIXELS_PER_MM)

    @cache  # noqa: B019 - one deck lives as long as the process
    def picture(self, card: Card | None) -> paint.Picture:
        image = deck.back() if card is None else deck.face(card, self._index)
        return paint.Picture(image, self._outline, deck.CARD_WIDTH_MM, deck.CARD_HEIGHT_MM)


@dataclass(frozen=True)
class Lying:
    """A card on its way or at rest; `card` None until it is named."""

    slot: str
    hand: int
    card: Card | None
    face_down: bool
    start: Stance
    rest: Stance
    from_ns: int
    rest_ns: int

    def at(self, now_ns: int) -> Stance:
        """Where it is now; it brakes before it comes to rest."""
        whole = max(1, self.rest_ns - self.from_ns)
        share = 1 - (1 - min(1.0, max(0.0, (now_ns - self.from_ns) / whole))) ** 2
        ends = zip(_numbers(self.start), _numbers(self.rest), strict=True)
        return Stance(*(a + (b - a) * share for a, b in ends))


def _numbers(stance: Stance) -> tuple[float, float, float]:
    return stance.x, stance.y, stance.turn


class Scene:
    """What lies on the table, and what the orders make of it."""

    def __init__(self, boxes: int = 7, seed: int = 0) -> None:
        self.boxes, self.sight = boxes, Sight.CLEAR
        self.cards: list[Lying] = []
        self.chips: dict[str, int] = {}
        self.reach: tuple[str, int] | None = None
        self._rng = np.random.default_rng(seed)

    def obey(self, order: Orders, now_ns: int) -> int:
        """Carry an order out; the time at which everything is at rest. Raises OrderUnclear."""
        match order:
            case Lay():
                return self._lay(order, now_ns)
            case Turn():
                return self._turn(order, now_ns)
            case Shift():
                return self._shift(order, now_ns)
            case Take():
                self._take(order)
            case Chips():
                self.chips[order.slot] = order.count
            case Reach():
                self.reach = (order.slot, now_ns + order.ms * MILLISECOND)
            case Lens():
                self.sight = order.sight
        return now_ns

    def middle(self, slot: str) -> Stance:
        """Where a hand reaches to, or chips lie."""
        if slot.startswith("circle"):
            return circle(int(slot.removeprefix("circle")), self.boxes)
        return place(slot, 1, 0, self.boxes)

    def _of(self, slot: str, hand: int) -> list[Lying]:
        return [card for card in self.cards if (card.slot, card.hand) == (slot, hand)]

    def _one(self, slot: str, hand: int, order: int) -> Lying:
        lying = self._of(slot, hand)
        if not 0 <= order < len(lying):
            raise OrderUnclear(f"no card {order} in {slot}, hand {hand}")
        return lying[order]

    def _next(self, slot: str, hand: int, to: tuple[float, float, float] | None) -> Stance:
        """The next place of a hand as a dealer's hand finds it, which is not to the millimetre."""
        if to is not None:
            return Stance(*to)
        try:
            exact = place(slot, len(self._of(slot, hand)), hand, self.boxes)
        except ValueError:
            raise OrderUnclear(f"{slot}: no such slot; write dealer, discard or box1") from None
        x, y = self._rng.normal(0, SHAKE_MM, 2)
        return Stance(exact.x + float(x), exact.y + float(y), exact.turn + float(self._rng.normal(0, SHAKE_DEGREES)))

    def _lay(self, order: Lay, now_ns: int) -> int:
        card = _named(order.card)
        if card is None and not order.face_down:
            raise OrderUnclear("a card laid face up must be named")
        rest = self._next(order.slot, order.hand, order.to)
        if order.sideways:
            rest = _across(rest)
        start, rest_ns = Stance(*SHOE_MOUTH, -35.0), now_ns + order.slide_ms * MILLISECOND
        self.cards.append(Lying(order.slot, order.hand, card, order.face_down, start, rest, now_ns, rest_ns))
        return rest_ns

    def _turn(self, order: Turn, now_ns: int) -> int:
        lying = self._one(order.slot, order.hand, order.order)
        card = _named(order.card) or lying.card
        if card is None:
            raise OrderUnclear("this card was never named")
        self._replace(lying, replace(lying, card=card, face_down=not lying.face_down))
        return now_ns

    def _shift(self, order: Shift, now_ns: int) -> int:
        lying = self._one(order.slot, order.hand, order.order)
        slot, hand = (order.to_slot or order.slot), (order.to_hand if order.to_slot else order.hand)
        rest, rest_ns = self._next(slot, hand, order.to), now_ns + order.slide_ms * MILLISECOND
        self.cards.remove(lying)
        moved = replace(lying, slot=slot, hand=hand, start=lying.rest, rest=rest, from_ns=now_ns, rest_ns=rest_ns)
        self.cards.append(moved)
        return rest_ns

    def _take(self, order: Take) -> None:
        if order.slot is not None and order.order is not None:
            self.cards.remove(self._one(order.slot, order.hand, order.order))
        else:
            self.cards = [card for card in self.cards if order.slot is not None and card.slot != order.slot]

    def _replace(self, old: Lying, new: Lying) -> None:
        self.cards[self.cards.index(old)] = new


def _across(rest: Stance) -> Stance:
    """A card laid across a hand, towards the player, so that the indices of the others stay free."""
    turn = np.radians(rest.turn)
    return Stance(rest.x - float(np.sin(turn)) * ACROSS_MM, rest.y + float(np.cos(turn)) * ACROSS_MM, rest.turn + 90)


def _named(text: str | None) -> Card | None:
    try:
        return None if text is None else Card.parse(text)
    except ValueError as error:
        raise OrderUnclear(str(error)) from error


@dataclass(frozen=True)
class Shot:
    """How the camera is set up over the drawn table; where there are two, at which `side` (1 or 2) of it."""

    width: int = 1920
    height: int = 1080
    name: str = "TABLE T01"
    side: int = 0


class Painter:
    """Turns a scene into pictures; what lies still is painted once."""

    def __init__(self, scene: Scene, shot: Shot, cards: Deck) -> None:
        self._scene, self._cards = scene, cards
        self.view = paint.view(shot.width, shot.height, shot.side)
        self._felt = paint.ground(shot.width, shot.height, self.view, scene.boxes, shot.name)
        self._still: tuple[object, Image] = (None, self._felt)
        rng = np.random.default_rng(3)
        self._noise = rng.integers(0, NOISE, (shot.height + 64, shot.width + 64, 3), np.uint8)
        self._rng = rng

    def picture(self, now_ns: int) -> Image:
        """The camera's view, with what its sensor adds."""
        resting = [card for card in self._scene.cards if card.rest_ns <= now_ns]
        moving = [card for card in self._scene.cards if card.rest_ns > now_ns]
        image = self._resting(resting)
        reach = self._scene.reach
        if moving or (reach and reach[1] > now_ns):
            image = image.copy()
        self._lay(image, moving, now_ns)
        if reach and reach[1] > now_ns:
            paint.sleeve(image, self.view, self._scene.middle(reach[0]))
        return self._sensed(SIGHTS[self._scene.sight](image))

    def _resting(self, cards: Iterable[Lying]) -> Image:
        lying, chips = tuple(cards), tuple(self._scene.chips.items())
        key: object = (lying, chips)
        if self._still[0] != key:
            image = self._felt.copy()
            for slot, count in chips:
                paint.chips(image, self.view, self._scene.middle(slot), count)
            self._lay(image, lying, 0)
            self._still = (key, image)
        return self._still[1]

    def _lay(self, image: Image, cards: Iterable[Lying], now_ns: int) -> None:
        for lying in cards:
            stance = lying.at(now_ns) if now_ns else lying.rest
            paint.lay(image, self._cards.picture(None if lying.face_down else lying.card), stance, self.view)

    def _sensed(self, image: Image) -> Image:
        more, less = (self._grain(image) for _ in range(2))
        return np.asarray(cv2.subtract(cv2.add(image, more), less), np.uint8)

    def _grain(self, image: Image) -> Image:
        y, x = (int(start) for start in self._rng.integers(0, 64, 2))
        return self._noise[y : y + image.shape[0], x : x + image.shape[1]]


def _glaring(image: Image) -> Image:
    """A lamp shines into half of the picture."""
    image, half = image.copy(), image.shape[1] // 2
    image[:, half:] = cv2.convertScaleAbs(image[:, half:], alpha=2.5, beta=200)
    return image


def _moved(image: Image) -> Image:
    step = image.shape[1] / 40
    shift = np.array([[1, 0, step], [0, 1, -step / 2]], np.float32)
    size = (image.shape[1], image.shape[0])
    return np.asarray(cv2.warpAffine(image, shift, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


SIGHTS: Final[dict[Sight, Callable[[Image], Image]]] = {
    Sight.CLEAR: lambda image: image,
    Sight.FROZEN: lambda image: image,
    Sight.UNPLUGGED: lambda image: image,
    Sight.COVERED: lambda image: np.full_like(image, 12),
    Sight.DARK: lambda image: np.asarray(cv2.convertScaleAbs(image, alpha=0.15), np.uint8),
    Sight.GLARE: _glaring,
    Sight.BLURRED: lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 14), np.uint8),
    Sight.MOVED: _moved,
}
