"""Whatever somebody must look at stays until a named person has said that he has seen it."""

from functools import reduce

import pytest

from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import HolePeeked, HoleTurned
from table_controller.core.cards import Card
from table_controller.core.irregular import Remedy
from table_controller.core.people import Person, Role
from table_controller.core.places import Place
from table_controller.core.stimuli import CardSeen, Cause
from table_controller.play.felt import FLOOR, SECOND
from table_controller.views import alerts
from table_controller.views.alerts import Acknowledged, Alert, Alerts, Called, Locked, Severity
from tests.views.test_board import AT_NS, Watched

LATER_NS = AT_NS + 60_000_000_000
WATCHER = Person("watcher", Role.SURVEILLANCE)


@pytest.fixture
def felt() -> Watched:
    table = Watched()
    table.command(said.SignOn(table.cause(), FLOOR, "dealer-1"))
    table.bet(2, 5)
    table.command(said.CloseBets(table.cause(), FLOOR))
    return table


def of(felt: Watched) -> Alerts:
    return reduce(lambda view, event: alerts.apply(view, event, AT_NS), felt.events, alerts.initial)


def only(view: Alerts) -> Alert:
    assert len(view.listed) == 1
    return view.listed[0]


def test_a_quiet_round_raises_none(felt: Watched) -> None:
    felt.deal_cards("KS AH 6D 7C 6S QC")
    assert of(felt).listed == ()


def test_a_question_is_an_alert_with_its_round_its_dealer_and_its_place(felt: Watched) -> None:
    felt.say(CardSeen(felt.cause(), Place(5), Card.parse("9C")))
    alert = only(of(felt))
    assert (alert.code, alert.what, alert.severity) == ("question", "wrong_place", Severity.STOP)
    assert (alert.round, alert.dealer, alert.place, alert.detail) == (1, "dealer-1", Place(5), "9C")


def test_an_answered_question_is_over_but_stays_until_somebody_has_seen_it(felt: Watched) -> None:
    felt.say(CardSeen(felt.cause(), Place(5), Card.parse("9C")))
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, 1, Remedy.MOVE))
    view = of(felt)
    assert only(view).ended_ns == AT_NS
    assert view.open == view.listed
    seen = alerts.acknowledge(view, Acknowledged(view.listed[0].id, WATCHER), LATER_NS)
    assert seen.open == ()
    assert (seen.listed[0].acknowledged_by, seen.listed[0].acknowledged_ns) == ("watcher", LATER_NS)


def test_the_first_to_acknowledge_is_on_record(felt: Watched) -> None:
    felt.say(CardSeen(felt.cause(), Place(5), Card.parse("9C")))
    view = of(felt)
    note = view.listed[0].id
    seen = alerts.acknowledge(view, Acknowledged(note, WATCHER), LATER_NS)
    assert alerts.acknowledge(seen, Acknowledged(note, FLOOR), LATER_NS + 1) == seen


def test_a_card_at_the_dealers_place_is_named_in_no_alert(felt: Watched) -> None:
    felt.deal_cards("KS AH TD 7C 6S QC")
    felt.say(HolePeeked(felt.cause(), blackjack=True))
    felt.say(HoleTurned(felt.cause(), Card.parse("QC")))
    assert only(of(felt)).what == "peek_contradicted"
    assert "QC" not in str(of(felt))


def test_a_lost_device_stops_and_ends_when_it_is_back(felt: Watched) -> None:
    felt.say(said.DeviceLost(felt.cause(), "camera"))
    lost = only(of(felt))
    assert (lost.code, lost.what, lost.severity, lost.ended_ns) == ("device_failed", "camera", Severity.STOP, 0)
    felt.say(said.DeviceBack(felt.cause(), "camera"))
    assert only(of(felt)).ended_ns == AT_NS


def test_a_device_that_comes_while_the_table_is_closed_needs_nobodys_word() -> None:
    """A table that is started: nobody could play without it."""
    table = Watched()
    table.command(said.CloseTable(table.cause(), FLOOR, SECOND, {}))
    table.say(said.DeviceLost(table.cause(), "shoe"))
    assert only(of(table)).what == "shoe"
    table.say(said.DeviceBack(table.cause(), "shoe"))
    assert of(table).listed == ()


def test_a_device_lost_in_play_is_an_alert_also_when_it_comes_back_after_closing() -> None:
    table = Watched()
    table.say(said.DeviceLost(table.cause(), "shoe"))
    table.command(said.CloseTable(table.cause(), FLOOR, SECOND, {}))
    view = reduce(
        lambda view, pair: alerts.apply(view, pair[1], AT_NS + pair[0]), enumerate(table.events), alerts.initial
    )
    table.say(said.DeviceBack(table.cause(), "shoe"))
    view = alerts.apply(view, table.events[-1], LATER_NS)
    assert (only(view).what, only(view).ended_ns) == ("shoe", LATER_NS)


def test_the_same_device_lost_twice_is_two_alerts_and_both_end(felt: Watched) -> None:
    for _ in range(2):
        felt.say(said.DeviceLost(felt.cause(), "camera"))
        felt.say(said.DeviceBack(felt.cause(), "camera"))
    assert [bool(one.ended_ns) for one in of(felt).listed] == [True, True]


def test_the_same_refusal_over_and_over_is_one_alert_that_counts(felt: Watched) -> None:
    tried = Person("tech", Role.TECHNICIAN)
    for _ in range(3):
        felt.say(said.VoidRound(felt.cause(), tried, SECOND, "no reason"))
    alert = only(of(felt))
    assert (alert.code, alert.what, alert.by, alert.times) == ("command_refused", "void_round", "tech", 3)


def test_a_refusal_after_it_was_acknowledged_is_a_new_alert(felt: Watched) -> None:
    felt.say(said.OpenBets(felt.cause(), FLOOR))
    view = of(felt)
    view = alerts.acknowledge(view, Acknowledged(view.listed[0].id, WATCHER), LATER_NS)
    refused = felt.say(said.OpenBets(felt.cause(), FLOOR))
    assert len(reduce(lambda now, event: alerts.apply(now, event, LATER_NS), refused, view).open) == 1


def test_a_void_round_and_a_pause_say_who_and_why(felt: Watched) -> None:
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "fire alarm"))
    felt.command(said.PauseTable(felt.cause(), FLOOR, "fire"))
    felt.command(said.ResumeTable(felt.cause(), FLOOR))
    void, pause = of(felt).listed
    assert (void.code, void.by, void.detail, void.round) == ("round_voided", "floor", "fire alarm", 1)
    assert (pause.code, pause.detail, pause.ended_ns, pause.round) == ("table_paused", "fire", AT_NS, None)


def test_chips_that_moved_after_no_more_bets_come_with_their_pictures(felt: Watched) -> None:
    felt.deal_cards("KS AH 6D 7C 6S QC")
    felt.say(said.CircleChanged(Cause("circles", 1, AT_NS), 5, "before.jpg", "after.jpg"))
    alert = only(of(felt))
    assert (alert.what, alert.place, alert.severity) == ("past_posting", Place(5), Severity.STOP)
    assert alert.pictures == ("before.jpg", "after.jpg")


def test_the_dealer_may_call_by_key_or_by_screen(felt: Watched) -> None:
    felt.say(said.SupervisorCalled(felt.cause()))
    view = alerts.call(of(felt), Called(Person("dealer-1", Role.DEALER)), LATER_NS)
    assert [(one.code, one.by) for one in view.listed] == [("supervisor_called", ""), ("supervisor_called", "dealer-1")]


def test_an_account_locked_again_before_anybody_looked_is_one_alert_that_counts(felt: Watched) -> None:
    felt.say(said.OpenBets(felt.cause(), FLOOR))
    view = of(felt)
    for at in range(2):
        view = alerts.lock(view, Locked("dealer-1", "pin"), LATER_NS + at)
    view = alerts.lock(view, Locked("dealer-1", "password"), LATER_NS)
    locked = [one for one in view.open if one.code == "account_locked"]
    assert {(one.what, one.detail, one.times, one.round, one.dealer) for one in locked} == {
        ("dealer-1", "pin", 2, None, ""),
        ("dealer-1", "password", 1, None, ""),
    }


def test_the_gravest_comes_first_then_the_newest(felt: Watched) -> None:
    felt.say(said.OpenBets(felt.cause(), FLOOR))
    felt.say(said.SupervisorCalled(felt.cause()))
    felt.say(said.DeviceLost(felt.cause(), "camera"))
    assert [one.severity for one in of(felt).open] == [Severity.STOP, Severity.WARN, Severity.NOTE]


def test_what_is_over_waits_behind_what_lasts(felt: Watched) -> None:
    felt.say(said.DeviceLost(felt.cause(), "camera"))
    felt.say(said.DeviceBack(felt.cause(), "camera"))
    felt.say(said.SupervisorCalled(felt.cause()))
    assert [one.code for one in of(felt).open] == ["supervisor_called", "device_failed"]


def test_what_was_open_yesterday_is_open_today(felt: Watched) -> None:
    felt.say(CardSeen(felt.cause(), Place(5), Card.parse("9C")))
    felt.say(said.DeviceLost(felt.cause(), "shoe"))
    view = alerts.carried(felt.state, LATER_NS)
    assert [(one.code, one.what) for one in view.open] == [("question", "wrong_place"), ("device_failed", "shoe")]
    assert view.listed[0].id == of(felt).listed[0].id


def test_a_cut_card_far_from_where_it_was_said_to_lie_is_an_alert_with_both_counts() -> None:
    felt = Watched()
    felt.command(said.CutShoe(felt.cause(), FLOOR, Place(1), 78))
    assert felt.state.shoe is not None
    left = felt.state.shoe.cards_left
    felt.say(said.CutCardSeen(felt.cause()))
    alert = only(of(felt))
    assert (alert.code, alert.severity, alert.detail) == ("cut_card_misplaced", Severity.WARN, f"78 → {left}")
