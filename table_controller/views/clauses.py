"""Which rules a fact follows from, by their keys in the rule set or the house file."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from table_controller.core import events as fact
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.hands import points, total
from table_controller.core.blackjack.legal import is_split_ace
from table_controller.core.blackjack.round import BlackjackRound, Hand, hole_index, round_of, rules_of
from table_controller.core.blackjack.rules import NaturalPaid
from table_controller.core.blackjack.words import BetKind, Line, Result, When
from table_controller.core.events import Event
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Face, Side
from table_controller.core.table import TableState


class Clause(NamedTuple):
    """A key of the rule set; or of the house file, with its section (`remedies.wrong_place`)."""

    key: str
    of_house: bool = False


RESULTS: Final = {
    Result.EVEN_MONEY: ("even_money",),
    Result.CHARLIE: ("charlie",),
    Result.PUSH: ("push",),
    Result.SURRENDER: ("surrender", "rounding"),
}
LIMITS: Final = ("min_bet", "max_bet", "bet_step")


def clauses(before: TableState, event: Event) -> tuple[Clause, ...]:
    """The rules behind a fact, the most telling first; none where a fact only says what somebody did."""
    if isinstance(event, fact.DisputeResolved):
        return (Clause(f"remedies.{event.irregularity}", of_house=True),)
    if before.rules is None:
        return ()
    return tuple(map(Clause, dict.fromkeys(_keys(before, event))))


def _keys(before: TableState, event: Event) -> Iterator[str]:
    rnd = round_of(before)
    match event:
        case fact.BetPlaced():
            yield from LIMITS if event.side is Side.MAIN else ("pairs", "side_max")
        case fact.RoundOpened():
            yield from ("practice",) if event.practice else ()
        case bj.OffersMade() | bj.OfferDeclined():
            yield from _offers(before)
        case bj.InsuranceTaken():
            yield from ("insurance_max", "insurance_exact")
        case bj.HoleChecked():
            yield "peek"
        case _ if rnd is not None:
            yield from _of_play(before, rnd, event)


def _of_play(before: TableState, rnd: BlackjackRound, event: Event) -> Iterator[str]:
    match event:
        case fact.CardDealt():
            yield from _of_card(before, rnd, event)
        case bj.HandDoubled():
            yield from _double(rnd.hand(Place(event.box, event.hand)))
        case bj.HandSplit():
            yield from _split(rnd.hand(Place(event.box, event.hand)))
        case bj.BetSettled() | bj.BetResettled():
            yield from _line(before, rnd, event.line)
        case _:
            return


def _of_card(before: TableState, rnd: BlackjackRound, event: fact.CardDealt) -> Iterator[str]:
    rules, hand = rules_of(before), rnd.hand(event.place)
    if event.place == DEALER:
        if rnd.queue:
            yield from ("hole_card",) if event.face is Face.DOWN else ()
            yield from ("dealer_up",) if rules.hole_card and len(rnd.dealer) != hole_index(rules) else ()
        else:
            yield "soft17"
    elif hand is not None and hand.from_split and len(hand.cards) == 1:
        yield "split_deal"
        yield from ("split_aces_one_card",) if is_split_ace(hand) else ()


def _offers(before: TableState) -> Iterator[str]:
    yield "insurance"
    yield from ("even_money", "insurance_bj") if rules_of(before).even_money else ()


def _double(hand: Hand | None) -> Iterator[str]:
    yield "double"
    if hand is not None and hand.from_split:
        yield "double_split_aces" if is_split_ace(hand) else "das"


def _split(hand: Hand | None) -> Iterator[str]:
    yield "split"
    yield "max_hands"
    first = hand.cards[0] if hand is not None and hand.cards else None
    if first is not None and points(first) == 1:
        yield "max_hands_aces"


def _line(before: TableState, rnd: BlackjackRound, line: Line) -> Iterator[str]:
    if line.bet is BetKind.PAIRS:
        yield "pairs"
    elif line.bet is BetKind.INSURANCE:
        yield "insurance_pays"
    elif line.result is Result.BLACKJACK:
        rules = rules_of(before)
        yield "bj_pays"
        yield from ("bj_when",) if rules.bj_when is NaturalPaid.ON_TURN_IF_SAFE else ()
        yield from ("rounding",) if line.stake * rules.bj_pays[0] % rules.bj_pays[1] else ()
    elif line.result in RESULTS:
        yield from RESULTS[line.result]
    elif line.result is Result.LOSE and total(rnd.dealer) == (21, True) and len(rnd.dealer) == 2:
        yield "peek" if line.when is When.PEEK else "bj_loss"
    elif line.when is When.END:
        yield "soft17"
