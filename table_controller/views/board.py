"""What a screen shows of a table: cards, totals, bets, whose turn it is. The hole card is not in it before the reveal.

`apply` keeps what the state forgets: the round that is over stays until the next bet lies.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core.blackjack.hands import total
from table_controller.core.blackjack.round import (
    BlackjackRound,
    Box,
    DueKind,
    Hand,
    hole_index,
    hole_lies,
    round_of,
    rules_of,
)
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import BetKind, BetSettled, Line
from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Cause
from table_controller.core.table import TableState
from table_controller.views.payments import to_pay, waits

BACK, UNREAD = "back", "unread"
"""Cards nobody may name, and cards nobody could read."""

PACK_SIZE: Final = 52


class Bet(Struct, frozen=True):
    """What a box had laid when betting closed."""

    box: int
    main: int
    pairs: int = 0


class Memory(Struct, frozen=True):
    """What a screen needs beside the state: the last round, when it began, what was bet, what just happened."""

    last: BlackjackRound | None = None
    rules: RuleSet | None = None
    voided: bool = False
    began_ns: int = 0
    bets: tuple[Bet, ...] = ()
    news: tuple[Line, ...] = ()
    heard: Cause | None = None


class HandShown(Struct, frozen=True):
    """A hand; `result` and `net` once its bet is decided."""

    cards: tuple[str, ...]
    points: int
    soft: bool
    stake: int = 0
    natural: bool = False
    doubled: bool = False
    turn: bool = False
    result: str = ""
    net: int = 0


class BoxShown(Struct, frozen=True):
    """A box, empty ones too."""

    number: int
    main: int = 0
    carried: int = 0
    pairs: int = 0
    pairs_result: str = ""
    insurance: int = 0
    insurance_result: str = ""
    hands: tuple[HandShown, ...] = ()
    turn: bool = False
    dead: bool = False
    paid: bool = False
    player: str = ""


class ShoeShown(Struct, frozen=True):
    """Only how deep it is; which cards are left is nobody's to know at the table."""

    left: int
    of: int
    cut_card: bool = False
    burn_due: int = 0


class Board(Struct, frozen=True):
    """Everything of one moment. `over`: the round shown has ended."""

    version: int
    phase: str
    round: int = 0
    practice: bool = False
    over: bool = False
    voided: bool = False
    began_ns: int = 0
    boxes: tuple[BoxShown, ...] = ()
    dealer: HandShown = HandShown((), 0, False)
    dealer_turn: bool = False
    offer: str = ""
    shoe: ShoeShown | None = None
    dealer_name: str = ""
    questions: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


initial: Final = Memory()


def carried(state: TableState, at_ns: int) -> Memory:
    """Where a day begins that goes on from another, in the middle of a round perhaps."""
    rnd = round_of(state)
    if rnd is None or not rnd.closed:
        return Memory(began_ns=at_ns)
    return Memory(rnd, rules_of(state), began_ns=at_ns, bets=_bets(rnd))


def apply(memory: Memory, event: Event, after: TableState, at_ns: int) -> Memory:
    """What is kept after one more fact; `after` is the state it led to, `at_ns` when it was recorded."""
    rnd = round_of(after)
    memory = _news(memory, event, rnd)
    match event:
        case fact.TableOpened() | fact.TableClosed():
            return Memory()
        case fact.RoundOpened():
            return replace(memory, began_ns=at_ns, news=())
        case fact.RoundVoided():
            return replace(memory, voided=True, news=())
        case fact.BetsClosed() if rnd is not None:
            memory = replace(memory, bets=_bets(rnd))
    if rnd is None or not rnd.closed:
        return memory
    return replace(memory, last=rnd, rules=rules_of(after), voided=False)


def _bets(rnd: BlackjackRound) -> tuple[Bet, ...]:
    return tuple(Bet(box.number, box.main, box.pairs) for box in rnd.boxes)


def _news(memory: Memory, event: Event, rnd: BlackjackRound | None) -> Memory:
    """Bets decided before the end stay in sight until the next card."""
    if isinstance(event, BetSettled) and rnd is not None and not waits(rnd, event.line):
        known = memory.news if memory.heard == event.cause else ()
        return replace(memory, news=(*known, event.line), heard=event.cause)
    if isinstance(event, fact.CardDealt | fact.BetsClosed) and event.cause != memory.heard:
        return replace(memory, news=())
    return memory


def board(state: TableState, memory: Memory) -> Board:
    """The table as a screen shows it."""
    if state.rules is None:
        return Board(state.version, str(state.phase), faults=state.faults)
    rules, running = rules_of(state), round_of(state)
    rnd = running if running is not None and running.boxes else memory.last
    shown = Board(
        version=state.version,
        phase=str(state.phase),
        shoe=_shoe(state),
        dealer_name=state.dealer or "",
        questions=tuple(str(one.irregularity) for one in state.disputes),
        faults=state.faults,
        boxes=tuple(BoxShown(number, player=state.players.get(number, "")) for number in range(1, rules.boxes + 1)),
        round=running.number if running is not None else 0,
        practice=running.practice if running is not None else False,
        began_ns=memory.began_ns if running is not None else 0,
    )
    return shown if rnd is None else _with_round(shown, state, rnd, memory)


def _with_round(shown: Board, state: TableState, rnd: BlackjackRound, memory: Memory) -> Board:
    over = rnd is not round_of(state)
    rules = memory.rules if over and memory.rules is not None else rules_of(state)
    turn = None if over else _turn(rnd)
    known = {box.number: _box(box, rnd, turn) for box in rnd.boxes}
    boxes = (replace(known.get(one.number, one), player=one.player) for one in shown.boxes)
    return replace(
        shown,
        round=shown.round or rnd.number,
        practice=rnd.practice if over and not shown.round else shown.practice,
        over=over,
        voided=over and memory.voided,
        boxes=tuple(boxes),
        dealer=_dealer(rules, rnd, turn),
        dealer_turn=turn == DEALER,
        offer="" if over or rnd.card_offered is None else rnd.card_offered.text,
    )


def _turn(rnd: BlackjackRound) -> Place | None:
    """Whose turn it is: the hand that acts or takes a card, the box to be paid, the dealer."""
    match rnd.due.kind:
        case DueKind.BETS:
            return None
        case DueKind.PAY:
            ready = to_pay(rnd)
            return Place(ready[0].box) if ready else None
        case DueKind.PEEK | DueKind.REVEAL:
            return DEALER
        case _:
            return rnd.due.place


def _shoe(state: TableState) -> ShoeShown | None:
    shoe = state.shoe
    if shoe is None:
        return None
    return ShoeShown(shoe.cards_left, shoe.decks * PACK_SIZE, shoe.cut_card_seen, shoe.burn_due)


def _dealer(rules: RuleSet, rnd: BlackjackRound, turn: Place | None) -> HandShown:
    hidden = hole_index(rules) if hole_lies(rules, rnd) else None
    known = tuple(None if at == hidden else card for at, card in enumerate(rnd.dealer))
    cards = tuple(BACK if at == hidden else _written(card) for at, card in enumerate(known))
    points, soft = total(known)
    natural = len(rnd.dealer) == 2 and hidden is None and points == 21
    return HandShown(cards, points, soft, natural=natural, turn=turn == DEALER)


def _box(box: Box, rnd: BlackjackRound, turn: Place | None) -> BoxShown:
    lines = [line for line in rnd.lines if line.box == box.number]
    main = {line.hand: line for line in lines if line.bet is BetKind.MAIN}
    results = {line.bet: str(line.result) for line in lines}
    return BoxShown(
        number=box.number,
        main=box.main,
        carried=box.carried,
        pairs=box.pairs,
        pairs_result=results.get(BetKind.PAIRS, ""),
        insurance=box.insurance,
        insurance_result=results.get(BetKind.INSURANCE, ""),
        hands=tuple(_hand(hand, main.get(at), turn == Place(box.number, at)) for at, hand in enumerate(box.hands)),
        turn=turn is not None and turn.box == box.number,
        dead=box.dead,
        paid=box.paid,
    )


def _hand(hand: Hand, line: Line | None, turn: bool) -> HandShown:
    points, soft = total(hand.cards)
    return HandShown(
        cards=tuple(_written(card) for card in hand.cards),
        points=points,
        soft=soft,
        stake=hand.stake,
        natural=hand.natural,
        doubled=hand.doubled,
        turn=turn,
        result=str(line.result) if line is not None else "",
        net=line.net if line is not None else 0,
    )


def _written(card: Card | None) -> str:
    return card.text if card is not None else UNREAD
