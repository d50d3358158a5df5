"""A floor that reads two words for one thing thinks they are two things: no text uses a second one."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from table_controller.core.house import Language

ROOT: Final = Path(__file__).parents[2]
GLOSSARY: Final = tomllib.loads((Path(__file__).parent / "glossary.toml").read_text("utf-8"))
ROOMS: Final = ("dashboard", "table_controller", "vision")
BOARDS: Final = ROOT / "firmware_bridge" / "texts.json"


def leaves(part: Any, key: str) -> Iterator[tuple[str, str]]:
    """Every text under a key, with the whole key it stands at."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from leaves(inner, f"{key} {name}")
    else:
        yield key, part


def told(language: Language) -> Iterator[tuple[str, str]]:
    """Whatever a person reads in this language, with its file and key or line."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.toml")):
            if path.parts[-2:] == ("texts", f"{language}.toml") or path.parts[-3:-1] == ("texts", language):
                yield from leaves(tomllib.loads(path.read_text("utf-8")), str(path.relative_to(ROOT)))
    for code, said in json.loads(BOARDS.read_text("utf-8")).items():
        yield f"{BOARDS.relative_to(ROOT)} {code}", said[language]
    for path in sorted((ROOT / "docs" / "users" / language).glob("*.md")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def holds(text: str, beginning: str) -> bool:
    """Whether a word of the text begins so; the name of a value that is filled in is nobody's word."""
    return re.search(rf"(?<!\w){beginning}", re.sub(r"\w+\}", "}", text), re.IGNORECASE) is not None


@pytest.mark.parametrize("language", list(Language))
def test_no_text_uses_a_second_word_for_a_thing(language: Language) -> None:
    banned = [(entry["thing"], entry["word"], never) for entry in GLOSSARY[language] for never in entry["never"]]
    assert [
        f"{where}: {text!r} names the {thing} otherwise than {word!r}"
        for where, text in told(language)
        for thing, word, never in banned
        if holds(text, never)
    ] == []


@pytest.mark.parametrize("language", list(Language))
def test_the_word_for_a_thing_is_the_one_the_texts_use(language: Language) -> None:
    said = "\n".join(text for _, text in told(language))
    assert len(said) > 30_000
    assert [entry["thing"] for entry in GLOSSARY[language] if not holds(said, entry["word"])] == []


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("paper", ["export", "play"])
def test_a_question_has_the_name_on_paper_that_it_has_on_the_screen(paper: str, language: Language) -> None:
    paper_says = tomllib.loads((ROOT / "table_controller" / paper / "texts" / f"{language}.toml").read_text("utf-8"))
    screen = tomllib.loads((ROOT / "dashboard" / "texts" / language / "codes.toml").read_text("utf-8"))
    assert {code: name[0].upper() + name[1:] for code, name in paper_says["irregularity"].items()} == {
        code: screen[f"irregularity_{code}"] for code in paper_says["irregularity"]
    }
