"""A player who does not answer: the house calls the floor, lets the hand stand, or has it played by its strategy."""

from table_controller.core import life, upkeep, witness
from table_controller.core.blackjack.phases import circles
from table_controller.core.blackjack.round import DueKind, round_of
from table_controller.core.blackjack.words import HandStood, OfferDeclined, Signal
from table_controller.core.disputes import dispute, has_open
from table_controller.core.game import Course
from table_controller.core.house import ABSENT
from table_controller.core.irregular import Irregularity
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.stimuli import Tick
from table_controller.core.table import Phase, TableState, blocking


def tick(course: Course, clock: Tick) -> None:
    """Time passes: cards not seen, players not answering (QLD Casino Gaming Rule 2010 p.425 s.35)."""
    witness.tick(course, clock)
    life.tick(course, clock)
    upkeep.tick(course, clock)
    circles.tick(course, clock)
    state, rnd = course.state, round_of(course.state)
    if rnd is None or state.house is None or blocking(state) is not None or state.phase is Phase.PAUSED:
        return
    if rnd.due.kind not in (DueKind.SIGNAL, DueKind.ANSWER, DueKind.ACCEPT):
        return
    patience = 2 if life.plays_when_absent(state) else 1  # time for the strategy to answer, before the floor is called
    if not life.overdue(state, clock.cause.at_ns, patience):
        return
    place = rnd.due.place
    if not life.stands_when_absent(state) or rnd.due.kind is DueKind.ACCEPT:
        if not has_open(state, Irregularity.PLAYER_ABSENT, place):
            dispute(course, Irregularity.PLAYER_ABSENT, place)
    elif rnd.due.kind is DueKind.SIGNAL:
        course.record(HandStood(clock.cause, place.box, place.hand))
    else:
        course.record(OfferDeclined(clock.cause, place.box))


def cannot_play_for(state: TableState, signal: Signal) -> Refusal | None:
    """Why nobody may signal for an absent player: the house does not want it, or he may still answer himself."""
    if signal.cause.source != ABSENT:
        return None
    if not life.plays_when_absent(state):
        return Refusal(Reason.NOT_LEGAL, "absent")
    rnd = round_of(state)
    box = rnd.box(signal.box) if rnd is not None else None
    known_away = box is not None and box.absent
    return None if known_away or life.overdue(state, signal.cause.at_ns) else Refusal(Reason.NOT_DUE)
