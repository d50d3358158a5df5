"""Where a dealer lays cards: table millimetres for the n-th card of a hand."""

from dataclasses import dataclass
from math import cos, degrees, sin
from typing import Final

from vision.felt import ARC_CENTRE, ARC_RADIUS, BOX_PITCH

# Card to card within a hand: the upper left index of the lower card stays free.
STEP: Final = (20.0, 9.0)
# The first card of the first four hands of a box, from the middle of the box; split hands stand in two rows.
HANDS: Final = ((-46.0, -58.0), (46.0, -58.0), (-46.0, 62.0), (46.0, 62.0))
DEALER_FIRST, DEALER_PITCH, DEALER_ABREAST = -150.0, 66.0, 5
SHOE_MOUTH: Final = (520.0, 60.0)


@dataclass(frozen=True)
class Stance:
    """Centre of a card in millimetres and how far it is turned, degrees clockwise in the picture."""

    x: float
    y: float
    turn: float = 0.0


def place(slot: str, order: int, hand: int = 0, boxes: int = 7) -> Stance:
    """Where card number `order` (from 0) of a hand lies; slot is "dealer" or "box3"."""
    if slot == "dealer":
        abreast = min(order, DEALER_ABREAST - 1)
        return Stance(DEALER_FIRST + DEALER_PITCH * abreast + 24.0 * (order - abreast), 0.0)
    if slot == "discard":
        return Stance(-560.0, -20.0 + order % 7)
    first = HANDS[hand % len(HANDS)]
    return in_box(int(slot.removeprefix("box")), first[0] + STEP[0] * order, first[1] + STEP[1] * order, boxes)


def in_box(number: int, across: float, outwards: float, boxes: int = 7) -> Stance:
    """A place given from the middle of a box: across to the picture's right, outwards to the player."""
    angle = ((boxes + 1) / 2 - number) * BOX_PITCH / ARC_RADIUS
    x = ARC_RADIUS * sin(angle) + across * cos(angle) + outwards * sin(angle)
    y = ARC_CENTRE + ARC_RADIUS * cos(angle) - across * sin(angle) + outwards * cos(angle)
    return Stance(x, y, -degrees(angle))


def circle(number: int, boxes: int = 7) -> Stance:
    """The middle of a box's betting circle."""
    return in_box(number, 0.0, 210.0, boxes)
