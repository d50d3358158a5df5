"""Money that moves late: a payment left standing and then voided, several openings in a day, a round over midnight."""

from collections.abc import Iterable
from functools import reduce

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import cards
from table_controller.core.events import Event
from table_controller.core.irregular import Remedy
from table_controller.play.felt import FLOOR, SECOND, Felt
from table_controller.views import figures

RULES, HOUSE = houses.rule_values("golden_wolf"), houses.house_values("golden_wolf")


def settled_round(felt: Felt) -> None:
    """Box 1 wins 3.00 and is not paid yet."""
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = iter(cards("TS 7H 9D TC"))
    felt.play(lambda _point: (Action.STAND, None))


def view_of(events: Iterable[Event], start: figures.Figures = figures.initial) -> figures.Figures:
    return reduce(figures.apply, events, start)


def opened() -> Felt:
    felt = Felt()
    felt.open(RULES, HOUSE)
    return felt


def test_a_payment_left_standing_goes_back_with_a_void_round() -> None:
    felt = opened()
    settled_round(felt)
    felt.say(said.ReportPayout(felt.cause(), FLOOR, 1, 9999))
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, 1, Remedy.LET_IT_STAND))
    assert felt.state.bank.house_net == -300 - (9999 - 600)
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "wrong from the start"))
    assert felt.state.bank.house_net == view_of(felt.events).house.house_net == 0


def test_the_wins_of_several_openings_add_up() -> None:
    felt = opened()
    for opening in range(2):
        if opening:
            felt.open(RULES, HOUSE)
        settled_round(felt)
        felt.clear()
        felt.command(said.MoveMoney(felt.cause(), FLOOR, said.Moved.DROP, {500: 5}, SECOND))
        felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, {}))
    view = view_of(felt.events)
    assert (view.win, view.drop, view.hold) == (5000, 5000, 1.0)


def test_rounds_after_the_last_closing_count_beside_it() -> None:
    felt = opened()
    felt.command(said.MoveMoney(felt.cause(), FLOOR, said.Moved.DROP, {500: 5}, SECOND))
    felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, {}))
    felt.open(RULES, HOUSE)
    settled_round(felt)
    felt.clear()
    assert view_of(felt.events).win == 2500 - 300


def test_a_round_over_midnight_counts_where_it_ends() -> None:
    felt = opened()
    settled_round(felt)
    yesterday, midnight = tuple(felt.events), felt.state
    felt.clear()
    today = felt.events[len(yesterday) :]
    before, after = view_of(yesterday), view_of(today, figures.carried(midnight))
    assert (before.house.rounds, before.house.house_net) == (0, 0)
    assert (after.house.rounds, after.house.house_net, after.house.handle) == (1, -300, 300)
