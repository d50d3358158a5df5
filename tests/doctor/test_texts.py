"""Every line of the page can be told, and every line that is not green mended, in three languages."""

import re
import tomllib
from pathlib import Path
from string import Formatter

from table_controller.core.house import Language
from table_controller.doctor.wording import texts
from table_controller.port.wire import device_of

ROOM = Path(__file__).parents[2] / "table_controller" / "doctor"
STATES = re.compile(r'\b(green|amber|red)\(\s*"(\w+)",\s*"(\w+)"')
OF_A_CAMERA = ("camera", "settings", "picture", "calibration")
"""What is looked at once more where there is a second camera."""
EITHER = re.compile(r'\((\w+) if .+? else (\w+)\)\("(\w+)", "(\w+)"')


def said() -> set[tuple[str, str, str]]:
    """Colour, check and state of every finding written in the room's code."""
    code = "\n".join(path.read_text("utf-8") for path in ROOM.glob("*.py"))
    chosen = {(colour, check, state) for one, two, check, state in EITHER.findall(code) for colour in (one, two)}
    return {*STATES.findall(code), *chosen}


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_every_finding_has_its_words_and_every_bad_one_its_mending_step() -> None:
    found = said()
    assert len(found) > 30
    for language in Language:
        words = texts(language)
        assert {check for _, check, _ in found} <= set(words["check"])
        assert {state for _, _, state in found} <= set(words["state"])
        assert {state for colour, _, state in found if colour != "green"} <= set(words["mend"])


def test_no_text_is_left_over() -> None:
    words = texts(Language.ENGLISH)
    assert set(words["state"]) == {state for _, _, state in said()}
    assert set(words["check"]) == {check for _, check, _ in said()} | {device_of(check, 2) for check in OF_A_CAMERA}


def test_the_three_languages_say_the_same_with_the_same_blanks() -> None:
    for folder in (ROOM / "texts", ROOM.with_name("release") / "texts"):
        first, *others = (tomllib.loads((folder / f"{one}.toml").read_text("utf-8")) for one in ("en", "pl", "ru"))
        for other in others:
            assert {part: set(first[part]) for part in first} == {part: set(other[part]) for part in other}
            for part, lines in first.items():
                assert {key: blanks(line) for key, line in lines.items()} == {
                    key: blanks(line) for key, line in other[part].items()
                }
