"""Reports: figures are those of `krupier report`, charts end at the books, a shift is part of its day."""

import json
import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from dashboard.desk.days import Day
from dashboard.desk.shift import shift_of
from dashboard.i18n import Speech
from dashboard.worth import WORTHS
from table_controller.analysis.theory import theoretical
from table_controller.core.house import Language
from table_controller.core.people import Role
from table_controller.core.stimuli import Moved
from table_controller.export.day_report import report_on
from table_controller.views.figures import Tally
from tests.dashboard.desk.conftest import Evening
from tests.dashboard.world import post
from tests.evening import nobody_warns

DAY = "/reports/T07/2026-11-29"


def series(page: str, chart: str) -> list[list[float]]:
    found = re.search(rf"data-chart=\"{chart}\"[^>]*data-series='([^']+)'", page)
    assert found is not None
    read: list[list[float]] = json.loads(unescape(found[1]))
    return read


def test_the_chart_of_the_win_ends_at_the_tables_own_books(evening: Evening, desk: FlaskClient) -> None:
    page = desk.get(DAY).text
    times, won = series(page, "line")
    assert round(won[-1] * 100) == evening.felt.state.bank.house_net
    assert times == sorted(times)
    hours, rates = series(page, "bars")
    assert len(hours) == len(rates) >= 1
    assert all(rate > 0 for rate in rates)


def test_the_figures_are_those_of_the_report_command(evening: Evening, desk: FlaskClient) -> None:
    day = Day(evening.felt.recorder.day.path)
    made = report_on([day.path], nobody_warns)
    assert shift_of(day, None, None).figures == made.figures
    assert day.views.listed == made.exceptions
    page = desk.get(f"{DAY}/exceptions").text
    assert page.count("<li>") >= len(made.exceptions.listed)


def test_exceptions_are_filtered_by_kind_and_lead_to_their_round(desk: FlaskClient) -> None:
    page = desk.get(f"{DAY}/exceptions?kind=void").text
    assert "fire alarm" in page
    assert "/desk/T07/2026-11-29/45" in page
    assert "Camera does not answer" not in page


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "en",
            [
                "tried “open the bets”; refused (A device is not working; no round may begin: Camera)",
                "Camera does not answer",
            ],
        ),
        ("pl", ["Kamera nie odpowiada"]),
        ("ru", ["Камера не отвечает"]),
    ],
)
def test_exceptions_name_devices_commands_and_reasons_in_words(evening: Evening, code: str, told: list[str]) -> None:
    desk = evening.signed_in(Role.SURVEILLANCE)
    post(desk, "/me/looks", language=code)
    page = desk.get(f"{DAY}/exceptions").text
    for words in told:
        assert words in page
    assert "device_fault" not in page
    assert "open_bets" not in page


def test_two_halves_of_an_evening_add_up_to_it(evening: Evening) -> None:
    day = Day(evening.felt.recorder.day.path)
    whole = shift_of(day, None, None)
    middle = (whole.since_ns + whole.until_ns) // 2
    first, second = shift_of(day, None, middle), shift_of(day, middle + 1, None)
    for name in ("rounds", "handle", "house_net", "errors"):
        parts = [getattr(part.figures.house, name) for part in (first, second)]
        assert sum(parts) == getattr(whole.figures.house, name), name
        assert all(parts) or name == "errors"
    for what in Moved:
        assert first.moved(what) + second.moved(what) == whole.moved(what)
    assert len(first.views.slips) + len(second.views.slips) == len(whole.views.slips)
    assert second.views.numbered.gaps == ()


@pytest.mark.parametrize("code", ["pl", "en", "ru"])
def test_a_shift_report_is_complete_in_every_language(evening: Evening, code: str) -> None:
    desk = evening.signed_in(Role.ADMINISTRATOR)
    post(desk, "/me/looks", language=code)
    page = desk.get(f"{DAY}/shift")
    assert page.status_code == 200
    for slip in Day(evening.felt.recorder.day.path).views.slips:
        assert f'<td class="num">{slip.number}</td>' in page.text
    assert all(name in page.text for name in ("Ania", "Marek"))
    assert desk.get(DAY).status_code == desk.get(f"{DAY}/exceptions").status_code == 200


def test_the_hours_of_a_shift_are_typed_and_what_cannot_be_read_is_said(desk: FlaskClient) -> None:
    early = desk.get(f"{DAY}/shift?until=21:10").text
    assert "Marek" not in early
    assert "Ania" in early
    assert "cannot be read: From" in desk.get(f"{DAY}/shift?since=yesterday").text


@pytest.mark.parametrize("path", ["", "/exceptions", "/shift"])
@pytest.mark.parametrize("role", [Role.DEALER, Role.TECHNICIAN])
def test_money_is_not_for_dealer_or_technician(evening: Evening, role: Role, path: str) -> None:
    assert evening.signed_in(role).get(f"{DAY}{path}").status_code == 403


def test_a_dealers_rate_is_of_his_own_rounds(evening: Evening) -> None:
    figures = shift_of(Day(evening.felt.recorder.day.path), None, None).figures
    total = Tally()
    for tally in figures.dealers.values():
        total = Tally(*(getattr(total, name) + getattr(tally, name) for name in Tally.__struct_fields__))
    assert total.rounds == figures.house.rounds


@pytest.mark.parametrize("page", [DAY, f"{DAY}/shift"])
def test_reports_set_the_theoretical_win_beside_the_actual_one(evening: Evening, desk: FlaskClient, page: str) -> None:
    wagers = report_on([evening.felt.recorder.day.path], nobody_warns).wagers
    theory = theoretical(wagers.under)
    WORTHS.theory(wagers, patience_s=120)  # until then the page says that it is being worked out
    text = unescape(desk.get(page).text)
    assert "Theoretical win" in text
    assert Speech(Language.ENGLISH, currency="PLN").signed(round(theory.win / 100) * 100) in text
    assert ("Within the band" in text) is (abs(theory.distance or 0.0) <= 1.96)


def test_the_reports_page_counts_questions_by_dealer_and_device(evening: Evening, desk: FlaskClient) -> None:
    view = Day(evening.felt.recorder.day.path).views.witnesses
    page = unescape(desk.get(DAY).text)
    told = page[page.index("Questions by dealer") :]
    assert sum(tally.cards for tally in view.dealers.values()) == view.cards > 0
    for name, tally in view.dealers.items():
        assert (name or "nobody signed on") in told
        assert str(round(tally.per_thousand, 1)).removesuffix(".0") in told
