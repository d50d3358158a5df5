"""Searching: what a person knows of a round, typed the way people type it, leads to the round."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from flask.testing import FlaskClient

from dashboard.desk.searching import Misread, wanted
from table_controller.core.irregular import Irregularity
from table_controller.views.exceptions import ExceptionKind
from tests.dashboard.desk.conftest import ROUNDS, Evening

DAY = "/desk/T07/2026-11-29"
WARSAW = ZoneInfo("Europe/Warsaw")


def found(desk: FlaskClient, **fields: str) -> list[int]:
    page = desk.get(DAY, query_string=fields)
    assert page.status_code == 200
    return [int(number) for number in re.findall(rf'class="round-line" href="{DAY}/(\d+)"', page.text)]


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 10**9


def test_without_a_word_every_round_is_there_the_newest_first(desk: FlaskClient) -> None:
    numbers = found(desk)
    assert numbers == list(range(len(numbers), 0, -1))
    assert len(numbers) == ROUNDS + 1  # one of them void


def test_the_times_are_the_venues(desk: FlaskClient) -> None:
    first = found(desk, until="21:00")
    assert first == [1]  # the evening began at 20:00 UTC
    assert found(desk, until="20:59") == []
    assert found(desk, since="21:00", until="21:00") == [1]


def test_a_box_an_amount_a_dealer_a_player_an_alert(desk: FlaskClient) -> None:
    everything = set(found(desk))
    for fields in (
        {"box": "3"},
        {"least": "25"},
        {"dealer": "Marek"},
        {"player": "player-b"},
        {"mark": "void"},
        {"mark": "wrong_place"},
    ):
        some = set(found(desk, **fields))
        assert some, fields
        assert some < everything, fields
    assert found(desk, number="7") == [7]
    assert found(desk, mark="void") == [45]


def test_amounts_are_read_as_people_write_them() -> None:
    read = [wanted({"least": text}, "2026-11-29", WARSAW).least for text in ("12,50", "12.5", " 1 200 ", "0", "")]
    assert read == [1250, 1250, 120000, 0, None]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("least", "twelve"),
        ("most", "1e9"),
        ("least", "-5"),
        ("least", "0.001"),
        ("least", "Infinity"),
        ("box", "-1"),
        ("box", "٣"),
        ("since", "25:00"),
        ("until", "nine"),
        ("mark", "<script>"),
        ("number", "9" * 61),
        ("dealer", "a\x00b"),
    ],
)
def test_what_cannot_be_read_is_said_by_name(desk: FlaskClient, field: str, value: str) -> None:
    with pytest.raises(Misread, match=f"^{field}$"):
        wanted({field: value}, "2026-11-29", WARSAW)
    page = desk.get(DAY, query_string={field: value})
    assert page.status_code == 200
    assert "cannot be read" in page.text
    assert "<script>" not in page.text.replace('<script src="', "").replace('<script type="', "")


def test_times_after_midnight_belong_to_the_evening_before() -> None:
    asked = wanted({"since": "23:30", "until": "01:15"}, "2026-11-29", WARSAW)
    assert asked.since_ns == at("2026-11-29T22:30")
    assert asked.until_ns == at("2026-11-30T00:16") - 1


def test_the_hour_the_clocks_go_through_twice_is_searched_whole() -> None:
    """Europe/Warsaw, 25 October 2026: 02:00 to 03:00 comes twice."""
    asked = wanted({"since": "02:30", "until": "02:30"}, "2026-10-24", WARSAW)
    assert asked.since_ns == at("2026-10-25T00:30")
    assert asked.until_ns == at("2026-10-25T01:31") - 1


def test_a_mark_is_a_question_or_an_exception() -> None:
    assert wanted({"mark": "wrong_place"}, "2026-11-29", WARSAW).question is Irregularity.WRONG_PLACE
    assert wanted({"mark": "payout"}, "2026-11-29", WARSAW).exception is ExceptionKind.PAYOUT


def test_the_page_tells_players_dealers_and_marks_of_this_day_only(desk: FlaskClient, evening: Evening) -> None:
    page = desk.get(DAY).text
    assert evening.felt.state.dealer is not None
    assert evening.felt.state.dealer in page
    assert '<option value="wrong_place" >' in page
    assert '<option value="player_absent" >' not in page
