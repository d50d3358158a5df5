"""The frame: signing in, commands reaching the table, panels following the record."""

import time

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from dashboard.panels import PANELS, Fragment, Seen, Viewer, panel
from table_controller.core.people import Role
from table_controller.core.stimuli import DeviceLost
from tests.dashboard.world import PIN, World, command, post


def test_a_pit_boss_signs_in_and_sees_the_table(boss: FlaskClient) -> None:
    page = boss.get("/tables")
    assert page.status_code == 200
    assert "Table T01" in page.text
    assert "Camera" in boss.get("/tables/T01").text


def test_a_command_reaches_the_table_and_its_fact_the_window(world: World, boss: FlaskClient) -> None:
    before = world.felt.state.bank.fills
    answer = command(world, boss, "move_money", what="fill", chip_500=20, second="second", second_pin=PIN)
    assert answer.json is not None
    assert (answer.status_code, answer.json["outcome"]) == (200, "done")
    assert world.felt.state.bank.fills == before + 10_000
    world.caught_up()
    assert world.feed.tables["T01"].state.bank.fills == before + 10_000


def test_a_double_tap_acts_once(world: World, boss: FlaskClient) -> None:
    version = world.felt.state.version
    for _ in range(2):
        answer = command(world, boss, "move_money", id="one-and-the-same", version=version, what="tip", chip_500=1)
        assert answer.status_code == 200
    assert world.felt.state.bank.tips == 500


def test_a_stale_tap_is_refused_and_says_so(world: World, boss: FlaskClient) -> None:
    answer = command(world, boss, "pause_table", version=world.felt.state.version - 1, reason="fire")
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["outcome"] == "stale"
    assert "moved on" in answer.json["text"]
    assert not world.felt.state.paused


def test_money_needs_the_own_pin_and_a_fill_a_second_person(world: World, boss: FlaskClient) -> None:
    wrong_pin = command(world, boss, "move_money", what="tip", chip_500=1, pin="1111")
    alone = command(world, boss, "move_money", what="fill", chip_500=1)
    oneself = command(world, boss, "move_money", what="fill", chip_500=1, second="pit_boss", second_pin=PIN)
    wrong_second = command(world, boss, "move_money", what="fill", chip_500=1, second="second", second_pin="1111")
    told = [answer.json["reason"] for answer in (wrong_pin, alone, oneself, wrong_second) if answer.json]
    assert told == ["pin", "second_person", "second_person", "second_pin"]
    assert world.felt.state.bank.fills == 0


def test_a_dealer_may_not_correct(world: World) -> None:
    dealer = world.signed_in(Role.DEALER)
    answer = command(world, dealer, "void_round", second="second", second_pin=PIN, reason="no reason")
    assert answer.status_code == 403
    assert world.controller.asked == []


def test_a_controller_that_is_silent_is_said_to_be_down(world: World, boss: FlaskClient) -> None:
    world.controller.silent = True
    answer = command(world, boss, "pause_table", reason="fire")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["outcome"] == "down"


def test_three_wrong_passwords_lock_an_account_even_for_the_right_one(world: World) -> None:
    client = world.app.test_client()
    for _ in range(3):
        post(client, "/sign-in", name="dealer", password="not the password")
    again = post(client, "/sign-in", name="dealer", password="correct horse battery")
    assert again.headers["Location"] == "/sign-in"
    assert world.people.deeds()[0].what == "locked"


def test_a_panel_that_cannot_be_drawn_stops_no_other(world: World, boss: FlaskClient) -> None:
    @panel("broken")
    def broken(_seen: Seen, _viewer: Viewer) -> Fragment:
        raise ValueError("a bug")

    try:
        told = boss.get("/panel/T01/broken").json
        assert told is not None
        assert told["digest"] == "broken"
        other = boss.get("/panel/T01/lights").json
        assert other is not None
        assert "Camera" in other["html"]
    finally:
        del PANELS["broken"]
    world.caught_up()


def test_a_journal_that_cannot_be_read_keeps_no_other_table_waiting(world: World) -> None:
    (world.data / "T00-2026-11-29.db").write_bytes(b"this is no journal" * 100)
    time.sleep(1.5)
    world.felt.say(DeviceLost(world.felt.cause(), "camera"))
    world.caught_up()
    assert "camera" in world.feed.tables["T01"].state.faults


def test_while_the_disk_takes_nothing_the_dealer_is_told_to_stop(world: World) -> None:
    seen = world.feed.tables["T01"]
    assert seen.status is not None
    down = replace(seen, status=replace(seen.status, down="the disk does not take the record: disk I/O error"))
    assert (seen.prompt.code, down.prompt.code) != ("down", "down")
    assert (down.prompt.code, down.prompt.stops) == ("down", True)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_when_the_feed_breaks_the_screens_hear_no_more_time_and_whoever_started_the_window_is_told(
    world: World,
) -> None:
    anybody = world.app.test_client()
    assert anybody.get("/alive").status_code == 204
    heard: list[float] = []

    def breaks(_: Seen) -> None:
        raise RuntimeError("as a fault of the program would")

    world.feed.listen(breaks, lambda: heard.append(time.monotonic()))
    world.felt.say(DeviceLost(world.felt.cause(), "camera"))
    time.sleep(2.5)
    until = len(heard)
    time.sleep(2.5)
    assert len(heard) == until
    assert anybody.get("/alive").status_code == 503
