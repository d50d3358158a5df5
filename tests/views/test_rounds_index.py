"""A complaint finds its round: by time, box, amount, question, exception, dealer, player."""

from functools import reduce

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card, cards
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause
from table_controller.play.felt import FLOOR, SECOND, Felt, Point
from table_controller.views import rounds_index
from table_controller.views.exceptions import ExceptionKind
from table_controller.views.rounds_index import Entry, Index, Wanted, find

RULES, HOUSE = houses.rule_values("golden_wolf"), houses.house_values("golden_wolf")
MINUTE = 60_000_000_000


class TimedFelt(Felt):
    """A table at which a minute passes with everything that is said."""

    def cause(self) -> Cause:
        self.seq += 1
        return Cause("script", self.seq, self.seq * MINUTE)


def stand(_point: Point) -> tuple[Action, None]:
    return Action.STAND, None


def play(felt: Felt, bets: dict[int, int], deal: str) -> None:
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    for box, amount in bets.items():
        felt.command(said.PlaceBet(felt.cause(), FLOOR, box, amount))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = iter(cards(deal))
    felt.play(stand)


def index_of(felt: Felt) -> Index:
    return reduce(rounds_index.apply, felt.events, rounds_index.initial)


def found(felt: Felt, wanted: Wanted) -> list[int]:
    return [entry.number for entry in find(index_of(felt).rounds.values(), wanted)]


@pytest.fixture(scope="module")
def evening() -> Felt:
    """Three rounds: a plain one, one with a card laid wrongly under the second dealer, a void one."""
    felt = TimedFelt()
    felt.open(RULES, HOUSE)
    felt.command(said.SignOn(felt.cause(), FLOOR, "dealer-1"))
    felt.command(said.TakeBox(felt.cause(), FLOOR, 3, "player-b"))
    play(felt, {1: 100, 3: 300}, "TS KH 7H 9D 8C TC")
    felt.clear()
    felt.command(said.SignOn(felt.cause(), FLOOR, "dealer-2"))
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 200))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.say(said.CardSeen(felt.cause(), Place(2), Card.parse("4C")))
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, 1, Remedy.MOVE))
    felt.cards = iter(cards("7H 5D TC 9H"))
    felt.play(stand)
    felt.clear()
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 5, 300))
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "fire alarm"))
    return felt


def test_an_entry_tells_bets_results_player_and_dealer(evening: Felt) -> None:
    first = index_of(evening).rounds[1]
    assert (first.dealer, first.stake, first.house_net) == ("dealer-1", 400, -400)
    assert {box: (seat.player, seat.bet, seat.stake, seat.net) for box, seat in first.seats.items()} == {
        1: (None, 100, 100, 100),
        3: ("player-b", 300, 300, 300),
    }


@pytest.mark.parametrize(
    ("wanted", "rounds"),
    [
        (Wanted(), [1, 2, 3]),
        (Wanted(box=3), [1]),
        (Wanted(box=1), [1, 2]),
        (Wanted(least=250), [1, 3]),
        (Wanted(least=200, most=200), [2]),
        (Wanted(box=1, least=300), []),
        (Wanted(question=Irregularity.BOX_WITHOUT_BET), [2]),
        (Wanted(exception=ExceptionKind.VOID), [3]),
        (Wanted(dealer="dealer-2"), [2, 3]),
        (Wanted(player="player-b"), [1]),
        (Wanted(number=2), [2]),
    ],
)
def test_a_round_is_found_by_what_is_known_of_it(evening: Felt, wanted: Wanted, rounds: list[int]) -> None:
    assert found(evening, wanted) == rounds


def test_a_round_is_found_by_any_minute_it_lasted(evening: Felt) -> None:
    entries: dict[int, Entry] = dict(index_of(evening).rounds)
    second = entries[2]
    assert second.ended_ns is not None
    assert found(evening, Wanted(since_ns=second.began_ns + 1, until_ns=second.ended_ns - 1)) == [2]
    assert found(evening, Wanted(since_ns=second.ended_ns, until_ns=second.ended_ns)) == [2]


def test_a_void_round_won_and_lost_nothing(evening: Felt) -> None:
    third = index_of(evening).rounds[3]
    assert (third.voided, third.stake, third.house_net, third.seats[5].bet) == (True, 0, 0, 300)


def test_a_corrected_bet_is_the_bet() -> None:
    felt = TimedFelt()
    felt.open(RULES, HOUSE)
    play(felt, {1: 100}, "TS 7H 9D TC")
    felt.command(said.CorrectBet(felt.cause(), FLOOR, SECOND, 1, 300))
    entry = index_of(felt).rounds[1]
    assert (entry.seats[1].bet, entry.seats[1].stake, entry.seats[1].net) == (300, 300, 300)
    assert entry.exceptions == {ExceptionKind.CORRECTION}
    assert entry.ended_ns is None


def test_the_index_of_a_day_that_begins_in_a_round_knows_what_was_bet() -> None:
    felt = TimedFelt()
    felt.open(RULES, HOUSE)
    felt.command(said.SignOn(felt.cause(), FLOOR, "dealer-1"))
    play(felt, {1: 100, 3: 300}, "TS KH 7H 9D 8C TC")
    midnight, before = felt.state, len(felt.events)
    felt.clear()
    whole = index_of(felt).rounds[1]
    today = reduce(rounds_index.apply, felt.events[before:], rounds_index.carried(midnight)).rounds[1]
    assert (today.seats, today.dealer, today.ended_ns) == (whole.seats, whole.dealer, whole.ended_ns)
