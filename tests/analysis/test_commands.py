"""krupier strategy, edge, bankroll, review, and theoretical win in the report: what a person or a program is told."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from table_controller.cli import main


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def told(*words: str) -> dict[str, Any]:
    result = run(*words)
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def test_the_edge_of_a_house_is_one_json_object() -> None:
    answer = told("edge", "golden_wolf", "--json")
    assert answer["edge"] == pytest.approx(-0.00332, abs=5e-6)
    assert answer["stderr"] == 0
    assert (answer["rules"], answer["favours_player"]) == ("golden_wolf", False)
    assert answer["method"].startswith("exact")


def test_a_house_that_loses_money_is_warned() -> None:
    result = run("edge", "002", "--json")
    assert json.loads(result.stdout)["favours_player"] is True
    assert result.stderr.startswith("krupier: WARNING: these rules favour the player by +0.316 %")


def test_the_parts_of_an_edge_add_up_to_it() -> None:
    answer = told("edge", "live_dealer", "--json", "--parts")
    assert sum(answer["parts"].values()) == pytest.approx(answer["edge"], abs=1e-12)
    assert {"baseline", "decks", "peek", "soft17", "max_hands"} <= set(answer["parts"])
    assert set(answer["others"]) == {"insurance", "insurance_natural", "pairs"}


def test_what_is_not_exact_is_said() -> None:
    assert "independent" in told("edge", "live_dealer", "bj_loss=obo", "--json")["method"]
    assert "independent" not in told("edge", "live_dealer", "--json")["method"]


def test_keys_are_changed_on_the_command_line() -> None:
    by_option = told("edge", "classic", "--set", "decks=2", "--set", 'peek=["T"]', "--json")
    by_word = told("edge", "classic", "--set", "decks=2", 'peek=["T"]', "--json")
    assert by_option == by_word
    assert by_option["set"] == {"decks": 2, "peek": ["T"]}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("edge", "nobody"), "'nobody' is no house"),
        (("edge", "classic", "--set", "deks=2"), "deks: unknown key; did you mean decks?"),
        (("strategy", "classic", "decks=9"), "decks = 9: must be a whole number from 1 to 8"),
        (("strategy", "classic", "decks"), "write KEY=VALUE"),
        (("edge", "mine.toml"), "mine.toml: No such file or directory; name a readable file"),
        (("bankroll", "classic", "hole_card=false"), "must be [] where there is no hole card"),
    ],
)
def test_an_unusable_request_ends_with_one_line(words: tuple[str, ...], complaint: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not result.stdout


def test_the_chart_has_every_cell_and_its_values(tmp_path: Path) -> None:
    answer = told("strategy", "golden_wolf", "--json")
    assert answer["hard"]["16"] == dict(
        zip(["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"], "SSSSSHH", strict=False)
    ) | {
        "9": "Rh",
        "10": "Rh",
        "A": "Rh",
    }
    assert answer["pairs"]["8,8"]["A"] == "P"
    assert set(answer["ev"]["pairs"]["8,8"]["A"]) == {"hit", "stand", "double", "surrender", "split"}
    assert answer["insurance"]["take"] is False
    for name, begins in (("svg", "<svg"), ("html", "<!doctype html>")):
        target = tmp_path / f"chart.{name}"
        assert run("strategy", "bil_cup", f"--{name}", str(target), "--lang", "pl").exit_code == 0
        assert target.read_text("utf-8").startswith(begins)


def test_a_chart_by_cards_tells_the_hands_that_totals_hide() -> None:
    by_cards = told("strategy", "classic", "decks=1", "surrender=none", "--composition", "--json")["by_cards"]
    assert by_cards["10,2"]["4"] == "H"
    assert by_cards["7,5"]["4"] == "S"


def test_a_bankroll_says_how_likely_the_budget_breaks() -> None:
    answer = told("bankroll", "golden_wolf", "--json", "--evenings", "2000", "--rounds", "60", "--bet", "300")
    assert answer["worst_round"] == 3 * 300 * 8
    assert 0.0 < answer["broken"] < 1.0
    assert answer["expected"] == pytest.approx(60 * 3 * 300 * 0.003317, rel=1e-3)
    assert told("bankroll", "classic", "--json", "--evenings", "1000")["broken"] is None


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    result = run("demo", "--data", str(folder), "--rules", "live_dealer", "--rounds", "60", "--headless")
    assert result.exit_code == 0
    return folder


def test_a_review_is_off_unless_asked_for(evening: Path) -> None:
    result = run("review", str(evening))
    assert result.exit_code == 2
    assert "off by default" in result.stderr


def test_a_review_tells_deviations_and_bets_with_the_caution(evening: Path) -> None:
    answer = told("review", str(evening), "--deviations", "--spread", "--json")
    assert answer["shoes"] >= 1
    assert answer["decisions"] == sum(one["decisions"] for one in answer["players"])
    assert answer["decisions"] == sum(one["decisions"] for one in answer["dealers"])
    assert sum(one["wrong"] for one in answer["players"]) > 0
    assert all(one["cost"] >= 0 for one in answer["players"])
    assert "legal risk" in answer["caution"]
    for language, word in (("pl", "Ostrożnie"), ("ru", "Осторожно")):
        assert word in run("review", str(evening), "--spread", "--lang", language).output


def test_a_report_tells_theoretical_and_actual_win(evening: Path) -> None:
    answer = told("report", str(evening), "--json")
    theory = answer["theoretical"]
    assert theory["actual"] == answer["house_net"]
    assert theory["low"] < theory["win"] < theory["high"]
    assert "Wynik teoretyczny" in run("report", str(evening), "--lang", "pl").output
