"""The pit boss's work through the window: counts, slips, documents, corrections, remedies, guests."""

import re
import shutil
from collections.abc import Callable
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dashboard.drawing import BROKEN, Wanted
from dashboard.guests import FOR_EVER, Told
from dashboard.i18n import Speech
from dashboard.panels import PANELS, Viewer
from dashboard.panels.pit import pit_actions, slips_of
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.cards import Card
from table_controller.core.events import RoundVoided
from table_controller.core.house import Language
from table_controller.core.irregular import Irregularity
from table_controller.core.people import Role
from table_controller.core.places import Place
from table_controller.core.stimuli import Moved
from table_controller.play.felt import FLOOR
from table_controller.views.slips import Document, Stage
from tests.dashboard.world import PIN, World, command, make_world, post
from tests.evening import burn_what_is_due

TWO = {"second": "second", "second_pin": PIN}
OWN = Path(str(files("table_controller"))) / "rules" / "bil_cup.toml"
YEARS_4 = 4 * 366 * 86_400


def told(answer: TestResponse) -> dict[str, Any]:
    assert answer.json is not None
    plain: dict[str, Any] = answer.json
    return plain


def done(answer: TestResponse) -> None:
    assert told(answer)["outcome"] == "done", answer.json


def deal_a_round(world: World, cards: int) -> None:
    """Bets lie and so many cards are dealt."""
    felt = world.felt
    burn_what_is_due(felt)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    for box, amount in ((1, 500), (3, 1000)):
        felt.command(said.PlaceBet(felt.cause(), FLOOR, box, amount, said.Side.MAIN))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    for _ in range(cards):
        felt.deal()
    world.caught_up()


def test_a_table_is_closed_and_opened_again_by_two_people_with_a_count(world: World, boss: FlaskClient) -> None:
    assert told(command(world, boss, "close_table", chip_500="40"))["reason"] == "second_person"
    done(command(world, boss, "close_table", chip_500="40", chip_1000="3", **TWO))
    assert world.felt.state.rules is None
    world.caught_up()
    page = boss.get("/tables/T01/count?house=classic").text
    assert "Open the table" in page
    assert "Last closing" in page
    differs = {"house": "classic", "chip_500": "41"}
    assert told(command(world, boss, "open_table", **differs, **TWO))["reason"] == "variance"
    assert world.felt.state.rules is None
    done(command(world, boss, "open_table", **differs, why="a chip lay under the tray", **TWO))
    assert world.felt.state.bank.opening == 41 * 500
    notes = [row for row in world.rows() if row.kind == "floor.variance"]
    assert len(notes) == 1
    assert b"under the tray" in notes[0].body


def test_an_opening_equal_to_the_last_closing_needs_no_explanation(world: World, boss: FlaskClient) -> None:
    done(command(world, boss, "close_table", chip_500="40", **TWO))
    done(command(world, boss, "open_table", house="classic", chip_500="40", **TWO))
    assert [row for row in world.rows() if row.kind == "floor.variance"] == []


def documents(world: World) -> tuple[Document, ...]:
    world.caught_up()
    return slips_of(world.feed.tables["T01"]).documents


def step(world: World, boss: FlaskClient, number: int, stage: Stage, **fields: object) -> TestResponse:
    known = {"id": f"step-{number}-{stage}", "version": world.felt.state.version, "stage": stage}
    return post(boss, f"/tables/T01/documents/{number}", json=True, **{**known, **fields})


def ask(boss: FlaskClient, what: str, tap: str, **chips: str) -> TestResponse:
    return post(boss, "/tables/T01/documents", json=True, id=tap, what=what, **chips)


@pytest.mark.parametrize("usual", ["live_dealer", "own"])
def test_the_opening_offers_first_what_the_table_was_set_up_with(tmp_path: Path, usual: str) -> None:
    own = Path(shutil.copy(OWN, tmp_path / "ours.toml"))
    world = make_world(tmp_path / "data", rules=str(own) if usual == "own" else usual)
    boss = world.signed_in(Role.PIT_BOSS)
    done(command(world, boss, "close_table", chip_500="40", **TWO))
    world.caught_up()
    page = boss.get("/tables/T01/count").text
    assert f'value="{usual}" data-submits checked' in page
    assert f"Open the table: {'Our own rules' if usual == 'own' else 'Live dealer'}" in page
    done(command(world, boss, "open_table", house=usual, chip_500="40", why="x", **TWO))
    assert world.felt.state.rules == houses.rules_with(str(own) if usual == "own" else usual, {})
    refused = command(world, boss, "change_rules", house=str(own))
    assert told(refused)["outcome"] != "done"
    world.end()


def test_a_fill_is_asked_for_sent_and_received_by_two_and_only_then_moves_money(
    world: World, boss: FlaskClient
) -> None:
    done(ask(boss, "fill", "ask-for-1", chip_500="20"))
    assert [one.stage for one in documents(world)] == [Stage.ASKED]
    assert told(step(world, boss, 1, Stage.RECEIVING, pin=PIN, **TWO))["outcome"] == "stale"
    done(step(world, boss, 1, Stage.SENT))
    world.caught_up()
    assert told(step(world, boss, 1, Stage.RECEIVING, pin=PIN))["reason"] == "second_person"
    assert world.felt.state.bank.fills == 0
    done(step(world, boss, 1, Stage.RECEIVING, pin=PIN, **TWO))
    assert world.felt.state.bank.fills == 10_000
    (document,) = documents(world)
    assert (document.stage, document.slip) == (Stage.DONE, 1)
    assert [by for _, by, _ in document.steps] == ["pit_boss"] * 4


def test_a_document_that_is_received_twice_moves_money_once(world: World, boss: FlaskClient) -> None:
    done(ask(boss, "credit", "ask-for-1", chip_500="2"))
    documents(world)
    done(step(world, boss, 1, Stage.SENT))
    documents(world)
    version = world.felt.state.version
    for _ in range(2):
        step(world, boss, 1, Stage.RECEIVING, pin=PIN, version=version, **TWO)
    world.caught_up()
    step(world, boss, 1, Stage.RECEIVING, pin=PIN, **TWO)
    assert world.felt.state.bank.credits == 1_000


def test_a_void_document_keeps_its_number(world: World, boss: FlaskClient) -> None:
    for number in (1, 2, 3):
        done(ask(boss, "fill", f"ask-for-{number}", chip_500=str(number)))
        documents(world)
    done(step(world, boss, 2, Stage.VOID))
    assert [(one.number, one.stage) for one in documents(world)] == [
        (1, Stage.ASKED),
        (2, Stage.VOID),
        (3, Stage.ASKED),
    ]
    assert told(step(world, boss, 2, Stage.SENT))["outcome"] == "stale"


def test_slips_of_a_kind_have_numbers_without_gaps_and_can_be_printed(world: World, boss: FlaskClient) -> None:
    for what in ("tip", "buy_in", "tip", "tip"):
        done(command(world, boss, "move_money", what=what, chip_500="1"))
    world.caught_up()
    slips = slips_of(world.feed.tables["T01"]).slips
    assert [one.number for one in slips if one.what is Moved.TIP] == [1, 2, 3]
    page = boss.get("/tables/T01/slips/tip/2")
    assert page.status_code == 200
    assert "Tip no. 2" in re.sub(r"\s+", " ", page.text)
    assert boss.get("/tables/T01/slips/tip/4").status_code == 404


def test_the_float_follows_opening_count_and_slips(world: World, boss: FlaskClient) -> None:
    done(command(world, boss, "move_money", what="buy_in", chip_500="3"))
    world.caught_up()
    view = slips_of(world.feed.tables["T01"])
    assert view.opening[500] == 40
    assert view.tray[500] == 37


def test_a_card_is_corrected_by_two_people(world: World, boss: FlaskClient) -> None:
    deal_a_round(world, cards=6)
    page = boss.get("/tables/T01/corrections").text
    assert 'value="box1.0:0"' in page
    was = world.felt.round.boxes[0].hands[0].cards[0]
    right = next(card for card in ("2C", "3C", "4C") if was is None or card != was.text)
    done(command(world, boss, "correct_card", which="box1.0:0", rank=right[0], suit=right[1], **TWO))
    now = world.felt.round.boxes[0].hands[0].cards[0]
    assert now is not None
    assert now.text == right


def test_the_hole_card_is_on_no_page_of_corrections(world: World, boss: FlaskClient) -> None:
    deal_a_round(world, cards=6)
    page = boss.get("/tables/T01/corrections").text
    assert len(re.findall(r'value="dealer:\d"', page)) == 1


def test_a_round_is_voided_by_two_with_a_reason(world: World, boss: FlaskClient) -> None:
    deal_a_round(world, cards=6)
    assert told(command(world, boss, "void_round", reason="fire alarm"))["reason"] == "second_person"
    done(command(world, boss, "void_round", reason="fire alarm", **TWO))
    returned = [event for event in world.felt.events if isinstance(event, RoundVoided)]
    assert [event.back for event in returned] == [{1: 500, 3: 1000}]
    assert world.felt.state.round is None
    voided = [row for row in world.rows() if row.kind == "event.round_voided"]
    assert len(voided) == 1
    assert b"fire alarm" in voided[0].body


def test_a_question_shows_the_houses_remedies_and_takes_no_other(world: World, boss: FlaskClient) -> None:
    deal_a_round(world, cards=6)
    world.felt.say(said.CardDrawn(world.felt.cause()))
    world.felt.say(said.CardSeen(world.felt.cause(), Place(3), Card.parse("4C")))
    world.caught_up()
    question = world.felt.state.disputes[0]
    page = boss.get(f"/tables/T01/questions/{question.number}").text
    assert world.felt.state.house is not None
    allowed = world.felt.state.house.remedies[question.irregularity]
    assert re.findall(r'name="remedy" value="(\w+)"', page) == [remedy.value for remedy in allowed]
    refused = command(world, boss, "resolve_dispute", dispute=question.number, remedy="new_shoe")
    assert told(refused)["reason"] == "no_such_remedy"
    fields = {"dispute": question.number, "remedy": "void"}
    assert told(command(world, boss, "resolve_dispute", **fields))["reason"] == "second_person"
    done(command(world, boss, "resolve_dispute", **fields, **TWO))
    assert question.irregularity in Irregularity
    assert question.number not in [one.number for one in world.felt.state.disputes]


def test_limits_change_between_rounds_and_not_in_one(world: World, boss: FlaskClient) -> None:
    done(command(world, boss, "change_rules", house="classic", min_bet="10", max_bet="500,50"))
    rules = world.felt.state.rules
    assert rules is not None
    assert (rules.min_bet, rules.max_bet) == (1_000, 50_050)
    world.felt.command(said.LoadShoe(world.felt.cause(), FLOOR))
    burn_what_is_due(world.felt)
    world.felt.command(said.OpenBets(world.felt.cause(), FLOOR))
    assert told(command(world, boss, "change_rules", house="classic"))["reason"] == "round_open"


def test_what_may_not_be_done_now_is_off_with_the_reason_it_would_be_refused_with(world: World) -> None:
    viewer = Viewer(Role.PIT_BOSS, Speech(Language.ENGLISH))
    _, values = pit_actions(world.feed.tables["T01"], viewer)
    actions: Any = values["actions"]
    refused = {(action.kind, action.fields.get("practice", "")): action.refused for action in actions}
    assert refused[("close_bets", "")] == "no_round"
    assert refused[("open_bets", "1")] == "no_practice"
    assert refused[("open_bets", "")] == ""


def test_an_excluded_guest_gets_no_seat_and_a_stranger_neither(world: World, boss: FlaskClient) -> None:
    guests = world.house.guests
    welcome, barred = guests.register(Told("Alex Example", "AB 12"), 1), guests.register(Told("Sam Example"), 1)
    guests.exclude(barred.number, FOR_EVER, "own wish")
    done(command(world, boss, "take_box", box="1", player=welcome.label))
    assert world.felt.state.players[1] == welcome.label
    assert told(command(world, boss, "take_box", box="2", player=barred.label))["reason"] == "guest_excluded"
    assert told(command(world, boss, "take_box", box="2", player="G999"))["reason"] == "guest_excluded"
    assert told(command(world, boss, "take_box", box="2", player="Sam Example"))["reason"] == "no_such_guest"
    assert 2 not in world.felt.state.players


def test_a_guest_who_comes_again_is_found_and_an_exclusion_is_said(world: World, boss: FlaskClient) -> None:
    post(boss, "/guests/", name="Sam Example", document="XY 99")
    post(boss, "/guests/1/exclude", how="for_ever", why="own wish")
    post(boss, "/guests/", name="S. Example", document="xy  99")
    assert len(world.house.guests.everybody()) == 1
    assert "excluded and may not play" in boss.get("/guests/").text


def test_no_name_of_a_guest_lies_readable_on_disk(world: World) -> None:
    world.house.guests.register(Told("Unmistakable Name", "DOC-471108151234"), 1)
    files = [path.read_bytes() for path in world.data.rglob("*") if path.is_file()]
    assert not any(b"Unmistakable" in content or b"471108151234" in content for content in files)


def test_guests_are_forgotten_when_their_time_is_over_and_excluded_ones_are_not(world: World) -> None:
    guests = world.house.guests
    old, barred = guests.register(Told("Old Example"), 1), guests.register(Told("Barred Example"), 1)
    young = guests.register(Told("Young Example"), YEARS_4)
    guests.exclude(barred.number, FOR_EVER, "own wish")
    assert guests.forget(YEARS_4 + 86_400) == 1
    assert {one.number for one in guests.everybody()} == {barred.number, young.number}
    assert old.number not in {one.number for one in guests.everybody()}


@pytest.mark.parametrize("role", [Role.DEALER, Role.TECHNICIAN])
def test_money_is_shown_to_those_who_may_see_it_only(world: World, role: Role) -> None:
    client = world.signed_in(role)
    for name in ("pit_status", "slips", "tray", "documents"):
        assert name in PANELS
        assert told(client.get(f"/panel/T01/{name}"))["html"] == ""


def test_every_panel_is_drawn_outside_of_any_request_whatever_the_table_does(world: World) -> None:
    """As the socket has them drawn: while bets are taken, cards dealt, the table paused."""
    felt = world.felt
    moves: list[Callable[[], object]] = [
        lambda: None,
        lambda: felt.command(said.OpenBets(felt.cause(), FLOOR)),
        lambda: felt.command(said.PlaceBet(felt.cause(), FLOOR, 3, 500)),
        lambda: felt.command(said.CloseBets(felt.cause(), FLOOR)),
        lambda: felt.say(said.CardSeen(felt.cause(), Place(3), Card.parse("9S"))),
        lambda: felt.command(said.PauseTable(felt.cause(), FLOOR, "noise")),
    ]
    phases = set()
    for move in moves:
        move()
        world.caught_up()
        phases.add(felt.state.phase)
        for name, role in product(PANELS, Role):
            drawn = world.house.drawings.draw(Wanted("T01", name, role, Language.POLISH))
            assert drawn.digest != BROKEN, (name, role, felt.state.phase)
    assert len(phases) == 4, phases
