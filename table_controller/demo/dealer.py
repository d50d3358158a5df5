"""The demo's dealer and players: cards by hand, keys by finger, and now and then a slip."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.events import DealerKey
from firmware_bridge.events import Signal as Key
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import BlackjackRound, DueKind, hole_index, round_of, rules_of, upcard
from table_controller.core.blackjack.words import Action, Signal
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import DEALER, Place
from table_controller.core.table import Dispute, TableState
from table_controller.demo.boards import DemoBoards, Said
from table_controller.demo.eyes import Felt, Spot
from table_controller.demo.floor import Screen
from table_controller.demo.opinion import best
from table_controller.demo.truth import TrueBox, TrueHand, TrueRound
from table_controller.play.felt import FLOOR, SECOND, CannotPlay, Point, point_of
from table_controller.play.habits import choose
from table_controller.port.client import NOBODY

SHOWN_AGAIN: Final = frozenset({Irregularity.UNREADABLE, Irregularity.FACE_DOWN, Irregularity.IMPOSSIBLE_CARD})
MOVED: Final = frozenset(
    {
        Irregularity.WRONG_PLACE,
        Irregularity.BOX_WITHOUT_BET,
        Irregularity.DEALER_CARD_MISSED,
        Irregularity.DRAWN_NOT_SEEN,  # it lies, but not where it is looked for
    }
)
AT_ONCE_S, MOVED_S, SEEN_S = 0.5, 3.0, 8.0
ALL_EVENING_S: Final = 1e6


@dataclass(frozen=True)
class Slips:
    """How often the dealer errs, by card or act: a finger at the shoe, a card nobody can read, one laid wrong."""

    finger: float = 0.01
    unreadable: float = 0.008
    misplaced: float = 0.006
    wrong_key: float = 0.01
    wrong_payout: float = 0.01


class Void(Exception):
    """The round cannot be finished as it lies; the floor voids it."""


@dataclass(frozen=True)
class Table:
    """All that the people of the demo have under their hands.

    `take_time` lets seconds pass; `sight_s` is how long the eyes may really take to see a card. At an `attended` table
    somebody is at the window, who may pause it.
    """

    screen: Screen
    boards: DemoBoards
    felt: Felt
    chance: random.Random
    take_time: Callable[[float], None]
    sight_s: float = AT_ONCE_S
    attended: bool = False

    def heard(self, word: Said) -> None:
        """A board has said it; it is on record when this returns."""
        self.take_time(self.chance.uniform(0.6, 1.6))
        source, number = word
        if not self.screen.wait(lambda state: state.cursors.get(source, -1) >= number):
            raise CannotPlay(f"the board {source} is not heard")

    def rests_while_paused(self) -> None:
        """Hands off while the table is paused; a pause that nobody at the window made is ended by the floor."""
        state = self.screen.state
        if self.attended and state.paused and not state.faults:
            self.screen.wait(lambda now: not now.paused, ALL_EVENING_S)
        if self.screen.state.paused:
            self.goes_on()

    def goes_on(self) -> None:
        """The floor ends a pause when every device is well again."""
        if not self.screen.wait(lambda state: not state.faults):
            raise CannotPlay(f"not well: {', '.join(self.screen.state.faults)}")
        if self.screen.state.paused:
            self.screen.command(said.ResumeTable(NOBODY, FLOOR))


class Dealer:
    """Plays one round that has been bet on, as the screen says, and knows what was really dealt."""

    def __init__(self, table: Table, slips: Slips, draw: Callable[[], str]) -> None:
        self._table = table
        self._chance = table.chance
        self._slips = slips
        self._draw = draw
        self._laid: tuple[Spot, int] | None = None
        self.played = TrueRound(practice=False)
        self.help = 0

    def play(self, played: TrueRound) -> None:
        """Until everything is decided and waits to be paid; raises Void."""
        self.played, self._laid = played, None
        while True:
            self._table.rests_while_paused()
            state = self._table.screen.state
            rnd = _running(state)
            if state.disputes:
                self._answer(state, state.disputes[0])
            elif rnd.due.kind is DueKind.PAY:
                return
            else:
                self._next(state, rnd)

    def _next(self, state: TableState, rnd: BlackjackRound) -> None:
        point = point_of(state, rnd)
        if point is not None:
            self._decide(state, rnd, point)
            return
        match rnd.due.kind:
            case DueKind.CARD:
                self._deal(state, rnd.due.place, face_down=rnd.due.face is said.Face.DOWN)
            case DueKind.PEEK:
                natural = len(self.played.dealer) == 2 and best(self.played.dealer) == 21
                self._table.heard(self._table.boards.key(DealerKey.PEEK_YES if natural else DealerKey.PEEK_NO))
            case DueKind.REVEAL:
                self._reveal(state)
            case _:
                raise Void(f"{rnd.due.kind} is due")

    def _deal(self, state: TableState, place: Place, *, face_down: bool) -> None:
        boards, felt = self._table.boards, self._table.felt
        if self._chance.random() < self._slips.finger:
            self._table.heard(boards.finger())
        card, readable, spot = self._draw(), True, _spot(self.played, place)
        self._table.heard(boards.pull())
        self.played.cards_at(place.box, place.hand).append(card)
        before = _cards(_running(state))
        if not face_down and place != DEALER:
            readable = self._chance.random() >= self._slips.unreadable
            if readable and self._chance.random() < self._slips.misplaced:
                spot = _neighbour(self.played, place, self._chance)
        self._laid = (spot, felt.count(spot))
        felt.lay(spot, card, face_down=face_down, readable=readable)
        self._seen(lambda now: _cards(_running(now)) > before)

    def _reveal(self, state: TableState) -> None:
        at = hole_index(rules_of(state))
        self._laid = (Spot("dealer"), at)
        self._table.felt.turn(Spot("dealer"), at, self.played.dealer[at])
        if not self._seen(lambda now: _running(now).revealed):
            raise Void("nobody asked about the hole card")

    def _seen(self, there: Callable[[TableState], bool]) -> bool:
        """Whether the eyes have seen it, or somebody asks when the house's time has run out."""
        screen = self._table.screen
        if screen.wait(lambda now: bool(now.disputes) or there(now), self._table.sight_s):
            return True
        house = screen.state.house
        assert house is not None
        self._table.take_time(house.timers.card_seconds + 1.0)
        return screen.wait(lambda now: bool(now.disputes) or there(now), SEEN_S)

    def _decide(self, state: TableState, rnd: BlackjackRound, point: Point) -> None:
        action, amount = choose(self._chance, point, upcard(rules_of(state), rnd))
        if self._chance.random() < self._slips.wrong_key:
            others = [box.number for box in rnd.boxes if box.number != point.place.box]
            if others:
                self._table.heard(self._table.boards.press(self._chance.choice(others), Key.HIT))
        self._signal(state, point.place, action, amount)
        self._follow(point, action, amount)

    def _signal(self, state: TableState, place: Place, action: Action, amount: int | None) -> None:
        """By the player's key where the house has one for it, else by the dealer's screen."""
        assert state.house is not None
        key = state.house.signals.get(action, {}).get("button")
        if key is None or amount is not None:
            self._table.take_time(1.0)
            self._table.screen.ask(Signal(NOBODY, place.box, place.hand, action, amount))
        else:
            self._table.heard(self._table.boards.press(place.box, Key[key.upper()]))

    def _follow(self, point: Point, action: Action, amount: int | None) -> None:
        """What the decision does to the felt."""
        box = self.played.boxes[point.place.box]
        hand = box.hands[point.place.hand]
        if action is Action.DOUBLE:
            hand.stake *= 2
        elif action is Action.SPLIT:
            new = box.split(point.place.hand)
            slot = f"box{point.place.box}"
            before = self._table.screen.state.sights
            self._table.felt.shift(Spot(slot, hand.spot), 1, Spot(slot, new.spot))
            # A dealer who lays the next card in the same motion lays it where nobody has seen this one leave.
            self._table.screen.wait(lambda now: len(now.sights) >= len(before) and now.sights != before, MOVED_S)
        elif action in (Action.SURRENDER, Action.EVEN_MONEY):
            hand.ended = action.value
        elif action is Action.INSURE:
            box.insurance = amount or 0

    def _answer(self, state: TableState, one: Dispute) -> None:
        """What the dealer and the floor do about an open question."""
        self.help += 1
        screen, due = self._table.screen, _running(state).due
        self._table.take_time(2.0)
        if self._laid is not None and one.irregularity in SHOWN_AGAIN | MOVED:
            self._laid = self._lay_again(self._laid, due.place if one.irregularity in MOVED else None)
        elif state.house is not None and Remedy.PLAY_ON in state.house.remedies[one.irregularity]:
            screen.command(said.ResolveDispute(NOBODY, FLOOR, one.number, Remedy.PLAY_ON, SECOND))
        else:
            raise Void(str(one.irregularity))
        self._table.take_time(0.5)
        if not screen.wait(lambda now: all(other.number != one.number for other in now.disputes), SEEN_S):
            raise Void(f"{one.irregularity} is not answered")

    def _lay_again(self, laid: tuple[Spot, int], place: Place | None) -> tuple[Spot, int]:
        """The card laid or turned last goes where it belongs, or is laid again where it lies so that it can be read."""
        felt, (spot, order) = self._table.felt, laid
        to = spot if place is None else _spot(self.played, place)
        if to == spot:
            felt.show_again(spot, order)
            return laid
        moved = (to, felt.count(to))
        felt.shift(spot, order, to)
        return moved


def pay_and_clear(table: Table, slips: Slips) -> None:
    """Box by box, then the cards go to the rack."""
    boards, screen = table.boards, table.screen
    if table.chance.random() < slips.wrong_payout:
        _pay_wrongly(table)
    for box in _running(screen.state).boxes:
        if not box.paid:
            table.heard(boards.key(DealerKey.PAID))
    table.felt.clear()
    table.take_time(1.0)
    table.heard(boards.key(DealerKey.PAID))
    if not screen.wait(lambda state: state.round is None, SEEN_S):
        raise CannotPlay(f"the round does not end: {screen.state.disputes}")


def _pay_wrongly(table: Table) -> None:
    """A box is handed a chip too much; the floor has it put right."""
    screen = table.screen
    rnd = _running(screen.state)
    owing = [box.number for box in rnd.boxes if rnd.payable(box.number) > 0]
    if not owing or rnd.practice:
        return
    box = table.chance.choice(owing)
    screen.command(said.ReportPayout(NOBODY, FLOOR, box, rnd.payable(box) + 100))
    for one in screen.state.disputes:
        screen.command(said.ResolveDispute(NOBODY, FLOOR, one.number, Remedy.PAY_DIFFERENCE))


def _spot(played: TrueRound, place: Place) -> Spot:
    if place == DEALER:
        return Spot("dealer")
    return Spot(f"box{place.box}", played.boxes[place.box].hands[place.hand].spot)


def _neighbour(played: TrueRound, place: Place, chance: random.Random) -> Spot:
    """Another box in play, or the card's own place where there is none."""
    others = [number for number, box in played.boxes.items() if number != place.box and len(box.hands) == 1]
    return Spot(f"box{chance.choice(others)}") if others else _spot(played, place)


def begin(screen: Screen, practice: bool) -> TrueRound:
    """The round as the felt has it when bets are closed."""
    rnd = _running(screen.state)
    played = TrueRound(practice)
    for box in rnd.boxes:
        played.boxes[box.number] = _true_box(box.main, box.pairs)
    return played


def _true_box(main: int, pairs: int) -> TrueBox:
    return TrueBox(main, pairs, hands=[TrueHand(main)])


def void(table: Table, why: str) -> None:
    """The floor voids the round with a second person; its cards, and what left the shoe unseen, go to the rack."""
    screen = table.screen
    screen.command(said.VoidRound(NOBODY, FLOOR, SECOND, why))
    for one in screen.state.disputes:
        screen.command(said.ResolveDispute(NOBODY, FLOOR, one.number, Remedy.BURN))
    table.felt.clear()
    table.take_time(1.0)


def _running(state: TableState) -> BlackjackRound:
    rnd = round_of(state)
    if rnd is None:
        raise CannotPlay("there is no round on the table")
    return rnd


def _cards(rnd: BlackjackRound) -> int:
    return len(rnd.dealer) + sum(len(hand.cards) for box in rnd.boxes for hand in box.hands)
