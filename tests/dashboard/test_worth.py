"""What the game is worth, in the window: theoretical win beside the actual one, the best play for everybody."""

import re
import signal
import subprocess
import sys
import time
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dashboard.panels.theory import WAGERS
from dashboard.worth import MISSING, WORKING, Worths, worked_out
from table_controller import houses
from table_controller.analysis.theory import Theory, theoretical
from table_controller.core.blackjack.rules import values_of
from table_controller.core.people import Role
from table_controller.export.day_report import report_on
from table_controller.views.wagers import Wagered, rules_key
from tests.dashboard.world import PIN, World, command, post
from tests.evening import nobody_warns
from tests.faults.running.table import children
from tests.vision.processes import eventually


def bets(world: World) -> Wagered:
    view = world.feed.tables["T01"].views[WAGERS]
    assert isinstance(view, Wagered)
    return view


def text(page: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def worked_page(client: FlaskClient, path: str) -> str:
    """The page, once what it shows is worked out; it asks its reader to come again until then."""
    for _ in range(20):
        page = client.get(path)
        assert page.status_code == 200
        if 'http-equiv="refresh"' not in page.text:
            return page.text
    raise AssertionError("it is never worked out")


def test_drawing_the_table_never_waits_for_the_numbers(world: World) -> None:
    assert Worths().theory(bets(world)) == WORKING


def test_the_windows_theoretical_win_is_that_of_the_report_command(world: World) -> None:
    made = report_on([world.felt.recorder.day.path], nobody_warns)
    found = Worths().theory(bets(world), 60)
    assert isinstance(found, Theory)
    assert found == pytest.approx(theoretical(made.wagers.under))
    assert found.actual == world.felt.state.bank.house_net


def test_the_pit_boss_sees_it_beside_the_win_as_soon_as_it_is_known(boss: FlaskClient) -> None:
    for _ in range(600):
        page = text(boss.get("/tables/T01/pit").text)
        if "95 % of such days lie between" in page:
            break
        time.sleep(0.1)
    assert "Theoretical win" in page
    assert "Actual win of the same bets" in page


@pytest.mark.parametrize("role", [Role.DEALER, Role.TECHNICIAN])
def test_who_may_not_see_money_is_not_told_what_it_should_be(world: World, role: Role) -> None:
    answer = world.signed_in(role).get("/panel/T01/theory").json
    assert answer is not None
    assert answer["html"] == ""


@pytest.mark.parametrize("role", list(Role))
def test_everybody_finds_the_best_play_of_the_tables_rules(world: World, role: Role) -> None:
    page = worked_page(world.signed_in(role), "/tables/T01/strategy")
    assert "Strategy for table T01" in page
    assert "The house wins" in page
    assert "0.332 %" in page
    assert page.count("<svg xmlns") == 1
    assert "style=" not in page
    assert "<style" not in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pl", ("Strategia dla stołu T01", "Drukuj")),
        ("ru", ("Стратегия для стола T01", "Печать")),
        ("en", ("Hard totals", "Print")),
    ],
)
def test_the_chart_is_told_in_the_readers_language(world: World, language: str, words: tuple[str, ...]) -> None:
    dealer = world.signed_in(Role.DEALER)
    post(dealer, "/me/looks", language=language, theme="dark")
    page = worked_page(dealer, "/tables/T01/strategy")
    assert [word for word in words if word not in page] == []


def test_a_house_that_favours_the_player_is_warned_of(boss: FlaskClient) -> None:
    assert "WARNING" in worked_page(boss, "/tables/T01/strategy?rules=goldfishka")
    assert "WARNING" not in worked_page(boss, "/tables/T01/strategy?rules=../classic")


def test_a_closed_table_has_the_charts_of_the_houses(world: World, boss: FlaskClient) -> None:
    two = {"second": "second", "second_pin": PIN}
    command(world, boss, "close_table", chip_500="40", **two)
    world.caught_up()
    assert "choose a house" in boss.get("/tables/T01/strategy").text
    assert "Strategy for Live dealer" in worked_page(boss, "/tables/T01/strategy?rules=live_dealer")


def test_a_rule_set_is_worked_out_once() -> None:
    known, rules = Worths(), houses.rules_with("classic", {})
    first = known.of(rules, 60)
    assert first not in (WORKING, MISSING)
    assert known.of(houses.rules_with("classic", {})) is first
    assert worked_out(rules_key(values_of(rules))) == first


ASKING = """
from dashboard.worth import Worths
from table_controller import houses
if __name__ == "__main__":
    for name in houses.NAMES:
        Worths().of(houses.rules_with(name, {}))
    print("asked", flush=True)
    input()
"""


def test_a_window_that_is_killed_while_numbers_are_worked_out_leaves_no_process_behind(tmp_path: Path) -> None:
    asking = tmp_path / "asking.py"
    asking.write_text(ASKING)
    with subprocess.Popen([sys.executable, asking], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as window:
        assert window.stdout is not None
        assert window.stdout.readline() == b"asked\n"
        workers = eventually(lambda: [pid for pid in children(window.pid) if "spawn_main" in words_of(pid)], 30)
        window.send_signal(signal.SIGKILL)
    assert eventually(lambda: all("spawn_main" not in words_of(pid) for pid in workers), 10)


def words_of(pid: int) -> str:
    """A process's command; of one that has ended nothing."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
