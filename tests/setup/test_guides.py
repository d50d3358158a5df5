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


@pytest.mark.parametrize("language", ["en", "pl"])
def test_every_way_through_the_screens_is_written_in_their_own_words(language: str) -> None:
    pages = [
        *(ROOT / "docs" / "users" / language).glob("*.md"),
        *([ROOT / "docs/running.md"] if language == "en" else []),
    ]
    ways = [
        way
        for page in pages
        for way in re.findall(r"(?<!\*)\*(?!\*)([^*\n]+ → [^*\n]+)\*(?!\*)", page.read_text("utf-8"))
    ]
    assert len(ways) > 2
    assert [name for way in ways for name in way.split(" → ") if name not in shown(language)] == []


@pytest.mark.parametrize("language", [one.value for one in Language])
def test_the_shoes_buttons_are_named_as_they_are_in_every_language(language: str) -> None:
    said = " ".join((ROOT / "docs" / "running.md").read_text("utf-8").split())
    pit = tomllib.loads((WINDOW / language / "pit.toml").read_text("utf-8"))
    assert all(f"*{pit[key]}*" in said for key in ("load_new", "load_shoe"))


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_first_bet_is_found_by_the_pit_boss_and_by_the_dealer(language: str) -> None:
    pit = tomllib.loads((WINDOW / language / "pit.toml").read_text("utf-8"))
    live = tomllib.loads((WINDOW / language / "live.toml").read_text("utf-8"))
    for page in ("pit_boss", "dealer"):
        said = (ROOT / "docs" / "users" / language / f"{page}.md").read_text("utf-8")
        named = (pit["open_bets"], live["menu_dealer"], pit["load_new"], pit["boxes"])
        assert [name for name in named if not re.search(rf"[*→] ?{name}\*", said)] == []


def test_the_command_that_the_pages_begin_with_is_there() -> None:
    made = subprocess.run(["make", "-n", "setup"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert made.returncode == 0, made.stderr
    for page in ("README.md", "docs/running.md", "docs/users/en/installer.md", "docs/users/pl/installer.md"):
        assert "`make setup`" in (ROOT / page).read_text("utf-8")
