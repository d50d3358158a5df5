"""How the core reaches a game: tables of small pure functions, and the one place where events become state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.irregular import Remedy
from table_controller.core.parameters import Values
from table_controller.core.places import Place
from table_controller.core.reasons import Refusal
from table_controller.core.rules import TableRules
from table_controller.core.stimuli import CardSeen, Cause, Face, ResolveDispute, Stimulus
from table_controller.core.table import Dispute, TableState

Fold = Callable[[TableState, Any], TableState]
Judge = Callable[["Course", Any], None]
WhyNot = Callable[[TableState, Any], Refusal | None]


class Coming(Struct, frozen=True, gc=False):
    """The card that must be seen next: where, which side up, and whether it has yet to leave the shoe.

    `both`: cards of either face are still to come there, so that one of the other face is not this one.
    `turned`: it lies there already, face down, and is to be turned.
    """

    place: Place
    face: Face = Face.UP
    drawn: bool = True
    both: bool = False
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the table sees it. `follow` records whatever happens by itself after a fact.

    For the witnesses: the card `coming` next, the `cards` recorded at every place, whether a place's cards may be
    `taken` away or `handled` by the dealer now, whether a card `answers` an open question by itself, and `show_again`,
    which names an unread card of a place, if that index is one.
    """

    name: str
    empty: TableState
    read_rules: Callable[[Values], TableRules]
    veil: Callable[[TableState, Stimulus], Stimulus]
    card_due: Callable[[TableState], bool]
    coming: Callable[[TableState], Coming | None]
    cards: Callable[[TableState], Mapping[Place, tuple[Card | None, ...]]]
    taken: Callable[[TableState, Place], bool]
    handled: Callable[[TableState, Place], bool]
    answers: Callable[[TableState, CardSeen, Dispute], Remedy | None]
    show_again: Callable[["Course", CardSeen, int], bool]
    follow: Callable[["Course"], None]
    remedy: Callable[["Course", ResolveDispute, Dispute], None]
    judges: Mapping[type[Stimulus], Judge]
    refusals: Mapping[type[Stimulus], WhyNot]
    folds: Mapping[type[Event], Fold]


@dataclass(slots=True)
class Course:
    """One step in the making: the cause, the events so far, the state they lead to."""

    game: Game
    state: TableState
    cause: Cause
    events: list[Event] = field(default_factory=list)

    def record(self, event: Event) -> None:
        """Take a fact: keep it and fold it in."""
        self.events.append(event)
        self.state = evolve(self.game, self.state, event)


def evolve(game: Game, state: TableState, event: Event) -> TableState:
    """The state after a fact. Total: every kind of event has a fold, and no fold refuses."""
    after = game.folds[type(event)](state, event)
    cause = event.cause
    moved_at = max(cause.at_ns, state.moved_at_ns)
    version = state.version + event.shown
    if state.cursors.get(cause.source, -1) >= cause.seq:
        return replace(after, version=version, moved_at_ns=moved_at)
    cursors = {**state.cursors, cause.source: cause.seq}
    return replace(after, version=version, moved_at_ns=moved_at, cursors=cursors)
