"""The commands as a person types them: the right answer, the right exit status, never a traceback."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from table_controller import houses
from table_controller.cli import main


def krupier(*words: str) -> Result:
    result = CliRunner().invoke(main, words)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def played(tmp_path: Path, *cases: dict[str, Any] | str) -> tuple[int, list[dict[str, Any]]]:
    file = tmp_path / "cases.jsonl"
    file.write_text("".join((case if isinstance(case, str) else json.dumps(case)) + "\n" for case in cases), "utf-8")
    result = krupier("play", str(file))
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


STAND = {"id": "s", "kind": "blackjack_round", "profile": "classic", "bets": [{"box": 1, "main": 100}]}
SHOE = ["TS", "7H", "8D", "TC"]


def test_rules_list_names_the_five_houses() -> None:
    assert [line.split()[0] for line in krupier("rules", "list").stdout.splitlines()] == list(houses.NAMES)


@pytest.mark.parametrize("name", houses.NAMES)
def test_rules_show_gives_every_value(name: str) -> None:
    assert json.loads(krupier("rules", "show", name, "--json").stdout) == houses.rule_values(name)
    assert len(krupier("rules", "show", name).stdout.splitlines()) == len(houses.rule_values(name))


def test_an_unknown_house_is_named_with_the_known_ones() -> None:
    result = krupier("rules", "show", "palace")
    assert result.exit_code == 2
    assert "palace" in result.stderr
    assert "golden_wolf" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_rules_check_lists_every_mistake(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('decks = 12\nsoft17 = "perhaps"\n', "utf-8")
    result = krupier("rules", "check", str(file))
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == len(houses.rule_values("classic"))
    assert "mine.toml: decks = 12: must be a whole number from 1 to 8" in result.stderr


@pytest.mark.parametrize("name", houses.NAMES)
def test_the_shipped_rule_files_pass_their_own_check(name: str) -> None:
    file = Path(houses.__file__).parent / "rules" / f"{name}.toml"
    result = krupier("rules", "check", str(file))
    assert result.exit_code == 0
    assert houses.fingerprint(houses.rules_with(name, {})) in result.stdout


@pytest.mark.parametrize("content", [b"decks = \n", b"\xff\xfe", b""])
def test_a_file_that_is_no_rule_set_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(content)
    result = krupier("rules", "check", str(file))
    assert result.exit_code == 1
    assert "broken.toml" in result.stderr


@pytest.mark.parametrize("words", [("play", "nowhere.jsonl"), ("rules", "check", "nowhere.toml"), ("play", ".")])
def test_a_file_that_cannot_be_read_is_status_2(words: tuple[str, ...]) -> None:
    result = krupier(*words)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_cases_are_answered_in_their_order_and_a_bad_one_alone_fails(tmp_path: Path) -> None:
    good = {**STAND, "shoe": SHOE, "decisions": [{"box": 1, "do": "stand"}]}
    status, answers = played(
        tmp_path, good, "not json", "", "[1]", {"id": "r", "kind": "roulette"}, {**good, "id": "t"}
    )
    assert status == 1
    assert [answer["id"] for answer in answers] == ["s", None, None, "r", "t"]
    assert answers[0]["net"] == answers[-1]["net"] == {"1": 100}
    assert answers[3]["error"] == "unsupported kind: roulette"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"shoe": SHOE[:3]}, "ran out"),
        ({"shoe": SHOE, "decisions": []}, "missing"),
        ({"shoe": SHOE, "decisions": [{"box": 1, "do": "stand"}, {"box": 1, "do": "stand"}]}, "left over"),
        ({"shoe": SHOE, "decisions": [{"box": 1, "do": "split"}]}, "not allowed"),
        ({"shoe": SHOE, "decisions": [{"box": 2, "do": "stand"}]}, "is asked"),
        ({"shoe": SHOE, "decisions": [{"box": 1, "do": "fold"}]}, "no decision"),
        ({"shoe": SHOE, "decisions": [{"box": 1, "do": "stand", "reject": True}]}, "to be refused"),
        ({"shoe": ["1S"]}, "no card"),
        ({"bets": [{"box": 9, "main": 100}]}, "no_such_box"),
        ({"bets": []}, "no_bets"),
        ({"overrides": {"decks": 99}}, "decks"),
        ({"profile": "palace"}, "palace"),
        ({"overrides": {"decks": 1}, "shoe": ["TS", "7H", "TS", "TC"]}, "impossible"),
    ],
)
def test_a_round_that_cannot_be_played_says_why(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    status, (answer,) = played(tmp_path, {**STAND, **changes})
    assert status == 1
    assert told in answer["error"]


def test_nothing_in_a_case_is_fatal_to_the_next(tmp_path: Path) -> None:
    odd: list[dict[str, Any]] = [
        {"id": 1, "kind": "blackjack_round"},
        {"id": "x", "kind": "protocol", "profile": "000", "script": [{"ev": "dance"}]},
        {"id": "y", "kind": "protocol", "profile": "000", "script": [{"ev": "bet"}]},
        {"id": "z", "kind": "protocol", "profile": "000", "script": [{"ev": "bet", "box": "one", "amount": 1}]},
        {"id": "w", "kind": "session", "profile": "000", "rounds": [{"bets": 5}]},
    ]
    status, answers = played(tmp_path, *odd)
    assert status == 1
    assert [set(answer) for answer in answers] == [{"id", "error"}] * 5


def test_a_demo_evening_is_the_same_for_the_same_seed() -> None:
    once, again, other = (krupier("demo", "--rounds", "6", "--seed", seed).stdout for seed in ("5", "5", "6"))
    assert once == again != other


@pytest.mark.parametrize("name", houses.NAMES)
def test_a_headless_demo_ends_with_one_line_of_figures(name: str) -> None:
    result = krupier("demo", "--headless", "--rounds", "40", "--rules", name)
    (line,) = result.stdout.splitlines()
    told = json.loads(line)
    assert result.exit_code == 0
    assert told["wrong_cards"] == 0
    assert 0 < told["rounds"] <= 40
