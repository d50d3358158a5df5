"""What a house wants done in time, tapped by the people it wants it from; elsewhere nobody is asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.i18n import Speech
from dashboard.panels import Viewer
from dashboard.panels.alerting import alerts_of
from dashboard.panels.pit import pit_actions
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.house import Language
from table_controller.core.people import Role
from table_controller.core.places import Place
from table_controller.play.felt import FLOOR, SECOND
from tests.dashboard.test_pit import TWO, done, told
from tests.dashboard.world import World, command, make_world

WANTS = {"reader_check": True, "deck_hours": 4, "cut_percent": 25}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = make_world(tmp_path / "data")
    made.felt.command(said.CloseTable(made.felt.cause(), FLOOR, SECOND, {}))
    house = {**houses.house_values("classic"), **WANTS}
    opening = said.OpenTable(made.felt.cause(), FLOOR, SECOND, houses.rule_values("classic"), house, {})
    made.felt.command(opening)
    made.caught_up()
    yield made
    made.end()


def offered(world: World) -> dict[tuple[str, str], Any]:
    world.caught_up()
    _, values = pit_actions(world.feed.tables["T01"], Viewer(Role.PIT_BOSS, Speech(Language.ENGLISH)))
    actions: Any = values["actions"]
    return {(action.kind, "".join(action.fields.values())): action for action in actions}


def page(world: World, name: str, role: Role = Role.PIT_BOSS) -> str:
    world.caught_up()
    return world.signed_in(role).get(f"/tables/T01/{name}").text


def test_a_house_that_asks_for_nothing_shows_nothing_of_it(tmp_path: Path) -> None:
    world = make_world(tmp_path / "data")
    world.felt.load()
    assert ("inspect_reader", "") not in offered(world)
    shown = page(world, "pit")
    world.end()
    assert "cut_shoe" not in shown
    assert "data-second" not in shown


def test_the_pit_boss_taps_that_the_reader_is_inspected_and_a_dealer_may_not(world: World) -> None:
    assert offered(world)[("open_bets", "")].refused == "reader_unchecked"
    dealer = world.signed_in(Role.DEALER)
    assert "Pit boss: inspect the card reader" in page(world, "dealer", Role.DEALER)
    assert command(world, dealer, "inspect_reader").status_code == 403
    assert "Card reader is inspected" in page(world, "pit")
    done(command(world, world.signed_in(Role.PIT_BOSS), "inspect_reader"))
    assert ("inspect_reader", "") not in offered(world)


def test_new_cards_are_loaded_by_two_people_and_old_ones_by_nobody(world: World) -> None:
    boss = world.signed_in(Role.PIT_BOSS)
    assert offered(world)[("load_shoe", "")].refused == "decks_old"
    assert (offered(world)[("load_shoe", "1")].refused, offered(world)[("load_shoe", "1")].two) == ("", True)
    assert 'data-second="yes"' in page(world, "pit")
    assert told(command(world, boss, "load_shoe"))["reason"] == "decks_old"
    assert told(command(world, boss, "load_shoe", new_cards="1"))["reason"] == "second_person"
    wrong = {**TWO, "second_pin": "0000"}
    assert told(command(world, boss, "load_shoe", new_cards="1", **wrong))["reason"] == "second_pin"
    done(command(world, boss, "load_shoe", new_cards="1", **TWO))
    assert "cards changed" in page(world, "pit")
    assert offered(world)[("load_shoe", "")].refused == ""


def test_old_cards_are_an_alert_until_new_ones_lie_in_the_shoe(world: World) -> None:
    boss = world.signed_in(Role.PIT_BOSS)
    done(command(world, boss, "load_shoe", new_cards="1", **TWO))
    since_ns = world.felt.state.upkeep.decks_ns
    assert since_ns is not None
    for minutes in (215, 241):
        at = said.Cause("clock", minutes, since_ns + minutes * 60_000_000_000)
        world.felt.say(said.Tick(at))
    world.caught_up()
    codes = [one.code for one in alerts_of(world.feed.tables["T01"]).open if not one.ended_ns]
    assert {"decks_due", "decks_overdue"} <= set(codes)
    assert "Cards must be changed" in page(world, "alerts")
    done(command(world, boss, "load_shoe", new_cards="1", **TWO))
    world.caught_up()
    assert all(one.ended_ns for one in alerts_of(world.feed.tables["T01"]).listed if one.code.startswith("decks_"))


def test_the_dealer_says_who_has_cut_and_the_pit_sees_how_far_the_shoe_is_dealt(world: World) -> None:
    boss, dealer = world.signed_in(Role.PIT_BOSS), world.signed_in(Role.DEALER)
    done(command(world, boss, "inspect_reader"))
    done(command(world, boss, "load_shoe", new_cards="1", **TWO))
    rules = world.felt.state.rules
    assert rules is not None
    cards = 52 * rules.decks
    for name, role in (("pit", Role.PIT_BOSS), ("dealer", Role.DEALER)):
        shown = page(world, name, role)
        assert f'name="behind" inputmode="numeric" min="1" value="{cards // 4}"' in shown
        assert "Box 3 cut" in shown
    assert told(command(world, dealer, "cut_shoe", place="box3", behind="9"))["reason"] == "cut_depth"
    assert told(command(world, dealer, "cut_shoe", place="box3", behind="many"))["outcome"] == "unreadable"
    done(command(world, dealer, "cut_shoe", place="box3", behind=str(cards // 4)))
    shoe = world.felt.state.shoe
    assert shoe is not None
    assert (shoe.cut_by, shoe.penetration) == (Place(3), 75)
    assert "cut card at 75 %" in page(world, "pit")
    assert "cut_shoe" not in page(world, "dealer", Role.DEALER)
