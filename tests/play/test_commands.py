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
        ({"shoe": SHOE, "decisions": [{"box": 1, "do": "stand", "hnad": 0}]}, "hnad"),
        ({"shoe": SHOE, "decisons": [{"box": 1, "do": "stand"}]}, "did you mean decisions?"),
        ({"shoe": ["6S", "7H", "5D", "TC"], "decisions": [{"box": 1, "do": "double", "amount": 50}]}, "exactly 100"),
        ({"shoe": ["TS", "AH", "8D", "TC"], "decisions": [{"box": 1, "do": "insure", "amount": 60}]}, "1 to 50"),
        ({"profile": ""}, "profile is missing"),
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
        {"id": "y", "kind": "protocol", "profile": "000", "script": [{"ev": "action", "do": "dance"}]},
        {"id": "z", "kind": "protocol", "profile": "000", "script": [{"ev": "bet", "box": "one", "amount": 1}]},
        {"id": "u", "kind": "protocol", "profile": "000", "script": [{"ev": "card", "to": None, "card": ["TS"]}]},
        {"id": "w", "kind": "session", "profile": "000", "rounds": [{"bets": 5}]},
    ]
    status, answers = played(tmp_path, *odd, "[" * 5000, '{"id": "v", "kind": "x", "overrides": ' + "[" * 5000)
    assert status == 1
    assert [set(answer) for answer in answers] == [{"id", "error", "line"}] * 8


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    file = tmp_path / "windows.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({"id": "r", "kind": "roulette"}).encode() + b"\r\n")
    assert json.loads(krupier("play", str(file)).stdout)["id"] == "r"


def test_a_house_of_your_own_is_checked_shown_played_and_watched(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    shipped = Path(houses.__file__).parent / "rules" / "classic.toml"
    file.write_text(shipped.read_text("utf-8").replace('soft17 = "stand"', 'soft17 = "hit"'), "utf-8")
    assert krupier("rules", "check", str(file)).exit_code == 0
    assert json.loads(krupier("rules", "show", str(file), "--json").stdout)["soft17"] == "hit"
    case = {
        **STAND,
        "profile": str(file),
        "shoe": ["TS", "6H", "8D", "AC", "TC"],
        "decisions": [{"box": 1, "do": "stand"}],
    }
    status, (answer,) = played(tmp_path, case)
    assert (status, answer["dealer"]) == (0, ["6H", "AC", "TC"])
    assert krupier("demo", "--tell", "--rules", str(file), "--rounds", "3", "--headless").exit_code == 0


@pytest.mark.parametrize("name", houses.NAMES)
def test_the_shipped_house_files_pass_the_check(name: str) -> None:
    file = Path(houses.__file__).parent / "rules/houses" / f"{name}.toml"
    assert "house file" in krupier("rules", "check", str(file)).stdout


def test_a_stake_that_stays_is_told_and_handed_back_where_no_bet_names_it(tmp_path: Path) -> None:
    push = {
        "bets": [{"box": 1, "main": 100}],
        "shoe": ["TS", "9H", "8D", "9C"],
        "decisions": [{"box": 1, "do": "stand"}],
    }
    other = {
        "bets": [{"box": 2, "main": 50}],
        "shoe": ["TS", "9H", "TD", "9C"],
        "decisions": [{"box": 2, "do": "stand"}],
    }
    _, (answer,) = played(tmp_path, {"id": "s", "kind": "session", "profile": "bil_cup", "rounds": [push, other]})
    assert [told["carried"] for told in answer["rounds"]] == [{"1": 100}, {"2": 0}]
    assert [told["net"] for told in answer["rounds"]] == [{"1": 0}, {"2": 50}]


def test_insurance_a_player_cannot_pay_is_not_offered(tmp_path: Path) -> None:
    case = {"id": "f", "kind": "funds", "bets": [{"box": 1, "main": 100}], "shoe": ["TS", "AH", "9D", "8C"]}
    for profile, bankroll, offered in (("golden_wolf", 100, False), ("golden_wolf", 110, True)):
        _, (answer,) = played(tmp_path, {**case, "profile": profile, "bankroll": bankroll})
        assert ("insure" in answer.get("legal", [])) is offered


def test_a_demo_evening_is_the_same_for_the_same_seed() -> None:
    once, again, other = (krupier("demo", "--tell", "--rounds", "6", "--seed", seed).stdout for seed in ("5", "5", "6"))
    assert once == again != other


@pytest.mark.parametrize("name", houses.NAMES)
def test_an_evening_on_the_core_alone_ends_with_one_line_of_figures(name: str) -> None:
    result = krupier("demo", "--tell", "--headless", "--rounds", "40", "--rules", name)
    (line,) = result.stdout.splitlines()
    told = json.loads(line)
    assert result.exit_code == 0
    assert told["wrong_cards"] == 0
    assert 0 < told["rounds"] <= 40


def test_early_surrender_is_made_before_the_check(tmp_path: Path) -> None:
    case = {**STAND, "profile": "golden_wolf", "overrides": {"surrender": "early"}, "shoe": ["TS", "KH", "6D", "AC"]}
    status, (answer,) = played(tmp_path, {**case, "decisions": [{"box": 1, "do": "surrender"}]})
    assert status == 0
    assert answer["net"] == {"1": -50}
    assert [(point["do"], point["legal"]) for point in answer["points"]] == [("surrender", ["surrender"])]


@pytest.mark.parametrize(
    ("profile", "shuffled", "statuses"),
    [
        ("goldfishka", False, ["violation"]),
        ("goldfishka", True, ["ok", "ok"]),
        ("golden_wolf", False, ["ok", "ok"]),
    ],
)
def test_a_script_may_start_its_own_round(tmp_path: Path, profile: str, shuffled: bool, statuses: list[str]) -> None:
    script = [{"ev": "round_start", "shuffled": shuffled}, {"ev": "bet", "box": 1, "amount": 100}][: len(statuses)]
    _, (answer,) = played(tmp_path, {"id": "p", "kind": "protocol", "profile": profile, "script": script})
    assert [event["status"] for event in answer["events"]] == statuses


@pytest.mark.parametrize(("bankroll", "more"), [(2500, set()), (3000, {"double", "split"})])
def test_two_boxes_of_one_player_share_his_money(tmp_path: Path, bankroll: int, more: set[str]) -> None:
    bets, shoe = [{"box": 1, "main": 1000}, {"box": 2, "main": 1000}], ["8S", "9S", "6H", "8D", "2D", "TC"]
    case = {"id": "f", "kind": "funds", "profile": "classic", "bets": bets, "shoe": shoe, "bankroll": bankroll}
    _, (answer,) = played(tmp_path, case)
    assert set(answer["legal"]) == {"hit", "stand", "surrender"} | more
