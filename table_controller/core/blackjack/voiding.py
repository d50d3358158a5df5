"""A round without result: every bet goes back, every card of it, questioned ones too, to the discard rack.

What left the shoe and was seen by nobody is asked about at once: the next round's cards must not be taken for it.
"""

from typing import Final

from table_controller.core.blackjack.round import BlackjackRound, round_of
from table_controller.core.cards import Card
from table_controller.core.events import Disputed, RoundVoided
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity
from table_controller.core.people import Person
from table_controller.core.shoe import Drawn
from table_controller.core.shoe_life import burn
from table_controller.core.table import Dispute, TableState

LOOSE: Final = frozenset(
    {
        Irregularity.CARD_NOT_DUE,
        Irregularity.WRONG_PLACE,
        Irregularity.BOX_WITHOUT_BET,
        Irregularity.DEALER_CARD_MISSED,
        Irregularity.DEALER_OVERDREW,
        Irregularity.PEEK_MISSED,
        Irregularity.WITNESSES_DISAGREE,
        Irregularity.SEEN_NOT_DRAWN,
        Irregularity.OUTSIDE_ROUND,
        Irregularity.TWO_CARDS,
        Irregularity.UNCLEAR_HAND,
    }
)
"""Questions about a card that lies on the table and belongs to no hand yet."""


def void_round(course: Course, by: Person, second: Person, reason: str, question: Dispute | None = None) -> None:
    """Record the end of the round; `question` is the dispute whose remedy this is."""
    rnd = round_of(course.state)
    assert rnd is not None
    for card in _loose_cards(course, rnd, question):
        burn(course, card, "void")
    waiting = [sight.card for sight in course.state.sights if sight.waits and sight.lies]
    for card in waiting[: len(_drawn(course.state))]:
        burn(course, card, "void")
    course.record(RoundVoided(course.cause, by, second, rnd.number, reason, staked(rnd)))
    for _ in _drawn(course.state):
        course.record(Disputed(course.cause, course.state.disputed + 1, Irregularity.DRAWN_NOT_SEEN, None, None))


def _drawn(state: TableState) -> tuple[Drawn, ...]:
    """What has left the shoe and is no card of the table's yet."""
    return state.shoe.drawn if state.shoe is not None else ()


def _loose_cards(course: Course, rnd: BlackjackRound, question: Dispute | None) -> list[Card | None]:
    questions = (*course.state.disputes, *((question,) if question is not None else ()))
    loose: list[Card | None] = [one.card for one in questions if one.irregularity in LOOSE]
    loose += [held.card for held in course.state.held]
    return loose + ([rnd.card_offered] if rnd.card_offered is not None else [])


def staked(rnd: BlackjackRound) -> dict[int, int]:
    """Everything each box has put at risk in this round, in minor units."""
    return {
        box.number: (sum(hand.stake for hand in box.hands) or box.main) + box.insurance + box.pairs for box in rnd.boxes
    }
