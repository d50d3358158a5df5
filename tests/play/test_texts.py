"""Everything the demo says exists in Polish, English and Russian, with the same words to fill in."""

import string
from collections.abc import Iterator
from typing import Any

from table_controller.core.house import Language
from table_controller.play.narrate import texts


def phrases(told: dict[str, Any], path: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    for key, value in told.items():
        if isinstance(value, dict):
            yield from phrases(value, f"{path}{key}.")
        else:
            assert value.strip(), f"{path}{key} says nothing"
            yield path + key, frozenset(name for _, name, _, _ in string.Formatter().parse(value) if name)


def test_every_phrase_exists_in_every_language_with_the_same_words() -> None:
    english = dict(phrases(texts(Language.ENGLISH)))
    assert len(english) > 40
    for language in Language:
        assert dict(phrases(texts(language))) == english


def test_no_language_is_a_copy_of_another() -> None:
    polish, english, russian = (texts(language) for language in (Language.POLISH, Language.ENGLISH, Language.RUSSIAN))
    same = {key for key, value in english.items() if isinstance(value, str) and value in (polish[key], russian[key])}
    assert same <= {"card", "settled"}
