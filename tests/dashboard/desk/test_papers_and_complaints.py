"""What leaves the desk proves itself; a complaint goes through the table's door and comes back closed by name."""

import re
import sqlite3
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from table_controller.core import stimuli as said
from table_controller.core.people import Role
from table_controller.export.bundle import verify_bundle
from table_controller.journal.complaints import complaints_of
from table_controller.journal.evidence import evidence_folder, keep_evidence
from table_controller.play.felt import FLOOR
from tests.dashboard.desk.conftest import Evening
from tests.dashboard.world import ORIGIN, World, post, token
from tests.evening import rows

DAY = "/desk/T01/2026-11-29"


def taken(client: FlaskClient, path: str, tmp_path: Path, **fields: str) -> Path:
    answer = post(client, path, False, **fields)
    assert answer.status_code == 200
    assert answer.mimetype == "application/zip"
    file = tmp_path / "taken.zip"
    file.write_bytes(answer.data)
    return file


def test_the_exported_bundle_verifies_and_the_taking_is_on_record(
    world: World, boss: FlaskClient, tmp_path: Path
) -> None:
    assert verify_bundle(taken(boss, f"{DAY}/2/export", tmp_path, lang="pl")).ok
    notes = [row for row in rows(world.felt.recorder.day.path) if row.kind == "floor.bundle_exported"]
    assert [b'"round":2' in row.body and b'"by":"pit_boss"' in row.body for row in notes] == [True]


def test_a_players_copy_shows_his_box_and_no_other(boss: FlaskClient, tmp_path: Path) -> None:
    whole = taken(boss, f"{DAY}/2/export", tmp_path, lang="en").read_bytes()
    own = taken(boss, f"{DAY}/2/export", tmp_path, box="3", lang="en")
    assert verify_bundle(own).ok
    assert b"Box 5: bet" in whole
    assert b"Box 5: bet" not in own.read_bytes()


@pytest.mark.parametrize(("lang", "word"), [("en", "What happened"), ("pl", "Przebieg"), ("ru", "Ход")])
def test_the_printed_report_speaks_the_language_asked_for_and_may_run_nothing(
    boss: FlaskClient, lang: str, word: str
) -> None:
    paper = boss.get(f"{DAY}/2/paper", query_string={"lang": lang})
    assert paper.status_code == 200
    assert word in paper.text
    policy = paper.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["export", "paper"])
def test_what_no_round_or_box_is_cannot_be_taken(boss: FlaskClient, path: str) -> None:
    answers = [
        post(boss, f"{DAY}/2/export", box="6") if path == "export" else boss.get(f"{DAY}/2/paper?box=6"),
        post(boss, f"{DAY}/99/export") if path == "export" else boss.get(f"{DAY}/99/paper"),
        post(boss, f"{DAY}/2/export", box="x") if path == "export" else boss.get(f"{DAY}/2/paper?box=x"),
    ]
    assert [answer.status_code for answer in answers] == [404, 404, 400]


def test_a_round_still_on_the_table_gives_no_paper_and_no_picture_of_the_whole_table(
    world: World, boss: FlaskClient
) -> None:
    felt = world.felt
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 3, 300))
    number = felt.round.number
    folder = evidence_folder(felt.recorder.day.path, number)
    folder.mkdir(parents=True)
    for name, box in (("table.jpg", None), ("box3.jpg", 3)):
        (folder / name).write_bytes(b"\xff\xd8 a picture")
        felt.recorder.note([keep_evidence(folder / name, number, box)])
    page = boss.get(f"{DAY}/{number}").text
    seqs = re.findall(rf'src="{DAY}/{number}/picture/(\d+)"', page)
    assert len(seqs) == 1
    assert "withheld until the round is settled" in page
    with boss.get(f"{DAY}/{number}/picture/{seqs[0]}") as picture:
        assert picture.data == b"\xff\xd8 a picture"
    assert boss.get(f"{DAY}/{number}/picture/{int(seqs[0]) - 1}").status_code == 404
    assert post(boss, f"{DAY}/{number}/export").status_code == 409
    assert boss.get(f"{DAY}/{number}/paper").status_code == 409


def test_a_complaint_is_taken_down_locks_the_next_round_and_is_closed_by_name(world: World, boss: FlaskClient) -> None:
    journal = world.felt.recorder.day.path
    for _ in range(2):  # a double tap
        answer = post(
            boss, "/complaints/T01/2026-11-29/2", id="tap-12345678", box=3, reason="paid <wrong>", lock="next_round"
        )
        assert answer.status_code == 302
    assert [(one.number, one.box, one.by) for one in complaints_of(journal).standing] == [(1, 3, "pit_boss")]
    assert "complaint 1" in world.felt.state.faults
    page = boss.get("/complaints/").text
    assert "paid &lt;wrong&gt;" in page
    with boss.get("/complaints/T01/2026-11-29/2/1.zip") as frozen:
        assert frozen.data[:2] == b"PK"
    assert post(boss, "/complaints/T01/close/1", decision="paid rightly").status_code == 302
    assert (complaints_of(journal).standing, world.felt.state.faults) == ((), ())
    assert "paid rightly" in boss.get("/complaints/").text


def test_a_complaint_about_a_box_that_had_no_part_says_so(world: World, boss: FlaskClient) -> None:
    post(boss, "/complaints/T01/2026-11-29/2", id="tap-12345678", box=6, reason="x", lock="none")
    assert "There is no such round, box or complaint" in boss.get(f"{DAY}/2").text
    assert complaints_of(world.felt.recorder.day.path).standing == ()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/complaints/T01/2026-11-29/2", {"box": "3", "reason": "", "lock": "none"}),
        ("/complaints/T01/2026-11-29/2", {"box": "x", "reason": "x", "lock": "none"}),
        ("/complaints/T01/2026-11-29/2", {"box": "3", "reason": "x", "lock": "everything"}),
        ("/complaints/T01/2026-11-29/2", {"box": "3", "reason": "x" * 201, "lock": "none"}),
        ("/complaints/T01/close/1", {"decision": ""}),
        ("/complaints/T01/close/1", {"decision": "a\x07b"}),
    ],
)
def test_a_form_that_cannot_be_read_changes_nothing(
    world: World, boss: FlaskClient, path: str, fields: dict[str, str]
) -> None:
    before = world.felt.recorder.day.writer.head
    assert post(boss, path, False, **fields).status_code == 400
    assert world.felt.recorder.day.writer.head == before


@pytest.mark.parametrize("path", [f"{DAY}/2/export", "/complaints/T01/2026-11-29/2", "/complaints/T01/close/1"])
def test_no_post_without_token_origin_sign_in_or_role(world: World, boss: FlaskClient, path: str) -> None:
    fields = {"box": "3", "reason": "x", "lock": "none", "decision": "x", "csrf_token": token(boss)}
    assert boss.post(path, data={**fields, "csrf_token": ""}, headers=ORIGIN).status_code == 400
    assert boss.post(path, data=fields).status_code == 403
    assert boss.post(path, data=fields, headers={"Origin": "http://other.example"}).status_code == 403
    assert post(world.signed_in(Role.DEALER), path, False, **fields).status_code == 403
    assert post(world.app.test_client(), path, False, **fields).status_code == 401
    assert world.felt.state.faults == ()


def test_surveillance_reads_and_exports_but_takes_no_complaint_down(world: World) -> None:
    watcher = world.signed_in(Role.SURVEILLANCE)
    page = watcher.get(f"{DAY}/2").text
    assert "Export bundle" in page
    assert "Take down a complaint" not in page
    assert post(watcher, "/complaints/T01/2026-11-29/2", box=3, reason="x", lock="none").status_code == 403


def test_a_silent_table_takes_no_complaint_and_says_so(world: World, boss: FlaskClient) -> None:
    world.controller.silent = True
    post(boss, "/complaints/T01/close/1", decision="nothing")
    assert "It was not taken down" in boss.get("/complaints/").text


def test_a_damaged_day_is_said_to_be_damaged_and_nothing_of_it_is_shown(evening: Evening) -> None:
    path = evening.data / "T07-2026-11-28.db"
    path.write_bytes((evening.data / "T07-2026-11-29.db").read_bytes())
    with sqlite3.connect(path) as spoiled:
        for (name,) in spoiled.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            spoiled.execute(f"DROP TRIGGER {name}")
        spoiled.execute("UPDATE journal SET body = x'7b' WHERE seq = 40")
    spoiled.close()
    page = evening.signed_in().get("/desk/T07/2026-11-28")
    path.unlink()
    assert page.status_code == 409
    assert "record 40" in page.text
    assert "round-line" not in page.text
