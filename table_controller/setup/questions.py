"""The questions of the set-up in their order: which key each answers, what may be chosen, what stands there now."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from zoneinfo import available_timezones

from msgspec import Struct

from table_controller.houses import NAMES
from table_controller.setup import proposed
from table_controller.setup.found import cameras

Choices = Callable[[], Sequence[str]]


class Question(Struct, frozen=True):
    """`key` of the file; `start` is proposed where nothing stands there; `whole` numbers are read as such."""

    key: str
    start: str | Callable[[], str]
    choices: Choices | None = None
    whole: bool = False
    optional: bool = False

    def now(self, answers: Mapping[str, Any]) -> str:
        """What the file says, or what is proposed."""
        value: Any = answers
        for part in self.key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if isinstance(value, bool):
            return "true" if value else "false"
        if value is None:
            return self.start if isinstance(self.start, str) else self.start()
        return str(value)

    def read(self, text: str) -> object:
        """An answer as the file keeps it; raises ValueError. Nothing at all takes an optional key away."""
        if not text.strip() and self.optional:
            return None
        if text in ("true", "false"):
            return text == "true"
        return int(text) if self.whole else text.strip()


def _languages() -> Sequence[str]:
    return ("pl", "en", "ru")


def _houses() -> Sequence[str]:
    return NAMES


def _yes_or_no() -> Sequence[str]:
    return ("true", "false")


def _sources() -> Sequence[str]:
    return [camera.source for camera in cameras()]


def _zones() -> Sequence[str]:
    return sorted(available_timezones())


QUESTIONS: Final = (
    Question("window.language", proposed.language, _languages),
    Question("table", "T01"),
    Question("data", "data"),
    Question("backup", "", optional=True),
    Question("zone", proposed.zone, _zones),
    Question("day_begins", "6", whole=True),
    Question("rules", "classic", _houses),
    Question("camera.source", "", _sources, optional=True),
    Question("recorder.gigabytes", proposed.gigabytes, whole=True),
    Question("window.address", "127.0.0.1"),
    Question("window.port", "8443", whole=True),
    Question("window.https", "true", _yes_or_no),
)
CLOSED: Final = {"window.language", "rules", "window.https"}
"""Where only one of the choices will do; elsewhere they are proposals."""
NEEDED: Final = ("table", "data", "rules")


def question(key: str) -> Question | None:
    """The question that a key answers."""
    return next((one for one in QUESTIONS if one.key == key), None)


def still_needed(answers: Mapping[str, Any]) -> dict[str, object]:
    """What a file must say to be read at all: what it says, or what is proposed."""
    return {one.key: one.read(one.now(answers)) for one in QUESTIONS if one.key in NEEDED}
