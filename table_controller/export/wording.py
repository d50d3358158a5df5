"""Facts, money, cards and times in the language of the reader."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from importlib.resources import files
from string import Formatter
from typing import Final

import msgspec

from table_controller.core.blackjack.words import BetKind, Result
from table_controller.core.cards import Card, Suit
from table_controller.core.events import CardDealt, CardHeld, Disputed, Event
from table_controller.core.house import ABSENT, Language
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.people import Person, Role
from table_controller.core.places import DEALER, Place
from table_controller.core.step import kind_of
from table_controller.core.stimuli import Cause, Face, Moved, Side
from table_controller.money import NO_BREAK, written

Texts = Mapping[str, Mapping[str, str]]

SECTIONS: Final[Mapping[type[StrEnum], str]] = {
    BetKind: "bet",
    Result: "result",
    Moved: "moved",
    Role: "role",
    Irregularity: "irregularity",
    Remedy: "remedy",
    Side: "side",
}
PIPS: Final = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
MONEY: Final = frozenset(
    {"amount", "was", "added", "due", "paid", "difference", "win", "stake", "net", "back", "exposure", "house_net"}
)
LIMITS: Final = frozenset({"min_bet", "max_bet", "bet_step", "budget"})
OPTIONAL: Final = re.compile(r"\[(.*?)\]")


def texts(language: Language) -> Texts:
    """Every text of a language, by section and key."""
    return tomllib.loads(files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))


class Wording:
    """One reader's language, the house's currency, the zone the times are told in."""

    def __init__(self, language: Language, currency: str, zone: tzinfo) -> None:
        self.language = language
        self._texts = texts(language)
        self._currency = currency
        self.zone = zone

    def label(self, key: str, section: str = "label", **values: object) -> str:
        """A text that stands by itself."""
        return self._texts[section][key].format(**values)

    def event(self, event: Event) -> str:
        """A fact as a sentence. What stands in brackets is said where it has something to say."""
        values = dict(self._values(event))
        if isinstance(event, CardDealt | CardHeld) and event.card is None and event.face is Face.UP:
            values["card"] = self.label("unread")
        if isinstance(event, Disputed) and event.irregularity is Irregularity.UNREADABLE:
            values["card"] = "?"

        def told(part: re.Match[str]) -> str:
            names = {name for _, name, _, _ in Formatter().parse(part[1]) if name}
            return part[1] if all(values[name] for name in names) else ""

        sentence = OPTIONAL.sub(told, self._texts["event"][kind_of(event)]).format(**values)
        return f"{sentence} {self.label('for_absent')}" if event.cause.source == ABSENT else sentence

    def money(self, minor: int) -> str:
        """An amount of minor units with the currency."""
        return written(minor, self._currency, self.language)

    def signed(self, minor: int) -> str:
        """An amount won or lost, with its sign."""
        return f"{'+' if minor > 0 else ''}{self.money(minor)}"

    def percent(self, part: float) -> str:
        """A part of one, to a tenth of a percent."""
        return f"{part:.1%}".replace(".", "." if self.language is Language.ENGLISH else ",")

    def card(self, card: Card | None) -> str:
        """A card as printed; one nobody may know is named as such."""
        if card is None:
            return self.label("hidden")
        return f"{'10' if card.rank == 'T' else card.rank}{PIPS[card.suit]}"

    def place(self, place: Place | None) -> str:
        """Where a card lies; hands count from 1 for people."""
        if place is None:
            return "–"
        if place == DEALER:
            return self.label("dealer")
        box = f"{self.label('box')} {place.box}"
        return box if place.hand == 0 else f"{box}, {self.label('hand').lower()} {place.hand + 1}"

    def moment(self, at_ns: int, *, date: bool = False) -> str:
        """The time of day in the reader's zone, with its distance from UTC."""
        there = datetime.fromtimestamp(at_ns // 1_000_000_000, UTC).astimezone(self.zone)
        return there.strftime(f"{'%Y-%m-%d ' if date else ''}%H:%M:%S{NO_BREAK}%z")

    def word(self, value: StrEnum) -> str:
        """A word of one of the table's lists; codes that have no text stay codes."""
        section = SECTIONS.get(type(value))
        return self._texts[section][value.value] if section else value.value

    def rule(self, key: str, value: object) -> tuple[str, str]:
        """A rule's name, and its value as people write it."""
        return self._texts["rule"][key], self._rule_value(key, value)

    def _rule_value(self, key: str, value: object) -> str:
        match value:
            case bool():
                return self.label("yes" if value else "no")
            case int():
                return self.money(value) if key in LIMITS else str(value)
            case str() | None:
                return self._texts["rule_value"].get(value or "none", str(value))
            case [int(), int()]:
                return ":".join(map(str, value))
            case Mapping():
                return ", ".join(f"{self._texts['result'][name]} {pays}:1" for name, pays in value.items())
            case Sequence():
                return ", ".join(self._rule_value(key, one) for one in value) or self.label("none", "rule_value")
            case _:
                return str(value)

    def _values(self, struct: msgspec.Struct) -> Iterator[tuple[str, str]]:
        for name in struct.__struct_fields__:
            value = getattr(struct, name)
            if isinstance(value, msgspec.Struct) and not isinstance(value, Place | Person | Cause):
                yield from self._values(value)
            else:
                yield name, self._value(name, value)

    def _value(self, name: str, value: object) -> str:
        match value:
            case Place():
                return self.place(value)
            case Person():
                return f"{value.name} ({self.word(value.role)})"
            case StrEnum():
                return self.word(value)
            case bool():
                return self.label("yes" if value else "no")
            case int() if name in MONEY:
                return self.signed(value) if name == "net" else self.money(value)
            case int() if name in ("hand", "index"):
                return str(value + 1)
            case None if name == "place":
                return self.place(None)
            case Card() | None if name in ("card", "was"):
                return self.card(value)
            case None:
                return ""
            case _:
                return str(value)
