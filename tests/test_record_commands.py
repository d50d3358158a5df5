"""The commands of the record, as a person types them: answers, exit statuses, one line for every error."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from html import unescape
from pathlib import Path

import pytest

from table_controller.core import stimuli as said
from table_controller.export.archive import unpack
from table_controller.journal.keys import make_key
from table_controller.journal.verify import verify_file
from table_controller.money import NO_BREAK
from table_controller.play.felt import FLOOR, SECOND
from tests.asking import house, krupier, refused, spoil
from tests.evening import EveningClock, open_felt, open_house, play_round, rows
from tests.export.conftest import BOX, DISPUTED, Evening, evening, forge
from tests.journal.conftest import tear_off_certificate

__all__ = ["evening", "house"]


def test_verify_says_good_and_what_to_compare(evening: Evening) -> None:
    result = krupier("verify", evening.path)
    assert result.exit_code == 0
    assert str(verify_file(evening.path).head) in result.stdout
    assert "compared with nothing from outside the house" in result.stdout
    head = str(verify_file(evening.path).head)
    assert krupier("verify", evening.path, "--head", head).stdout.rstrip().endswith(": good")


def test_what_cannot_be_read_has_no_head_to_compare(tmp_path: Path) -> None:
    (tmp_path / "T07-2026-11-29.db").write_bytes(b"nothing")
    result = krupier("verify", tmp_path / "T07-2026-11-29.db")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1


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


@pytest.mark.parametrize(
    "words", [["export", "--round", DISPUTED], ["slip"], ["export", "--round", DISPUTED, "--box", BOX]]
)
@pytest.mark.parametrize("name", ["T07-2026-11-29.db", "house.key"])
def test_no_paper_is_written_over_a_file(house: Path, words: list[object], name: str) -> None:
    before = (house / name).read_bytes()
    line = refused(krupier(words[0], house, *words[1:], "-o", house / name))
    assert "is there already; name a new file" in line
    assert (house / name).read_bytes() == before


def test_a_paper_for_a_folder_that_is_not_there_names_the_folder(house: Path) -> None:
    line = refused(krupier("export", house, "--round", DISPUTED, "-o", house / "nowhere" / "out.zip"))
    assert f"{house / 'nowhere'}: no such folder" in line


def test_report_gives_the_days_figures(evening: Evening) -> None:
    answer = json.loads(krupier("report", evening.path, "--json").stdout)
    assert answer["rounds"] == 4
    assert {"handle", "win", "drop", "hold", "exceptions", "dealers", "gaps"} <= set(answer)
    assert list(answer["dealers"]) == ["dealer-1"]


@pytest.mark.parametrize(("language", "word"), [("en", "Rounds"), ("pl", "Rundy"), ("ru", "Раунды")])
def test_report_speaks_three_languages(evening: Evening, language: str, word: str) -> None:
    told = krupier("report", evening.path, "--lang", language).stdout
    assert word in told
    assert "T07, 2026-11-29" in told.splitlines()[0]


def test_a_report_over_days_counts_them_all_and_names_the_first_and_the_last(tmp_path: Path) -> None:
    key = make_key(tmp_path / "house.key")
    for day in ("2026-11-28", "2026-11-29", "2026-11-30"):
        felt = open_felt(tmp_path / f"T07-{day}.db", key, EveningClock())
        if day == "2026-11-28":
            open_house(felt)
        else:
            felt.load()
        play_round(felt)
        felt.recorder.close()
    assert json.loads(krupier("report", tmp_path, "--json").stdout)["rounds"] == 3
    assert "T07, 2026-11-28 – 2026-11-30" in krupier("report", tmp_path).stdout.splitlines()[0]


def test_a_report_without_a_dealer_has_no_heading_for_dealers(tmp_path: Path) -> None:
    felt = open_felt(tmp_path / "T07-2026-11-29.db", make_key(tmp_path / "house.key"), EveningClock())
    felt.recorder.close()
    told = krupier("report", tmp_path).stdout
    assert "T07, 2026-11-29" in told
    assert "By dealer" not in told


def test_the_paper_says_how_to_check_this_very_bundle_and_what_each_hand_came_to(house: Path, tmp_path: Path) -> None:
    out = tmp_path / "for box 3.zip"
    assert krupier("export", house, "--round", DISPUTED, "--box", BOX, "-o", out).exit_code == 0
    report = unpack(out.read_bytes())["report.html"].decode()
    head, key = verify_file(house / "T07-2026-11-29.db").head, verify_file(house / "T07-2026-11-29.db").fingerprint
    command = unescape(report.split("<pre>")[1].split("</pre>")[0]).replace("\\\n", " ").split()
    assert command == ["krupier", "verify", "'for", "box", "3.zip'", "--head", head, "--fingerprint", key]
    ledger = json.loads(krupier("replay", house, "--round", DISPUTED, "--json").stdout)["ledger"]
    won = [line["net"] for line in ledger if line["box"] == BOX]
    assert won
    for net in won:
        assert f"{'+' if net > 0 else '−' if net < 0 else ''}PLN{NO_BREAK}{abs(net) // 100}." in report
    assert "<th class=number>Total</th>" in report


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
        assert krupier("demo", "--tell", "--data", tmp_path, "--rounds", 1, "--headless").exit_code == 0
    assert "journals of 2 tables, T01, T02" in refused(krupier("report", tmp_path))
    assert krupier("verify", tmp_path).exit_code == 0


def test_the_demos_evening_is_a_record_like_any_other(tmp_path: Path) -> None:
    told = json.loads(krupier("demo", "--data", tmp_path, "--rounds", 3, "--rules", "classic", "--headless").stdout)
    assert Path(told["journal"]).parent == tmp_path
    assert max(row.at_ns for row in rows(Path(told["journal"]))) < time.time_ns()
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


def test_a_backup_is_put_back_into_a_folder_under_its_own_name(house: Path, tmp_path: Path) -> None:
    name = "T07-2026-11-29.db"
    assert krupier("backup", house, tmp_path / "stick").exit_code == 0
    spoil(house)
    (tmp_path / "stick" / name).rename(tmp_path / "stick" / "a copy.db")
    before = {path.name for path in house.iterdir()}
    assert krupier("restore", tmp_path / "stick" / "a copy.db", house).exit_code == 0
    assert {path.name for path in house.iterdir()} == before | {f"{name}.damaged-1"}
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


def test_a_reader_who_stops_reading_is_no_error_of_a_file(evening: Evening) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    program = "from table_controller.cli import main; main()"
    command = [sys.executable, "-c", program, "replay", str(evening.path), "--round", str(DISPUTED)]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode != 0
    assert b"name a file" not in done.stderr
    assert b"Traceback" not in done.stderr
