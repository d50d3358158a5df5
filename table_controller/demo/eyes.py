"""Where the demo's cards lie, and who tells the table: here a script that says what steady eyes would say."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from table_controller.play.felt import CannotPlay
from table_controller.port.client import Door
from table_controller.port.words import Gone, Outcome, Sighted
from vision.rendered.places import place

SURE: Final = 0.999
AGAIN_MM: Final = 30.0
TRIES, PAUSE_S = 100, 0.05


class Spot(NamedTuple):
    """A hand on the felt: the slot and which of the box's places for hands."""

    slot: str
    hand: int = 0


class Felt(Protocol):
    """The felt as a dealer uses it. Cards of a spot are counted from 0 in the order they were laid."""

    def lay(self, spot: Spot, card: str, *, face_down: bool = False, readable: bool = True) -> None:
        """Lay the next card of a hand."""

    def turn(self, spot: Spot, order: int, card: str) -> None:
        """Turn a card that lies face down."""

    def shift(self, spot: Spot, order: int, to: Spot) -> None:
        """Move a card to the next place of another hand."""

    def show_again(self, spot: Spot, order: int) -> None:
        """Take a card up and lay it down so that it can be read."""

    def clear(self) -> None:
        """Take every card away."""

    def count(self, spot: Spot) -> int:
        """How many cards lie there."""


class Lying(NamedTuple):
    """A card as it lies, and the sighting that told of it."""

    card: str
    number: int


class ScriptedEyes:
    """Says through the door what eyes that never err would say; `now` is the table's time."""

    def __init__(self, door: Door, source: str, now: Callable[[], int]) -> None:
        self._door = door
        self._source = source
        self._now = now
        self._number = 0
        self._felt: dict[Spot, list[Lying]] = {}

    def lay(self, spot: Spot, card: str, *, face_down: bool = False, readable: bool = True) -> None:
        """Lay the next card of a hand and say so."""
        lying = self._felt.setdefault(spot, [])
        at = place(spot.slot, len(lying), spot.hand)
        named = card if readable and not face_down else None
        lying.append(Lying(card, self._say_sighted(spot, (at.x, at.y), named, face_down=face_down)))

    def turn(self, spot: Spot, order: int, card: str) -> None:
        """The back is gone, a face lies there."""
        self._again(spot, order, card, 0.0)

    def shift(self, spot: Spot, order: int, to: Spot) -> None:
        """It is gone here and lies there."""
        was = self._felt[spot].pop(order)
        self._say_gone(was.number)
        self.lay(to, was.card)

    def show_again(self, spot: Spot, order: int) -> None:
        """It is gone and lies there again, a little further."""
        self._again(spot, order, self._felt[spot][order].card, AGAIN_MM)

    def clear(self) -> None:
        """Every card is gone."""
        for lying in self._felt.values():
            for card in lying:
                self._say_gone(card.number)
        self._felt.clear()

    def count(self, spot: Spot) -> int:
        """How many cards lie there."""
        return len(self._felt.get(spot, ()))

    def _again(self, spot: Spot, order: int, card: str, further: float) -> None:
        lying, at = self._felt[spot], place(spot.slot, order, spot.hand)
        self._say_gone(lying[order].number)
        lying[order] = Lying(card, self._say_sighted(spot, (at.x + further, at.y), card))

    def _say_sighted(self, spot: Spot, at: tuple[float, float], card: str | None, *, face_down: bool = False) -> int:
        self._number += 1
        now = self._now()
        sighted = Sighted(
            source=self._source,
            number=self._number,
            slot=spot.slot,
            x=at[0],
            y=at[1],
            card=card,
            face_down=face_down,
            confidence=SURE if card else 0.0,
            since_ns=now,
            at_ns=now,
        )
        self._say(sighted)
        return self._number

    def _say_gone(self, was: int) -> None:
        self._number += 1
        self._say(Gone(source=self._source, number=self._number, was=was, at_ns=self._now()))

    def _say(self, said: Sighted | Gone) -> None:
        """Until it is answered, as the eyes do; a number heard twice is the same sighting."""
        for _ in range(TRIES):
            answer = self._door.ask(said)
            if answer.outcome is not Outcome.DOWN:
                return
            time.sleep(PAUSE_S)
        raise CannotPlay(f"the table does not take what is seen: {answer.detail}")
