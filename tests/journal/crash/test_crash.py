"""A crash at any instant loses nothing acknowledged and applies nothing twice. The long run: see campaign.py."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.crash.campaign import point, quick_disk
from tests.journal.crash.harness import Point, calls_of_a_settlement, crash
from tests.journal.crash.settlement import SETTLEMENT, prepare

GROUPS, POINTS_PER_GROUP = 6, 20


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=quick_disk()) as name:
        Path(name, "prepared").mkdir()
        prepare(Path(name, "prepared"))
        yield Path(name)


@pytest.fixture(scope="module")
def calls(folder: Path) -> dict[bool, int]:
    """System calls of a settlement, without and with the closing of the day."""
    return {close: calls_of_a_settlement(folder / "prepared", folder / "whole", close=close) for close in (False, True)}


@pytest.mark.parametrize("group", range(GROUPS))
def test_a_writer_killed_at_random_points_loses_and_doubles_nothing(
    folder: Path, calls: dict[bool, int], group: int
) -> None:
    for number in range(group * POINTS_PER_GROUP, (group + 1) * POINTS_PER_GROUP):
        crash(folder / "prepared", folder / f"point-{number}", point(number, calls))


def test_every_stimulus_has_calls_to_die_between(calls: dict[bool, int]) -> None:
    write_sync_acknowledge = 3
    assert min(calls.values()) > SETTLEMENT * write_sync_acknowledge


def test_the_harness_catches_a_writer_that_acknowledges_before_it_writes(folder: Path, calls: dict[bool, int]) -> None:
    caught = 0
    for call in range(0, calls[False], 10):
        try:
            crash(folder / "prepared", folder / f"hasty-{call}", Point(call, close=False, power=None), hasty=True)
        except AssertionError:
            caught += 1
    assert caught > 3
