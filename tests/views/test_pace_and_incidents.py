"""The win over the evening ends at the books' win; hours add up to the day; errors stand under the dealer who dealt."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import Place
from table_controller.play.felt import FLOOR, SECOND
from table_controller.play.recorded import RecordedFelt
from table_controller.views import incidents, pace
from table_controller.views.figures import Tally
from table_controller.views.incidents import Slip
from tests.evening import EveningClock, open_felt, open_house, play_evening, play_round


@pytest.fixture
def felt(tmp_path: Path, house_key: Ed25519PrivateKey) -> Iterator[RecordedFelt]:
    felt = open_felt(tmp_path / "T07-2026-11-29.db", house_key, EveningClock())
    open_house(felt)
    yield felt
    felt.recorder.leave()


def fold_pace(events: list[Event]) -> pace.Pace:
    view = pace.initial
    for event in events:
        view = pace.apply(view, event)
    return view


def fold_incidents(events: list[Event]) -> incidents.Incidents:
    view = incidents.initial
    for event in events:
        view = incidents.apply(view, event)
    return view


def test_the_last_point_is_the_win_of_the_books_and_hours_add_up(felt: RecordedFelt) -> None:
    play_evening(felt, 20)
    felt.clock.wait(3600)
    for _ in range(20):
        play_round(felt)
    view = fold_pace(felt.events)
    assert view.points[-1].house_net == felt.state.bank.house_net
    assert view.points[-1].rounds == 40
    assert [point.at_ns for point in view.points] == sorted(point.at_ns for point in view.points)
    added = [sum(getattr(hour, name) for hour in view.hours.values()) for name in Tally.__struct_fields__]
    assert added == [getattr(view.figures.house, name) for name in Tally.__struct_fields__]
    assert len(view.hours) == 2


def test_an_error_is_counted_under_the_dealer_who_dealt_it(felt: RecordedFelt) -> None:
    play_round(felt)
    felt.command(said.SignOn(felt.cause(), FLOOR, "dealer-2"))
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.say(said.CardSeen(felt.cause(), Place(2), Card.parse("4C")))
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, 1, Remedy.MOVE))
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "fire alarm"))
    felt.say(said.DeviceLost(felt.cause(), "camera"))
    view = fold_incidents(felt.events)
    assert view.dealers == {"dealer-2": {Irregularity.BOX_WITHOUT_BET: 1, Slip.ROUND_VOIDED: 1}}
    assert view.kinds == view.dealers["dealer-2"]
    assert view.devices == {"camera": 1}
