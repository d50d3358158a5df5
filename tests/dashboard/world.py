"""A house for tests: one table with a seeded evening behind it, one person of every role, the window, a controller."""

import re
import time
from dataclasses import dataclass
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dashboard import create_app, start
from dashboard.feed import Feed
from dashboard.house import EXTENSION, House
from dashboard.people import People
from dashboard.settings import Settings
from table_controller.core.house import Language
from table_controller.core.people import Role
from table_controller.journal.keys import make_key
from table_controller.journal.record import Record
from table_controller.play.recorded import RecordedFelt
from tests.dashboard.controller import SmallController
from tests.evening import EveningClock, open_felt, open_house, play_evening, rows

PASSWORD = "correct horse battery"
PIN = "2580"
ORIGIN = {"Origin": "http://localhost"}


@dataclass
class World:
    """Everything a test may look at."""

    data: Path
    app: Flask
    feed: Feed
    felt: RecordedFelt
    controller: SmallController
    people: People

    def signed_in(self, role: Role) -> FlaskClient:
        """A browser of the person with that role."""
        client = self.app.test_client()
        answer = post(client, "/sign-in", name=role.value, password=PASSWORD)
        assert answer.headers["Location"] == "/", answer.headers
        return client

    @property
    def house(self) -> House:
        """What is behind the window."""
        found = self.app.extensions[EXTENSION]
        assert isinstance(found, House)
        return found

    def rows(self) -> list[Record]:
        """The record so far."""
        return rows(self.felt.recorder.day.path)

    def caught_up(self) -> None:
        """Waits until the window has read everything that is on disk."""
        for _ in range(200):
            seen = self.feed.tables.get("T01")
            if seen is not None and seen.seq == self.felt.recorder.day.writer.head.seq and seen.live:
                return
            time.sleep(0.02)
        raise AssertionError("the window does not catch up")

    def end(self) -> None:
        self.feed.stop()
        self.controller.stop()
        self.felt.recorder.leave()


def make_people(data: Path) -> People:
    """One person of every role; the names are those of the roles."""
    people = People(data / "people.db")
    people.prepare()
    for role in Role:
        people.add(role.value, role, PASSWORD, "tests", 1)
        people.change(role.value, "pin", PIN, "tests", 1)
    people.add("second", Role.PIT_BOSS, PASSWORD, "tests", 1)
    people.change("second", "pin", PIN, "tests", 1)
    return people


def make_felt(data: Path, rounds: int = 3) -> RecordedFelt:
    """A table in the middle of its evening."""
    felt = open_felt(data / "T01-2026-11-29.db", make_key(data / "keys" / "house.key"), EveningClock())
    open_house(felt)
    play_evening(felt, rounds)
    return felt


def make_world(data: Path, **settings: object) -> World:
    felt = make_felt(data)
    controller = SmallController(data, felt)
    controller.start()
    people = make_people(data)
    plain: dict[str, object] = {"language": Language.ENGLISH, "limits": False, **settings}
    app = create_app(Settings(data=data, **plain))  # type: ignore[arg-type]
    world = World(data, app, start(app), felt, controller, people)
    world.caught_up()
    return world


def token(client: FlaskClient, page: str = "/sign-in") -> str:
    """The token against forgery of this browser."""
    answer = client.get("/me")
    if answer.status_code != 200:
        answer = client.get(page, follow_redirects=True)
    found = re.search(r'name="csrf-token" content="([^"]+)"', answer.text)
    assert found is not None
    return found[1]


def post(client: FlaskClient, path: str, /, json: bool = False, **fields: object) -> TestResponse:
    """A form sent as a browser sends it, with the token and the origin."""
    data = {"csrf_token": token(client), **{name: str(value) for name, value in fields.items()}}
    headers = {**ORIGIN, **({"Accept": "application/json"} if json else {})}
    return client.post(path, data=data, headers=headers)


def command(world: World, client: FlaskClient, kind: str, /, **fields: object) -> TestResponse:
    """A command from the screen as it is now."""
    known = {
        "id": f"tap-{time.time_ns()}",
        "table": "T01",
        "version": world.felt.state.version,
        "kind": kind,
        "pin": PIN,
    }
    return post(client, "/commands", json=True, **{**known, **fields})
