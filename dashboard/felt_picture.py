"""Where things lie in the picture of the felt: an arc of boxes, bets outside, cards inside, the dealer opposite.

Seen from the pit, behind the dealer: box 1 (the dealer's left) is at the left. `turned` is the same from the players.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.views.board import Board, BoxShown

WIDTH, HEIGHT = 1200, 760
CENTRE: Final = (600.0, 640.0)
BETS, CARDS, NAMES, INNER = (508.0, 496.0), (400.0, 376.0), (583.0, 572.0), (322.0, 292.0)
"""Half axes of the arcs on which bets, cards, box numbers and insurance bets lie."""

FIRST_ANGLE, LAST_ANGLE = 202.0, 338.0
DEALER_AT: Final = (600.0, 566.0)
SEVEN: Final = 7
MOST_CHIPS: Final = 6

ROWS: Final[Mapping[int, tuple[float, tuple[tuple[float, float], ...]]]] = {
    1: (1.22, ((0, 0),)),
    2: (0.92, ((0, -28), (0, 42))),
    3: (0.7, ((-46, -12), (46, -12), (0, 46))),
    4: (0.7, ((-46, -12), (46, -12), (-46, 46), (46, 46))),
}
"""How the hands of a box share its place: the size of their cards, and each one's distance from the middle."""


class Spot(Struct, frozen=True):
    """A box of the picture."""

    box: BoxShown
    bet: tuple[float, float]
    name: tuple[float, float]
    inner: tuple[float, float]
    cards: tuple[float, float]
    hands: tuple[tuple[float, float], ...]
    size: float
    scale: float
    chips: tuple[int, ...]
    side_chips: tuple[int, ...]


class Picture(Struct, frozen=True):
    """The whole felt; `turned` when it is seen from the players."""

    spots: tuple[Spot, ...]
    dealer: tuple[float, float]
    turned: bool


def picture(shown: Board, denominations: Sequence[int], *, turned: bool = False) -> Picture:
    """Places for everything on a board."""
    count = len(shown.boxes)
    scale = min(1.0, SEVEN / count) if count else 1.0
    spots = tuple(_spot(box, _angle(at, count), scale, denominations) for at, box in enumerate(shown.boxes))
    if turned:
        spots = tuple(_turned(spot) for spot in spots)
    return Picture(spots, _across(DEALER_AT) if turned else DEALER_AT, turned)


def _angle(at: int, count: int) -> float:
    if count < SEVEN:
        middle, step = (FIRST_ANGLE + LAST_ANGLE) / 2, (LAST_ANGLE - FIRST_ANGLE) / (SEVEN - 1)
        return middle + (at - (count - 1) / 2) * step
    return FIRST_ANGLE + at * (LAST_ANGLE - FIRST_ANGLE) / (count - 1)


def _spot(box: BoxShown, angle: float, scale: float, denominations: Sequence[int]) -> Spot:
    size, offsets = ROWS[min(max(1, len(box.hands)), len(ROWS))]
    x, y = _on(CARDS, angle)
    stake = sum(hand.stake for hand in box.hands) or box.main
    return Spot(
        box=box,
        bet=_on(BETS, angle),
        name=_on(NAMES, angle),
        inner=_on(INNER, angle),
        cards=(x, y),
        hands=tuple((x + right * scale, y + down * scale) for right, down in offsets),
        size=size * scale,
        scale=scale,
        chips=chips(stake, denominations)[:MOST_CHIPS],
        side_chips=chips(box.pairs, denominations)[:MOST_CHIPS],
    )


def _on(arc: tuple[float, float], angle: float) -> tuple[float, float]:
    radians = math.radians(angle)
    return round(CENTRE[0] + arc[0] * math.cos(radians), 1), round(CENTRE[1] + arc[1] * math.sin(radians), 1)


def _across(point: tuple[float, float]) -> tuple[float, float]:
    return round(WIDTH - point[0], 1), round(HEIGHT - point[1], 1)


def _turned(spot: Spot) -> Spot:
    """The same box from the other side of the table; its cards stay upright."""
    middle = _across(spot.cards)
    return replace(
        spot,
        bet=_across(spot.bet),
        name=_across(spot.name),
        inner=_across(spot.inner),
        cards=middle,
        hands=tuple((middle[0] + x - spot.cards[0], middle[1] + y - spot.cards[1]) for x, y in spot.hands),
    )


def chips(amount: int, denominations: Sequence[int]) -> tuple[int, ...]:
    """The fewest chips a dealer would lay for an amount, as places in the house's list, the largest first."""
    found: list[int] = []
    for at, chip in sorted(enumerate(denominations), key=lambda one: -one[1]):
        number, amount = divmod(amount, chip)
        found.extend([at] * number)
    return tuple(found)
