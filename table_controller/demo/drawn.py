"""The felt of the drawn table: what the dealer does is an order to the picture, and real eyes look at it."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from table_controller.demo.eyes import AGAIN_MM, Spot
from table_controller.play.felt import CannotPlay
from vision.rendered.orders import Lay, Orders, Shift, Take, Turn
from vision.rendered.places import place
from vision.rendered.source import OrderCaller

UP_S: Final = 30.0


class DrawnFelt:
    """Speaks to the order desk of every camera's process: each draws the same table from its own place."""

    def __init__(self, desks: Sequence[Path], boxes: int) -> None:
        self._boxes = boxes
        self._callers: dict[Path, OrderCaller | None] = dict.fromkeys(desks)
        self._counts: dict[Spot, int] = {}

    def lay(self, spot: Spot, card: str, *, face_down: bool = False, readable: bool = True) -> None:  # noqa: ARG002
        """Slide the next card of a hand to its place; what can be read of it is for the eyes to say."""
        self._say(Lay(slot=spot.slot, hand=spot.hand, card=None if face_down else card, face_down=face_down))
        self._counts[spot] = self.count(spot) + 1

    def turn(self, spot: Spot, order: int, card: str) -> None:
        """Only now is the card named, so that no picture could have shown it before."""
        self._say(Turn(slot=spot.slot, hand=spot.hand, order=order, card=card))

    def shift(self, spot: Spot, order: int, to: Spot) -> None:
        """Move a card to the next place of another hand."""
        self._say(Shift(slot=spot.slot, hand=spot.hand, order=order, to_slot=to.slot, to_hand=to.hand))
        self._counts[spot] -= 1
        self._counts[to] = self.count(to) + 1

    def show_again(self, spot: Spot, order: int) -> None:
        """Lay it a little further."""
        at = place(spot.slot, order, spot.hand, self._boxes)
        self._say(Shift(slot=spot.slot, hand=spot.hand, order=order, to=(at.x + AGAIN_MM, at.y, at.turn)))

    def clear(self) -> None:
        """Take every card away."""
        self._say(Take())
        self._counts.clear()

    def count(self, spot: Spot) -> int:
        """How many cards lie there."""
        return self._counts.get(spot, 0)

    def close(self) -> None:
        """Hang up."""
        for desk, caller in self._callers.items():
            if caller is not None:
                caller.close()
            self._callers[desk] = None

    def _say(self, order: Orders) -> None:
        for desk in self._callers:
            self._say_to(desk, order)

    def _say_to(self, desk: Path, order: Orders) -> None:
        """Until the camera's process is there; its table remembers nothing when it has been started anew."""
        until = time.monotonic() + UP_S
        while time.monotonic() < until:
            with suppress(OSError):
                caller = self._callers[desk] = self._callers[desk] or OrderCaller(desk)
                done = caller.say(order)
                if done.refused:
                    raise CannotPlay(done.refused)
                return
            self._callers[desk] = None
            time.sleep(0.2)
        raise CannotPlay(f"{desk}: nobody draws the table")
