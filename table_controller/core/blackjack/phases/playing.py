"""Signals: answers to an offer, and what a hand whose turn it is may do. A signal that means nothing moves nothing."""

from table_controller.core.blackjack.legal import affords, insurance_limit, legal, offer_to
from table_controller.core.blackjack.phases.absent import cannot_play_for
from table_controller.core.blackjack.phases.dealing import deal
from table_controller.core.blackjack.round import BlackjackRound, Box, Due, DueKind, Hand, round_of, rules_of
from table_controller.core.blackjack.rules import RuleSet, Surrender
from table_controller.core.blackjack.settle import even_money_line, surrender_line
from table_controller.core.blackjack.words import (
    Action,
    BetSettled,
    HandDoubled,
    HandHit,
    HandSplit,
    HandStood,
    InsuranceTaken,
    OfferDeclined,
    OfferedCardUsed,
    OfferRefused,
    Signal,
)
from table_controller.core.disputes import answer_itself
from table_controller.core.events import SignalRefused
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.money import Rounding, divides
from table_controller.core.places import Place
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.stimuli import CardSeen
from table_controller.core.table import Phase, TableState, blocking

ANSWERS = frozenset({Action.INSURE, Action.NO_INSURANCE, Action.EVEN_MONEY, Action.NO_EVEN_MONEY})


def signalled(course: Course, signal: Signal) -> None:
    """Act on a signal, or say why it means nothing."""
    refusal = meaningless(course.state, signal)
    if refusal is not None:
        course.record(SignalRefused(signal.cause, signal.box, signal.hand, signal.action, str(refusal)))
        return
    rnd = round_of(course.state)
    assert rnd is not None
    if rnd.due.kind is DueKind.ACCEPT:
        _answer_card_offer(course, rnd, signal)
    else:
        _act(course, rnd, signal)
    for one in course.state.disputes:
        if one.irregularity is Irregularity.PLAYER_ABSENT and one.place is not None and one.place.box == signal.box:
            answer_itself(course, one, Remedy.ANSWERED)


def meaningless(state: TableState, signal: Signal) -> Refusal | None:
    """Why a signal would move nothing now."""
    rnd = round_of(state)
    if state.phase is Phase.PAUSED:
        return Refusal(Reason.TABLE_PAUSED)
    if rnd is None or not rnd.closed:
        return Refusal(Reason.NO_ROUND)
    if blocking(state) is not None:
        return Refusal(Reason.DISPUTE_OPEN)
    if (present := cannot_play_for(state, signal)) is not None:
        return present
    rules = rules_of(state)
    match rnd.due.kind:
        case DueKind.ANSWER:
            return _no_answer(rules, rnd, signal)
        case DueKind.PEEK:
            return _before_peek(rules, rnd, signal)
        case DueKind.SIGNAL | DueKind.ACCEPT:
            return _no_move(rules, rnd, signal)
        case DueKind.CARD:
            return Refusal(Reason.CARD_DUE, str(rnd.due.place))
        case _:
            return Refusal(Reason.NOT_DUE)


def _no_answer(rules: RuleSet, rnd: BlackjackRound, signal: Signal) -> Refusal | None:
    if signal.action not in ANSWERS:
        return Refusal(Reason.ANSWER_FIRST)
    box = rnd.box(signal.box)
    if box is None or signal.box not in rnd.offers:
        return Refusal(Reason.OFFER_CLOSED)
    if signal.hand != 0 or signal.action not in (offer_to(rules, box) or ()):
        return Refusal(Reason.NOT_LEGAL)
    return _bad_amount(rules, box, signal) if signal.action is Action.INSURE else None


def _bad_amount(rules: RuleSet, box: Box, signal: Signal) -> Refusal | None:
    limit = insurance_limit(rules, box)
    amount = limit if signal.amount is None else signal.amount
    inexact = rules.rounding is Rounding.EXACT and not divides(amount, rules.insurance_pays)
    if not 0 < amount <= limit or (rules.insurance_exact and amount != limit) or inexact:
        return Refusal(Reason.AMOUNT, f"exactly {limit}" if rules.insurance_exact else f"1 to {limit}")
    return None


def _before_peek(rules: RuleSet, rnd: BlackjackRound, signal: Signal) -> Refusal | None:
    """Nobody plays before the check, except that early surrender is made before it."""
    if signal.action in ANSWERS:
        return Refusal(Reason.OFFER_CLOSED)
    box = rnd.box(signal.box)
    early = rules.surrender is Surrender.EARLY and signal.action is Action.SURRENDER
    untouched = box is not None and not box.hands[0].settled and not box.hands[0].natural
    return None if early and untouched and signal.hand == 0 else Refusal(Reason.PEEK_FIRST)


def _no_move(rules: RuleSet, rnd: BlackjackRound, signal: Signal) -> Refusal | None:
    if signal.action in ANSWERS:
        return Refusal(Reason.OFFER_CLOSED)
    if Place(signal.box, signal.hand) != rnd.due.place:
        return Refusal(Reason.NOT_YOUR_TURN, str(rnd.due.place))
    if rnd.due.kind is DueKind.ACCEPT:
        return None if signal.action in (Action.HIT, Action.STAND) else Refusal(Reason.NOT_LEGAL, "hit, stand")
    box, hand = rnd.box(signal.box), rnd.hand(rnd.due.place)
    assert box is not None
    assert hand is not None
    return _no_act(legal(rules, box, hand), box, hand, signal)


def _no_act(allowed: tuple[Action, ...], box: Box, hand: Hand, signal: Signal) -> Refusal | None:
    """Not allowed, not covered, or not an equal stake: nobody doubles or splits for less."""
    stakes_more = signal.action in (Action.DOUBLE, Action.SPLIT)
    if signal.action not in allowed:
        short = stakes_more and not affords(box, hand.stake)
        return Refusal(Reason.FUNDS if short else Reason.NOT_LEGAL, ", ".join(allowed))
    if stakes_more and signal.amount not in (None, hand.stake):
        return Refusal(Reason.AMOUNT, f"exactly {hand.stake}")
    return None


def _answer_card_offer(course: Course, rnd: BlackjackRound, signal: Signal) -> None:
    place = Place(signal.box, signal.hand)
    if signal.action is Action.STAND:
        course.record(OfferRefused(signal.cause, place))
        return
    card = rnd.card_offered
    course.record(OfferedCardUsed(signal.cause))
    deal(course, CardSeen(signal.cause, place, card), Due(DueKind.CARD, place))


def _act(course: Course, rnd: BlackjackRound, signal: Signal) -> None:
    cause, number = signal.cause, signal.box
    box, rules = rnd.box(number), rules_of(course.state)
    assert box is not None
    hand: Hand = box.hands[signal.hand]
    match signal.action:
        case Action.HIT:
            course.record(HandHit(cause, number, signal.hand))
        case Action.STAND:
            course.record(HandStood(cause, number, signal.hand))
        case Action.DOUBLE:
            course.record(HandDoubled(cause, number, signal.hand, hand.stake))
        case Action.SPLIT:
            course.record(HandSplit(cause, number, signal.hand, hand.stake))
        case Action.SURRENDER:
            course.record(BetSettled(cause, surrender_line(rules, box)))
        case Action.INSURE:
            limit = insurance_limit(rules, box)
            course.record(InsuranceTaken(cause, number, limit if signal.amount is None else signal.amount))
        case Action.EVEN_MONEY:
            course.record(BetSettled(cause, even_money_line(box)))
        case Action.NO_INSURANCE | Action.NO_EVEN_MONEY:
            course.record(OfferDeclined(cause, number))
