"""The cards of one shoe have backs of one colour (58 Pa. Code 633a.3(b)); the first back seen says which."""

from msgspec.structs import replace

from table_controller.core import upkeep_words as tended
from table_controller.core.disputes import dispute
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity
from table_controller.core.stimuli import CardSighted, Face
from table_controller.core.table import TableState


def seen(course: Course, card: CardSighted) -> None:
    """A back of another colour is a question, once a round; one whose colour is not plain says nothing."""
    state, kept = course.state, course.state.upkeep
    asked = state.house is not None and state.house.back_check and state.round is not None
    if not asked or state.round is None or card.face is not Face.DOWN or not card.back:
        return
    if not kept.back:
        course.record(tended.BackKnown(course.cause, card.back))
    elif card.back != kept.back and kept.foreign_round != state.round.number:
        course.record(tended.BackForeign(course.cause, card.places[0], card.back, kept.back))
        dispute(course, Irregularity.FOREIGN_BACK, card.places[0])


def known(state: TableState, event: tended.BackKnown) -> TableState:
    return replace(state, upkeep=replace(state.upkeep, back=event.colour))


def foreign(state: TableState, _event: tended.BackForeign) -> TableState:
    assert state.shoe is not None
    number = state.round.number if state.round is not None else 0
    upkeep = replace(state.upkeep, foreign_round=number)
    return replace(state, shoe=replace(state.shoe, condemned=True), upkeep=upkeep)
