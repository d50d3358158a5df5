"""A player who does not answer. Never a card to him: the house calls the floor, or lets the hand stand."""

from table_controller.core import life, witness
from table_controller.core.blackjack.phases import circles
from table_controller.core.blackjack.round import DueKind, round_of
from table_controller.core.blackjack.words import HandStood, OfferDeclined
from table_controller.core.disputes import dispute, has_open
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity
from table_controller.core.stimuli import Tick
from table_controller.core.table import Phase, blocking


def tick(course: Course, clock: Tick) -> None:
    """Time passes: cards not seen, players not answering (QLD Casino Gaming Rule 2010 p.425 s.35)."""
    witness.tick(course, clock)
    life.tick(course, clock)
    circles.tick(course, clock)
    state, rnd = course.state, round_of(course.state)
    if rnd is None or state.house is None or blocking(state) is not None or state.phase is Phase.PAUSED:
        return
    if rnd.due.kind not in (DueKind.SIGNAL, DueKind.ANSWER, DueKind.ACCEPT):
        return
    if clock.cause.at_ns - state.moved_at_ns <= state.house.timers.answer_seconds * life.NS:
        return
    place = rnd.due.place
    if not life.stands_when_absent(state) or rnd.due.kind is DueKind.ACCEPT:
        if not has_open(state, Irregularity.PLAYER_ABSENT, place):
            dispute(course, Irregularity.PLAYER_ABSENT, place)
    elif rnd.due.kind is DueKind.SIGNAL:
        course.record(HandStood(clock.cause, place.box, place.hand))
    else:
        course.record(OfferDeclined(clock.cause, place.box))
