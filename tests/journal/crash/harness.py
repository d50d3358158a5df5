"""One crash: kill at a point, perhaps lose the unsynced bytes, start again, and ask what the record says."""

import os
import random
import shutil
from pathlib import Path
from typing import NamedTuple

from table_controller.journal.verify import verify_file
from tests.journal.crash.disk import Disk
from tests.journal.crash.settlement import Plan, paid, payments, settle
from tests.journal.crash.tracer import run_until_call

JOURNAL = "T07-2026-11-29.db"


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
        settle(folder / JOURNAL, folder / "house.key", acknowledge, Plan(True, point.close, hasty))

    try:
        calls = run_until_call(work, point.call, disk)
    finally:
        os.close(acknowledge)
    with os.fdopen(answers, "rb") as told:
        acknowledged = list(told.read())
    if point.power is not None:
        disk.lose_power(random.Random(point.power))
    _start_again(folder, acknowledged)
    shutil.rmtree(folder)
    return calls


def _start_again(folder: Path, acknowledged: list[int]) -> None:
    journal, key = folder / JOURNAL, folder / "house.key"
    _expect_all(acknowledged, paid(journal) if acknowledged else {})
    with open(os.devnull, "wb") as nobody:
        settle(journal, key, nobody.fileno(), Plan(False, True))
    assert paid(journal) == dict(payments())
    verdict = verify_file(journal)
    assert verdict.ok, verdict.reason
    assert verdict.closed


def _expect_all(acknowledged: list[int], recorded: dict[int, int]) -> None:
    """The balance is what was acknowledged; at most one payment more, the one whose acknowledgement was cut off."""
    expected = {press: amount for press, amount in payments() if press <= len(acknowledged)}
    assert acknowledged == list(expected)
    surplus = dict(recorded.items() - expected.items())
    assert recorded.items() >= expected.items(), "an acknowledged payment is lost"
    assert len(surplus) <= 1, "more was recorded than the dealer pressed"
