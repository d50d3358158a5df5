"""Mistakes to make on purpose: which one a practice round gets, and when the moment for it has come."""

import random
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from msgspec import Struct

from table_controller.core.blackjack.round import BlackjackRound, DueKind, round_of
from table_controller.core.irregular import Irregularity
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Face
from table_controller.core.table import TableState

PLANTED: Final = "floor.mistake_planted"
CALLED: Final = "floor.mistake_called"
PLANTED_IN_HUNDRED: Final = 60


class Mistake(StrEnum):
    """What the dealer is told to do wrong."""

    DRAWN_TO_STOOD = "drawn_to_stood"
    WRONG_BOX = "wrong_box"
    CHECK_SKIPPED = "check_skipped"
    WRONG_PAYOUT = "wrong_payout"


CAUGHT_AS: Final = {
    Mistake.DRAWN_TO_STOOD: (Irregularity.CARD_NOT_DUE, Irregularity.WRONG_PLACE),
    Mistake.WRONG_BOX: (Irregularity.WRONG_PLACE, Irregularity.BOX_WITHOUT_BET, Irregularity.CARD_NOT_DUE),
    Mistake.CHECK_SKIPPED: (Irregularity.PEEK_MISSED,),
    Mistake.WRONG_PAYOUT: (),
}
"""Under which names the mistake comes before the supervisor; a wrong payment in practice only a person can call."""


class Planted(Struct, frozen=True):
    """A mistake that was called for: in which round, at which box, and what to hand over in minor units."""

    round: int
    mistake: Mistake
    box: int = 0
    paid: int = 0


class Called(Struct, frozen=True):
    """A supervisor says that a box was paid wrongly."""

    round: int
    box: int
    by: str


def wish(seed: int, number: int) -> Mistake | None:
    """The mistake that round `number` gets, None for a clean one; the same seed plans the same evening."""
    chance = random.Random(f"{seed}/{number}")
    return chance.choice(list(Mistake)) if chance.randrange(100) < PLANTED_IN_HUNDRED else None


def occasion(state: TableState, mistake: Mistake) -> Planted | None:
    """The mistake as it can be made now; None while its moment has not come, and in rounds for money."""
    rnd = round_of(state)
    if rnd is None or not rnd.practice or state.disputes:
        return None
    found = _MOMENTS[mistake](state, rnd)
    return None if found is None else Planted(rnd.number, mistake, *found)


Found = tuple[int, int] | None


def _stood(_: TableState, rnd: BlackjackRound) -> Found:
    """A hand stands, and the table waits for something other than a card for it."""
    if rnd.due.kind is not DueKind.SIGNAL:
        return None
    return next(((box.number, 0) for box in rnd.boxes if any(hand.stood for hand in box.hands)), None)


def _other_box(_: TableState, rnd: BlackjackRound) -> Found:
    """A card for one box is due, and another box plays."""
    due = rnd.due
    if due.kind is not DueKind.CARD or due.place == DEALER or due.face is not Face.UP:
        return None
    others = [box.number for box in rnd.boxes if box.number != due.place.box and rnd.cards_at(Place(box.number))]
    return (others[-1], 0) if others else None


def _check(_: TableState, rnd: BlackjackRound) -> Found:
    """The dealer should look at the hole card now."""
    return (rnd.boxes[0].number, 0) if rnd.due.kind is DueKind.PEEK else None


def _payment(state: TableState, rnd: BlackjackRound) -> Found:
    """A box that has won is about to be paid: one chip of the smallest kind too much."""
    if rnd.due.kind is not DueKind.PAY or state.house is None:
        return None
    chip = state.house.denominations[0]
    owed = ((box.number, rnd.payable(box.number)) for box in rnd.boxes if not box.paid)
    return next(((number, amount + chip) for number, amount in owed if amount), None)


_MOMENTS: Final[dict[Mistake, Callable[[TableState, BlackjackRound], Found]]] = {
    Mistake.DRAWN_TO_STOOD: _stood,
    Mistake.WRONG_BOX: _other_box,
    Mistake.CHECK_SKIPPED: _check,
    Mistake.WRONG_PAYOUT: _payment,
}
