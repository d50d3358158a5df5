"""What each remedy does to a round of blackjack. The money stays balanced; every card ends in a hand or the rack."""

from collections.abc import Callable
from typing import Final

from table_controller.core import disputes, shoe_life
from table_controller.core.blackjack.again import judge_again
from table_controller.core.blackjack.corrections import rename
from table_controller.core.blackjack.due import asked_hands
from table_controller.core.blackjack.fitting import fits
from table_controller.core.blackjack.phases.dealer import name_hole
from table_controller.core.blackjack.phases.dealing import deal, lay, seen
from table_controller.core.blackjack.round import BlackjackRound, Box, Due, DueKind, round_of, rules_of, unread_at
from table_controller.core.blackjack.voiding import void_round
from table_controller.core.blackjack.words import (
    BetKind,
    BetSettled,
    BoxDead,
    CardOffered,
    DealReordered,
    HandHit,
    HandStood,
    Line,
    OfferDeclined,
    OfferRefused,
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
    lay(course, _rnd(course), CardSeen(command.cause, due.place, question.card, due.face))


def accept(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The card stays where it lies: as if it had been signalled for, or as if its pulse had been counted."""
    assert question.place is not None
    rnd, place = _rnd(course), question.place
    if rnd.due.kind is not DueKind.CARD or rnd.due.place != place:
        course.record(HandHit(command.cause, place.box, place.hand))
    due = _rnd(course).due
    deal(course, CardSeen(command.cause, place, question.card, due.face), due)


def offer_on(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Offered in seat order to hands still to play, then to the dealer (S.D. Admin. R. 20:18:15:28)."""
    assert question.card is not None
    places = asked_hands(rules_of(course.state), _rnd(course))
    course.record(CardOffered(command.cause, question.card, places))


def burn(course: Course, _command: ResolveDispute, question: Dispute) -> None:
    """The card goes to the discard rack unplayed."""
    drawn = course.state.shoe.drawn if course.state.shoe is not None else ()
    unseen = drawn[0].card if question.irregularity in UNSEEN and drawn else None
    shoe_life.burn(course, question.card or unseen, str(question.irregularity))


def next_card(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The card is used where the next one is due; one whose face nobody saw waits in the dealer's hand."""
    if question.irregularity is Irregularity.OUTSIDE_ROUND and question.place is not None:
        move(course, command, question)


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
            course.record(BoxDead(command.cause, number))
            _return_bets(course, box)


def play_on(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Nothing changes; an exposed hole card lies in its place, its identity still untold until it is turned."""
    due = _rnd(course).due
    if question.irregularity is Irregularity.PEEK_CONTRADICTED:
        _rule_on_check(course, original_only=False)
    elif question.irregularity is Irregularity.HOLE_EXPOSED and due == Due(DueKind.CARD, DEALER, Face.DOWN):
        course.record(CardDealt(command.cause, DEALER, None, Face.DOWN))


def original_bets_only(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """A natural that should have been found takes original bets only (S.D. Admin. R. 20:18:15:24)."""
    _rule_on_check(course, original_only=True)
    if question.irregularity is Irregularity.PEEK_MISSED:
        accept(course, command, question)


def all_bets(course: Course, _command: ResolveDispute, _question: Dispute) -> None:
    """A natural found late takes everything."""
    _rule_on_check(course, original_only=False)


def _rule_on_check(course: Course, *, original_only: bool) -> None:
    """What the check said no longer counts: bets it decided, such as insurance, are judged by the card itself."""
    course.record(PeekRuled(course.cause, original_only))
    judge_again(course)


def reshuffle(course: Course, command: ResolveDispute, _question: Dispute) -> None:
    """The discards finish the round."""
    course.record(ShoeRefilled(command.cause))


def type_card(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Two people say which card it is."""
    assert command.card is not None
    place = question.place or DEALER
    unread = unread_at(rules_of(course.state), _rnd(course), place)
    if question.irregularity is Irregularity.WITNESSES_DISAGREE:
        _believe(course, command, question, command.card)
    elif question.irregularity is Irregularity.READ_DIFFERENTLY:
        _correct(course, command, place)
    elif unread:
        course.record(CardNamed(command.cause, place, unread[0], command.card))
        if len(unread) > 1:
            disputes.dispute(course, Irregularity.UNREADABLE, place)
    elif question.place == DEALER and _rnd(course).due.kind is DueKind.REVEAL:
        name_hole(course, command.card)


def _correct(course: Course, command: ResolveDispute, place: Place) -> None:
    """The card that was seen there under another name."""
    cards = _rnd(course).cards_at(place)
    for sight in course.state.sights:
        was = cards[sight.index] if sight.place == place and sight.index < len(cards) else None
        if was is not None and was not in (sight.card, command.card):
            assert command.second is not None
            assert command.card is not None
            rename(course, (command.by, command.second), (place, sight.index), command.card)
            return


def trust_shoe(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The reading shoe is believed."""
    assert course.state.shoe is not None
    _believe(course, command, question, course.state.shoe.drawn[0].card)


def trust_camera(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The camera is believed."""
    _believe(course, command, question, question.card)


def _believe(course: Course, command: ResolveDispute, question: Dispute, card: Card | None) -> None:
    assert question.place is not None
    due = _rnd(course).due
    deal(course, CardSeen(command.cause, question.place, card, due.face), due)


def no_card(course: Course, command: ResolveDispute, _question: Dispute) -> None:
    """A finger in the beam, or a card pushed back."""
    course.record(PulseDismissed(command.cause))


def settle_as_lies(course: Course, command: ResolveDispute, _question: Dispute) -> None:
    """After a correction that changes the play itself: settle the cards as they lie."""
    course.record(SettledAsLies(command.cause))
    judge_again(course)


def pay_difference(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The dealer pays or collects what was missing."""
    course.record(PayoutCorrected(command.cause, question.box, _difference(course, question), stands=False))


def let_it_stand(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The house bears its dealer's error, or keeps it."""
    course.record(PayoutCorrected(command.cause, question.box, _difference(course, question), stands=True))


def _difference(course: Course, question: Dispute) -> int:
    """Paid too much (plus) or too little, by what is due now: a correction may have changed it since."""
    rnd = round_of(course.state)
    same_round = rnd is not None and rnd.number == question.round_number
    owed = rnd.payable(question.box) if rnd is not None and same_round else question.owed
    return question.paid - owed


def stand_hand(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """An absent player's hand stands; an offer to him is declined (QLD p.425 s.35)."""
    assert question.place is not None
    kind, place = _rnd(course).due.kind, question.place
    if kind is DueKind.ANSWER:
        course.record(OfferDeclined(command.cause, place.box))
    elif kind is DueKind.ACCEPT:
        course.record(OfferRefused(command.cause, place))
    else:
        course.record(HandStood(command.cause, place.box, place.hand))


def void(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """The round has no result; every bet goes back."""
    assert command.second is not None
    void_round(course, command.by, command.second, str(question.irregularity), question)


REMEDIES: Final[dict[Remedy, Apply]] = {
    Remedy.MOVE: move,
    Remedy.ACCEPT: accept,
    Remedy.OFFER_ON: offer_on,
    Remedy.BURN: burn,
    Remedy.NEXT_CARD: next_card,
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

WITHOUT_ROUND: Final = frozenset({Remedy.BURN, Remedy.NO_CARD, Remedy.PAY_DIFFERENCE, Remedy.LET_IT_STAND})
"""Remedies that move something even when the round is over; any other then only closes the question."""

UNSEEN: Final = frozenset({Irregularity.DRAWN_IN_ERROR, Irregularity.DRAWN_NOT_SEEN})
"""Questions about a card that left the shoe and that nobody has seen."""


def apply(course: Course, command: ResolveDispute, question: Dispute) -> None:
    """Do what the supervisor chose; a question about a round that is gone is only closed."""
    if course.state.round is not None or command.remedy in WITHOUT_ROUND:
        REMEDIES[command.remedy](course, command, question)


def cannot_resolve(state: TableState, command: ResolveDispute) -> Refusal | None:
    """Why this remedy is not to be had: not on the house's list, or without sense as the table lies."""
    refusal = disputes.cannot_resolve(state, command)
    question = disputes.find(state, command.dispute)
    if refusal is not None or question is None:
        return refusal
    if state.shoe is None and command.remedy is Remedy.BURN:
        return Refusal(Reason.NO_SHOE)
    rnd = round_of(state)
    return _senseless(state, rnd, command, question) if rnd is not None else None


def _senseless(state: TableState, rnd: BlackjackRound, command: ResolveDispute, question: Dispute) -> Refusal | None:
    """What is missing for this remedy to make sense as the table lies."""
    if not fits(state, rnd, command.remedy, question):
        return Refusal(Reason.NOT_DUE, str(rnd.due.place))
    return _card_missing(state, command) if command.remedy is Remedy.TYPE_CARD else None


def _card_missing(state: TableState, command: ResolveDispute) -> Refusal | None:
    if command.card is None:
        return Refusal(Reason.CARD_NEEDED)
    assert state.shoe is not None
    return None if state.shoe.holds(command.card) else Refusal(Reason.NOT_IN_SHOE, command.card.text)
