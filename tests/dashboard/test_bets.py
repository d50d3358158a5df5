"""Bets from the dealer's screen: a chip added to a box, everything taken back, all as before; a tap acts once."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import round_of
from table_controller.core.people import Role
from table_controller.play.felt import FLOOR
from tests.dashboard.world import World, make_world, post

LIMIT = 2000


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = make_world(tmp_path)
    limited = {**houses.rule_values("classic"), "max_bet": LIMIT}
    made.felt.command(said.ChangeRules(made.felt.cause(), FLOOR, limited))
    made.felt.command(said.OpenBets(made.felt.cause(), FLOOR))
    made.caught_up()
    yield made
    made.end()


@pytest.fixture
def dealer(world: World) -> FlaskClient:
    return world.signed_in(Role.DEALER)


def tapped(world: World, client: FlaskClient, path: str, **fields: object) -> TestResponse:
    world.caught_up()
    known = {"table": "T01", "id": f"tap-{time.time_ns()}", "version": world.felt.state.version}
    return post(client, f"/tables/T01/bets/{path}", json=True, **{**known, **fields})


def laid(world: World) -> dict[int, tuple[int, int]]:
    rnd = round_of(world.felt.state)
    assert rnd is not None
    return {box.number: (box.main, box.pairs) for box in rnd.boxes}


def test_a_box_and_a_chip_are_a_bet(world: World, dealer: FlaskClient) -> None:
    assert tapped(world, dealer, "lay", box=4, amount=500).status_code == 200
    assert laid(world) == {4: (500, 0)}


def test_another_chip_on_the_same_box_adds_to_the_bet(world: World, dealer: FlaskClient) -> None:
    tapped(world, dealer, "lay", box=4, amount=500)
    assert tapped(world, dealer, "lay", box=4, amount=100).status_code == 200
    assert laid(world) == {4: (600, 0)}


def test_no_chip_takes_the_bet_back(world: World, dealer: FlaskClient) -> None:
    tapped(world, dealer, "lay", box=4, amount=500)
    assert tapped(world, dealer, "lay", box=4, amount=0).status_code == 200
    assert laid(world) == {}


def test_a_chip_that_would_go_over_the_limit_changes_nothing(world: World, dealer: FlaskClient) -> None:
    tapped(world, dealer, "lay", box=4, amount=LIMIT)
    refused = tapped(world, dealer, "lay", box=4, amount=100)
    assert (refused.status_code, refused.json and refused.json["reason"]) == (409, "above_max")
    assert laid(world) == {4: (LIMIT, 0)}


def test_a_tap_heard_twice_lays_one_chip(world: World, dealer: FlaskClient) -> None:
    tapped(world, dealer, "lay", box=4, amount=500)
    once = {"box": 4, "amount": 100, "id": "tap-heard-twice", "version": world.felt.state.version}
    world.caught_up()
    first = tapped(world, dealer, "lay", **once)
    second = tapped(world, dealer, "lay", **once)
    assert first.status_code == 200
    assert second.status_code in (200, 409)
    assert laid(world) == {4: (600, 0)}


def test_a_tap_from_an_old_screen_is_refused(world: World, dealer: FlaskClient) -> None:
    old = world.felt.state.version
    tapped(world, dealer, "lay", box=4, amount=500)
    answer = tapped(world, dealer, "lay", box=5, amount=500, version=old)
    assert (answer.status_code, answer.json and answer.json["outcome"]) == (409, "stale")
    assert laid(world) == {4: (500, 0)}


def test_all_as_before_is_one_tap_and_leaves_what_lies(world: World, dealer: FlaskClient) -> None:
    tapped(world, dealer, "lay", box=3, amount=1000)
    assert tapped(world, dealer, "as_before").status_code == 200
    assert laid(world) == {1: (300, 0), 3: (1000, 0), 5: (300, 0)}


def test_all_as_before_tapped_twice_lays_nothing_twice(world: World, dealer: FlaskClient) -> None:
    for _ in range(2):
        tapped(world, dealer, "as_before", id="tap-as-before", version=world.felt.state.version)
    assert laid(world) == {1: (300, 0), 3: (300, 0), 5: (300, 0)}


def test_with_nothing_to_repeat_all_as_before_says_so(world: World, dealer: FlaskClient) -> None:
    tapped(world, dealer, "as_before")
    refused = tapped(world, dealer, "as_before")
    assert (refused.status_code, refused.json and refused.json["reason"]) == (409, "nothing_to_do")


@pytest.mark.parametrize(
    "fields", [{"box": "x", "amount": 100}, {"box": 4, "amount": -1}, {"box": 4, "amount": 100, "side": "<b>"}, {}]
)
def test_hostile_bets_are_refused_and_lay_nothing(world: World, dealer: FlaskClient, fields: dict[str, object]) -> None:
    assert tapped(world, dealer, "lay", **fields).status_code == 400
    assert laid(world) == {}


@pytest.mark.parametrize("tap", ["", "x", "ümlaut-tap", "a" * 65])
def test_a_tap_without_a_number_of_its_own_lays_nothing(world: World, dealer: FlaskClient, tap: str) -> None:
    assert tapped(world, dealer, "lay", box=4, amount=500, id=tap).status_code == 400
    assert tapped(world, dealer, "as_before", id=tap).status_code == 400
    assert laid(world) == {}


@pytest.mark.parametrize("role", [Role.SURVEILLANCE, Role.TECHNICIAN])
def test_only_those_who_deal_lay_bets(world: World, role: Role) -> None:
    client = world.signed_in(role)
    assert tapped(world, client, "lay", box=4, amount=500).status_code == 403
    assert tapped(world, client, "as_before").status_code == 403
    assert laid(world) == {}
