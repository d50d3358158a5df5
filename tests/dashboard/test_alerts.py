"""An alert on the page: what happened, what to do, its pictures, and who may say that he has seen it."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dashboard.panels.alerting import alerts_of
from table_controller.core import stimuli as said
from table_controller.core.people import Role
from table_controller.core.places import Place
from table_controller.core.stimuli import CardSeen
from table_controller.journal.evidence import EVIDENCE_KEPT, Evidence
from table_controller.journal.record import Draft
from table_controller.play.felt import FLOOR
from table_controller.views.alerts import Alert
from tests.dashboard.world import World, command, make_world, post


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A round whose first card cannot be read."""
    made = make_world(tmp_path)
    felt = made.felt
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 2, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.say(CardSeen(felt.cause(), Place(2), None))
    made.caught_up()
    yield made
    made.end()


def keep(world: World, name: str, box: int | None) -> None:
    number = world.felt.round.number
    body = msgspec.json.encode(Evidence(name, "0" * 64, box))
    world.felt.recorder.note([Draft(kind=EVIDENCE_KEPT, body=body, round=number, source="journal")])
    world.caught_up()


def panel(world: World, role: Role, name: str = "alerts") -> str:
    answer = world.signed_in(role).get(f"/panel/T01/{name}")
    assert answer.json is not None
    return str(answer.json["html"])


def unread(world: World) -> Alert:
    return next(one for one in alerts_of(world.feed.tables["T01"]).open if one.what == "unreadable")


def acknowledged(client: FlaskClient, alert: str, tap: str = "") -> TestResponse:
    tap = tap or f"tap-{time.time_ns()}"
    return post(client, "/tables/T01/alerts/acknowledge", json=True, alert=alert, id=tap)


def test_an_alert_says_where_it_is_what_to_do_and_leads_to_the_remedies(world: World) -> None:
    html = panel(world, Role.PIT_BOSS)
    assert "Card not read" in html
    assert "Box 2" in html
    assert "Have the card shown again" in html
    assert f"/tables/T01/questions/{world.felt.state.disputes[0].number}" in html


def test_the_pictures_of_the_box_are_with_the_alert_and_those_of_the_whole_table_are_not(world: World) -> None:
    keep(world, "box2.jpg", 2)
    keep(world, "table.jpg", None)
    keep(world, "box5.jpg", 5)
    pictures = panel(world, Role.PIT_BOSS).count("<img")
    assert pictures == 1


def test_whoever_answers_the_question_has_the_pictures_of_the_box_before_him(world: World) -> None:
    keep(world, "box2.jpg", 2)
    keep(world, "table.jpg", None)
    keep(world, "box5.jpg", 5)
    page = world.signed_in(Role.PIT_BOSS).get(f"/tables/T01/questions/{world.felt.state.disputes[0].number}").text
    assert len(re.findall(rf'<img src="/desk/T01/[^"]+/{world.felt.round.number}/picture/\d+"', page)) == 1


def locked_out(world: World, name: str) -> None:
    stranger = world.app.test_client()
    for _ in range(3):
        post(stranger, "/sign-in", name=name, password="not this one")
    world.caught_up()


def test_an_account_locked_after_failures_is_an_alert_in_the_pit(world: World) -> None:
    locked_out(world, "dealer")
    told = panel(world, Role.PIT_BOSS)
    assert "Locked after wrong tries: dealer" in told
    assert "The password" in told
    (alert,) = [one for one in alerts_of(world.feed.tables["T01"]).open if one.code == "account_locked"]
    assert acknowledged(world.signed_in(Role.PIT_BOSS), alert.id).status_code == 200


def test_a_pin_tried_too_often_at_the_table_is_an_alert_too(world: World) -> None:
    boss = world.signed_in(Role.PIT_BOSS)
    for _ in range(3):
        assert command(world, boss, "move_money", what="drop", chip_500="1", pin="1357").status_code == 409
    world.caught_up()
    assert "Locked after wrong tries: pit_boss" in panel(world, Role.ADMINISTRATOR)
    assert "The PIN" in panel(world, Role.ADMINISTRATOR)


def test_a_name_nobody_has_is_no_alert(world: World) -> None:
    locked_out(world, "nobody-of-this-house")
    assert [one for one in alerts_of(world.feed.tables["T01"]).listed if one.code == "account_locked"] == []


def test_surveillance_sees_the_alert_and_offers_no_remedy(world: World) -> None:
    html = panel(world, Role.SURVEILLANCE)
    assert "Card not read" in html
    assert "/questions/" not in html


def test_a_dealer_has_no_list_of_alerts(world: World) -> None:
    assert panel(world, Role.DEALER) == ""
    assert acknowledged(world.signed_in(Role.DEALER), unread(world).id).status_code == 403


@pytest.mark.parametrize("role", [Role.PIT_BOSS, Role.SURVEILLANCE, Role.TECHNICIAN])
def test_who_acknowledges_is_on_record_by_name(world: World, role: Role) -> None:
    alert = unread(world)
    assert acknowledged(world.signed_in(role), alert.id).status_code == 200
    world.caught_up()
    known = next(one for one in alerts_of(world.feed.tables["T01"]).listed if one.id == alert.id)
    assert (known.acknowledged_by, known.open) == (role.value, False)


def test_an_alert_seen_twice_or_unknown_is_nothing_to_acknowledge(world: World) -> None:
    boss, alert = world.signed_in(Role.PIT_BOSS), unread(world).id
    assert acknowledged(boss, alert).status_code == 200
    world.caught_up()
    for what in (alert, "question:99999", "<script>", ""):
        assert acknowledged(boss, what).status_code == 409


def test_a_tap_without_a_number_acknowledges_nothing(world: World) -> None:
    assert acknowledged(world.signed_in(Role.PIT_BOSS), unread(world).id, "!").status_code == 400
    world.caught_up()
    assert unread(world).open


def test_the_dealers_call_reaches_the_pit_by_name(world: World) -> None:
    answer = post(world.signed_in(Role.DEALER), "/tables/T01/call", json=True, id="tap-call-one")
    assert answer.status_code == 200
    world.caught_up()
    assert "The dealer calls you" in panel(world, Role.PIT_BOSS)
    assert post(world.signed_in(Role.SURVEILLANCE), "/tables/T01/call", json=True, id="tap-call-two").status_code == 403


def test_the_line_on_the_table_page_names_the_gravest(world: World) -> None:
    assert "Card not read" in panel(world, Role.PIT_BOSS, "alert_line")
