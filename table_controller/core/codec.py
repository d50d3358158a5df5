"""Facts and stimuli as JSON and back. Cards are written as on the table: "KS"."""

from functools import reduce
from operator import or_
from typing import Any, Final

import msgspec

from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.game import Game
from table_controller.core.stimuli import Stimulus
from table_controller.core.table import TableState


def _written(value: object) -> str:
    if isinstance(value, Card):
        return value.text
    raise NotImplementedError(f"{type(value).__name__} has no written form")


def _read(kind: type, value: object) -> object:
    if kind is Card and isinstance(value, str):
        return Card.parse(value)
    raise NotImplementedError(f"{kind.__name__} has no written form")


ENCODER: Final = msgspec.json.Encoder(enc_hook=_written)


class Codec:
    """Reads what a game's tables have written; raises msgspec.ValidationError for an unknown or broken kind.

    Whatever is read is written by ENCODER.
    """

    def __init__(self, game: Game) -> None:
        self._events: msgspec.json.Decoder[Any] = _decoder(game.folds)
        self._stimuli: msgspec.json.Decoder[Any] = _decoder(game.judges)
        self._state: msgspec.json.Decoder[Any] = msgspec.json.Decoder(type(game.empty), dec_hook=_read)

    def event(self, body: bytes) -> Event:
        """The fact of a body."""
        fact: Event = self._events.decode(body)
        return fact

    def stimulus(self, body: bytes) -> Stimulus:
        """The stimulus of a body."""
        said: Stimulus = self._stimuli.decode(body)
        return said

    def state(self, body: bytes) -> TableState:
        """A whole state, as a day's record opens with."""
        state: TableState = self._state.decode(body)
        return state


def _decoder(kinds: Any) -> "msgspec.json.Decoder[Any]":  # noqa: ANN401 - a union made of the game's own kinds
    return msgspec.json.Decoder(reduce(or_, kinds), dec_hook=_read)
