"""What a script tells the drawn table, one JSON object a line: {"do": "lay", "slot": "box3", "card": "KS"}."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

SLIDE_MS = 240


class Order(Struct, frozen=True, kw_only=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """Anything the table obeys. `at_ms` counts from the start of a script; over a socket it is left out."""

    at_ms: int = 0


class Lay(Order, frozen=True, kw_only=True):
    """Slide a card from the shoe to the next place of a hand, or to (x, y, turn) millimetres and degrees.

    A card laid face down need not be named; it is named when it is turned.
    """

    slot: str
    card: str | None = None
    hand: int = 0
    face_down: bool = False
    sideways: bool = False
    to: tuple[float, float, float] | None = None
    slide_ms: int = SLIDE_MS


class Turn(Order, frozen=True, kw_only=True):
    """Turn card number `order` of a hand over; `card` names it if that was not done before."""

    slot: str
    order: int
    hand: int = 0
    card: str | None = None


class Shift(Order, frozen=True, kw_only=True):
    """Move a card: to (x, y, turn), or to the next place of another hand or slot, to which it then belongs."""

    slot: str
    order: int
    hand: int = 0
    to: tuple[float, float, float] | None = None
    to_slot: str | None = None
    to_hand: int = 0
    slide_ms: int = SLIDE_MS


class Take(Order, frozen=True, kw_only=True):
    """Take away one card, the cards of one slot, or all of them."""

    slot: str | None = None
    order: int | None = None
    hand: int = 0


class Chips(Order, frozen=True, kw_only=True):
    """A stack of `count` chips in a circle, 0 to take it away."""

    slot: str
    count: int


class Reach(Order, frozen=True, kw_only=True):
    """A hand lies over a slot for a while."""

    slot: str
    ms: int = 1000


class Sight(StrEnum):
    """What may happen to a camera."""

    CLEAR = "clear"
    COVERED = "covered"
    DARK = "dark"
    GLARE = "glare"
    BLURRED = "blurred"
    MOVED = "moved"
    FROZEN = "frozen"
    UNPLUGGED = "unplugged"


class Lens(Order, frozen=True, kw_only=True):
    """Something happens to the camera itself."""

    sight: Sight


class Obeyed(Struct, frozen=True):
    """When what was ordered is at rest in the picture, nanoseconds of the camera's clock; or why it was refused."""

    rest_ns: int = 0
    refused: str = ""


Orders = Lay | Turn | Shift | Take | Chips | Reach | Lens
_READ: msgspec.json.Decoder[Orders] = msgspec.json.Decoder(Orders)


class OrderUnclear(ValueError):
    """A line that is no order; the message says why."""


def order_from(line: bytes | str) -> Orders:
    """Raises OrderUnclear."""
    try:
        return _READ.decode(line)
    except msgspec.DecodeError as error:
        raise OrderUnclear(str(error)) from error


def script(path: Path) -> Iterator[Orders]:
    """The orders of a file; raises OrderUnclear with the line, OSError when there is none."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield order_from(line)
        except OrderUnclear as error:
            raise OrderUnclear(f"{path}:{number}: {error}") from error
