"""The commands of the record, as a person types them: answers, exit statuses, one line for every error."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from table_controller.cli import main
from table_controller.core import stimuli as said
from table_controller.export.archive import unpack
from table_controller.journal.keys import make_key
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR, SECOND
from tests.evening import EveningClock, open_felt, open_house, play_round
from tests.export.conftest import BOX, DISPUTED, Evening, evening, forge
from tests.journal.conftest import tear_off_certificate

__all__ = ["evening"]

Krupier = Callable[..., Result]


def krupier(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


def refused(result: Result, *, status: int = 2) -> str:
    """The one line of an answer that is none."""
    assert result.exit_code == status
    assert result.exception is None or isinstance(result.exception, SystemExit)
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.fixture
def house(evening: Evening, tmp_path: Path) -> Path:
    """A copy of the evening's folder, to be spoilt."""
    shutil.copytree(evening.path.parent, tmp_path / "house")
    return tmp_path / "house"


def spoil(house: Path) -> None:
    path = house / "T07-2026-11-29.db"
    path.chmod(0o640)
    path.write_bytes(path.read_bytes().replace(b'"result":"lose"', b'"result":"push"', 1))


def test_verify_says_good_and_what_to_compare(evening: Evening) -> None:
    result = krupier("verify", evening.path)
    assert result.exit_code == 0
    assert str(verify_file(evening.path).head) in result.stdout
    assert result.stdout.rstrip().endswith(": good")


@pytest.mark.parametrize("what", ["file", "folder", "bundle"])
def test_verify_answers_in_json_for_everything_it_reads(evening: Evening, tmp_path: Path, what: str) -> None:
    path = {"file": evening.path, "folder": evening.path.parent, "bundle": tmp_path / "bundle.zip"}[what]
    evening.bundle(tmp_path)
    result = krupier("verify", path, "--json")
    answer = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (answer["ok"], answer["first_bad"], answer["reason"]) == (True, None, None)
    assert answer["records"] > 0


def test_verify_names_the_first_bad_record(house: Path) -> None:
    spoil(house)
    result = krupier("verify", house / "T07-2026-11-29.db", "--json")
    answer = json.loads(result.stdout)
    assert result.exit_code == 1
    assert answer["first_bad"] == answer["records"] + 1
    assert answer["reason"] == f"record {answer['first_bad']} is not what was written"


@pytest.mark.parametrize("grouped", [False, True])
def test_verify_compares_with_what_left_the_house(evening: Evening, tmp_path: Path, *, grouped: bool) -> None:
    verdict = verify_file(evening.path)
    head, key = str(verdict.head), str(verdict.fingerprint)
    if grouped:
        head, key = " ".join((head[:32], head[32:])), key.upper()
    for path in (evening.path, evening.path.parent, evening.bundle(tmp_path)):
        assert krupier("verify", path, "--head", head, "--fingerprint", key).exit_code == 0
        assert krupier("verify", path, "--head", "0" * 64).exit_code == 1
        assert krupier("verify", path, "--fingerprint", "0" * 64).exit_code == 1


@pytest.mark.parametrize("words", [("--head", "abc"), ("--fingerprint", "g" * 64)])
def test_verify_wants_whole_numbers_of_the_slip(evening: Evening, words: tuple[str, str]) -> None:
    assert "64 hex digits" in refused(krupier("verify", evening.path, *words))


@pytest.mark.parametrize("command", ["verify", "replay", "report", "slip"])
def test_a_path_that_is_not_there_is_named(tmp_path: Path, command: str) -> None:
    assert "nowhere.db" in refused(krupier(command, tmp_path / "nowhere.db"))


@pytest.mark.parametrize("command", ["verify", "replay", "report", "slip"])
def test_a_folder_without_journals_is_named(tmp_path: Path, command: str) -> None:
    assert "no journal here" in refused(krupier(command, tmp_path))


@pytest.mark.parametrize("words", [["replay"], ["report"], ["slip"], ["export", "--round", "2", "-o", "out.zip"]])
def test_a_damaged_journal_ends_with_status_1_and_one_line(house: Path, words: list[str]) -> None:
    path = house / "T07-2026-11-29.db"
    path.chmod(0o640)
    path.write_bytes(b"SQLite format 3\0" + bytes(5000))
    refused(krupier(words[0], path, *words[1:]), status=1)


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
    assert "round 1:" in result.stdout
    assert result.exit_code == 0


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
        (("--rules", "atlantis"), "golden_wolf"),
        (("--at", "quarter past nine"), "21:15"),
        (("--at", "21:15", "--zone", "Mars/Olympus"), "Europe/Warsaw"),
    ],
)
def test_what_replay_cannot_answer_is_named_with_what_it_can(
    evening: Evening, words: tuple[str, ...], names: str
) -> None:
    assert names in refused(krupier("replay", evening.path, *words))


def test_export_writes_a_bundle_that_verifies(house: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    result = krupier("export", house, "--round", DISPUTED, "--box", BOX, "-o", out, "--lang", "pl")
    assert result.exit_code == 0
    assert krupier("verify", out).exit_code == 0
    assert "Runda 2, stół T07".encode() in out.read_bytes()


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--round", "99"), "99"),
        (("--round", "2", "--box", "7"), "box 7 had no part"),
        (("--round", "2", "--key", "nowhere.key"), "nowhere.key"),
    ],
)
def test_what_cannot_be_exported_is_named_and_nothing_is_written(
    evening: Evening, tmp_path: Path, words: tuple[str, ...], names: str
) -> None:
    out = tmp_path / "out.zip"
    assert names in refused(krupier("export", evening.path, *words, "-o", out))
    assert not out.exists()


def test_report_gives_the_days_figures(evening: Evening) -> None:
    answer = json.loads(krupier("report", evening.path, "--json").stdout)
    assert answer["rounds"] == 4
    assert {"handle", "win", "drop", "hold", "exceptions", "dealers", "gaps"} <= set(answer)
    assert list(answer["dealers"]) == ["dealer-1"]


@pytest.mark.parametrize(("language", "word"), [("en", "Rounds"), ("pl", "Rundy"), ("ru", "Раунды")])
def test_report_speaks_three_languages(evening: Evening, language: str, word: str) -> None:
    assert word in krupier("report", evening.path, "--lang", language).stdout


def test_the_slip_carries_head_and_key_as_text_and_picture(evening: Evening, tmp_path: Path) -> None:
    page = tmp_path / "slip.html"
    result = krupier("slip", evening.path, "-o", page)
    verdict = verify_file(evening.path)
    line = f"krupier T07 2026-11-29 --head {verdict.head} --fingerprint {verdict.fingerprint}"
    assert line in result.stdout
    assert "█" in result.stdout
    assert b"<svg" in page.read_bytes()


def test_a_day_that_is_open_has_no_slip_yet(house: Path) -> None:
    path = house / "T07-2026-11-29.db"
    tear_off_certificate(path)
    connection = sqlite3.connect(path)
    connection.executescript("DROP TRIGGER never_removed; DELETE FROM journal WHERE seq > 100;")
    connection.close()
    assert "not closed yet" in refused(krupier("slip", path))


def test_a_key_is_made_once_and_shown(tmp_path: Path) -> None:
    made = krupier("key", "new", tmp_path / "house.key")
    assert made.exit_code == 0
    assert krupier("key", "show", tmp_path / "house.key").stdout == made.stdout
    assert "a key is there already" in refused(krupier("key", "new", tmp_path / "house.key"))


def test_a_complaint_is_taken_down_listed_and_closed(tmp_path: Path) -> None:
    key = make_key(tmp_path / "house.key")
    felt = open_felt(tmp_path / "T07-2026-11-29.db", key, EveningClock())
    open_house(felt)
    play_round(felt)
    felt.recorder.leave()
    opened = krupier("dispute", "open", tmp_path, "--round", 1, "--box", 3, "--reason", "paid wrong", "--by", "floor-2")
    assert opened.exit_code == 0
    assert krupier("verify", opened.stdout.split(": ")[1].strip()).exit_code == 0
    assert "round 1, box 3: paid wrong" in krupier("dispute", "list", tmp_path).stdout
    closed = krupier("dispute", "close", tmp_path, 1, "--by", "floor-2", "--decision", "difference paid")
    assert closed.stdout == "complaint 1: difference paid (floor-2)\n"
    assert krupier("dispute", "list", tmp_path).stdout == ""
    assert krupier("verify", tmp_path).exit_code == 0


def test_a_folder_of_several_tables_asks_which_one(tmp_path: Path) -> None:
    for _ in range(2):
        assert krupier("demo", "--data", tmp_path, "--rounds", 1, "--headless").exit_code == 0
    assert "journals of 2 tables, T01, T02" in refused(krupier("report", tmp_path))
    assert krupier("verify", tmp_path).exit_code == 0


def test_the_demos_evening_is_a_record_like_any_other(tmp_path: Path) -> None:
    told = json.loads(krupier("demo", "--data", tmp_path, "--rounds", 3, "--rules", "classic", "--headless").stdout)
    assert Path(told["journal"]).parent == tmp_path
    assert krupier("replay", told["journal"]).exit_code == 0
    answer = json.loads(krupier("report", told["journal"], "--json").stdout)
    assert (answer["rounds"], answer["handle"]) == (told["rounds"], told["money_in"])


def test_a_head_kept_elsewhere_catches_another_course_of_the_day(evening: Evening, tmp_path: Path) -> None:
    heads = tmp_path / "heads.jsonl"
    assert krupier("slip", evening.path, "--anchors", heads).exit_code == 0
    assert krupier("verify", evening.path, "--anchors", heads).exit_code == 0
    assert krupier("verify", evening.bundle(tmp_path), "--anchors", heads).exit_code == 0
    head = str(verify_file(evening.path).head)
    heads.write_text(heads.read_text("utf-8").replace(head, head[::-1]), "utf-8")
    answer = krupier("verify", evening.path, "--anchors", heads, "--json")
    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["reason"] == "2026-11-29: the head is not the one that left the house"


def test_evidence_changed_on_the_disk_names_its_record(house: Path) -> None:
    picture = house / "evidence" / "T07-2026-11-29" / f"round-{DISPUTED}" / "box-3.jpg"
    content = picture.read_bytes()
    for at in range(len(content)):
        picture.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        answer = json.loads(krupier("verify", house, "--json").stdout)
        assert not answer["ok"]
        assert answer["first_bad"] is not None
        assert "box-3.jpg is not the evidence" in answer["reason"]


def test_a_journal_is_backed_up_checked_and_put_back(house: Path, tmp_path: Path) -> None:
    copy = tmp_path / "stick" / "T07-2026-11-29.db"
    assert krupier("backup", house, tmp_path / "stick").exit_code == 0
    assert krupier("restore", copy, "--check").exit_code == 0
    spoil(house)
    assert krupier("restore", copy, house / "T07-2026-11-29.db").exit_code == 0
    assert krupier("verify", house).exit_code == 0
    copy.write_bytes(b"nothing")
    refused(krupier("restore", copy, "--check"), status=1)
    refused(krupier("restore", copy, house / "T07-2026-11-29.db"), status=1)
    assert krupier("verify", house).exit_code == 0


def test_a_forger_who_seals_everything_again_is_caught_by_key_and_by_head(evening: Evening, tmp_path: Path) -> None:
    true = verify_file(evening.path)
    forged = forge(evening, tmp_path, b'"result":"lose"', b'"result":"push"')
    bundle = forged.bundle(tmp_path)
    for path in (forged.path, bundle):
        assert krupier("verify", path).exit_code == 0  # to itself it is good
        assert krupier("verify", path, "--fingerprint", true.fingerprint).exit_code == 1
        assert krupier("verify", path, "--head", true.head).exit_code == 1


def test_a_text_of_a_person_is_never_markup(tmp_path: Path) -> None:
    key = make_key(tmp_path / "house.key")
    felt = open_felt(tmp_path / "T07-2026-11-29.db", key, EveningClock())
    open_house(felt)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "<script>alert(1)</script>"))
    felt.recorder.close()
    out = tmp_path / "out.zip"
    assert krupier("export", tmp_path, "--round", 1, "-o", out).exit_code == 0
    report = unpack(out.read_bytes())["report.html"]
    assert b"<script>" not in report
    assert b"&lt;script&gt;" in report


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


def test_a_held_day_survives_a_purge_and_a_lifted_one_does_not(tmp_path: Path) -> None:
    key = make_key(tmp_path / "house.key")
    for day in ("2020-05-01", "2020-05-02", "2026-11-29"):
        felt = open_felt(tmp_path / f"T07-{day}.db", key, EveningClock())
        if day < "2026":
            felt.recorder.close()
        else:
            felt.recorder.leave()
    held = krupier("hold", "place", tmp_path, "--day", "2020-05-01", "--reason", "court", "--by", "floor-1")
    assert held.exit_code == 0
    assert krupier("purge", tmp_path, "--dry-run").stdout == "T07-2020-05-02.db\n"
    assert krupier("purge", tmp_path).stdout == "T07-2020-05-02.db\n"
    assert krupier("hold", "list", tmp_path).stdout == "T07 2020-05-01: court (floor-1)\n"
    assert krupier("hold", "lift", tmp_path, "--day", "2020-05-01", "--by", "floor-1").exit_code == 0
    assert krupier("purge", tmp_path).stdout == "T07-2020-05-01.db\n"
    assert krupier("verify", tmp_path).exit_code == 0
    assert "under no hold" in refused(krupier("hold", "lift", tmp_path, "--day", "2020-05-01", "--by", "floor-1"))


def test_a_day_whose_head_is_kept_elsewhere_is_missed_in_its_folder(house: Path, tmp_path: Path) -> None:
    heads = tmp_path / "heads.jsonl"
    assert krupier("slip", house / "T07-2026-11-29.db", "--anchors", heads).exit_code == 0
    assert krupier("verify", house, "--anchors", heads).exit_code == 0
    heads.write_text(heads.read_text("utf-8") + heads.read_text("utf-8").replace("11-29", "11-30"), "utf-8")
    answer = krupier("verify", house, "--anchors", heads, "--json")
    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["reason"] == "T07 2026-11-30: its head left the house, but the day is not here"


@pytest.mark.parametrize("years", ["-9", "99999"])
def test_days_are_kept_for_a_number_of_years_that_can_be_counted(house: Path, years: str) -> None:
    answer = krupier("purge", house, "--years", years, "--dry-run")
    assert answer.exit_code == 2
    assert "--years" in answer.stderr
    assert answer.stdout == ""
