"""krupier replay, and the mark on figures of a record that is not what was written."""

import json
from datetime import datetime
from importlib import resources
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from table_controller.journal.verify import verify_file
from tests.asking import house, krupier, refused, spoil
from tests.export.conftest import DISPUTED, Evening, evening, forge

__all__ = ["evening", "house"]


def test_replay_judges_every_decision_again(evening: Evening) -> None:
    result = krupier("replay", evening.path, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["ok"], answer["first_difference"]) == (0, True, None)
    assert answer["state"]["rounds"] == 4


def test_replay_tells_the_course_of_a_round_with_what_each_box_got(evening: Evening) -> None:
    result = krupier("replay", evening.path.parent, "--round", DISPUTED, "--json")
    answer = json.loads(result.stdout)
    assert answer["round"] == DISPUTED
    assert set(answer["net"]) == {"1", "3", "5"}
    assert sum(line["net"] for line in answer["ledger"]) == sum(answer["net"].values())
    assert answer["rows"][0]["what"].startswith("< open_bets")


def test_replay_tells_the_state_after_a_record(evening: Evening) -> None:
    answer = json.loads(krupier("replay", evening.path, "--seq", 3).stdout)
    assert answer["seq"] == 3
    assert answer["state"]["rounds"] == 0


def test_replay_finds_a_round_by_the_time_of_day(evening: Evening) -> None:
    result = krupier("replay", evening.path, "--at", "20:01", "--zone", "UTC")
    assert [line.startswith("->") for line in result.stdout.splitlines()].count(True) == 1
    assert result.exit_code == 0


def test_the_round_on_the_table_at_a_time_is_marked_between_its_neighbours_by_the_venues_clock(
    evening: Evening,
) -> None:
    begun = json.loads(krupier("replay", evening.path, "--round", 2, "--json").stdout)["rows"][0]["at_ns"]
    there = datetime.fromtimestamp(begun / 10**9, ZoneInfo("Asia/Tokyo"))
    (evening.path.parent / "table.toml").write_text('zone = "Asia/Tokyo"\n')
    try:
        lines = krupier("replay", evening.path, "--at", f"{there:%H:%M}").stdout.splitlines()
    finally:
        (evening.path.parent / "table.toml").unlink()
    (marked,) = [line for line in lines if line.startswith("->")]
    assert f"{there:%H:%M}" in marked
    assert len(lines) <= 3
    assert "+0900" in marked


def test_replay_tries_other_rules_and_leaves_the_record_as_it_is(evening: Evening) -> None:
    before = evening.path.read_bytes()
    answers = krupier("replay", evening.path, "--rules", "golden_wolf", "--json").stdout.splitlines()
    assert [json.loads(line)["round"] for line in answers] == [1, 2, 3, 4]
    assert evening.path.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--round", "99"), "round 99"),
        (("--seq", "99999"), "not 99999"),
        (("--seq", "0"), "not 0"),
        (("--round", "2", "--seq", "5"), "--round and --seq"),
        (("--round", "2", "--at", "20:01", "--rules", "classic"), "--at and --round and --rules"),
        (("--at", "03:00", "--zone", "UTC"), "no round within an hour of 03:00; the day was recorded from 20:00:00"),
        (("--rules", "atlantis"), "golden_wolf"),
        (("--at", "quarter past nine"), "21:15"),
        (("--at", "21:15", "--zone", "Mars/Olympus"), "Europe/Warsaw"),
    ],
)
def test_what_replay_cannot_answer_is_named_with_what_it_can(
    evening: Evening, words: tuple[str, ...], names: str
) -> None:
    assert names in refused(krupier("replay", evening.path, *words))


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "--round", DISPUTED],
        ["replay", "--seq", "200"],
        ["replay", "--at", "20:01", "--zone", "UTC"],
        ["replay", "--rules", "classic"],
        ["report"],
    ],
)
def test_figures_of_a_bent_record_are_marked_with_its_first_bad_record(house: Path, words: list[str]) -> None:
    spoil(house)
    path = house / "T07-2026-11-29.db"
    bad = verify_file(path).first_bad
    for json_wanted in ([], ["--json"]):
        result = krupier(words[0], path, *words[1:], *json_wanted)
        assert result.exit_code == 1
        assert f"NOT GOOD, do not rely on what follows: record {bad} " in refused(result, status=1)
        assert ("NOT GOOD" in result.stdout) is not bool(json_wanted or "--seq" in words)
        assert len(result.stdout) > 100


def test_one_fault_has_one_number(house: Path) -> None:
    spoil(house)
    path = house / "T07-2026-11-29.db"
    told = json.loads(krupier("replay", path, "--json").stdout)["first_difference"]
    assert told["seq"] == verify_file(path).first_bad


def test_replay_names_the_first_decision_that_would_come_out_otherwise(evening: Evening, tmp_path: Path) -> None:
    forged = forge(evening, tmp_path, b'"result":"lose"', b'"result":"push"')
    result = krupier("replay", forged.path, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["ok"]) == (1, False)
    assert "push" in answer["first_difference"]["recorded"]
    assert "lose" in answer["first_difference"]["now"]
    assert "recorded bet_settled" in krupier("replay", forged.path).stdout


def test_other_rules_may_come_from_a_file(evening: Evening, tmp_path: Path) -> None:
    rules = Path(str(resources.files("table_controller"))) / "rules" / "classic.toml"
    (tmp_path / "mine.toml").write_text(rules.read_text("utf-8"), "utf-8")
    result = krupier("replay", evening.path, "--round", 1, "--rules", tmp_path / "mine.toml")
    assert result.exit_code == 0
    assert "the same facts" in result.stdout


def test_a_round_other_rules_cannot_finish_says_so_and_why(evening: Evening) -> None:
    answers = krupier("replay", evening.path, "--rules", "live_dealer", "--json").stdout.splitlines()
    told = [json.loads(line) for line in answers]
    stuck = [one for one in told if one["unfinished"]]
    assert stuck
    lines = krupier("replay", evening.path, "--rules", "live_dealer").stdout.splitlines()
    for one in stuck:
        line = next(line for line in lines if line.startswith(f"round {one['round']}:"))
        assert f"cannot be finished under these rules ({one['obstacle']})" in line
    assert all(not str(one["parts"]).startswith("bets_closed") for one in told)
