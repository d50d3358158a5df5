"""Bookkeeping: what each fact does to the round. No judgement here; any fact, any state, never a refusal."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from table_controller.core import cash, disputes, sights
from table_controller.core import events as core
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.due import due, phase
from table_controller.core.blackjack.round import BlackjackRound, Box, Hand, deal_order, hole_index, round_of, rules_of
from table_controller.core.blackjack.rules import NaturalTakes
from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.house import ABSENT
from table_controller.core.irregular import Irregularity
from table_controller.core.life import unchanged
from table_controller.core.places import DEALER, Place
from table_controller.core.shoe import discarded, named, without
from table_controller.core.stimuli import Side
from table_controller.core.table import TableState

Fold = Callable[[TableState, Any], TableState]


def _with(state: TableState, rnd: BlackjackRound) -> TableState:
    """The state with this round, its due and its phase brought up to date."""
    now = due(rules_of(state), rnd)
    return replace(state, round=replace(rnd, due=now, phase=phase(rnd, now)))


def _round(state: TableState) -> BlackjackRound:
    rnd = round_of(state)
    assert rnd is not None
    return rnd


def with_box(rnd: BlackjackRound, box: Box) -> BlackjackRound:
    """The round with one box replaced."""
    return replace(rnd, boxes=tuple(box if old.number == box.number else old for old in rnd.boxes))


def with_hand(rnd: BlackjackRound, place: Place, hand: Hand) -> BlackjackRound:
    """The round with one hand replaced."""
    box = rnd.box(place.box)
    assert box is not None
    return with_box(rnd, replace(box, hands=(*box.hands[: place.hand], hand, *box.hands[place.hand + 1 :])))


def _hand(rnd: BlackjackRound, box: int, hand: int) -> tuple[Box, Hand]:
    owner = rnd.box(box)
    assert owner is not None
    return owner, owner.hands[hand]


def bet_placed(state: TableState, event: core.BetPlaced) -> TableState:
    rnd = _round(state)
    box = rnd.box(event.box) or Box(event.box)
    if event.side is Side.PAIRS:
        box = replace(box, pairs=event.amount, pairs_open=True)
    else:
        box = replace(box, main=box.main + event.amount)
    funds = box.funds if event.funds is None else event.funds
    box = replace(box, funds=None if funds is None else funds - event.amount)
    others = tuple(other for other in rnd.boxes if other.number != box.number)
    return _with(state, replace(rnd, boxes=tuple(sorted((*others, box), key=lambda it: it.number))))


def bets_taken_back(state: TableState, event: core.BetsTakenBack) -> TableState:
    rnd = _round(state)
    carried = state.carried
    if not rnd.practice:
        carried = {box: stake for box, stake in carried.items() if box != event.box}
    boxes = tuple(box for box in rnd.boxes if box.number != event.box)
    return _with(replace(state, carried=carried), replace(rnd, boxes=boxes))


def bet_corrected(state: TableState, event: core.BetCorrected) -> TableState:
    rnd = _round(state)
    box = rnd.box(event.box)
    assert box is not None
    hands = tuple(replace(hand, stake=event.amount * (2 if hand.doubled else 1)) for hand in box.hands)
    return _with(state, with_box(rnd, replace(box, main=event.amount, hands=hands)))


def bets_closed(state: TableState, _event: core.BetsClosed) -> TableState:
    rnd = _round(state)
    boxes = tuple(replace(box, hands=(Hand(stake=box.main),)) for box in rnd.boxes)
    queue = deal_order(rules_of(state), boxes)
    carried = state.carried if rnd.practice else {}
    return _with(replace(state, carried=carried), replace(rnd, boxes=boxes, closed=True, queue=queue))


def card_dealt(state: TableState, event: core.CardDealt) -> TableState:
    rnd, place, card = _round(state), event.place, event.card
    shoe = state.shoe
    assert shoe is not None
    if shoe.drawn:
        shoe = replace(shoe, drawn=shoe.drawn[1:])
    shoe = replace(without(shoe, card), shuffled=False)
    if rnd.queue and rnd.queue[0] == place:
        rnd = replace(rnd, queue=rnd.queue[1:])
    hole = _is_hole(state, rnd, place)
    unread = rnd.unread + (card is None and not hole)
    rnd = replace(rnd, hole_ns=event.cause.at_ns) if hole else rnd
    if place == DEALER:
        rnd = replace(rnd, dealer=(*rnd.dealer, card), unread=unread)
    else:
        hand = rnd.hand(place) or Hand()
        rnd = replace(rnd, unread=unread)
        rnd = with_hand(rnd, place, replace(hand, cards=(*hand.cards, card), awaiting=False))
    return _with(replace(state, shoe=shoe), rnd)


def _is_hole(state: TableState, rnd: BlackjackRound, place: Place) -> bool:
    rules = rules_of(state)
    return place == DEALER and rules.hole_card and len(rnd.dealer) == hole_index(rules)


def _renamed(state: TableState, place: Place, index: int, card: Card) -> TableState:
    """The state with one card known by another name."""
    rnd = _round(state)
    held = rnd.dealer if place == DEALER else _hand(rnd, place.box, place.hand)[1].cards
    was = held[index]
    cards = (*held[:index], card, *held[index + 1 :])
    assert state.shoe is not None
    rnd = replace(rnd, unread=rnd.unread - (was is None))
    if place == DEALER:
        rnd = replace(rnd, dealer=cards)
    else:
        rnd = with_hand(rnd, place, replace(_hand(rnd, place.box, place.hand)[1], cards=cards))
    return _with(replace(state, shoe=named(state.shoe, was, card)), rnd)


def card_named(state: TableState, event: core.CardNamed) -> TableState:
    return _renamed(state, event.place, event.index, event.card)


def card_corrected(state: TableState, event: core.CardCorrected) -> TableState:
    return _renamed(state, event.place, event.index, event.card)


def hole_revealed(state: TableState, event: bj.HoleRevealed) -> TableState:
    rnd = replace(_round(state), revealed=True, unread=_round(state).unread + 1)
    at = hole_index(rules_of(state))
    return _renamed(replace(state, round=rnd), DEALER, at, event.card)


def offers_made(state: TableState, event: bj.OffersMade) -> TableState:
    return _with(state, replace(_round(state), offered=True, offers=event.boxes))


def insurance_taken(state: TableState, event: bj.InsuranceTaken) -> TableState:
    rnd = _answered(_round(state), event.box)
    box = rnd.box(event.box)
    assert box is not None
    funds = None if box.funds is None else box.funds - event.amount
    return _with(state, with_box(rnd, replace(box, insurance=event.amount, insurance_open=True, funds=funds)))


def offer_declined(state: TableState, event: bj.OfferDeclined) -> TableState:
    return _with(state, _answered(_round(state), event.box))


def _answered(rnd: BlackjackRound, box: int) -> BlackjackRound:
    return replace(rnd, offers=tuple(other for other in rnd.offers if other != box))


def hole_checked(state: TableState, event: bj.HoleChecked) -> TableState:
    return _with(state, replace(_round(state), peeked=event.blackjack))


def _asked(rnd: BlackjackRound, event: bj.HandHit | bj.HandDoubled | bj.HandSplit) -> BlackjackRound:
    """A card seen at rest before this was not asked for; chips that moved on the box were the stake added."""
    touched = {box: at for box, at in rnd.touched.items() if box != event.box or isinstance(event, bj.HandHit)}
    return replace(rnd, asked_ns=event.cause.at_ns, asked_box=event.box, touched=touched)


def hand_hit(state: TableState, event: bj.HandHit) -> TableState:
    rnd = _asked(_round(state), event)
    _, hand = _hand(rnd, event.box, event.hand)
    return _with(state, with_hand(rnd, Place(event.box, event.hand), replace(hand, awaiting=True)))


def hand_stood(state: TableState, event: bj.HandStood) -> TableState:
    rnd = _round(state)
    _, hand = _hand(rnd, event.box, event.hand)
    return _with(state, with_hand(rnd, Place(event.box, event.hand), replace(hand, stood=True, awaiting=False)))


def hand_doubled(state: TableState, event: bj.HandDoubled) -> TableState:
    rnd = _asked(_round(state), event)
    box, hand = _hand(rnd, event.box, event.hand)
    doubled = replace(hand, stake=hand.stake + event.added, doubled=True, awaiting=True)
    rnd = with_box(rnd, _paying(box, event.added))
    return _with(state, with_hand(rnd, Place(event.box, event.hand), doubled))


def hand_split(state: TableState, event: bj.HandSplit) -> TableState:
    rnd = _asked(_round(state), event)
    state = replace(state, sights=sights.split(state.sights, event.box, event.hand))
    box, hand = _hand(rnd, event.box, event.hand)
    pair = tuple(Hand((card,), event.added, from_split=True) for card in hand.cards)
    hands = (*box.hands[: event.hand], *pair, *box.hands[event.hand + 1 :])
    return _with(state, with_box(rnd, replace(_paying(box, event.added), hands=hands)))


def _heard(fold: Callable[[TableState, Any], TableState]) -> Callable[[TableState, Any], TableState]:
    """The same, remembering whether the box's player spoke or somebody in his place."""

    def folded(state: TableState, event: Any) -> TableState:  # noqa: ANN401 - any fact with a cause and a box
        after, away = fold(state, event), event.cause.source == ABSENT
        box = _round(after).box(event.box)
        if box is None or box.absent is away:
            return after
        return _with(after, with_box(_round(after), replace(box, absent=away)))

    return folded


def _paying(box: Box, added: int) -> Box:
    return box if box.funds is None else replace(box, funds=box.funds - added)


def bet_settled(state: TableState, event: bj.BetSettled) -> TableState:
    rnd, line = _round(state), event.line
    rnd = replace(marked(rnd, line, decided=True), lines=(*rnd.lines, line))
    if line.bet is bj.BetKind.MAIN and line.result is bj.Result.EVEN_MONEY:
        rnd = _answered(rnd, line.box)
    return _with(state, rnd)


def marked(rnd: BlackjackRound, line: bj.Line, *, decided: bool) -> BlackjackRound:
    """The round with the bet of a line decided, or open again."""
    box, hand = _hand(rnd, line.box, line.hand)
    if line.bet is bj.BetKind.INSURANCE:
        return with_box(rnd, replace(box, insurance_open=not decided))
    if line.bet is bj.BetKind.PAIRS:
        return with_box(rnd, replace(box, pairs_open=not decided))
    return with_hand(rnd, Place(line.box, line.hand), replace(hand, settled=decided))


def bet_resettled(state: TableState, event: bj.BetResettled) -> TableState:
    rnd = _round(state)
    lines = tuple(event.line if line == event.was else line for line in rnd.lines)
    box = rnd.box(event.line.box)
    assert box is not None
    return _with(state, with_box(replace(rnd, lines=lines), replace(box, paid=False)))


def bet_reopened(state: TableState, event: bj.BetReopened) -> TableState:
    rnd = marked(_round(state), event.was, decided=False)
    return _with(state, replace(rnd, lines=tuple(line for line in rnd.lines if line != event.was)))


def round_settled(state: TableState, event: core.RoundSettled) -> TableState:
    """Settling again after a correction moves the bank by the difference only."""
    rnd = _round(state)
    bank = replace(state.bank, house_net=state.bank.house_net + event.house_net - rnd.house_net)
    rnd = replace(rnd, finished=True, house_net=event.house_net)
    carried = state.carried if event.practice else event.carried
    return _with(replace(state, bank=bank, carried=carried), rnd)


def deal_reordered(state: TableState, event: bj.DealReordered) -> TableState:
    rnd = _round(state)
    queue = list(rnd.queue)
    if event.place in queue:
        queue.remove(event.place)
        queue.append(event.place)
    return _with(state, replace(rnd, queue=tuple(queue)))


def box_dead(state: TableState, event: bj.BoxDead) -> TableState:
    rnd = _round(state)
    box = rnd.box(event.box)
    assert box is not None
    queue = tuple(place for place in rnd.queue if place.box != event.box)
    offered_to = tuple(place for place in rnd.offered_to if place.box != event.box)
    rnd = replace(_answered(rnd, event.box), queue=queue, offered_to=offered_to)
    return _with(state, with_box(rnd, replace(box, dead=True)))


def card_offered(state: TableState, event: bj.CardOffered) -> TableState:
    return _with(state, replace(_round(state), card_offered=event.card, offered_to=event.places))


def offer_refused(state: TableState, event: bj.OfferRefused) -> TableState:
    rnd = _round(state)
    _, hand = _hand(rnd, event.place.box, event.place.hand)
    rnd = with_hand(rnd, event.place, replace(hand, stood=True))
    return _with(state, replace(rnd, offered_to=tuple(place for place in rnd.offered_to if place != event.place)))


def peek_ruled(state: TableState, event: bj.PeekRuled) -> TableState:
    rnd = _round(state)
    takes = NaturalTakes.ORIGINAL if event.original_only else rnd.natural_takes
    return _with(state, replace(rnd, peek_waived=True, peeked=None, natural_takes=takes))


def settled_as_lies(state: TableState, _event: bj.SettledAsLies) -> TableState:
    return _with(state, replace(_round(state), as_lies=True))


def box_settled(state: TableState, event: core.BoxSettled) -> TableState:
    rnd = _round(state)
    box = rnd.box(event.box)
    assert box is not None
    return _with(state, with_box(rnd, replace(box, paid=True)))


def _cleared(state: TableState) -> TableState:
    rnd = _round(state)
    assert state.shoe is not None
    cards = [*rnd.dealer, *(card for box in rnd.boxes for hand in box.hands for card in hand.cards)]
    lying = sights.left_over(state.sights)
    return replace(state, shoe=discarded(state.shoe, cards), round=None, held=(), sights=lying)


def round_closed(state: TableState, _event: core.RoundClosed) -> TableState:
    return _cleared(state)


def round_voided(state: TableState, _event: core.RoundVoided) -> TableState:
    rnd = _round(state)
    bank = replace(state.bank, house_net=state.bank.house_net - rnd.house_net + rnd.let_stand)
    carried = state.carried if _round(state).practice else {}
    lasting = tuple(one for one in state.disputes if one.irregularity is Irregularity.CENSUS_DIFFERS)
    return replace(_cleared(state), bank=bank, carried=carried, disputes=lasting)


def payout_corrected(state: TableState, event: core.PayoutCorrected) -> TableState:
    """What the house lets stand in a round goes back with the round, should it be voided."""
    after, rnd = cash.payout_corrected(state, event), round_of(state)
    if rnd is None or not event.stands:
        return after
    return replace(after, round=replace(rnd, let_stand=rnd.let_stand + event.difference))


def offered_card_used(state: TableState, _event: bj.OfferedCardUsed) -> TableState:
    return _with(state, replace(_round(state), card_offered=None, offered_to=()))


def circle_touched(state: TableState, event: core.CircleTouched) -> TableState:
    rnd = _round(state)
    return replace(state, round=replace(rnd, touched={**rnd.touched, event.box: event.cause.at_ns}))


def disputed(state: TableState, event: core.Disputed) -> TableState:
    """Chips that moved are a question now and are waited for no more."""
    after, rnd = disputes.disputed(state, event), round_of(state)
    if rnd is None or event.irregularity is not Irregularity.PAST_POSTING or event.place is None:
        return after
    touched = {box: at for box, at in rnd.touched.items() if box != event.place.box}
    return replace(after, round=replace(rnd, touched=touched))


FOLDS: Final[Mapping[type[Event], Fold]] = {
    core.CircleTouched: circle_touched,
    core.Disputed: disputed,
    core.BetPlaced: bet_placed,
    core.BetsTakenBack: bets_taken_back,
    core.BetsClosed: bets_closed,
    core.BetCorrected: bet_corrected,
    core.CardDealt: card_dealt,
    core.CardNamed: card_named,
    core.CardCorrected: card_corrected,
    core.BoxSettled: box_settled,
    core.RoundSettled: round_settled,
    core.PayoutCorrected: payout_corrected,
    core.RoundClosed: round_closed,
    core.RoundVoided: round_voided,
    bj.OffersMade: offers_made,
    bj.InsuranceTaken: insurance_taken,
    bj.OfferDeclined: _heard(offer_declined),
    bj.HoleChecked: hole_checked,
    bj.HoleRevealed: hole_revealed,
    bj.HoleShown: unchanged,
    bj.HandHit: _heard(hand_hit),
    bj.HandStood: _heard(hand_stood),
    bj.HandDoubled: _heard(hand_doubled),
    bj.HandSplit: _heard(hand_split),
    bj.BetSettled: bet_settled,
    bj.BetResettled: bet_resettled,
    bj.BetReopened: bet_reopened,
    bj.DealReordered: deal_reordered,
    bj.BoxDead: box_dead,
    bj.CardOffered: card_offered,
    bj.OfferRefused: offer_refused,
    bj.OfferedCardUsed: offered_card_used,
    bj.PeekRuled: peek_ruled,
    bj.SettledAsLies: settled_as_lies,
}
