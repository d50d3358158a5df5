"""One crash: kill at a point, perhaps lose the unsynced bytes, start again, and ask what the record says."""

import os
import random
import shutil
from pathlib import Path
from typing import NamedTuple

from table_controller.core.table import TableState
from table_controller.journal.errors import DayIsOver
from table_controller.journal.verify import verify_file
from table_controller.replay.opening import load
from tests.evening import nobody_warns
from tests.journal.crash.disk import Disk
from tests.journal.crash.settlement import JOURNAL, SETTLEMENT, Plan, open_table, script, settle, states
from tests.journal.crash.tracer import run_until_call


class Point(NamedTuple):
    """Where to die: before system call number `call`. With a `power` seed the unsynced bytes are lost as well."""

    call: int
    close: bool
    power: int | None


def calls_of_a_settlement(prepared: Path, folder: Path, *, close: bool) -> int:
    """How many system calls there are to die before."""
    return crash(prepared, folder, Point(1 << 30, close, None))


def crash(prepared: Path, folder: Path, point: Point, *, hasty: bool = False) -> int:
    """Dies at the point, starts again and asserts that nothing was lost or doubled; returns the calls begun."""
    shutil.copytree(prepared, folder)
    disk = Disk(folder)
    answers, acknowledge = os.pipe()

    def work() -> None:
        settle(folder, acknowledge, Plan(True, point.close, hasty))

    try:
        calls = run_until_call(work, point.call, disk)
    finally:
        os.close(acknowledge)
    with os.fdopen(answers, "rb") as told:
        acknowledged = told.read()
    if point.power is not None:
        disk.lose_power(random.Random(point.power))
    check(folder, acknowledged)
    shutil.rmtree(folder)
    return calls


def check(folder: Path, acknowledged: bytes) -> None:
    """The table, started again, stands where it was acknowledged to stand, or one unacknowledged stimulus further.

    Said again from its first stimulus, the settlement ends as one that nothing disturbed.
    """
    possible = states(script())[-SETTLEMENT - 1 :]
    assert acknowledged == bytes(range(len(acknowledged)))
    assert state_after_start(folder) in possible[len(acknowledged) : len(acknowledged) + 2], "lost, or done twice"
    with open(os.devnull, "wb") as nobody:
        finish(folder, nobody.fileno())
    assert load(folder / JOURNAL, nobody_warns).end() == possible[-1]
    verdict = verify_file(folder / JOURNAL)
    assert verdict.ok, verdict.reason
    assert verdict.closed


def state_after_start(folder: Path) -> TableState:
    """What the program knows when it starts again; a day that had been closed is closed properly."""
    try:
        recorder = open_table(folder)
    except DayIsOver:
        return load(folder / JOURNAL, nobody_warns).end()
    recorder.leave()
    return recorder.state


def finish(folder: Path, nobody: int) -> None:
    """Everything is said again; closing the day ends it."""
    try:
        settle(folder, nobody, Plan(traced=False, close=True))
    except DayIsOver:
        return
