"""What a screen shows of a table is what lies there, and never what lies face down."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.round import hole_lies, round_of, rules_of
from table_controller.core.blackjack.words import Action, HolePeeked, HoleTurned
from table_controller.core.cards import Card
from table_controller.core.codec import ENCODER
from table_controller.core.events import Event
from table_controller.core.game import evolve
from table_controller.core.places import Place
from table_controller.core.stimuli import CardSeen, Face
from table_controller.core.table import TableState
from table_controller.play.felt import FLOOR, SECOND, Felt
from table_controller.views import alerts, board
from table_controller.views.board import BACK, UNREAD, Bet, Board, Memory
from table_controller.views.payments import pay_list
from table_controller.views.prompts import next_action
from tests.views.glimpsed import GlimpsedEvening

AT_NS = 1_795_982_400_000_000_000
ROUNDS = 200


class Watched(Felt):
    """A scripted table with a screen beside it."""

    def __init__(self, house: str = "golden_wolf", overrides: dict[str, object] | None = None) -> None:
        super().__init__()
        self.memory, self.shown_until, self.folded = board.initial, 0, BLACKJACK.empty
        self.open({**houses.rule_values(house), **(overrides or {})}, houses.house_values(house))

    def screen(self) -> Board:
        """What the screen shows now."""
        for event in self.events[self.shown_until :]:
            self.folded = evolve(BLACKJACK, self.folded, event)
            self.memory = board.apply(self.memory, event, self.folded, AT_NS)
        self.shown_until = len(self.events)
        return board.board(self.state, self.memory)

    def bet(self, *boxes: int, amount: int = 100) -> None:
        """Bets on these boxes and no more."""
        self.command(said.OpenBets(self.cause(), FLOOR))
        for box in boxes:
            self.command(said.PlaceBet(self.cause(), FLOOR, box, amount))
        self.screen()

    def deal_cards(self, text: str) -> None:
        """The cards in the order they leave the shoe, each to where it is due."""
        self.cards = iter([Card.parse(one) for one in text.split()])
        for _ in text.split():
            self.deal()


@pytest.fixture
def felt() -> Watched:
    return Watched()


def test_an_open_table_shows_every_box_and_the_whole_shoe(felt: Watched) -> None:
    shown = felt.screen()
    assert [box.number for box in shown.boxes] == [1, 2, 3, 4, 5, 6, 7]
    assert shown.shoe is not None
    assert (shown.shoe.left, shown.shoe.of) == (312, 312)
    assert shown.phase == "idle"


def test_a_closed_table_shows_no_boxes() -> None:
    assert board.board(Felt().state, board.initial) == Board(0, "closed")


def test_cards_totals_and_turn_are_shown_as_they_lie(felt: Watched) -> None:
    felt.bet(2, 5)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.deal_cards("KS AH 6D 7C 6S QC")
    shown = felt.screen()
    second, fifth = shown.boxes[1], shown.boxes[4]
    assert second.hands[0].cards == ("KS", "7C")
    assert (second.hands[0].points, second.hands[0].soft) == (17, False)
    assert (fifth.hands[0].points, fifth.hands[0].soft) == (17, True)
    assert second.turn
    assert second.hands[0].turn
    assert not fifth.turn


def test_the_hole_card_is_a_back_and_the_dealers_total_counts_the_open_card_alone(felt: Watched) -> None:
    felt.bet(1)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.deal_cards("KS 6D 7C QC")
    shown = felt.screen()
    assert shown.dealer.cards == ("6D", BACK)
    assert shown.dealer.points == 6


def test_after_the_reveal_everybody_sees_the_dealers_hand(felt: Watched) -> None:
    felt.bet(1)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.deal_cards("KS 6D 7C QC")
    felt.signal(Place(1), Action.STAND)
    felt.say(HoleTurned(felt.cause(), Card.parse("QC")))
    assert felt.screen().dealer.cards == ("6D", "QC")


def test_an_unread_card_is_shown_as_unread_until_it_is_shown_again(felt: Watched) -> None:
    felt.bet(1)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.say(CardSeen(felt.cause(), Place(1), None))
    assert felt.screen().boxes[0].hands[0].cards == (UNREAD,)
    felt.say(CardSeen(felt.cause(), Place(1), Card.parse("9H")))
    assert felt.screen().boxes[0].hands[0].cards == ("9H",)


def played(felt: Watched) -> None:
    felt.bet(1)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.deal_cards("KS 6D 9C QC")
    felt.signal(Place(1), Action.STAND)
    felt.say(HoleTurned(felt.cause(), Card.parse("QC")))
    felt.deal_cards("KH")
    felt.clear()


def test_the_last_round_stays_until_the_next_bet_lies(felt: Watched) -> None:
    played(felt)
    shown = felt.screen()
    assert shown.over
    assert shown.boxes[0].hands[0].result == "win"
    assert shown.dealer.cards == ("6D", "QC", "KH")
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    assert felt.screen().over
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 4, 100))
    shown = felt.screen()
    assert not shown.over
    assert shown.dealer.cards == ()
    assert [box.main for box in shown.boxes] == [0, 0, 0, 100, 0, 0, 0]


def test_a_bet_taken_back_brings_the_last_round_back_and_not_the_bet(felt: Watched) -> None:
    played(felt)
    felt.bet(4)
    felt.command(said.TakeBack(felt.cause(), FLOOR, 4))
    shown = felt.screen()
    assert shown.over
    assert [box.main for box in shown.boxes] == [100, 0, 0, 0, 0, 0, 0]


def test_a_void_round_is_shown_as_void_and_its_hole_card_stays_hidden(felt: Watched) -> None:
    felt.bet(1)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.deal_cards("KS 6D 7C QC")
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "fire alarm"))
    shown = felt.screen()
    assert (shown.over, shown.voided) == (True, True)
    assert shown.dealer.cards == ("6D", BACK)


def test_what_was_bet_is_known_for_all_as_before(felt: Watched) -> None:
    felt.bet(2, 5, amount=150)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.screen()
    assert felt.memory.bets == (Bet(2, 150), Bet(5, 150))


def test_a_bust_is_in_sight_until_the_next_card(felt: Watched) -> None:
    felt.bet(1, 2)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.deal_cards("KS 9C 6D 6H 9S QC")
    felt.signal(Place(1), Action.HIT)
    felt.deal_cards("TD")
    felt.screen()
    assert [(line.box, line.result) for line in felt.memory.news] == [(1, "bust")]
    felt.signal(Place(2), Action.HIT)
    felt.screen()
    assert felt.memory.news
    felt.deal_cards("2D")
    felt.screen()
    assert felt.memory.news == ()


def test_a_practice_round_cannot_be_mistaken(felt: Watched) -> None:
    felt.command(said.OpenBets(felt.cause(), FLOOR, practice=True))
    assert felt.screen().practice


def test_a_table_that_closes_forgets_what_it_showed(felt: Watched) -> None:
    played(felt)
    felt.screen()
    felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, {}))
    felt.screen()
    assert felt.memory == Memory()


def payloads(state: TableState, memory: Memory, waiting: alerts.Alerts) -> Iterator[str]:
    rnd = round_of(state)
    of_round = [one for one in waiting.listed if one.round == waiting.round]
    for one in (board.board(state, memory), next_action(state), of_round, pay_list(rnd) if rnd is not None else ()):
        yield ENCODER.encode(msgspec.to_builtins(one, enc_hook=str, builtin_types=())).decode()


class Searched:
    """An evening whose screens are searched for the hole card as long as it lies face down."""

    def __init__(self, house: str, seed: int) -> None:
        self.memory, self.waiting, self.state = board.initial, alerts.initial, BLACKJACK.empty
        self.searched = 0
        self.evening = GlimpsedEvening(house, seed, self.hear)

    def hear(self, event: Event, _state: TableState) -> None:
        self.state = evolve(BLACKJACK, self.state, event)
        self.memory = board.apply(self.memory, event, self.state, AT_NS)
        self.waiting = alerts.apply(self.waiting, event, AT_NS)
        rnd, hole = round_of(self.state), self.evening.felt.hole
        if rnd is None or hole is None or not hole_lies(rules_of(self.state), rnd):
            return
        in_sight = {card for box in rnd.boxes for hand in box.hands for card in hand.cards} | set(rnd.dealer)
        if hole in in_sight | {self.evening.mislaid}:  # another card of that name lies open
            return
        for payload in payloads(self.state, self.memory, self.waiting):
            self.searched += 1
            assert not re.search(rf"\b{hole.text}\b", payload), payload

    def play(self, rounds: int) -> int:
        """Rounds until the house may refuse to go on; how many there were."""
        while self.evening.felt.state.rounds < rounds and self.evening.round():
            self.evening.tell()
        return self.evening.felt.state.rounds


@pytest.mark.parametrize("house", houses.NAMES)
def test_no_screen_ever_names_the_hole_card_before_the_reveal(house: str) -> None:
    played, searched, lifted, seed = 0, 0, 0, 1000
    while played < ROUNDS:
        one, seed = Searched(house, seed), seed + 1
        played += one.play(ROUNDS - played)
        searched += one.searched
        lifted += one.evening.lifted
    assert (searched > 1000 and lifted > 5) or not houses.rules_with(house, {}).hole_card


def test_the_search_would_find_a_hole_card_that_is_shown(felt: Watched) -> None:
    felt.bet(1)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.deal_cards("KS TD 7C QC")
    felt.say(HolePeeked(felt.cause(), blackjack=False))
    felt.signal(Place(1), Action.STAND)
    felt.say(HoleTurned(felt.cause(), Card.parse("QC")))
    felt.screen()
    assert any("QC" in payload for payload in payloads(felt.state, felt.memory, alerts.initial))


def test_a_card_shown_face_down_where_the_dealer_lifts_it_stays_nameless(felt: Watched) -> None:
    felt.bet(1)
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.deal_cards("KS 6D 7C")
    felt.say(CardSeen(felt.cause(), Place(0), Card.parse("QC"), Face.UP))
    assert all("QC" not in payload for payload in payloads(felt.state, felt.memory, alerts.initial))
    assert "QC" not in str(felt.screen())
