"""Every text of the window exists in Polish, English and Russian, with the same values and the language's plurals."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale

import dashboard
from dashboard.i18n import Speech, Text, texts
from table_controller.core.house import Language
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.people import Role
from table_controller.core.reasons import Reason
from table_controller.core.stimuli import Moved
from table_controller.core.table import Phase
from table_controller.money import LOCALES

ROOM = Path(dashboard.__file__).parent
OTHERS = [Language.POLISH, Language.RUSSIAN]


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def values(text: Text) -> set[str]:
    return {name for form in forms(text) for _, name, _, _ in Formatter().parse(form) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_the_texts_and_values_of_english(language: Language) -> None:
    english = {key: values(text) for key, text in texts(Language.ENGLISH).items()}
    assert {key: values(text) for key, text in texts(language).items()} == english


@pytest.mark.parametrize("language", list(Language))
def test_a_text_with_a_number_has_every_plural_of_its_language(language: Language) -> None:
    needed = set(Locale.parse(LOCALES[language]).plural_form.tags) | {"other"}
    for key, text in texts(language).items():
        if not isinstance(text, str):
            assert set(text) == needed, key
            assert "{n}" in text["other"], key  # "once" needs no figure


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_with_plurals_has_them_in_every_language(language: Language) -> None:
    plural = {key for key, text in texts(Language.ENGLISH).items() if not isinstance(text, str)}
    assert {key for key, text in texts(language).items() if not isinstance(text, str)} == plural


@pytest.mark.parametrize(
    ("section", "codes"),
    [("reason", Reason), ("irregularity", Irregularity), ("remedy", Remedy), ("phase", Phase), ("moved", Moved)],
)
def test_every_code_of_the_core_has_a_text(section: str, codes: type[Reason]) -> None:
    assert {f"codes.{section}_{code}" for code in codes} <= set(texts(Language.ENGLISH))


def test_every_role_has_a_name() -> None:
    assert {f"frame.role_{role}" for role in Role} <= set(texts(Language.ENGLISH))


def used_keys() -> Iterator[tuple[str, str]]:
    for path in [*ROOM.rglob("*.html"), *ROOM.rglob("*.py")]:
        for key in re.findall(r"""say(?:\(\w*\))?\(\s*["']([a-z_]+\.[a-z0-9_]+)["']\s*[,)]""", path.read_text("utf-8")):
            yield key, path.name


def test_every_text_a_page_asks_for_exists() -> None:
    missing = {(key, where) for key, where in used_keys() if key not in texts(Language.ENGLISH)}
    assert missing == set()
    assert len(list(used_keys())) > 50


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (Language.ENGLISH, ["1 open session", "2 open sessions", "5 open sessions"]),
        (Language.POLISH, ["1 otwarta sesja", "2 otwarte sesje", "5 otwartych sesji"]),
        (Language.RUSSIAN, ["1 открытый сеанс", "2 открытых сеанса", "5 открытых сеансов"]),
    ],
)
def test_numbers_are_said_with_the_right_plural(language: Language, told: list[str]) -> None:
    assert [Speech(language)("frame.sessions_open", n=n) for n in (1, 2, 5)] == told


@pytest.mark.parametrize(
    ("language", "minor", "told"),
    [
        (Language.ENGLISH, 123_450, "PLN\N{NO-BREAK SPACE}1,234.50"),
        (Language.POLISH, 1_234_500, "12\N{NO-BREAK SPACE}345\N{NO-BREAK SPACE}zł"),
        (Language.RUSSIAN, -75, "\N{MINUS SIGN}0,75\N{NO-BREAK SPACE}PLN"),
    ],
)
def test_money_is_written_the_readers_way(language: Language, minor: int, told: str) -> None:
    assert Speech(language).money(minor) == told


def test_times_are_the_venues() -> None:
    summer_noon = 1_782_900_000_000_000_000  # 2026-07-01 10:00 UTC
    assert Speech(Language.POLISH, "Europe/Warsaw").clock(summer_noon, seconds=False) == "12:00"


def test_the_files_of_others_are_those_that_were_listed() -> None:
    vendor = ROOM / "static" / "vendor"
    lines = (line.split() for line in (vendor / "SHA256SUMS").read_text().splitlines())
    listed = {name: digest for digest, name in lines}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in vendor.iterdir()
        if path.suffix in (".js", ".woff2", ".css")
    }
    assert found == listed
