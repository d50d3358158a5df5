"""Boxes and people lent to somebody without hardware: he sets up and opens the table himself, they play his round."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from firmware_bridge.keys import KeyFile
from firmware_bridge.visit import pair
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.demo.floor import Screen
from table_controller.demo.follow import Follower
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, Door, DoorClosed
from table_controller.port.words import Look, Status
from table_controller.setup.file import put_board, write_answers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
PATIENCE_S = 240.0
EVERYTHING = 0x7F


def waited(there: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the boxes are lent; the command ends when the test does."""
    monkeypatch.setenv("KRUPIER_KEYS", str(tmp_path / "pairing.json"))
    lent = subprocess.Popen([sys.executable, "-m", "table_controller", "demo", "--parts", str(tmp_path)])
    waited((tmp_path / "keys").exists)
    yield tmp_path
    lent.terminate()
    lent.wait(60)


@pytest.fixture
def door(folder: Path) -> Iterator[Door]:
    """A table set up with these boxes, each paired by its jumper, and running."""
    config = folder / "table.toml"
    write_answers(config, {"table": "T07", "data": "data", "rules": "classic", "camera.source": "rendered:"})
    write_answers(config, {"camera.rate": 5, "budgets.silent_ms": 30_000})
    for name in ("shoe", "keys"):
        put_board(config, {"name": name, "port": str(folder / name)})
        pairing = pair(str(folder / name), EVERYTHING)
        KeyFile(folder / "pairing.json").put(pairing.device, pairing.key)
    running = subprocess.Popen([sys.executable, "-m", "table_controller", "run", "--config", str(config)])
    yield Door(folder / "data", "T07")
    running.terminate()
    running.wait(60)


def status_of(door: Door) -> Status | None:
    """Once every device is well."""
    with suppress(DoorClosed):
        status = door.look(Look())
        if isinstance(status, Status) and status.down is None and all(light.ok for light in status.lights):
            return status
    return None


def test_the_round_that_somebody_opens_is_dealt_read_and_paid(door: Door) -> None:
    waited(lambda: status_of(door))
    status = status_of(door)
    assert status is not None
    screen = Screen(door, Follower(Path(status.journal)).look, 0.05)
    rules, house = houses.rule_values("classic"), houses.house_values("classic")
    screen.command(said.OpenTable(NOBODY, FLOOR, SECOND, rules, house, {}))
    for command in (
        said.LoadShoe(NOBODY, FLOOR),
        said.OpenBets(NOBODY, FLOOR),
        said.PlaceBet(NOBODY, FLOOR, 3, 1000),
        said.CloseBets(NOBODY, FLOOR),
    ):
        screen.command(command)
    waited(lambda: screen.state.round is None)
    assert (screen.state.rounds, screen.state.disputes) == (1, ())
