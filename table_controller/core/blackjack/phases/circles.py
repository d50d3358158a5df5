"""The betting circles after no more bets: chips that move there are past-posting, unless play explains it."""

from table_controller.core.blackjack.lying import taken
from table_controller.core.blackjack.round import BlackjackRound, DueKind, round_of
from table_controller.core.blackjack.voiding import staked
from table_controller.core.disputes import dispute
from table_controller.core.events import CircleTouched, ObservationNoted
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity
from table_controller.core.life import NS
from table_controller.core.places import Place
from table_controller.core.reasons import Reason
from table_controller.core.stimuli import CircleChanged, Tick
from table_controller.core.table import TableState


def changed(course: Course, seen: CircleChanged) -> None:
    """Chips moved. A box whose turn it is may be adding a stake (Golden Wolf l.57: the stake comes before the sign)."""
    rnd = round_of(course.state)
    if rnd is None or not rnd.closed or _explained(course.state, rnd, seen):
        course.record(ObservationNoted(seen.cause, "circle_changed", Reason.NOTHING_TO_DO))
        return
    stake = staked(rnd).get(seen.box, 0)
    course.record(CircleTouched(seen.cause, seen.box, stake, seen.before, seen.after))
    if not (_acting(rnd) and rnd.due.place.box == seen.box):
        dispute(course, Irregularity.PAST_POSTING, Place(seen.box))


def tick(course: Course, clock: Tick) -> None:
    """Chips moved on a box in its turn, and no stake was added in the house's time."""
    state, rnd = course.state, round_of(course.state)
    if rnd is None or state.house is None:
        return
    for box, at_ns in rnd.touched.items():
        if clock.cause.at_ns - at_ns > state.house.timers.card_seconds * NS:
            dispute(course, Irregularity.PAST_POSTING, Place(box))


def _acting(rnd: BlackjackRound) -> bool:
    return rnd.due.kind in (DueKind.SIGNAL, DueKind.ANSWER)


def _explained(state: TableState, rnd: BlackjackRound, seen: CircleChanged) -> bool:
    """The bet is decided and is being paid or collected, or a stake was just added by signal."""
    box = rnd.box(seen.box)
    if rnd.finished or (box is not None and all(taken(state, Place(box.number, at)) for at in range(len(box.hands)))):
        return True
    assert state.house is not None
    added = box is not None and (len(box.hands) > 1 or any(hand.doubled for hand in box.hands))
    lately = seen.cause.at_ns - rnd.asked_ns <= state.house.timers.card_seconds * NS
    return added and lately and rnd.asked_box == seen.box
