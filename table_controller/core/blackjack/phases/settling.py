"""What happens by itself once it must: offers, bets decided, the end of the round; and the boxes paid."""

from collections.abc import Callable
from typing import Final

from table_controller.core.blackjack.due import dealer_needs
from table_controller.core.blackjack.legal import offer_to
from table_controller.core.blackjack.phases.dealing import deal
from table_controller.core.blackjack.round import BlackjackRound, Box, Due, DueKind, round_of, rules_of
from table_controller.core.blackjack.settle import SETTLES, lines_due
from table_controller.core.blackjack.words import BetSettled, OfferedCardUsed, OffersMade, When
from table_controller.core.disputes import has_open
from table_controller.core.events import (
    BoxSettled,
    ObservationNoted,
    RoundClosed,
    RoundSettled,
    ShoeRanOut,
    SightingLost,
)
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity
from table_controller.core.places import DEALER
from table_controller.core.reasons import Reason
from table_controller.core.shoe_life import burn
from table_controller.core.stimuli import BoxPaid, CardSeen, TableCleared
from table_controller.core.table import Phase, blocking

MONEY_WAITS: Final = frozenset({Irregularity.PAST_POSTING, Irregularity.CARD_COVERED})
"""Questions about a box that is not paid before they are answered; the others play on."""


def follow(course: Course) -> None:
    """Record what follows by itself, until the table waits for somebody."""
    while course.state.phase is not Phase.PAUSED and blocking(course.state) is None:
        rnd = round_of(course.state)
        if rnd is None:
            return
        automatic = _AUTOMATIC.get(rnd.due.kind)
        if automatic is None:
            _notice_empty_shoe(course, rnd)
            return
        automatic(course, rnd)


def _notice_empty_shoe(course: Course, rnd: BlackjackRound) -> None:
    """No card is invented: the table waits for the supervisor (S.D. Admin. R. 20:18:15:28)."""
    shoe = course.state.shoe
    assert shoe is not None
    if rnd.due.kind is DueKind.CARD and shoe.cards_left <= 0 and not has_open(course.state, Irregularity.SHOE_EMPTY):
        course.record(ShoeRanOut(course.cause, course.state.disputed + 1))


def _offers(course: Course, rnd: BlackjackRound) -> None:
    rules = rules_of(course.state)
    course.record(OffersMade(course.cause, tuple(box.number for box in rnd.boxes if offer_to(rules, box))))


def _use_offered(course: Course, rnd: BlackjackRound) -> None:
    """An offered card nobody took: the dealer uses it if he must draw, else it is burned."""
    card = rnd.card_offered
    wanted = dealer_needs(rules_of(course.state), rnd) is DueKind.CARD
    course.record(OfferedCardUsed(course.cause))
    if wanted:
        deal(course, CardSeen(course.cause, DEALER, card), Due(DueKind.CARD))
    else:
        burn(course, card, "offered_on")


def _settle(course: Course, rnd: BlackjackRound) -> None:
    for line in lines_due(rules_of(course.state), rnd):
        course.record(BetSettled(course.cause, line))
    if rnd.due.kind is DueKind.FINISH:
        sum_up(course)


def sum_up(course: Course) -> None:
    """Record the round's result by box."""
    rnd = round_of(course.state)
    assert rnd is not None
    net = {box.number: 0 for box in rnd.boxes}
    for line in rnd.lines:
        net[line.box] += line.net
    carried = {line.box: line.carried for line in rnd.lines if line.carried}
    house_net = 0 if rnd.practice else -sum(net.values())
    course.record(RoundSettled(course.cause, rnd.number, rnd.practice, net, house_net, carried))


_AUTOMATIC: Final[dict[DueKind, Callable[[Course, BlackjackRound], None]]] = {
    DueKind.OFFERS: _offers,
    DueKind.USE_OFFERED: _use_offered,
    **dict.fromkeys(SETTLES, _settle),
}


def paid(course: Course, observation: BoxPaid) -> None:
    """A box is paid once, when everything on it is decided."""
    rnd = round_of(course.state)
    box = rnd.box(observation.box) if rnd is not None else None
    reason = _not_payable(course, box)
    if reason is not None:
        course.record(ObservationNoted(observation.cause, "box_paid", reason))
    else:
        course.record(BoxSettled(observation.cause, observation.box))


def _not_payable(course: Course, box: Box | None) -> Reason | None:
    if box is None:
        return Reason.NO_SUCH_BOX
    if blocking(course.state) is not None or course.state.phase is Phase.PAUSED:
        return Reason.DISPUTE_OPEN
    if any(
        one.irregularity in MONEY_WAITS and one.place and one.place.box == box.number for one in course.state.disputes
    ):
        return Reason.DISPUTE_OPEN
    if not box.hands or box.insurance_open or box.pairs_open or any(not hand.settled for hand in box.hands):
        return Reason.NOT_SETTLED
    return Reason.ALREADY_SETTLED if box.paid else None


def cleared(course: Course, observation: TableCleared) -> None:
    """The round is over once every box that had to wait for the dealer is paid.

    Between two rounds it is a person's word that the felt is empty, where the eyes have missed a card leaving.
    """
    rnd = round_of(course.state)
    lying = [sight for sight in course.state.sights if sight.lies]
    if rnd is None and lying:
        for sight in lying:
            course.record(SightingLost(observation.cause, sight.eyes, sight.number, covered=False))
        return
    reason = _not_clearable(course, rnd)
    if reason is not None or rnd is None:
        course.record(ObservationNoted(observation.cause, "table_cleared", reason or Reason.NO_ROUND))
    else:
        course.record(RoundClosed(observation.cause, rnd.number))


def _not_clearable(course: Course, rnd: BlackjackRound | None) -> Reason | None:
    if rnd is None:
        return Reason.NO_ROUND
    if not rnd.finished:
        return Reason.NOT_SETTLED
    if blocking(course.state) is not None or course.state.phase is Phase.PAUSED:
        return Reason.DISPUTE_OPEN
    waiting = {line.box for line in rnd.lines if line.when in (When.END, When.DEALER, When.PEEK)}
    return Reason.BOX_NOT_PAID if any(not box.paid and box.number in waiting for box in rnd.boxes) else None
