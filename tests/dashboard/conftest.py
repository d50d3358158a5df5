"""A house with a table, people of every role, and the window before it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table_controller.core.people import Role
from tests.dashboard.controller import SmallController
from tests.dashboard.world import World, make_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = make_world(tmp_path)
    yield made
    made.end()


@pytest.fixture
def app(world: World) -> Flask:
    return world.app


@pytest.fixture
def controller(world: World) -> SmallController:
    return world.controller


@pytest.fixture
def boss(world: World) -> FlaskClient:
    return world.signed_in(Role.PIT_BOSS)
