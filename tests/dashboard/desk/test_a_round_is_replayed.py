"""The replay: every moment opens, says why, is marked as a recording, and shows no hole card before its time."""

import re
from zoneinfo import ZoneInfo

import pytest
from flask.testing import FlaskClient

from dashboard.desk.days import Days
from dashboard.desk.telling import InWords, lines_of, scenes
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.house import Language
from table_controller.core.people import Role
from tests.dashboard.desk.conftest import ROUNDS, Evening
from tests.dashboard.world import post

DAY = "/desk/T07/2026-11-29"


def test_every_round_opens_and_is_marked_as_a_recording(desk: FlaskClient) -> None:
    for number in range(1, ROUNDS + 2):
        page = desk.get(f"{DAY}/{number}")
        assert page.status_code == 200, number
        assert page.text.count("REPLAY") >= 2, number


def test_every_moment_opens_with_its_sentence_and_no_other(desk: FlaskClient) -> None:
    page = desk.get(f"{DAY}/11").text
    seqs = re.findall(r'data-seq="(\d+)" data-ns', page)
    assert len(seqs) > 20
    for at, seq in enumerate(seqs):
        moment = desk.get(f"{DAY}/11/{seq}")
        assert moment.status_code == 200
        assert f"{at + 1} of {len(seqs)}" in moment.text
        assert "REPLAY" in moment.text
        assert "<html" not in moment.text


def test_the_address_of_a_step_opens_the_page_at_that_step(desk: FlaskClient) -> None:
    page = desk.get(f"{DAY}/11").text
    seq = re.findall(r'data-seq="(\d+)" data-ns', page)[4]
    there = desk.get(f"{DAY}/11?seq={seq}").text
    assert f'data-seq="{seq}" data-at="4"' in there


@pytest.mark.parametrize("seq", ["abc", "-1", "999999999", "٣"])
def test_a_step_that_is_none_is_answered_with_some_step(desk: FlaskClient, seq: str) -> None:
    assert desk.get(f"{DAY}/11", query_string={"seq": seq}).status_code == 200


def test_the_hole_card_is_in_no_moment_before_it_is_turned(evening: Evening) -> None:
    day = Days(evening.data).day("T07", "2026-11-29")
    say = InWords(day.views.state, Language.ENGLISH, ZoneInfo("UTC"))
    hidden = 0
    for number in day.views.index.rounds:
        moments = day.course(number)
        last = next((m.after.round for m in reversed(moments) if isinstance(m.after.round, BlackjackRound)), None)
        for moment, scene in zip(moments, scenes(moments, say), strict=True):
            rnd = moment.after.round
            if isinstance(rnd, BlackjackRound) and len(rnd.dealer) == 2 and not rnd.revealed:
                assert scene.board.dealer.cards[1] == "back"
                hidden += 1
        assert last is not None
    assert hidden > ROUNDS


def test_the_ledger_of_the_page_is_the_rounds_own(evening: Evening) -> None:
    day = Days(evening.data).day("T07", "2026-11-29")
    for number, entry in day.views.index.rounds.items():
        if not entry.voided:
            assert -sum(line.net for line in lines_of(day.course(number))) == entry.house_net


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("peek", ["Hole card checked under", "document 004, line 11"]),
        ("bj_pays", ["Blackjack pays", "3:2", "document 004, line 23"]),
        ("min_bet", ["Smallest bet", "changed at the table; not in the document"]),
        ("remedies.wrong_place", ["moved to its place", "the house&#39;s remedies, its choice first"]),
    ],
)
def test_a_decision_names_its_clause_and_the_line_of_the_document(
    evening: Evening, desk: FlaskClient, clause: str, told: list[str]
) -> None:
    day = Days(evening.data).day("T07", "2026-11-29")
    number, seq = next(
        (number, moment.seq)
        for number in day.views.index.rounds
        for moment in day.course(number)
        if clause in {one.key for one in moment.clauses}
    )
    page = " ".join(desk.get(f"{DAY}/{number}/{seq}").text.split())
    plain = re.sub(r"<[^>]+>", "", page)
    for words in told:
        assert words in plain


@pytest.mark.parametrize(("code", "word"), [("pl", "POWTÓRKA"), ("ru", "ПОВТОР"), ("en", "REPLAY")])
def test_the_recording_is_marked_in_the_readers_language(evening: Evening, code: str, word: str) -> None:
    desk = evening.signed_in(Role.SURVEILLANCE)
    post(desk, "/me/looks", language=code)
    assert desk.get(f"{DAY}/11").text.count(word) >= 2
    assert desk.get(DAY).status_code == 200


@pytest.mark.parametrize("path", ["/desk/", DAY, f"{DAY}/11", f"{DAY}/11/1", f"{DAY}/11/picture/1", "/complaints/"])
@pytest.mark.parametrize("role", [Role.DEALER, Role.TECHNICIAN])
def test_dealer_and_technician_have_no_business_here(evening: Evening, role: Role, path: str) -> None:
    assert evening.signed_in(role).get(path).status_code == 403


@pytest.mark.parametrize("path", ["/desk/", DAY, f"{DAY}/11", f"{DAY}/11/picture/1", f"{DAY}/11/paper", "/reports/"])
def test_nobody_sees_anything_without_signing_in(evening: Evening, path: str) -> None:
    answer = evening.app.test_client().get(path)
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/sign-in"


@pytest.mark.parametrize(
    "path",
    [
        "/desk/T07/2026-11-30",
        "/desk/T08/2026-11-29",
        "/desk/T07/..%2f..%2fetc",
        "/desk/..%2fT07/2026-11-29",
        "/desk/T07/2026-11-29/999",
        f"{DAY}/11/999999",
        f"{DAY}/11/picture/3",
        "/desk/*/2026-11-29",
        "/desk/T0%3f/2026-11-29",
    ],
)
def test_what_is_not_there_is_not_found(desk: FlaskClient, path: str) -> None:
    assert desk.get(path).status_code == 404
