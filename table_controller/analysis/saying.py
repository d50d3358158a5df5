"""What the numbers say, in the language of the reader."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from table_controller.core.house import Language
from table_controller.money import written

Texts = Mapping[str, Mapping[str, str]]


def texts(language: Language) -> Texts:
    """Every text of a language, by section and key."""
    return tomllib.loads(files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))


class Saying:
    """Texts, numbers and amounts in one language; `say(section, key, …)` is a text with its values filled in."""

    def __init__(self, language: Language, currency: str = "") -> None:
        self.language, self.currency = language, currency
        self._texts = texts(language)

    def __call__(self, section: str, key: str, **values: object) -> str:
        return self._texts[section][key].format(**values)

    def number(self, value: float, digits: int) -> str:
        """A number with a real minus sign."""
        told = f"{value:.{digits}f}".replace("-", "−")
        return told if self.language is Language.ENGLISH else told.replace(".", ",")

    def percent(self, value: float, digits: int = 3) -> str:
        """A part as a percentage with its sign."""
        return f"{'+' if value > 0 else ''}{self.number(value * 100, digits)} %"

    def money(self, minor: float) -> str:
        """Minor units as an amount."""
        return written(minor, self.currency, self.language)
