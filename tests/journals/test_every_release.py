"""Every day ever sealed by a release verifies and replays to what it came to then."""

import json
from pathlib import Path

import pytest

from table_controller.journal.verify import verify_file
from tests.journals.told import told

DAYS = sorted(Path(__file__).parent.glob("*/*.db"))


def test_there_is_a_day_of_every_release() -> None:
    assert {day.parent.name for day in DAYS} >= {"0.1.0"}


@pytest.mark.parametrize("day", DAYS, ids=lambda day: f"{day.parent.name}/{day.stem}")
def test_a_sealed_day_verifies(day: Path) -> None:
    verdict = verify_file(day)
    assert (verdict.ok, verdict.reason) == (True, None)
    assert verdict.closed


@pytest.mark.parametrize("day", DAYS, ids=lambda day: f"{day.parent.name}/{day.stem}")
def test_a_sealed_day_replays_to_what_it_came_to(day: Path) -> None:
    assert told(day) == json.loads(day.with_suffix(".told.json").read_text("utf-8"))
