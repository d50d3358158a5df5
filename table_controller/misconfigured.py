"""What is wrong with a configuration, in words that say what to write instead, in three languages."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from msgspec import Struct

WHOLE_FILE: Final = "the file"
ENGLISH: Final = "en"
KINDS: Final = {
    "extra_forbidden": "unknown",
    "missing": "missing",
    "string_pattern_mismatch": "pattern",
    "string_too_short": "empty",
    "literal_error": "choice",
    "greater_than": "above",
    "greater_than_equal": "least",
    "less_than_equal": "most",
    "bool_parsing": "flag",
    "bool_type": "flag",
    "int_parsing": "whole",
    "int_type": "whole",
    "int_from_float": "whole",
    "float_parsing": "number",
    "float_type": "number",
    "string_type": "text",
    "path_type": "text",
    "tuple_type": "list",
    "model_type": "section",
    "model_attributes_type": "section",
}
"""The checker's own words for a mistake, and under which key of the texts it is told; others are told by themselves."""


class Mistake(Struct, frozen=True):
    """One key that cannot be used: `kind` is a key of the texts, `values` fill its blanks."""

    key: str
    kind: str
    values: Mapping[str, str] = {}

    def told(self, language: str = ENGLISH) -> str:
        """What to write instead."""
        says = _texts(language)
        pattern = says["pattern"].get(self.key.rpartition(".")[2], "") if self.kind == "pattern" else ""
        return pattern or says["mistake"][self.kind].format(**self.values)


class ConfigInvalid(ValueError):
    """The installer: the file cannot be used; a line for every mistake, each naming its key."""

    def __init__(self, file: str, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        self.file = file
        super().__init__(self.told())

    def told(self, language: str = ENGLISH) -> str:
        """A line for every mistake."""
        return "\n".join(f"{self.file}: {one.key}: {one.told(language)}" for one in self.mistakes)


def mistake(where: Sequence[int | str], error: Mapping[str, Any]) -> Mistake:
    """What the checker found, as we say it."""
    known = {str(name): str(value) for name, value in error.get("ctx", {}).items()}
    kind, key = str(error["type"]), ".".join(map(str, where)) or WHOLE_FILE
    if kind in _texts(ENGLISH)["mistake"]:
        return Mistake(key, kind, known)
    if kind in KINDS:
        return Mistake(key, KINDS[kind], known)
    return Mistake(key, "other", {"why": str(error["msg"])})


@cache
def _texts(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))
