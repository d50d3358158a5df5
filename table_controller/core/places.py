"""Where a card may lie: a hand of a box, or before the dealer."""

from typing import Final

from msgspec import Struct


class Place(Struct, frozen=True, gc=False, array_like=True):
    """Box counted from 1 at the dealer's left and hand of that box counted from 0; box 0 is the dealer's own place."""

    box: int
    hand: int = 0

    @staticmethod
    def parse(text: str) -> "Place":
        """Read "dealer", "box3" or "box3.1"; raises ValueError."""
        if text == "dealer":
            return DEALER
        box, _, hand = text.removeprefix("box").partition(".")
        if not text.startswith("box") or not box.isdecimal() or not (hand or "0").isdecimal() or int(box) == 0:
            raise ValueError(f"{text!r} is no place: write dealer, box3 or box3.1")
        return Place(int(box), int(hand or 0))

    def __str__(self) -> str:
        return f"box{self.box}.{self.hand}" if self.box else "dealer"


DEALER: Final = Place(0)
