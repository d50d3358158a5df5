"""What the journal notes about a round on a later day does not make it a round of that day."""

import json
from pathlib import Path

import pytest

from table_controller.export.archive import unpack
from table_controller.journal.evidence import keep_evidence
from table_controller.journal.keys import make_key
from tests.asking import krupier
from tests.evening import EveningClock, open_felt, open_house, play_round


@pytest.fixture
def noted_next_day(tmp_path: Path) -> Path:
    """A picture of round 2 of yesterday is noted today, before today's only round."""
    key = make_key(tmp_path / "house.key")
    yesterday = open_felt(tmp_path / "T07-2026-11-28.db", key, EveningClock())
    open_house(yesterday)
    play_round(yesterday)
    play_round(yesterday)
    yesterday.recorder.close()
    today = open_felt(tmp_path / "T07-2026-11-29.db", key, EveningClock())
    today.cards = yesterday.cards
    (tmp_path / "late.jpg").write_bytes(b"late")
    today.recorder.note([keep_evidence(tmp_path / "late.jpg", 2)])
    play_round(today)
    today.recorder.leave()
    return tmp_path


def test_a_round_is_found_on_the_day_it_was_played_whatever_was_noted_later(noted_next_day: Path) -> None:
    answer = krupier("replay", noted_next_day, "--round", 2, "--json")
    assert (answer.exit_code, json.loads(answer.stdout)["round"]) == (0, 2)
    bundle = noted_next_day / "bundle.zip"
    assert krupier("export", noted_next_day, "--round", 2, "-o", bundle).exit_code == 0
    assert json.loads(unpack(bundle.read_bytes())["manifest.json"])["day"] == "2026-11-28"


@pytest.mark.parametrize("question", [("--at", "20:00"), ("--rules", "classic")])
def test_a_day_tells_of_the_rounds_played_on_it_alone(noted_next_day: Path, question: tuple[str, str]) -> None:
    answer = krupier("replay", noted_next_day / "T07-2026-11-29.db", *question, "--json")
    assert answer.exit_code == 0
    assert [json.loads(line)["round"] for line in answer.stdout.splitlines()] == [3]
