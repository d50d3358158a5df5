"""The pages for people say where things are in the words the screens use."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from table_controller.core.house import Language

ROOT: Final = Path(__file__).parents[2]
USERS: Final = ROOT / "docs" / "users"
LANGUAGES: Final = [one.value for one in Language]
PEOPLE: Final = ("installer", "dealer", "pit_boss", "surveillance", "administrator")
WINDOW, SETUP = ROOT / "dashboard" / "texts", ROOT / "table_controller" / "setup" / "texts"


def texts(section: object) -> Iterator[str]:
    """Every text of a language file, however deep."""
    if isinstance(section, str):
        yield section
    elif isinstance(section, dict):
        for one in section.values():
            yield from texts(one)


def shown(language: str) -> set[str]:
    """Whatever a screen may say."""
    files = [*(WINDOW / language).glob("*.toml"), SETUP / f"{language}.toml"]
    return {text for file in files for text in texts(tomllib.loads(file.read_text("utf-8")))}


def spoken(text: str) -> str:
    """A text with a name or number in every place that is left open in it."""
    return "[^:,]+".join(re.escape(part) for part in re.split(r"\{\w+\}", text))


def all_that_is_named(said: str) -> dict[str, object]:
    """How much a page names: headings, names on the screens, commands; which pictures and other pages."""
    return {
        "headings": len(re.findall(r"\*\*[^*]+\*\*", said)),
        "names": len(re.findall(r"(?<!\*)\*(?![*\s])[^*]+\*(?!\*)", said)),
        "commands": len(re.findall(r"`[^`]+`", said)),
        "pictures": re.findall(r"!\[[^\]]+\]\(([^)]+)\)", said),
        "pages": re.findall(r"docs/(?:users/\w\w/)?(\w+\.md)", said),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_through_the_screens_is_written_in_their_own_words(language: str) -> None:
    pages = [
        *(USERS / language).glob("*.md"),
        *([ROOT / "docs/running.md"] if language == "en" else []),
    ]
    ways = [
        way
        for page in pages
        for way in re.findall(r"(?<!\*)\*(?!\*)([^*\n]+ → [^*\n]+)\*(?!\*)", page.read_text("utf-8"))
    ]
    assert len(ways) > 2
    assert [name for way in ways for name in way.split(" → ") if name not in shown(language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shoes_buttons_are_named_as_they_are_in_every_language(language: str) -> None:
    said = " ".join((ROOT / "docs" / "running.md").read_text("utf-8").split())
    pit = tomllib.loads((WINDOW / language / "pit.toml").read_text("utf-8"))
    assert all(f"*{pit[key]}*" in said for key in ("load_new", "load_shoe"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_bet_is_found_by_the_pit_boss_and_by_the_dealer(language: str) -> None:
    pit = tomllib.loads((WINDOW / language / "pit.toml").read_text("utf-8"))
    live = tomllib.loads((WINDOW / language / "live.toml").read_text("utf-8"))
    for page in ("pit_boss", "dealer"):
        said = (USERS / language / f"{page}.md").read_text("utf-8")
        named = (pit["open_bets"], live["menu_dealer"], pit["load_new"], pit["boxes"])
        assert [name for name in named if not re.search(rf"[*→] ?{name}\*", said)] == []


def test_the_command_that_the_pages_begin_with_is_there() -> None:
    made = subprocess.run(["make", "-n", "setup"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert made.returncode == 0, made.stderr
    installers = [f"docs/users/{language}/installer.md" for language in LANGUAGES]
    for page in ("README.md", "docs/running.md", *installers):
        assert "`make setup`" in (ROOT / page).read_text("utf-8")


def test_everybody_finds_his_day_in_every_language() -> None:
    linked = re.findall(r"\]\((\w+/\w+\.md)\)", (USERS / "README.md").read_text("utf-8"))
    assert sorted(linked) == sorted(f"{language}/{person}.md" for language in LANGUAGES for person in PEOPLE)
    assert [page for page in linked if not (USERS / page).is_file()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_dealer_is_told_stands_on_his_page_as_on_his_screen(language: str) -> None:
    prompts = list(texts(tomllib.loads((WINDOW / language / "prompts.toml").read_text("utf-8"))))
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", (USERS / language / "dealer.md").read_text("utf-8"), re.MULTILINE)
    told = [row.removeprefix("… ") for row in rows[2:]]
    assert len(told) > 5
    assert [row for row in told if not any(row in text or re.fullmatch(spoken(text), row) for text in prompts)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("person", PEOPLE)
def test_no_language_says_less_than_another(person: str, language: str) -> None:
    said, english = ((USERS / one / f"{person}.md").read_text("utf-8") for one in (language, "en"))
    assert all_that_is_named(said) == all_that_is_named(english)
