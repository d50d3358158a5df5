"""The page in words: a finding told and mended in the reader's language."""

import tomllib
from functools import cache
from importlib.resources import files

from table_controller.core.house import Language
from table_controller.doctor.finding import Colour, Finding

Texts = dict[str, dict[str, str]]


@cache
def texts(language: Language) -> Texts:
    """Every text of a language, by section and key."""
    return tomllib.loads(files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))


def title(finding: Finding, language: Language) -> str:
    """What was looked at."""
    return texts(language)["check"][finding.check]


def told(finding: Finding, language: Language) -> str:
    """How it is."""
    return texts(language)["state"][finding.state].format(**finding.values)


def mended(finding: Finding, language: Language) -> str:
    """The step that mends it; empty for what is well."""
    if finding.colour is Colour.GREEN:
        return ""
    return texts(language)["mend"][finding.state].format(**finding.values)
