"""Figures, exceptions and numbers are folds of the record and agree with the table's own books."""

from functools import reduce
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card, cards
from table_controller.core.events import Event, MoneyMoved, RoundOpened
from table_controller.core.irregular import Remedy
from table_controller.core.people import Person, Role
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause, Moved
from table_controller.play.felt import FLOOR, SECOND
from table_controller.play.recorded import RecordedFelt
from table_controller.replay.opening import Recorded, load
from table_controller.views import exceptions, figures, numbers
from table_controller.views.exceptions import ExceptionKind
from table_controller.views.numbers import Gap
from tests.evening import (
    EveningClock,
    chips_of,
    nobody_warns,
    open_felt,
    open_house,
    play_evening,
    play_round,
)


def events(day: Recorded) -> list[Event]:
    return [one for one in map(day.said, day.rows) if isinstance(one, Event)]


@pytest.fixture
def felt(quick_folder: Path, house_key: Ed25519PrivateKey) -> RecordedFelt:
    table = open_felt(quick_folder / "T07-2026-11-29.db", house_key, EveningClock())
    open_house(table)
    return table


def figures_of(felt: RecordedFelt) -> figures.Figures:
    felt.recorder.leave()
    return reduce(figures.apply, events(load(felt.recorder.day.path, nobody_warns)), figures.initial)


def test_the_houses_result_is_the_one_the_table_keeps(felt: RecordedFelt) -> None:
    play_evening(felt, 30)
    view = figures_of(felt)
    assert view.house.house_net == felt.state.bank.house_net
    assert view.house.rounds == 30
    assert view.drop == felt.state.bank.drop


def test_the_dealers_results_add_up_to_the_houses(felt: RecordedFelt) -> None:
    play_evening(felt, 30)
    view = figures_of(felt)
    assert set(view.dealers) == {"dealer-1", "dealer-2"}
    for column in ("rounds", "handle", "house_net", "errors"):
        assert sum(getattr(tally, column) for tally in view.dealers.values()) == getattr(view.house, column)


def test_the_handle_is_everything_that_was_bet(felt: RecordedFelt) -> None:
    play_round(felt, boxes=(1, 3))
    lines = felt.state.bank
    view = figures_of(felt)
    assert view.house.handle >= 600
    assert view.house.handle >= abs(lines.house_net)


def test_win_by_count_replaces_win_by_rounds_when_the_table_is_closed(felt: RecordedFelt) -> None:
    play_round(felt)
    chips = dict.fromkeys(chips_of("classic"), 41)
    felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, chips))
    view = figures_of(felt)
    assert view.win == sum(chips_of("classic"))
    assert view.hold is None


def test_hold_is_win_over_drop(felt: RecordedFelt) -> None:
    play_evening(felt, 10)
    view = figures_of(felt)
    assert view.hold == pytest.approx(view.win / view.drop)


def test_a_pause_does_not_slow_the_dealer(felt: RecordedFelt) -> None:
    play_round(felt)
    pace = reduce(figures.apply, events(load(felt.recorder.day.path, nobody_warns)), figures.initial).house
    felt.command(said.PauseTable(felt.cause(), FLOOR, "fire alarm"))
    felt.clock.wait(3600)
    felt.command(said.ResumeTable(felt.cause(), FLOOR))
    after = figures_of(felt).house
    assert after.active_ns - pace.active_ns < 10 * 10**9
    assert pace.rounds_per_hour is not None


def test_a_payment_the_house_lets_stand_is_its_loss(felt: RecordedFelt) -> None:
    play_round(felt)
    wrong_payout_before_clearing(felt)
    assert figures_of(felt).house.house_net == felt.state.bank.house_net


def wrong_payout_before_clearing(felt: RecordedFelt) -> None:
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.play(lambda point: (point.legal[-1], None))
    felt.command(said.ReportPayout(felt.cause(), FLOOR, 1, 5000))
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, felt.state.disputes[-1].number, Remedy.LET_IT_STAND))
    felt.clear()


def test_every_exception_is_listed_under_its_round_and_dealer(felt: RecordedFelt) -> None:
    play_evening(felt, 10)
    felt.say(said.OpenBets(felt.cause(), Person("tech", Role.TECHNICIAN)))
    felt.say(said.OpenBets(felt.cause(), Person("tech", Role.TECHNICIAN)))
    felt.recorder.leave()
    listed = reduce(exceptions.apply, events(load(felt.recorder.day.path, nobody_warns)), exceptions.initial).listed
    assert [(one.kind, one.round) for one in listed] == [
        (ExceptionKind.VOID, 11),
        (ExceptionKind.REFUSAL, 12),
    ]
    assert {one.dealer for one in listed} == {"dealer-1"}


def opened(number: int) -> Event:
    return RoundOpened(Cause("script", number), number, False, {})


def filled(number: int) -> Event:
    return MoneyMoved(Cause("script", number), Moved.FILL, number, 100, {100: 1}, FLOOR, SECOND)


def test_an_evenings_numbers_have_no_gaps(felt: RecordedFelt) -> None:
    play_evening(felt, 30)
    felt.recorder.leave()
    view = reduce(numbers.apply, events(load(felt.recorder.day.path, nobody_warns)), numbers.initial)
    assert (view.gaps, view.unended) == ((), ())
    assert view.last["fill"] == 2


def test_a_number_that_is_missing_is_named() -> None:
    view = reduce(numbers.apply, [opened(1), filled(1), filled(3), opened(3)], numbers.initial)
    assert view.gaps == (Gap("fill", 1, 3), Gap("round", 1, 3))


def test_a_round_that_never_ended_is_named() -> None:
    assert reduce(numbers.apply, [opened(1), opened(2)], numbers.initial).unended == (1,)


def test_a_card_corrected_after_the_payment_changes_the_houses_result(felt: RecordedFelt) -> None:
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = iter(cards("TS 9D 8S 9C"))  # 18 against 18
    felt.play(lambda _: (Action.STAND, None))
    before = felt.state.bank.house_net
    felt.command(said.CorrectCard(felt.cause(), FLOOR, SECOND, Place(1), 1, Card.parse("7S")))
    felt.clear()
    view = figures_of(felt)
    assert (before, felt.state.bank.house_net) == (0, 300)
    assert view.house.house_net == 300
    assert view.house.handle == 300
    assert view.house.errors == 1
