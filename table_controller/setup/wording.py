"""The texts of the set-up in one language."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from msgspec import Struct

from table_controller.core.house import Language

TYPED: Final = "typed"
"""Where a session keeps what was refused, for the page to show again: never a password or a PIN."""


@cache
def setup_texts(language: str) -> dict[str, dict[str, str]]:
    """Every text of a language, by section and key."""
    return tomllib.loads(files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))


class Says(Struct, frozen=True):
    """One reader's language. Callable: `say(section, key, …)`."""

    language: Language

    def __call__(self, section: str, key: str, **values: object) -> str:
        """A text with its blanks filled in."""
        text = setup_texts(self.language.value)[section][key]
        return text.format(**values) if values else text
