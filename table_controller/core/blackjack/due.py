"""What is due next. One pure function of rules and round; every phase, prompt and lamp follows from it."""

from table_controller.core.blackjack.hands import can_become_natural, points, total
from table_controller.core.blackjack.legal import legal, offer_to, only_one_card, peek_demanded
from table_controller.core.blackjack.round import (
    BlackjackRound,
    Box,
    Due,
    DueKind,
    Hand,
    hole_index,
    upcard,
)
from table_controller.core.blackjack.rules import NaturalPaid, RuleSet, Soft17, SplitDeal
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Face
from table_controller.core.table import Phase

_PHASES = {
    DueKind.BETS: Phase.BETTING,
    DueKind.CARD: Phase.PLAYING,
    DueKind.ANSWER: Phase.INSURANCE,
    DueKind.OFFERS: Phase.INSURANCE,
    DueKind.PEEK: Phase.PEEK,
    DueKind.REVEAL: Phase.DEALER,
    DueKind.FINISH: Phase.DEALER,
    DueKind.PAY: Phase.SETTLING,
}


def phase(rnd: BlackjackRound, due_now: Due) -> Phase:
    """The phase of the round that waits for this; showing a card again belongs to the phase it interrupts."""
    if due_now.kind is DueKind.SHOW:
        return rnd.phase
    if rnd.queue or (due_now.kind is DueKind.PAIRS):
        return Phase.DEALING if rnd.closed else Phase.BETTING
    if due_now.kind is DueKind.CARD and due_now.place == DEALER:
        return Phase.DEALER
    return _PHASES.get(due_now.kind, Phase.PLAYING)


def due(rules: RuleSet, rnd: BlackjackRound) -> Due:
    """What the table waits for, or what happens by itself."""
    if not rnd.closed:
        return Due(DueKind.BETS)
    if rnd.queue:
        return Due(DueKind.CARD, rnd.queue[0], _face(rules, rnd, rnd.queue[0]))
    if rnd.finished:
        return Due(DueKind.PAY)
    if rnd.unread:
        return Due(DueKind.SHOW, _unread_place(rnd))
    if any(box.pairs_open for box in rnd.boxes):
        return Due(DueKind.PAIRS)
    if rnd.as_lies:
        return Due(DueKind.FINISH)
    return _before_play(rules, rnd) or _players(rules, rnd) or _dealer(rules, rnd)


def _face(rules: RuleSet, rnd: BlackjackRound, place: Place) -> Face:
    hidden = place == DEALER and rules.hole_card and len(rnd.dealer) == hole_index(rules)
    return Face.DOWN if hidden else Face.UP


def _unread_place(rnd: BlackjackRound) -> Place:
    for box in rnd.boxes:
        for number, hand in enumerate(box.hands):
            if None in hand.cards:
                return Place(box.number, number)
    return DEALER


def _before_play(rules: RuleSet, rnd: BlackjackRound) -> Due | None:
    up = upcard(rules, rnd)
    assert up is not None
    if points(up) == 1 and not rnd.offered and any(offer_to(rules, box) for box in rnd.boxes):
        return Due(DueKind.OFFERS)
    if rnd.offers:
        return Due(DueKind.ANSWER, Place(rnd.offers[0]))
    if rnd.peeked is None and not rnd.peek_waived and peek_demanded(rules, up):
        return Due(DueKind.PEEK)
    if rnd.peeked:
        return Due(DueKind.FINISH if rnd.revealed else DueKind.REVEAL)
    if rnd.peeked is False and any(box.insurance_open for box in rnd.boxes):
        return Due(DueKind.INSURANCE_LOST)
    return None


def _players(rules: RuleSet, rnd: BlackjackRound) -> Due | None:
    if rnd.offered_to:
        return Due(DueKind.ACCEPT, rnd.offered_to[0])
    for box in rnd.boxes:
        if rules.split_deal is SplitDeal.BOTH and len(box.hands) > 1:
            for number, hand in enumerate(box.hands):
                if len(hand.cards) < 2:
                    return Due(DueKind.CARD, Place(box.number, number))
        for number, hand in enumerate(box.hands):
            kind = _of_hand(rules, rnd, box, hand)
            if kind is not None:
                return Due(kind, Place(box.number, number))
    return None


def asked_hands(rules: RuleSet, rnd: BlackjackRound) -> tuple[Place, ...]:
    """The hands that may still take a card, in seat order."""
    return tuple(
        Place(box.number, number)
        for box in rnd.boxes
        for number, hand in enumerate(box.hands)
        if _of_hand(rules, rnd, box, hand) is DueKind.SIGNAL
    )


def _of_hand(rules: RuleSet, rnd: BlackjackRound, box: Box, hand: Hand) -> DueKind | None:
    """What a hand needs before it is the next one's turn."""
    if hand.settled:
        return None
    cards = len(hand.cards)
    if hand.awaiting or (cards < 2 and not hand.stood):
        return DueKind.CARD
    points_now, soft = total(hand.cards)
    if points_now > 21:
        return DueKind.BUST
    charlie = rules.charlie
    if charlie is not None and cards >= charlie.cards:
        return DueKind.CHARLIE
    if points_now == 21 and cards == 2 and not hand.from_split:
        return DueKind.NATURAL if _paid_on_turn(rules, rnd) else None
    stands = hand.stood or hand.doubled or (points_now == 21 and rules.auto_stand_21 and (charlie is None or not soft))
    if stands or (only_one_card(rules, hand) and legal(rules, box, hand) == (Action.STAND,)):
        return None
    return DueKind.SIGNAL


def _paid_on_turn(rules: RuleSet, rnd: BlackjackRound) -> bool:
    up = upcard(rules, rnd)
    safe = rnd.peeked is False or (up is not None and not can_become_natural(up))
    return rules.bj_when is NaturalPaid.ON_TURN_IF_SAFE and safe


def _dealer(rules: RuleSet, rnd: BlackjackRound) -> Due:
    """The dealer's own play (draws only while a hand lives that his cards decide)."""
    if rules.hole_card and not rnd.revealed:
        return Due(DueKind.REVEAL)
    return Due(DueKind.USE_OFFERED) if rnd.card_offered is not None else Due(dealer_needs(rules, rnd))


def dealer_needs(rules: RuleSet, rnd: BlackjackRound) -> DueKind:
    """Another card, or the end of the round."""
    live = any(not hand.settled and not hand.natural for box in rnd.boxes for hand in box.hands)
    if len(rnd.dealer) < 2 and (live or _waits_for_second(rules, rnd)):
        return DueKind.CARD
    return DueKind.CARD if live and dealer_draws(rules, rnd.dealer) else DueKind.FINISH


def _waits_for_second(rules: RuleSet, rnd: BlackjackRound) -> bool:
    """Without a hole card: a natural or an insurance still waits to learn whether the dealer has one."""
    up = upcard(rules, rnd)
    waiting = any(box.insurance_open or any(not hand.settled for hand in box.hands) for box in rnd.boxes)
    return waiting and up is not None and can_become_natural(up)


def dealer_draws(rules: RuleSet, cards: tuple[Card | None, ...]) -> bool:
    """To 17; on soft 17 as the house says."""
    points_now, soft = total(cards)
    return points_now < 17 or (points_now == 17 and soft and rules.soft17 is Soft17.HIT)
