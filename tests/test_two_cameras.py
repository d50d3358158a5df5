"""Two cameras through krupier run: a round is dealt over both, and either one that fails holds the table."""

import json
import os
import signal
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.core import stimuli as said
from table_controller.core.events import SightingKept
from table_controller.demo.boards import DemoBoards
from table_controller.journal.naming import journals
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR
from table_controller.port.client import NOBODY
from table_controller.port.footage import cameras_of, footage_of, video_folder
from table_controller.replay.opening import load
from tests.shell.standing import StandingTable, eventually
from tests.test_fed import TABLE, command, configured, fed_again, played

PARTS = {
    "camera2": ("vision.filming", "--number=2"),
    "vision2": ("vision.watching", "--number=2"),
    "vision": ("vision.watching", "--number=1"),
}


@pytest.fixture
def two(tmp_path: Path) -> Iterator[StandingTable]:
    drawn = 'source = "rendered:"\nrate = 4\n'
    recorder = "[recorder]\ngigabytes = 1\n[budgets]\nsilent_ms = 6000\n"
    standing = StandingTable(tmp_path, f"[camera]\n{drawn}[second_camera]\n{drawn}{recorder}")
    yield standing
    standing.close()


def all_well(table: StandingTable) -> bool:
    names = ("camera", "recorder", "vision")
    return all(table.light(f"{name}{number}") is True for name in names for number in ("", "2"))


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("device", PARTS)
def test_whatever_fails_of_either_camera_holds_the_round_and_comes_back(two: StandingTable, device: str) -> None:
    eventually(lambda: all_well(two), 120)
    two.open_for_bets()
    was = two.part(*PARTS[device])
    assert was is not None
    os.kill(was, signal.SIGKILL)
    eventually(lambda: "event.table_paused" in two.kinds(), 30)
    day = load(Path(two.status().journal), lambda _: None)
    lost = [fact.device for row in day.rows if isinstance(fact := day.said(row), said.DeviceLost)]
    assert device in lost
    eventually(lambda: two.part(*PARTS[device]) not in (None, was), 40)
    eventually(lambda: all_well(two), 120)
    assert two.ask(said.ResumeTable(NOBODY, FLOOR)).outcome == "done"
    assert verify_file(Path(two.status().journal)).ok


def eyes_by_box(record: Path) -> dict[int, set[str]]:
    """Which eyes sighted cards at which box; the dealer's place is box 0."""
    day, found = load(record, lambda _: None), defaultdict[int, set[str]](set)
    for fact in (day.said(row) for row in day.rows):
        if isinstance(fact, SightingKept):
            found[fact.places[0].box].add(fact.cause.source.partition("-")[0])
    return found


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_round_over_two_cameras_ends_as_it_was_dealt_and_the_same_when_fed_again(tmp_path: Path) -> None:
    boards = DemoBoards(tmp_path)
    boards.start()
    file, then = configured(tmp_path, boards, cameras=2), tmp_path / "then"
    table = subprocess.Popen(command(file))
    try:
        found = played(then, boards, 2, cameras=2)
    finally:
        table.terminate()
        table.wait(60)
        boards.close()
    assert (found.wrong_cards, found.differs) == (0, [])
    (record,) = journals(then, TABLE)
    for box, eyes in eyes_by_box(record).items():
        assert eyes == ({"eyes2"} if box in (1, 2, 3) else {"eyes"}), box
    assert cameras_of(then, TABLE) == (1, 2)
    assert all(footage_of(video_folder(then, TABLE, number)).segments for number in (1, 2))
    again = fed_again(file, tmp_path / "now", record)
    told = json.loads(again.stdout)
    assert told["same"], told
