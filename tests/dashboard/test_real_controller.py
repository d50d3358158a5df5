"""The window before the real controller, in a process of its own: what the tablet says is what the table does."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dashboard import create_app, start
from dashboard.feed import Feed
from dashboard.panels import Seen
from dashboard.panels.pit import slips_of
from dashboard.settings import Settings
from table_controller.core.house import Language
from table_controller.views.slips import Stage
from tests.dashboard.world import PASSWORD, PIN, make_people, post

TWO = {"pin": PIN, "second": "second", "second_pin": PIN}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[FlaskClient, Feed]]:
    program = [sys.executable, "-m", "table_controller.shell.controller", "--data", str(tmp_path), "--table", "T01"]
    controller = subprocess.Popen(program)
    make_people(tmp_path)
    app = create_app(Settings(data=tmp_path, language=Language.ENGLISH, limits=False))
    feed = start(app)
    client = app.test_client()
    post(client, "/sign-in", name="pit_boss", password=PASSWORD)
    yield client, feed
    feed.stop()
    controller.terminate()
    controller.wait(20)


def until(feed: Feed, so: Callable[[Seen], bool]) -> Seen:
    end = time.monotonic() + 40
    while time.monotonic() < end:
        seen = feed.tables.get("T01")
        if seen is not None and seen.live and so(seen):
            return seen
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def say(client: FlaskClient, feed: Feed, kind: str, **fields: str) -> str:
    """As a person at a screen that is up to date a moment later."""
    told = {"outcome": "never asked", "reason": ""}
    for _ in range(20):
        version = str(feed.tables["T01"].state.version)
        known = {"id": f"tap-{time.monotonic_ns()}", "table": "T01", "version": version, "kind": kind}
        told = post(client, "/commands", True, **{**known, **fields}).json or told
        if told["outcome"] != "stale":
            break
        time.sleep(0.1)
    return f"{told['outcome']} {told['reason']}".strip()


def test_two_people_open_a_table_fill_it_and_close_it(table: tuple[FlaskClient, Feed]) -> None:
    client, feed = table
    until(feed, lambda seen: seen.state.rules is None)
    assert say(client, feed, "open_table", house="classic", chip_500="40", **TWO) == "done"
    until(feed, lambda seen: seen.state.rules is not None)
    assert say(client, feed, "move_money", what="tip", chip_500="1", pin=PIN) == "done"
    until(feed, lambda seen: seen.state.bank.tips == 500)
    assert say(client, feed, "pause_table", reason="a look") == "done"
    until(feed, lambda seen: seen.state.paused)
    assert say(client, feed, "pause_table", reason="again") == "refused table_paused"
    assert say(client, feed, "resume_table") == "done"
    until(feed, lambda seen: not seen.state.paused)
    post(client, "/tables/T01/documents", True, id="document-1", what="fill", chip_500="10")
    until(feed, lambda seen: len(slips_of(seen).documents) == 1)
    post(client, "/tables/T01/documents/1", True, id="document-2", stage="sent", version="1")
    seen = until(feed, lambda seen: slips_of(seen).documents[0].stage is Stage.SENT)
    received = {"id": "document-3", "stage": "receiving", "version": seen.state.version, **TWO}
    post(client, "/tables/T01/documents/1", True, **received)
    seen = until(feed, lambda seen: slips_of(seen).documents[0].stage is Stage.DONE)
    assert seen.state.bank.fills == 5_000
    assert say(client, feed, "close_table", chip_500="50", **TWO) == "done"
    until(feed, lambda seen: seen.state.rules is None)
