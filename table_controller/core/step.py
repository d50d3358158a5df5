"""The public door: one stimulus in, the facts and the state after them out."""

from collections.abc import Iterable
from functools import reduce

from msgspec import Struct

from table_controller.core.events import CommandRefused, Event
from table_controller.core.game import Course, Game, evolve
from table_controller.core.reasons import Refusal
from table_controller.core.stimuli import Command, Stimulus
from table_controller.core.table import TableState
from table_controller.core.witness import reconcile


class Step(Struct, frozen=True):
    """What one stimulus led to, and the stimulus as it may be recorded: without what nobody may know yet."""

    state: TableState
    events: tuple[Event, ...]
    stimulus: Stimulus


def step(game: Game, state: TableState, stimulus: Stimulus) -> Step:
    """Judge a stimulus. One whose number its source has already used changes nothing."""
    cause, stimulus = stimulus.cause, game.veil(state, stimulus)
    if cause.seq <= state.cursors.get(cause.source, -1):
        return Step(state, (), stimulus)
    course = Course(game, state, cause)
    if isinstance(stimulus, Command) and (refusal := why_not(game, state, stimulus)) is not None:
        course.record(CommandRefused(cause, stimulus.by, kind_of(stimulus), str(refusal)))
    else:
        game.judges[type(stimulus)](course, stimulus)
        game.follow(course)
        reconcile(course)
    return Step(course.state, tuple(course.events), stimulus)


def why_not(game: Game, state: TableState, stimulus: Stimulus) -> Refusal | None:
    """The reason a command would be refused with (or a signal would mean nothing), before anyone tries."""
    check = game.refusals.get(type(stimulus))
    return check(state, game.veil(state, stimulus)) if check is not None else None


def replay(game: Game, events: Iterable[Event], start: TableState | None = None) -> TableState:
    """The state that a row of events leads to, from a table nobody has opened or from a state given."""
    return reduce(lambda state, event: evolve(game, state, event), events, game.empty if start is None else start)


def kind_of(said: Stimulus | Event) -> str:
    """The stable word for a kind of stimulus or event."""
    tag = said.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
