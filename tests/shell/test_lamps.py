"""Lamps are levels: worked out from the state, the same whenever they are asked for."""

from collections.abc import Callable

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card
from table_controller.core.places import Place
from table_controller.play.felt import FLOOR, Felt
from table_controller.shell.lamps import (
    DEAL,
    FAST,
    LOCKED,
    NO_MORE_BETS,
    PAUSE,
    PAY,
    PEEK,
    QUESTION,
    REVEAL,
    SHOE_STOP,
    SLOW,
    SUPERVISOR,
    TURN,
    lamps_of,
)


def lit(felt: Felt) -> set[int]:
    lamps = lamps_of(felt.state).lamps
    return {bit for bit in range(32) if lamps >> bit & 1}


@pytest.fixture
def deal() -> Callable[[str], Felt]:
    def make(cards: str) -> Felt:
        felt = Felt()
        felt.open(houses.rule_values("classic"), houses.house_values("classic"))
        felt.command(said.OpenBets(felt.cause(), FLOOR))
        felt.command(said.PlaceBet(felt.cause(), FLOOR, 2, 1000))
        felt.command(said.CloseBets(felt.cause(), FLOOR))
        felt.cards = map(Card.parse, cards.split())
        return felt

    return make


def test_an_idle_shoe_must_not_be_drawn_from(deal: Callable[[str], Felt]) -> None:
    felt = deal("TS")
    assert lit(felt) == {NO_MORE_BETS, DEAL, LOCKED + 1}
    felt.clear()


def test_the_box_whose_turn_it_is_has_its_lamp(deal: Callable[[str], Felt]) -> None:
    felt = deal("TS 7H 6D TC")
    for _ in range(4):
        felt.deal()
    assert lit(felt) == {NO_MORE_BETS, LOCKED + 1, TURN + 1, SHOE_STOP}
    felt.signal(Place(2), Action.HIT)
    assert DEAL in lit(felt)
    assert SHOE_STOP not in lit(felt)


def test_a_question_a_check_a_reveal_and_the_paying_have_theirs(deal: Callable[[str], Felt]) -> None:
    felt = deal("TS AH 9D 7C")
    for _ in range(4):
        felt.deal()
    assert QUESTION + 1 in lit(felt)
    felt.signal(Place(2), Action.NO_INSURANCE)
    assert PEEK in lit(felt)
    felt.deal()
    felt.signal(Place(2), Action.STAND)
    assert REVEAL in lit(felt)
    felt.deal()
    assert PAY in lit(felt)


def test_an_open_question_calls_the_supervisor_and_stops_the_shoe(deal: Callable[[str], Felt]) -> None:
    felt = deal("TS")
    felt.say(said.CardSeen(felt.cause(), Place(5), Card.parse("TS")))
    assert {SUPERVISOR, SHOE_STOP} <= lit(felt)
    assert lamps_of(felt.state).buzzer == FAST


def test_a_paused_table_shows_nothing_but_that(deal: Callable[[str], Felt]) -> None:
    felt = deal("TS")
    felt.command(said.PauseTable(felt.cause(), FLOOR, "a quarrel"))
    assert lit(felt) == {PAUSE, SHOE_STOP}
    assert lamps_of(felt.state).buzzer == SLOW
