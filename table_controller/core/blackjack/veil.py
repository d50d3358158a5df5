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
)
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import HoleTurned
from table_controller.core.places import DEALER
from table_controller.core.stimuli import CardDrawn, CardSeen, Face, Stimulus
from table_controller.core.table import Phase, TableState, blocking


def veil(state: TableState, said: Stimulus) -> Stimulus:
    """The stimulus as it may be known: a card that lies face down, or may be the hole card, has no name."""
    match said:
        case CardSeen(face=Face.DOWN):
            return replace(said, card=None)
        case CardSeen(place=place) if place == DEALER and _may_be_hole(state):
            return replace(said, card=None)
        case HoleTurned() if not _reveal_due(state):
            return replace(said, card=None)
        case CardDrawn() if _draws_hole(state):
            return replace(said, card=None)
        case _:
            return said


def _reveal_due(state: TableState) -> bool:
    rnd = round_of(state)
    due = rnd is not None and rnd.due.kind is DueKind.REVEAL
    return due and state.phase is not Phase.PAUSED and blocking(state) is None


def _may_be_hole(state: TableState) -> bool:
    """Whether a card lying open before the dealer may be the hole card, shown too early."""
    rnd = round_of(state)
    if rnd is None or not rules_of(state).hole_card or rnd.revealed or _reveal_due(state):
        return False
    if not hole_lies(rules_of(state), rnd):
        return bool(rnd.dealer) or hole_index(rules_of(state)) == 0
    upcard_due = rnd.due == Due(DueKind.CARD, DEALER) or rnd.due == Due(DueKind.SHOW, DEALER)
    return not upcard_due or blocking(state) is not None


def _draws_hole(state: TableState) -> bool:
    """Whether the card that leaves the shoe now, behind those drawn and not yet seen, is to be the hole card."""
    rnd, rules = round_of(state), rules_of(state) if state.rules is not None else None
    if rnd is None or rules is None or not rules.hole_card or state.shoe is None:
        return False
    return _is_hole(rules, rnd, len(state.shoe.drawn))


def _is_hole(rules: RuleSet, rnd: BlackjackRound, ahead: int) -> bool:
    queue = rnd.queue if rnd.closed else deal_order(rules, rnd.boxes)
    if ahead >= len(queue) or queue[ahead] != DEALER:
        return False
    return len(rnd.dealer) + queue[:ahead].count(DEALER) == hole_index(rules)
