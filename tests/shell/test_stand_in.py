"""A player who does not answer, where the house has his hand played by strategy (live dealer l.110)."""

from collections.abc import Collection, Sequence
from datetime import UTC

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import round_of
from table_controller.core.blackjack.words import Action, HandHit
from table_controller.core.cards import Card
from table_controller.core.events import Event, SignalRefused
from table_controller.core.house import ABSENT, Language
from table_controller.core.life import NS
from table_controller.core.places import Place
from table_controller.export.wording import Wording
from table_controller.play.felt import FLOOR, Felt
from table_controller.shell.stand_in import signal_for_absent

MINUTE = 61 * NS


class AlwaysHits:
    def action(self, cards: Sequence[Card], up: Card, legal: Collection[Action]) -> Action:
        assert cards
        assert up
        return Action.HIT if Action.HIT in legal else Action.STAND


def dealt(cards: str, *, house: str = "live_dealer", absent: str = "play") -> Felt:
    felt = Felt()
    felt.open(houses.rule_values("live_dealer"), {**houses.house_values(house), "absent": absent})
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 1000))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = map(Card.parse, cards.split())
    while felt.point() is None:
        felt.deal()
    return felt


def stands_in(felt: Felt, at_ns: int) -> tuple[Event, ...]:
    signal = signal_for_absent(felt.state, AlwaysHits(), at_ns)
    assert signal is not None
    return felt.say(signal)


def test_nothing_is_played_while_the_player_may_still_answer() -> None:
    felt = dealt("TS 7H 2D 9C TS")
    assert signal_for_absent(felt.state, AlwaysHits(), 59 * NS) is None


def test_the_hand_is_played_when_his_time_is_over_and_then_at_once() -> None:
    felt = dealt("TS 7H 2D 3C 4S 5H")
    assert [type(event) for event in stands_in(felt, MINUTE)] == [HandHit]
    felt.deal()
    rnd = round_of(felt.state)
    assert rnd is not None
    assert rnd.boxes[0].absent
    assert any(isinstance(event, HandHit) for event in stands_in(felt, MINUTE + 1))


def test_a_player_who_comes_back_has_his_own_time_again() -> None:
    felt = dealt("TS 7H 2D 3C 2S 5H")
    stands_in(felt, MINUTE)
    felt.deal()
    felt.signal(felt.round.due.place, Action.HIT)
    felt.deal()
    assert signal_for_absent(felt.state, AlwaysHits(), felt.state.moved_at_ns + 1) is None


def test_insurance_is_declined_for_him() -> None:
    felt = dealt("TS AH 2D 3C 2S 5H")
    signal = signal_for_absent(felt.state, AlwaysHits(), MINUTE)
    assert signal is not None
    assert (signal.action, signal.cause.source) == (Action.NO_INSURANCE, ABSENT)


@pytest.mark.parametrize("absent", ["call_supervisor", "stand"])
def test_no_hand_is_played_where_the_house_does_not_want_it(absent: str) -> None:
    felt = dealt("TS 7H 2D 9C TS", absent=absent)
    assert signal_for_absent(felt.state, AlwaysHits(), MINUTE) is None


def test_the_core_refuses_to_have_a_present_player_played_for() -> None:
    felt = dealt("TS 7H 2D 9C TS")
    signal = signal_for_absent(felt.state, AlwaysHits(), MINUTE)
    assert signal is not None
    early = said.Cause(ABSENT, 0, 1)
    refused = felt.say(type(signal)(early, signal.box, signal.hand, signal.action))
    assert [event.reason for event in refused if isinstance(event, SignalRefused)] == ["not_due"]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (Language.ENGLISH, "In the place of an absent player"),
        (Language.POLISH, "Za nieobecnego gracza"),
        (Language.RUSSIAN, "За отсутствующего игрока"),
    ],
)
def test_the_record_says_that_the_hand_was_played_by_strategy(language: Language, words: str) -> None:
    felt = dealt("TS 7H 2D 9C TS")
    assert words in Wording(language, "GBP", UTC).event(stands_in(felt, MINUTE)[0])


def test_nothing_is_played_while_the_table_is_paused_or_a_question_is_open() -> None:
    felt = dealt("TS 7H 2D 9C TS")
    felt.command(said.PauseTable(felt.cause(), FLOOR, "fire alarm"))
    assert signal_for_absent(felt.state, AlwaysHits(), MINUTE) is None
    asked = dealt("TS 7H 2D 9C TS 4C")
    asked.say(said.CardSeen(asked.cause(), Place(1), Card.parse("4C")))
    assert asked.state.disputes
    assert signal_for_absent(asked.state, AlwaysHits(), MINUTE) is None
