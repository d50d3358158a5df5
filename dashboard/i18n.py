"""Every text in the reader's language, with its plurals, money and times; texts lie in texts/LANGUAGE/AREA.toml."""

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_datetime, format_time, format_timedelta
from babel.numbers import format_decimal, format_percent
from msgspec import Struct

from table_controller.core.house import Language
from table_controller.money import LOCALES, MINUS, written

OWN_NAMES: Final = {Language.POLISH: "Polski", Language.ENGLISH: "English", Language.RUSSIAN: "Русский"}
SECOND_NS: Final = 1_000_000_000

Text = str | Mapping[str, str]


@cache
def texts(language: Language) -> Mapping[str, Text]:
    """Every text of a language as "area.key"; a text with plurals is a table of one, few, many, other."""
    folder = files("dashboard").joinpath("texts", language.value)
    return {
        f"{file.name.removesuffix('.toml')}.{key}": text
        for file in folder.iterdir()
        if file.name.endswith(".toml")
        for key, text in tomllib.loads(file.read_text("utf-8")).items()
    }


class Speech(Struct, frozen=True):
    """One reader's language, the venue's zone, the table's currency. Callable: `say(key, amount=…)`."""

    language: Language
    zone: str = "UTC"
    currency: str = "PLN"

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key; one with plurals is chosen by `n`. Raises KeyError for a text nobody wrote."""
        text = texts(self.language)[key]
        if not isinstance(text, str):
            text = text[self._locale.plural_form(abs(int(str(values["n"]))))]
        return text.format(**values) if values else text

    def code(self, area: str, code: object) -> str:
        """The text of a code of the core, such as a reason or a remedy; a code without a text is shown as it is."""
        found = texts(self.language).get(f"{area}.{code}")
        return found if isinstance(found, str) else str(code)

    @property
    def _locale(self) -> Locale:
        return Locale.parse(LOCALES[self.language])

    @property
    def _zone(self) -> tzinfo:
        return ZoneInfo(self.zone)

    def money(self, minor: int) -> str:
        """An amount with its currency, whole amounts without decimals."""
        return written(minor, self.currency, self.language, short=True)

    def amount(self, minor: int) -> str:
        """An amount without its currency, for chips and columns."""
        return written(minor, "", self.language, short=True)

    def signed(self, minor: int) -> str:
        """An amount won or lost."""
        return f"{'+' if minor > 0 else ''}{self.money(minor)}"

    def number(self, value: float) -> str:
        """A number with the language's marks."""
        return format_decimal(value, locale=LOCALES[self.language]).replace("-", MINUS)

    def percent(self, part: float) -> str:
        """A part of one, to a tenth of a percent."""
        return format_percent(part, "#,##0.0%", LOCALES[self.language]).replace("-", MINUS)

    def clock(self, at_ns: int, *, seconds: bool = True) -> str:
        """The time of day at the venue."""
        return format_time(self._at(at_ns), "HH:mm:ss" if seconds else "HH:mm", locale=LOCALES[self.language])

    def moment(self, at_ns: int) -> str:
        """Day and time at the venue."""
        return format_datetime(self._at(at_ns), "d MMM y, HH:mm", locale=LOCALES[self.language])

    def day(self, iso: str) -> str:
        """A gaming day as people write it."""
        return format_date(datetime.fromisoformat(iso), "long", LOCALES[self.language])

    def ago(self, seconds: float) -> str:
        """A length of time in words."""
        return format_timedelta(int(seconds), granularity="second", locale=LOCALES[self.language], format="short")

    def _at(self, at_ns: int) -> datetime:
        return datetime.fromtimestamp(at_ns / SECOND_NS, UTC).astimezone(self._zone)


def language_of(wanted: str, otherwise: Language) -> Language:
    """A language by its code."""
    return Language(wanted) if wanted in tuple(Language) else otherwise
