"""Setting up a table: at the keyboard, by key=value, and again later for one thing alone."""

import tomllib
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest
from click.testing import CliRunner, Result

from table_controller.cli import main
from table_controller.config import read_config
from table_controller.core.house import Language
from table_controller.houses import NAMES
from table_controller.setup.file import put_board
from table_controller.setup.found import cameras
from table_controller.setup.questions import QUESTIONS
from table_controller.setup.summary import summary
from table_controller.setup.wording import setup_texts


def asked(folder: Path, *words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["setup", "--config", str(folder / "table.toml"), *words], input=typed)


def test_pressing_enter_at_every_question_makes_a_table_that_may_be_run(tmp_path: Path) -> None:
    done = asked(tmp_path, typed="\n" * (len(QUESTIONS) + 4))
    assert done.exit_code == 0, done.output
    config = read_config(tmp_path / "table.toml")
    assert (config.table, config.rules, config.camera) == ("T01", "classic", None)
    assert (tmp_path / "data" / "keys" / "house.key").stat().st_mode & 0o077 == 0


def test_the_questions_follow_the_language_that_was_chosen(tmp_path: Path) -> None:
    done = asked(tmp_path, typed="ru\n" + "\n" * 16)
    assert "Название стола" in done.stdout
    assert "Эти правила?" in done.stdout


def test_rules_are_told_in_plain_words_before_they_are_taken(tmp_path: Path) -> None:
    answers = ["en", "", "", "", "", "", "golden_wolf", "n", "bil_cup", "y", *[""] * 6]
    done = asked(tmp_path, typed="\n".join(answers) + "\n")
    assert "Blackjack pays" in done.stdout
    assert read_config(tmp_path / "table.toml").rules == "bil_cup"


def test_asked_again_only_what_is_asked_changes(tmp_path: Path) -> None:
    assert asked(tmp_path, "table=T07", "data=data", "rules=golden_wolf", "window.port=9000").exit_code == 0
    path = tmp_path / "table.toml"
    path.write_text(path.read_text() + "# lamp left of the dealer\n")
    assert asked(tmp_path, "window.port=9001").exit_code == 0
    config = read_config(path)
    assert config.window is not None
    assert (config.table, config.rules, config.window.port) == ("T07", "golden_wolf", 9001)
    assert "# lamp left of the dealer" in path.read_text()
    key = (tmp_path / "data" / "keys" / "house.key").read_bytes()
    assert asked(tmp_path, "zone=Europe/Riga").exit_code == 0
    assert (tmp_path / "data" / "keys" / "house.key").read_bytes() == key


def test_wrong_answers_are_all_told_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    assert asked(tmp_path, "table=T07", "data=data").exit_code == 0
    before = (tmp_path / "table.toml").read_text()
    done = asked(tmp_path, "zone=Moon/Sea", "rules=nobody", "window.colour=red")
    assert done.exit_code == 2
    assert all(key in done.stderr for key in ("table.toml: zone", "table.toml: rules", "table.toml: window.colour"))
    assert (tmp_path / "table.toml").read_text() == before
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("write a whole number, without quotes", "there is no such key", "write 23 or less", "such as T01")),
        ("pl", ("wpisz liczbę całkowitą", "nie ma takiego klucza", "wpisz 23 lub mniej", "na przykład T01")),
        ("ru", ("напишите целое число", "такого ключа нет", "напишите 23 или меньше", "например T01")),
    ],
)
def test_what_is_wrong_is_told_as_what_to_write_instead(tmp_path: Path, language: str, told: tuple[str, ...]) -> None:
    done = asked(
        tmp_path, "budgets.clock_ms=soon", "window.colour=red", "day_begins=30", "table=T 1", "--lang", language
    )
    lines = done.stderr.splitlines()
    assert (done.exit_code, len(lines)) == (2, 4)
    for text in told:
        assert any(text in line for line in lines), (text, lines)
    assert "Input should" not in done.stderr


@pytest.mark.parametrize("language", ["pl", "ru"])
def test_every_mistake_is_told_in_every_language(language: str) -> None:
    def known(of: str) -> dict[str, set[str]]:
        texts = tomllib.loads(files("table_controller").joinpath("texts", f"{of}.toml").read_text("utf-8"))
        return {
            f"{part}.{key}": {name for _, name, _, _ in Formatter().parse(text) if name}
            for part, section in texts.items()
            for key, text in section.items()
        }

    assert known(language) == known("en")


@pytest.mark.parametrize(
    ("words", "reason"),
    [(("rules",), "is no answer"), (("window.port=often",), "no whole number")],
)
def test_an_answer_that_is_none_is_one_line(tmp_path: Path, words: tuple[str, ...], reason: str) -> None:
    done = asked(tmp_path, *words)
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert reason in done.stderr


def test_a_file_that_is_no_toml_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("table = \n")
    assert asked(tmp_path, "table=T07").exit_code == 2
    assert (tmp_path / "table.toml").read_text() == "table = \n"


def test_a_board_is_added_once_and_replaced_by_name(tmp_path: Path) -> None:
    asked(tmp_path, "table=T07", "data=data")
    path = tmp_path / "table.toml"
    put_board(path, {"name": "shoe", "adapter": "1a86:7523:5-1.2"})
    put_board(path, {"name": "buttons", "adapter": "0403:6001:A5"})
    put_board(path, {"name": "shoe", "adapter": "1a86:7523:5-1.3", "device": "00112233aabbccdd"})
    boards = {board.name: board.adapter for board in read_config(path).boards}
    assert boards == {"shoe": "1a86:7523:5-1.3", "buttons": "0403:6001:A5"}


def test_cameras_are_found_by_the_name_that_outlives_a_socket(tmp_path: Path) -> None:
    for name in ("usb-046d_BRIO_4F12-video-index0", "usb-046d_BRIO_4F12-video-index1", "usb-2b16_Other-video-index0"):
        (tmp_path / name).touch()
    assert [camera.source for camera in cameras(tmp_path)] == [
        "usb:usb-046d_BRIO_4F12-video-index0",
        "usb:usb-2b16_Other-video-index0",
    ]
    assert cameras(tmp_path)[0].description == "046d BRIO 4F12"
    assert cameras(tmp_path / "none") == []


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", NAMES)
def test_every_rule_of_every_house_has_a_name_and_a_value_in_words(name: str, language: Language) -> None:
    lines = summary(name, language)
    assert len(lines) > 30
    assert all(rule and value for rule, value in lines)


def test_the_languages_ask_the_same() -> None:
    first, *others = (setup_texts(one.value) for one in Language)
    assert set(first["ask"]) == {one.key for one in QUESTIONS}

    def blanks(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    for other in others:
        assert {part: {key: blanks(text) for key, text in lines.items()} for part, lines in first.items()} == {
            part: {key: blanks(text) for key, text in lines.items()} for part, lines in other.items()
        }
