"""A recorded evening, video and boards' bytes, fed again through krupier run: the record tells the same once more."""

import json
import os
import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.house import Witness
from table_controller.demo.boards import DemoBoards
from table_controller.demo.dealer import Slips, Table
from table_controller.demo.drawn import DrawnFelt
from table_controller.demo.evening import Evening, Found
from table_controller.demo.floor import Screen
from table_controller.demo.follow import Follower
from table_controller.journal.naming import journals
from table_controller.play.felt import FLOOR, SECOND, CannotPlay
from table_controller.port.client import NOBODY, Door, DoorClosed
from table_controller.port.footage import INDEX, Opened, video_folder, write_line
from table_controller.port.wire import orders_place
from table_controller.port.words import Look, Status
from tests.evening import rows
from tests.shell.standing import eventually

TABLE, HOUSE = "T07", "classic"
SIGHT_S, SPEED = 60.0, 4
PATIENT = {
    **houses.house_values(HOUSE),
    "witnesses": [Witness.CAMERA.value, Witness.SHOE.value],
    "timers": {"card_seconds": 60, "answer_seconds": 600},
}
"""A house that waits: how late the eyes are on this computer must make no question."""


def configured(folder: Path, boards: DemoBoards, cameras: int = 1) -> Path:
    """A table with two boards and a drawn camera that is recorded, or two of them."""
    file = folder / "table.toml"
    places = (
        f'[[boards]]\nname = "{name}"\nport = "{port.path}"\nsecond_beam = true\nunpaired = true\n'
        for name, port in boards.ports.items()
    )
    own = f'table = "{TABLE}"\ndata = "then"\nrules = "{HOUSE}"\n[budgets]\nsilent_ms = 20000\n'
    drawn = 'source = "rendered:"\nwidth = 1280\nheight = 720\nrate = 4\n'
    sections = (f"[{name}]\n{drawn}" for name in ("camera", "second_camera")[:cameras])
    file.write_text("\n".join((own, *places, *sections, "[recorder]\ngigabytes = 1\n")))
    return file


def command(file: Path) -> list[str]:
    return [sys.executable, "-m", "table_controller", "run", "--config", str(file)]


def fed_again(file: Path, data: Path, record: Path) -> "subprocess.CompletedProcess[str]":
    told = {"KRUPIER_DATA": str(data), "KRUPIER_FED": str(record)}
    return subprocess.run(
        command(file),
        capture_output=True,
        text=True,
        env={**os.environ, **told},
        check=False,
        timeout=1500,
    )


def up(door: Door) -> bool:
    try:
        status = door.look(Look())
    except DoorClosed:
        return False
    return isinstance(status, Status) and status.down is None


def played(data: Path, boards: DemoBoards, rounds: int, cameras: int = 1) -> Found:
    """A seeded evening by the demo's people at this table; where they can play on no more, it ends there."""
    door = Door(data, TABLE)
    eventually(lambda: up(door), 60)
    screen = Screen(door, Follower(journals(data, TABLE)[-1]).look, 0.01)
    desks = [orders_place(data, TABLE, number) for number in range(1, cameras + 1)]
    felt = DrawnFelt(desks, houses.rules_with(HOUSE, {}).boxes)
    people = Table(screen, boards, felt, random.Random(3), lambda s: time.sleep(min(s, 4.0) / SPEED), SIGHT_S)
    evening = Evening(people, HOUSE, Slips(unreadable=0, misplaced=0))
    screen.command(said.OpenTable(NOBODY, FLOOR, SECOND, houses.rule_values(HOUSE), PATIENT, {}))
    assert screen.wait(lambda state: not state.faults, 120)
    evening.open()
    with suppress(CannotPlay):
        list(evening.play(rounds))
    felt.close()
    door.close()
    assert "event.round_settled" in [row.kind for row in rows(journals(data, TABLE)[-1])]
    return evening.found


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_an_evening_fed_again_gives_the_same_events(tmp_path: Path) -> None:
    boards = DemoBoards(tmp_path)
    boards.start()
    file = configured(tmp_path, boards)
    table = subprocess.Popen(command(file))
    try:
        played(tmp_path / "then", boards, 1)
    finally:
        table.terminate()
        table.wait(60)
        boards.close()
    (record,) = journals(tmp_path / "then", TABLE)
    again = fed_again(file, tmp_path / "now", record)
    told = json.loads(again.stdout)
    assert told["same"], told
    assert again.returncode == 0


def test_an_evening_is_fed_only_from_a_record_and_into_an_empty_folder(tmp_path: Path) -> None:
    file, record = tmp_path / "table.toml", tmp_path / f"{TABLE}-2026-11-29.db"
    file.write_text(f'table = "{TABLE}"\ndata = "."\n')
    missing = fed_again(file, tmp_path / "now", record)
    record.write_bytes(b"")
    own = fed_again(file, tmp_path, record)
    assert (missing.returncode, own.returncode) == (2, 2)
    assert (missing.stdout, own.stdout) == ("", "")


def test_an_evening_seen_by_one_camera_is_not_fed_to_a_table_with_two(tmp_path: Path) -> None:
    file, record = tmp_path / "table.toml", tmp_path / f"{TABLE}-2026-11-29.db"
    drawn = 'source = "rendered:"\n'
    file.write_text(f'table = "{TABLE}"\ndata = "."\n[camera]\n{drawn}[second_camera]\n{drawn}')
    record.write_bytes(b"")
    video = video_folder(tmp_path, TABLE)
    video.mkdir(parents=True)
    (video / INDEX).write_bytes(write_line(Opened(at_ns=1, file="a.mp4")))
    refused = fed_again(file, tmp_path / "now", record)
    assert refused.returncode == 2
    assert "no video of camera 2" in refused.stderr
