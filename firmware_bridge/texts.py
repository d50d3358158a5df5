"""Every sentence this room shows to people, in Polish, English and Russian: texts.json."""

import json
from functools import cache
from importlib.resources import files
from string import Template

LANGUAGES = ("pl", "en", "ru")


@cache
def sentences() -> dict[str, dict[str, str]]:
    """All of them: name, language, sentence with $blanks."""
    table: dict[str, dict[str, str]] = json.loads(files("firmware_bridge").joinpath("texts.json").read_text("utf-8"))
    return table


def text(name: str, language: str, **values: object) -> str:
    """The sentence `name` in a language, with its blanks filled in."""
    return Template(sentences()[name][language]).substitute(values)
