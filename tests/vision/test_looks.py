"""Every look at the photographs is counted."""

from pathlib import Path

from vision.training import looks

SCORES = {"labels": 10, "found": 9, "readings": 12, "wrong": 1, "phantom": 2}


def test_every_look_at_the_photographs_is_written_down_and_told(tmp_path: Path) -> None:
    tally = tmp_path / "looks.jsonl"
    looks.note(tally, "first-weights-a", 0.95, SCORES)
    looks.note(tally, "second-weights-b", 0.9, SCORES)
    told = looks.told(tally)
    assert "looked at 2 times" in told
    assert told.count("90.0% | 1 of 12 | 2 |") == 2


def test_before_the_first_look_the_tally_says_none(tmp_path: Path) -> None:
    assert "looked at 0 times" in looks.told(tmp_path / "looks.jsonl")
