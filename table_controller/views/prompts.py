"""What the dealer must do next, as a code and its values; what a person may answer; all from what is due."""

from typing import Final

from msgspec import Struct

from table_controller.core.blackjack.hands import total
from table_controller.core.blackjack.legal import insurance_limit, legal, offer_to
from table_controller.core.blackjack.phases.betting import unplayable
from table_controller.core.blackjack.phases.dealing import MISPLACED
from table_controller.core.blackjack.round import BlackjackRound, Box, DueKind, round_of, rules_of
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import Action
from table_controller.core.disputes import ANSWERED_BY_SHOWING
from table_controller.core.irregular import Irregularity
from table_controller.core.people import Person, Role
from table_controller.core.places import DEALER, Place
from table_controller.core.reasons import Reason
from table_controller.core.rounds import cannot_open_bets
from table_controller.core.stimuli import Cause, Face, OpenBets
from table_controller.core.table import Dispute, Phase, TableState, blocking
from table_controller.core.upkeep import must_be_new
from table_controller.views.payments import to_pay


class Prompt(Struct, frozen=True):
    """One short line: its code, where, how much (and `other`, taken); `what` is a device, a question or a reason."""

    code: str
    place: Place | None = None
    amount: int = 0
    other: int = 0
    number: int = 0
    what: str = ""
    stops: bool = False


SHOWN_AGAIN: Final = ANSWERED_BY_SHOWING | {Irregularity.WITNESSES_DISAGREE}
"""The dealer's own part in these questions: the card is shown again."""

BETWEEN_ROUNDS: Final = {
    Reason.NO_SHOE: "load_shoe",
    Reason.SHOE_CONDEMNED: "new_cards",
    Reason.SHUFFLE_DUE: "shuffle",
    Reason.CUT_DUE: "cut",
    Reason.BURN_DUE: "burn",
    Reason.READER_UNCHECKED: "inspect_reader",
    Reason.DEVICE_FAULT: "fault",
    Reason.OVER_BUDGET: "over_budget",
    Reason.CARDS_ON_FELT: "clear",
}


def next_action(state: TableState) -> Prompt:
    """What is to be done now."""
    if state.rules is None:
        return Prompt("closed")
    if state.paused:
        return Prompt("paused", stops=True)
    question = blocking(state) or _to_show(state)
    if question is not None:
        return asked(state, question)
    rnd = round_of(state)
    if state.phase is Phase.PAUSED:
        return Prompt("shoe_empty", stops=True)
    return _between(state) if rnd is None else _in_round(state, rnd)


def _to_show(state: TableState) -> Dispute | None:
    """A card the dealer shows again at once, though other cards need not wait for it."""
    return next((one for one in state.disputes if one.irregularity in SHOWN_AGAIN), None)


def asked(state: TableState, question: Dispute) -> Prompt:
    """The dealer's part in an open question: move the card, show it again, or wait for the supervisor."""
    rnd, what = round_of(state), str(question.irregularity)
    if rnd is not None and question.irregularity in MISPLACED and question.card is not None and _open_card_due(rnd):
        return Prompt("move", rnd.due.place, what=what, stops=True)
    if question.irregularity in SHOWN_AGAIN:
        return Prompt("show_again", question.place or DEALER, what=what, stops=True)
    return Prompt(
        "supervisor", question.place or (Place(question.box) if question.box else None), what=what, stops=True
    )


def _open_card_due(rnd: BlackjackRound) -> bool:
    """A card everybody has seen can be moved to where one is due, but never become the hole card."""
    return rnd.due.kind is DueKind.CARD and rnd.due.face is Face.UP


def waiting_questions(state: TableState) -> tuple[Dispute, ...]:
    """Open questions beside the one the dealer is told of: play goes on, the floor has them."""
    told = blocking(state) or _to_show(state)
    return tuple(one for one in state.disputes if one is not told)


def _between(state: TableState) -> Prompt:
    refusal = cannot_open_bets(state, OpenBets(Cause("screen", 0), Person("", Role.DEALER)))
    if refusal is None:
        return Prompt("open_bets")
    if refusal.reason is Reason.DISPUTE_OPEN:
        return asked(state, state.disputes[0])
    if refusal.reason in (Reason.NO_SHOE, Reason.SHUFFLE_DUE) and must_be_new(state):
        return Prompt("change_cards")
    burn = state.shoe.burn_due if state.shoe is not None else 0
    device = state.faults[0] if state.faults else ""
    return Prompt(BETWEEN_ROUNDS.get(refusal.reason, "wait"), number=burn, what=device, stops=bool(device))


def _in_round(state: TableState, rnd: BlackjackRound) -> Prompt:
    rules, due = rules_of(state), rnd.due
    match due.kind:
        case DueKind.BETS:
            return _betting(rules, rnd)
        case DueKind.CARD:
            return _card(rnd, due.place)
        case DueKind.SHOW:
            return Prompt("show_again", due.place, what=str(Irregularity.UNREADABLE), stops=True)
        case DueKind.PEEK:
            return Prompt("peek")
        case DueKind.REVEAL:
            return Prompt("reveal_blackjack" if rnd.peeked else "reveal")
        case DueKind.PAY:
            return _paying(rnd)
        case _:
            return _answer(rules, rnd)


def _betting(rules: RuleSet, rnd: BlackjackRound) -> Prompt:
    if not rnd.boxes:
        return Prompt("bets")
    refusal = unplayable(rules, rnd)
    if refusal is None:
        return Prompt("bets_or_close")
    wrong = next(box for box in rnd.boxes if unplayable(rules, _alone(rnd, box)) is not None)
    return Prompt("bet_wrong", Place(wrong.number), wrong.main, what=str(refusal.reason))


def _alone(rnd: BlackjackRound, box: Box) -> BlackjackRound:
    return BlackjackRound(number=rnd.number, practice=rnd.practice, phase=rnd.phase, boxes=(box,))


def _card(rnd: BlackjackRound, place: Place) -> Prompt:
    if place == DEALER:
        if rnd.queue:
            return Prompt("deal_hole" if rnd.due.face is Face.DOWN else "deal_dealer", place)
        return Prompt("dealer_draws", place, number=total(rnd.dealer)[0])
    hand = rnd.hand(place)
    if hand is None or rnd.queue or not hand.cards:
        return Prompt("deal", place)
    if hand.awaiting:
        return Prompt("double" if hand.doubled else "hit", place)
    return Prompt("split" if hand.from_split else "deal", place)


def _answer(rules: RuleSet, rnd: BlackjackRound) -> Prompt:
    place, box = rnd.due.place, rnd.box(rnd.due.place.box)
    if box is None:
        return Prompt("wait")
    if rnd.due.kind is DueKind.ANSWER:
        even = Action.EVEN_MONEY in (offer_to(rules, box) or ())
        return Prompt("even_money" if even else "insurance", place, insurance_limit(rules, box))
    hand = rnd.hand(place)
    points = total(hand.cards)[0] if hand is not None else 0
    return Prompt("accept" if rnd.due.kind is DueKind.ACCEPT else "turn", place, number=points)


def _paying(rnd: BlackjackRound) -> Prompt:
    ready = to_pay(rnd)
    if not ready:
        return Prompt("clear")
    first = ready[0]
    amounts = {"take": first.take, "stays": first.carried, "push": first.back}
    return Prompt(first.what, Place(first.box), amounts.get(first.what, first.pay), first.take)


def answers(state: TableState) -> tuple[Action, ...]:
    """The signals the hand that is asked may give now; none while a question is open."""
    rnd = round_of(state)
    if rnd is None or state.phase is Phase.PAUSED or blocking(state) is not None:
        return ()
    rules, box, hand = rules_of(state), rnd.box(rnd.due.place.box), rnd.hand(rnd.due.place)
    if box is None or hand is None:
        return ()
    match rnd.due.kind:
        case DueKind.ANSWER:
            return offer_to(rules, box) or ()
        case DueKind.SIGNAL:
            return legal(rules, box, hand)
        case DueKind.ACCEPT:
            return Action.HIT, Action.STAND
        case _:
            return ()
