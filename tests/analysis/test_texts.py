"""Everything the numbers say exists in Polish, English and Russian, with the same values in it."""

import re
from string import Formatter

import pytest

from table_controller.analysis.book import Book
from table_controller.analysis.chart import chart_of
from table_controller.analysis.chart_paper import Heading, as_html, as_lines, as_svg
from table_controller.analysis.parts import STEPS
from table_controller.analysis.saying import Saying, Texts, texts
from table_controller.core.house import Language
from table_controller.money import NO_BREAK
from tests.analysis.variants import rules_of

OTHERS = [Language.POLISH, Language.RUSSIAN]


def shape(of: Texts) -> dict[str, set[str]]:
    return {
        f"{section}.{key}": {name for _, name, _, _ in Formatter().parse(text) if name}
        for section, entries in of.items()
        for key, text in entries.items()
    }


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_the_texts_and_values_of_english(language: Language) -> None:
    assert shape(texts(language)) == shape(texts(Language.ENGLISH))


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_was_left_in_english(language: Language) -> None:
    english = texts(Language.ENGLISH)
    same = {
        f"{section}.{key}"
        for section, entries in texts(language).items()
        for key, text in entries.items()
        if text == english[section][key] and re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", text))
    }
    assert same == set()


@pytest.mark.parametrize("language", list(Language))
def test_every_part_of_an_edge_has_a_name(language: Language) -> None:
    assert {*STEPS, "baseline"} <= set(texts(language)["edge"])


@pytest.mark.parametrize("language", list(Language))
def test_a_chart_can_be_printed_in_every_language(language: Language) -> None:
    chart, say = chart_of(Book(rules_of("goldfishka"))), Saying(language)
    head = Heading("goldfishka <1>", 6, 0.00316)
    lines = list(as_lines(chart, head, say))
    assert lines[0] == say("chart", "title", rules="goldfishka <1>")
    picture, page = as_svg(chart, head, say), as_html(chart, head, say)
    assert picture.startswith("<svg")
    assert "&lt;1&gt;" in picture
    assert "<1>" not in page
    assert page.count("<rect") == 1 + 10 * (17 + 9 + 10)
    assert say("chart", "P") in page


def test_numbers_are_written_the_readers_way() -> None:
    assert Saying(Language.ENGLISH).percent(-0.00332) == "−0.332 %"
    assert Saying(Language.POLISH).percent(0.00316) == "+0,316 %"
    assert Saying(Language.RUSSIAN, "PLN").money(-1250) == f"−12,50{NO_BREAK}PLN"
