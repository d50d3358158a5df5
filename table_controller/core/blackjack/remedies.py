"""What each remedy does to a round of blackjack. The money stays balanced; every card ends in a hand or the rack."""

from collections.abc import Callable
from typing import Final

from table_controller.core import disputes, shoe_life
from table_controller.core.blackjack.due import asked_hands
from table_controller.core.blackjack.phases.dealing import deal, seen
from table_controller.core.blackjack.round import BlackjackRound, Box, DueKind, round_of, rules_of
from table_controller.core.blackjack.words import (
    BetKind,
    BetSettled,
    BoxDead,
    CardOffered,
    DealReordered,
    HandHit,
    HandStood,
    HoleRevealed,
    Line,
    OfferDeclined,
    PeekRuled,
    Result,
    SettledAsLies,
    When,
)
from table_controller.core.cards import Card
from table_controller.core.events import (
    CardDealt,
    CardNamed,
    PayoutCorrected,
    PulseDismissed,
    RoundVoided,
    ShoeRefilled,
)
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import DEALER, Place
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.stimuli import CardSeen, Face, ResolveDispute
from table_controller.core.table import Dispute, TableState

Apply = Callable[[Course, ResolveDispute, Dispute], None]


def _rnd(course: Course) -> BlackjackRound:
    rnd = round_of(course.state)
    assert rnd is not None
    return rnd


def _card(command: ResolveDispute, question: Dispute) -> CardSeen:
    assert question.place is not None
    return CardSeen(command.cause, question.place, question.card)


def move(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The card belongs where a card is due (QLD Casino Gaming Rule 2010 p.341: move it and go on)."""
    due = _rnd(course).due
    deal(course, CardSeen(command.cause, due.place, question.card, due.face), due)


def accept(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The player keeps the card, as if he had signalled for it."""
    assert question.place is not None
    rnd, place = _rnd(course), question.place
    if rnd.due.kind is not DueKind.CARD or rnd.due.place != place:
        course.record(HandHit(command.cause, place.box, place.hand))
    deal(course, _card(command, question), _rnd(course).due)


def offer_on(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Offered in seat order to hands still to play, then to the dealer (S.D. Admin. R. 20:18:15:28)."""
    assert question.card is not None
    places = asked_hands(rules_of(course.state), _rnd(course))
    course.record(CardOffered(command.cause, question.card, places))


def burn(course: Course, _command: ResolveDispute, question: Dispute) -> None:
    """The card goes to the discard rack unplayed."""
    shoe_life.burn(course, question.card, str(question.irregularity))


def nothing(_course: Course, _command: ResolveDispute, _question: Dispute) -> None:
    """The table goes on as it is."""


def deal_later(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The place that was missed gets its card after all the others."""
    course.record(DealReordered(command.cause, _rnd(course).due.place))
    seen(course, _card(command, question))


def dead_box(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """A box that got no card is out; its bets go back."""
    box = _rnd(course).box(_rnd(course).due.place.box)
    assert box is not None
    course.record(BoxDead(command.cause, box.number))
    _return_bets(course, box)
    if question.place != _rnd(course).due.place:
        course.game.follow(course)
    seen(course, _card(command, question))


def _return_bets(course: Course, box: Box) -> None:
    stakes = [(BetKind.MAIN, at, hand.stake) for at, hand in enumerate(box.hands) if not hand.settled]
    stakes += [(BetKind.INSURANCE, 0, box.insurance)] if box.insurance_open else []
    stakes += [(BetKind.PAIRS, 0, box.pairs)] if box.pairs_open else []
    for kind, hand, stake in stakes:
        line = Line(kind, box.number, hand, stake, Result.RETURNED, 0, stake, When.AT_ONCE)
        course.record(BetSettled(course.cause, line))


def withdraw(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Boxes that wish to take their bets back; the others play on."""
    play_on(course, command, question)
    for number in command.boxes:
        box = _rnd(course).box(number)
        if box is not None:
            _return_bets(course, box)


def play_on(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Nothing changes; an exposed hole card lies in its place, its identity still untold until it is turned."""
    due = _rnd(course).due
    if question.irregularity is Irregularity.PEEK_CONTRADICTED:
        course.record(PeekRuled(command.cause, original_only=False))
    elif due.kind is DueKind.CARD and due.place == DEALER and due.face is Face.DOWN:
        course.record(CardDealt(command.cause, DEALER, None, Face.DOWN))


def original_bets_only(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """A natural that should have been found takes original bets only (S.D. Admin. R. 20:18:15:24)."""
    course.record(PeekRuled(command.cause, original_only=True))
    if question.irregularity is Irregularity.PEEK_MISSED:
        accept(course, command, question)


def all_bets(course: Course, command: ResolveDispute, _question: Dispute) -> None:
    """A natural found late takes everything."""
    course.record(PeekRuled(command.cause, original_only=False))


def reshuffle(course: Course, command: ResolveDispute, _question: Dispute) -> None:
    """The discards finish the round."""
    course.record(ShoeRefilled(command.cause))


def type_card(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Two people say which card it is."""
    assert command.card is not None
    place = question.place or DEALER
    at = _unread_at(course, place)
    if question.irregularity is Irregularity.WITNESSES_DISAGREE:
        deal(course, CardSeen(command.cause, place, command.card), _rnd(course).due)
    elif at is not None:
        course.record(CardNamed(command.cause, place, at, command.card))
    elif question.place == DEALER and _rnd(course).due.kind is DueKind.REVEAL:
        course.record(HoleRevealed(command.cause, command.card))


def _unread_at(course: Course, place: Place) -> int | None:
    rnd, rules = _rnd(course), rules_of(course.state)
    hand = rnd.hand(place)
    cards = rnd.dealer if place == DEALER else hand.cards if hand is not None else ()
    hidden = rules.hole_card and not rnd.revealed and place == DEALER
    hole = (1 if rules.dealer_up == "first" else 0) if hidden else None
    return next((at for at, card in enumerate(cards) if card is None and at != hole), None)


def trust_shoe(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The reading shoe is believed."""
    assert course.state.shoe is not None
    _believe(course, command, question, course.state.shoe.drawn[0].card)


def trust_camera(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The camera is believed."""
    _believe(course, command, question, question.card)


def _believe(course: Course, command: ResolveDispute, question: Dispute, card: Card | None) -> None:
    assert question.place is not None
    deal(course, CardSeen(command.cause, question.place, card), _rnd(course).due)


def no_card(course: Course, command: ResolveDispute, _question: Dispute) -> None:
    """A finger in the beam, or a card pushed back."""
    course.record(PulseDismissed(command.cause))


def settle_as_lies(course: Course, command: ResolveDispute, _question: Dispute) -> None:
    """After a correction that changes the play itself: settle the cards as they lie."""
    course.record(SettledAsLies(command.cause))


def pay_difference(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The dealer pays or collects what was missing."""
    course.record(PayoutCorrected(command.cause, question.box, question.amount, stands=False))


def let_it_stand(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The house bears its dealer's error, or keeps it."""
    course.record(PayoutCorrected(command.cause, question.box, question.amount, stands=True))


def stand_hand(course: Course, command: ResolveDispute, _question: Dispute) -> None:
    """An absent player's hand stands; an offer to him is declined (QLD p.425 s.35)."""
    due = _rnd(course).due
    if due.kind is DueKind.ANSWER:
        course.record(OfferDeclined(command.cause, due.place.box))
    elif due.kind is DueKind.SIGNAL:
        course.record(HandStood(command.cause, due.place.box, due.place.hand))


def void(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The round has no result; every bet goes back."""
    assert command.second is not None
    rnd = _rnd(course)
    course.record(
        RoundVoided(command.cause, command.by, command.second, rnd.number, str(question.irregularity), staked(rnd))
    )


def staked(rnd: BlackjackRound) -> dict[int, int]:
    """Everything each box has put at risk in this round, in minor units."""
    return {
        box.number: (sum(hand.stake for hand in box.hands) or box.main) + box.insurance + box.pairs for box in rnd.boxes
    }


REMEDIES: Final[dict[Remedy, Apply]] = {
    Remedy.MOVE: move,
    Remedy.ACCEPT: accept,
    Remedy.OFFER_ON: offer_on,
    Remedy.BURN: burn,
    Remedy.NEXT_CARD: nothing,
    Remedy.DEAL_LATER: deal_later,
    Remedy.DEAD_BOX: dead_box,
    Remedy.VOID: void,
    Remedy.PLAY_ON: play_on,
    Remedy.WITHDRAW: withdraw,
    Remedy.ORIGINAL_BETS_ONLY: original_bets_only,
    Remedy.ALL_BETS: all_bets,
    Remedy.RESHUFFLE: reshuffle,
    Remedy.REMOVE: nothing,
    Remedy.TYPE_CARD: type_card,
    Remedy.TRUST_SHOE: trust_shoe,
    Remedy.TRUST_CAMERA: trust_camera,
    Remedy.NO_CARD: no_card,
    Remedy.NEW_SHOE: nothing,
    Remedy.SETTLE_AS_LIES: settle_as_lies,
    Remedy.PAY_DIFFERENCE: pay_difference,
    Remedy.LET_IT_STAND: let_it_stand,
    Remedy.STAND_HAND: stand_hand,
}

NEEDS_ROUND: Final = frozenset(REMEDIES) - {
    Remedy.BURN,
    Remedy.NEXT_CARD,
    Remedy.NEW_SHOE,
    Remedy.REMOVE,
    Remedy.NO_CARD,
    Remedy.PAY_DIFFERENCE,
    Remedy.LET_IT_STAND,
}
"""Remedies that make sense only while the round is on the table."""


def apply(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Do what the supervisor chose."""
    REMEDIES[command.remedy](course, command, question)


def cannot_resolve(state: TableState, command: ResolveDispute) -> Refusal | None:
    """Why this remedy is not to be had: not on the house's list, or without sense as the table lies."""
    refusal = disputes.cannot_resolve(state, command)
    question = disputes.find(state, command.dispute)
    return refusal or (_lacks(state, command, question) if question is not None else None)


def _lacks(state: TableState, command: ResolveDispute, question: Dispute) -> Refusal | None:
    """What is missing for this remedy to make sense as the table lies."""
    rnd = round_of(state)
    if rnd is None:
        return Refusal(Reason.NO_ROUND) if command.remedy in NEEDS_ROUND else None
    due_card = rnd.due.kind is DueKind.CARD
    dealing = bool(rnd.queue)
    shoe_card = state.shoe.drawn[0].card if state.shoe is not None and state.shoe.drawn else None
    wrong = {
        Remedy.MOVE: not due_card,
        Remedy.DEAL_LATER: not dealing,
        Remedy.DEAD_BOX: not dealing or rnd.due.place == DEALER or bool(_cards_at(rnd, rnd.due.place)),
        Remedy.ACCEPT: question.place is None or rnd.hand(question.place) is None or dealing,
        Remedy.OFFER_ON: question.card is None or dealing or rnd.finished,
        Remedy.TRUST_SHOE: shoe_card is None,
        Remedy.TRUST_CAMERA: question.card is None,
    }
    if wrong.get(command.remedy, False):
        return Refusal(Reason.NOT_DUE, str(rnd.due.place))
    return _card_missing(state, command) if command.remedy is Remedy.TYPE_CARD else None


def _cards_at(rnd: BlackjackRound, place: Place) -> tuple[Card | None, ...]:
    hand = rnd.hand(place)
    return hand.cards if hand is not None else ()


def _card_missing(state: TableState, command: ResolveDispute) -> Refusal | None:
    if command.card is None:
        return Refusal(Reason.CARD_NEEDED)
    assert state.shoe is not None
    return None if state.shoe.holds(command.card) else Refusal(Reason.NOT_IN_SHOE, command.card.text)
