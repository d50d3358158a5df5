"""The hole card's secret: what may be the hole card loses its identity before anything is judged or recorded."""

from msgspec.structs import replace

from table_controller.core.blackjack.round import (
    BlackjackRound,
    Due,
    DueKind,
    deal_order,
    hole_index,
    hole_lies,
    round_of,
    rules_of,
    unread_at,
)
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import HoleTurned
from table_controller.core.disputes import find
from table_controller.core.places import DEALER
from table_controller.core.stimuli import (
    CardDrawn,
    CardSeen,
    CardSighted,
    CorrectCard,
    EnterCard,
    Face,
    ResolveDispute,
    Stimulus,
)
from table_controller.core.table import Phase, TableState, blocking


def veil(state: TableState, said: Stimulus) -> Stimulus:
    """The stimulus as it may be known: a card that lies face down, or may be the hole card, has no name."""
    match said:
        case CardSeen(face=face, place=place) if face is Face.DOWN or place.box == 0:
            hidden = face is Face.DOWN or _shows_hole(state)
            lies = DEALER if place.box == 0 else place
            return replace(said, place=lies, card=None if hidden else said.card)
        case CardSighted() if said.face is Face.DOWN or said.places[0].box == 0:
            if said.face is Face.DOWN or _sights_hole(state):
                return replace(said, card=None, evidence=None)
            return said
        case HoleTurned() if not _reveal_due(state):
            return replace(said, card=None)
        case CardDrawn(cause=cause) if _draws_hole(state, cause.at_ns):
            return replace(said, card=None)
        case EnterCard(place=place) if place.box == 0 and _shows_hole(state):
            return replace(said, card=None)
        case CorrectCard(place=place) if place.box == 0 and _hidden(state):
            at_hole = said.index == hole_index(rules_of(state))
            return replace(said, card=None if at_hole else said.card)
        case ResolveDispute() if _types_hole(state, said):
            return replace(said, card=None)
        case _:
            return said


def _hidden(state: TableState) -> bool:
    rnd = round_of(state)
    return rnd is not None and hole_lies(rules_of(state), rnd)


def _reveal_due(state: TableState) -> bool:
    rnd = round_of(state)
    due = rnd is not None and rnd.due.kind is DueKind.REVEAL
    return due and state.phase is not Phase.PAUSED and blocking(state) is None


def _shows_hole(state: TableState) -> bool:
    """Whether a card lying open before the dealer may be the hole card, shown too early."""
    rnd = round_of(state)
    if rnd is None or not rules_of(state).hole_card or rnd.revealed or _reveal_due(state):
        return False
    if not hole_lies(rules_of(state), rnd):
        return bool(rnd.dealer) or hole_index(rules_of(state)) == 0
    upcard_due = rnd.due == Due(DueKind.CARD, DEALER) or rnd.due == Due(DueKind.SHOW, DEALER)
    return not upcard_due or blocking(state) is not None


def _sights_hole(state: TableState) -> bool:
    """Whether a card sighted open before the dealer may be the hole card; those that wait to be understood count.

    Where the open card comes second it may be seen before its turn: it is not the hole card while that one's back is
    in sight; once that is recorded, no other back stands for it, nor one that may be that one moved.
    """
    rnd = round_of(state)
    if rnd is None or not rules_of(state).hole_card or rnd.revealed or _reveal_due(state):
        return False
    dealers = [sight for sight in state.sights if sight.lies and sight.places[0].box == 0]
    due_now = blocking(state) is None and rnd.due in (Due(DueKind.SHOW, DEALER), Due(DueKind.CARD, DEALER))
    if due_now and rnd.due.kind is DueKind.SHOW:
        return False
    at = 1 - hole_index(rules_of(state))
    if len(rnd.dealer) > at or any(sight.waits and sight.face is Face.UP for sight in dealers):
        return True
    backs = [sight for sight in dealers if sight.face is Face.DOWN]
    if hole_lies(rules_of(state), rnd):
        backs = [sight for sight in backs if sight.place == DEALER and sight.since_ns == sight.laid_ns]
    return at == 1 and not due_now and not backs


def _draws_hole(state: TableState, at_ns: int) -> bool:
    """Whether the card leaving the shoe may be the hole card: anything not clearly drawn for another place.

    Pulses may be stray, doubled, late or ahead of the camera, so every one is nameless from the hole card's turn until
    it lies, and after that every one that no due card explains or that is told of a time before it lay.
    """
    rnd = round_of(state)
    if rnd is None or not rules_of(state).hole_card or rnd.revealed or state.shoe is None:
        return False
    ahead = len(state.shoe.drawn)
    if hole_lies(rules_of(state), rnd):
        late = 0 < at_ns <= rnd.hole_ns
        return late or ahead >= (len(rnd.queue) or (rnd.due.kind is DueKind.CARD))
    return blocking(state) is not None or ahead >= _turn_of_hole(rules_of(state), rnd)


def _turn_of_hole(rules: RuleSet, rnd: BlackjackRound) -> int:
    """How many cards come before the hole card."""
    queue = rnd.queue if rnd.closed else deal_order(rules, rnd.boxes)
    turns = [at for at, place in enumerate(queue) if place == DEALER]
    at = hole_index(rules) - len(rnd.dealer)
    return turns[at] if 0 <= at < len(turns) else 0


def _types_hole(state: TableState, command: ResolveDispute) -> bool:
    """Whether a typed card may be the hole card: at the dealer's place, not turned yet, nothing else unread there."""
    question, rnd = find(state, command.dispute), round_of(state)
    if command.card is None or question is None or rnd is None or not _hidden(state) or _reveal_due(state):
        return False
    return question.place == DEALER and not unread_at(rules_of(state), rnd, DEALER)
