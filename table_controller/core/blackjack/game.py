"""Blackjack as the table sees it: every judge, refusal and fold in one place."""

from typing import Final

from msgspec.structs import replace

from table_controller.core import events as core
from table_controller.core import life, shared
from table_controller.core import rounds as core_rounds
from table_controller.core import stimuli as said
from table_controller.core.blackjack import corrections, evolve, lying, remedies
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.phases import absent, betting, circles, dealer, dealing, playing, settling
from table_controller.core.blackjack.round import (
    BlackjackRound,
    BlackjackTable,
    Box,
    DueKind,
    deal_order,
    round_of,
    rules_of,
)
from table_controller.core.blackjack.rules import read_rules
from table_controller.core.blackjack.veil import veil
from table_controller.core.game import Game
from table_controller.core.parameters import Unusable, Values
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.table import Phase, TableState


def _unusable(values: Values) -> Refusal | None:
    try:
        read_rules(values)
    except Unusable as refused:
        return Refusal(Reason.RULES_UNUSABLE, str(refused))
    return None


def _cannot_open(state: TableState, command: said.OpenTable) -> Refusal | None:
    return life.cannot_open(state, command) or _unusable(command.rules)


def _cannot_change_rules(state: TableState, command: said.ChangeRules) -> Refusal | None:
    return life.cannot_change_rules(state, command) or _unusable(command.rules)


def _table_opened(state: TableState, event: core.TableOpened) -> TableState:
    return replace(life.table_opened(state, event), rules=read_rules(event.rules))


def _rules_changed(state: TableState, event: core.RulesChanged) -> TableState:
    return replace(state, rules=read_rules(event.rules))


def _round_opened(state: TableState, event: core.RoundOpened) -> TableState:
    boxes = tuple(Box(box, stake, stake) for box, stake in sorted(event.carried.items()))
    asked_ns = event.cause.at_ns
    rnd = BlackjackRound(
        number=event.number, practice=event.practice, phase=Phase.BETTING, boxes=boxes, asked_ns=asked_ns
    )
    return replace(core_rounds.opened(state, event), round=rnd)


def _card_due(state: TableState) -> bool:
    """Whether the card just drawn has a place; the first one closes the bets, and a dealer is faster than a camera."""
    rnd = round_of(state)
    if rnd is None or state.shoe is None:
        return False
    to_come = rnd.queue if rnd.closed else deal_order(rules_of(state), rnd.boxes)
    waiting = len(to_come) or (rnd.due.kind is DueKind.CARD)
    return bool(rnd.boxes) and len(state.shoe.drawn) <= waiting


BLACKJACK: Final = Game(
    name="blackjack",
    empty=BlackjackTable(),
    read_rules=read_rules,
    veil=veil,
    card_due=_card_due,
    coming=lying.coming,
    cards=lying.cards,
    taken=lying.taken,
    handled=lying.handled,
    answers=dealing.answers,
    show_again=dealing.show_again,
    follow=settling.follow,
    remedy=remedies.apply,
    judges={
        **shared.JUDGES,
        said.Tick: absent.tick,
        said.PlaceBet: betting.place,
        said.TakeBack: betting.take_back,
        said.CloseBets: betting.close,
        said.CircleChanged: circles.changed,
        said.CardSeen: dealing.seen,
        said.BoxPaid: settling.paid,
        said.TableCleared: settling.cleared,
        said.CorrectCard: corrections.correct_card,
        said.EnterCard: corrections.enter,
        said.CorrectBet: corrections.correct_bet,
        said.ReportPayout: corrections.report,
        said.VoidRound: corrections.void,
        bj.Signal: playing.signalled,
        bj.HolePeeked: dealer.peek,
        bj.HoleTurned: dealer.reveal,
    },
    refusals={
        **shared.REFUSALS,
        said.PlaceBet: betting.cannot_place,
        said.TakeBack: betting.cannot_take_back,
        said.CloseBets: betting.cannot_close,
        said.OpenTable: _cannot_open,
        said.ChangeRules: _cannot_change_rules,
        said.ResolveDispute: remedies.cannot_resolve,
        said.CorrectCard: corrections.cannot_correct_card,
        said.EnterCard: corrections.cannot_enter,
        said.CorrectBet: corrections.cannot_correct_bet,
        said.ReportPayout: corrections.cannot_report,
        said.VoidRound: corrections.cannot_void,
        bj.Signal: playing.meaningless,
    },
    folds={
        **shared.FOLDS,
        **evolve.FOLDS,
        core.TableOpened: _table_opened,
        core.RulesChanged: _rules_changed,
        core.RoundOpened: _round_opened,
    },
)
