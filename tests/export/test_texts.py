"""Every text a person reads exists in Polish, English and Russian, with the same values in it."""

import re
from datetime import UTC
from string import Formatter

import pytest

from table_controller import houses
from table_controller.core.blackjack import rules
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.cards import Card
from table_controller.core.events import CardDealt, CardNamed, Disputed, DisputeResolved, Event, TablePaused
from table_controller.core.house import Language
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.money import Rounding
from table_controller.core.people import Person, Role
from table_controller.core.places import DEALER, Place
from table_controller.core.rules import Shuffle
from table_controller.core.stimuli import Cause, Face
from table_controller.export.wording import SECTIONS, Texts, Wording, texts
from table_controller.money import NO_BREAK
from table_controller.views.exceptions import KINDS

RULE_WORDS = [
    rules.DealerUp,
    rules.PeekUnder,
    rules.Soft17,
    rules.NaturalPaid,
    rules.Double,
    rules.Split,
    rules.SplitDeal,
    rules.Surrender,
    rules.NaturalTakes,
    rules.Push,
    Shuffle,
    Rounding,
]
OTHERS = [Language.POLISH, Language.RUSSIAN]


def shape(of: Texts) -> dict[str, set[str]]:
    """Section and key -> the values the text holds."""
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
    same = {
        f"{section}.{key}"
        for section, entries in texts(language).items()
        for key, text in entries.items()
        if text == texts(Language.ENGLISH)[section][key] and re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", text))
    }
    assert same <= {
        "result.blackjack",
        "result.charlie",
        "role.administrator",
        "report.drop",
        "report.hold",
        "moved.drop",
    }


def names_of(kind: type) -> set[str]:
    """The fields of a fact, those of a ledger line within it too."""
    found: set[str] = set()
    for name, annotation in kind.__annotations__.items():
        inner = getattr(annotation, "__struct_fields__", None)
        found |= set(inner) if inner and name in ("line", "was") else {name}
    return found


def test_every_kind_of_fact_has_a_sentence_made_of_its_own_fields() -> None:
    sentences = {name: values for name, values in shape(texts(Language.ENGLISH)).items() if name.startswith("event.")}
    kinds = {f"event.{kind.__struct_config__.tag}": names_of(kind) for kind in BLACKJACK.folds}
    assert set(sentences) == set(kinds)
    assert {name: values - kinds[name] for name, values in sentences.items() if values - kinds[name]} == {}


def test_every_word_of_the_tables_lists_has_a_text() -> None:
    for words, section in SECTIONS.items():
        assert {word.value for word in words} == set(texts(Language.ENGLISH)[section])


@pytest.mark.parametrize("language", list(Language))
def test_every_rule_of_every_house_is_told_without_a_key_or_a_code(language: Language) -> None:
    say = Wording(language, "PLN", UTC)
    for house in houses.NAMES:
        for key, value in houses.rule_values(house).items():
            name, told = say.rule(key, value)
            assert "_" not in name + told
            assert not re.search(r"[\[\]{}\"]|None|True|False", told)
            assert not (
                isinstance(value, str) and value.isalpha() and language is not Language.ENGLISH and told == value
            )


def test_every_word_a_rule_may_have_has_a_text() -> None:
    words = {word.value for kind in RULE_WORDS for word in kind}
    assert words <= set(texts(Language.ENGLISH)["rule_value"])


def test_rules_are_written_as_people_say_them() -> None:
    say = Wording(Language.ENGLISH, "PLN", UTC)
    told = [
        say.rule("bj_pays", [3, 2])[1],
        say.rule("peek", ["A", "T"])[1],
        say.rule("peek", [])[1],
        say.rule("charlie", [5, [1, 1]])[1],
        say.rule("min_bet", None)[1],
        say.rule("max_bet", 100_000)[1].replace(NO_BREAK, " "),
        say.rule("das", True)[1],
        say.rule("pairs", {"mixed": 6, "coloured": 12, "perfect": 25})[1],
    ]
    assert told == [
        "3:2",
        "ace, 10",
        "none",
        "5, 1:1",
        "none",
        "PLN 1,000.00",
        "yes",
        "mixed pair 6:1, coloured pair 12:1, perfect pair 25:1",
    ]


def test_every_kind_of_exception_has_a_text() -> None:
    assert {kind.value for kind in KINDS.values()} <= set(texts(Language.ENGLISH)["exception"])


@pytest.mark.parametrize(
    ("language", "minor", "text"),
    [
        (Language.ENGLISH, 1250, "PLN 12.50"),
        (Language.POLISH, 1250, "12,50 zł"),
        (Language.RUSSIAN, -5, "−0,05 PLN"),
    ],
)
def test_money_is_written_the_readers_way(language: Language, minor: int, text: str) -> None:
    assert Wording(language, "PLN", UTC).money(minor).replace(NO_BREAK, " ") == text


def test_cards_and_places_are_written_as_people_say_them() -> None:
    say = Wording(Language.ENGLISH, "PLN", UTC)
    assert [say.card(card) for card in (Card.parse("TS"), Card.parse("AH"), None)] == ["10♠", "A♥", "a card face down"]
    assert [say.place(place) for place in (Place(3), Place(3, 1), DEALER)] == ["Box 3", "Box 3, hand 2", "Dealer"]


@pytest.mark.parametrize(
    ("language", "by_somebody", "by_nobody"),
    [
        (Language.ENGLISH, "answered itself, by floor-2 (pit boss).", "answered itself."),
        (Language.POLISH, "; decyzję podjął(-ęła) floor-2 (kierownik).", "wyjaśniło się samo."),
        (Language.RUSSIAN, "; решение принял(а) floor-2 (пит-босс).", "разрешилось само."),
    ],
)
def test_who_decided_is_said_where_somebody_did(language: Language, by_somebody: str, by_nobody: str) -> None:
    say = Wording(language, "PLN", UTC)
    for by, ending in ((Person("floor-2", Role.PIT_BOSS), by_somebody), (None, by_nobody)):
        resolved = DisputeResolved(Cause("shoe", 1), 1, Irregularity.DRAWN_NOT_SEEN, Remedy.ANSWERED, by, None)
        assert say.event(resolved).endswith(ending)
        assert "[" not in say.event(resolved)


def test_a_person_is_named_with_the_role() -> None:
    pause: Event = TablePaused(Cause("screen", 1), Person("floor-2", Role.PIT_BOSS), "fire alarm")
    assert Wording(Language.ENGLISH, "PLN", UTC).event(pause) == "Table paused by floor-2 (pit boss): fire alarm."


def test_an_unread_card_is_not_called_hidden_and_cards_count_from_one() -> None:
    say = Wording(Language.ENGLISH, "PLN", UTC)
    cause, place = Cause("camera", 1), Place(1)
    unread = CardDealt(cause, place, None, Face.UP)
    down = CardDealt(cause, DEALER, None, Face.DOWN)
    named = CardNamed(cause, place, 0, Card.parse("9S"))
    asked = Disputed(cause, 5, Irregularity.UNREADABLE, place, None)
    assert say.event(unread) == "Box 1: a card that cannot be read."
    assert say.event(down) == "Dealer: a card face down."
    assert say.event(named) == "Box 1: card no. 1 read as 9♠."
    assert say.event(asked) == "Question 5: card not read (Box 1, ?)."
