"""Between the judge's words and the rows of the record: stimuli and events as drafts, and rows as what was said."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.step import kind_of
from table_controller.core.stimuli import Stimulus
from table_controller.journal.errors import UnknownKind
from table_controller.journal.record import Draft, Record
from table_controller.journal.upcast import UPCASTS, Upcasts, upcast

STIMULUS, EVENT = "stimulus.", "event."
JUDGE: Final = "judge"
T = TypeVar("T")


def _write(value: object) -> object:
    if isinstance(value, Card):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no place in a record")


def _read(wanted: type, value: object) -> object:
    if wanted is Card and isinstance(value, str):
        return Card.parse(value)
    raise NotImplementedError(f"{wanted.__name__} has no place in a record")


_encoder: Final = msgspec.json.Encoder(enc_hook=_write)


def encode(value: object) -> bytes:
    """JSON, fields in their order of declaration."""
    return _encoder.encode(value)


def encode_sorted(value: object) -> bytes:
    """JSON, always the same for equal values, whatever order their dictionaries were filled in."""
    return msgspec.json.encode(msgspec.to_builtins(value, str_keys=True, enc_hook=_write), order="deterministic")


def decoder(wanted: type[T]) -> msgspec.json.Decoder[T]:
    """A strict reader of one type."""
    return msgspec.json.Decoder(wanted, dec_hook=_read)


class Vocabulary:
    """All that one game's table can say and record."""

    def __init__(
        self, stimuli: Iterable[type[Stimulus]], events: Iterable[type[Event]], upcasts: Upcasts = UPCASTS
    ) -> None:
        self._types: dict[str, type[Stimulus] | type[Event]] = {}
        self._types |= {STIMULUS + _tag(said): said for said in stimuli}
        self._types |= {EVENT + _tag(fact): fact for fact in events}
        self._decoders: Mapping[str, msgspec.json.Decoder[Any]] = {
            kind: decoder(said) for kind, said in self._types.items()
        }
        self._upcasts = upcasts

    def heard(self, stimulus: Stimulus, round_number: int | None, boot_id: str | None = None) -> Draft:
        """What the world said, under its source's own number."""
        return Draft(
            kind=STIMULUS + kind_of(stimulus),
            body=encode(stimulus),
            round=round_number,
            source=stimulus.cause.source,
            source_seq=stimulus.cause.seq,
            boot_id=boot_id,
        )

    def judged(self, event: Event, round_number: int | None) -> Draft:
        """What the judge made of it."""
        return Draft(
            kind=EVENT + kind_of(event), body=encode(event), version=event.version, round=round_number, source=JUDGE
        )

    def read(self, record: Record) -> Stimulus | Event | None:
        """What a row says, in today's words; None for the journal's own rows; raises UnknownKind for tomorrow's."""
        if not record.kind.startswith((STIMULUS, EVENT)):
            return None
        current = getattr(self._types.get(record.kind), "version", 1)
        body = upcast(self._upcasts, record, current)
        try:
            said: Stimulus | Event = self._decoders[record.kind].decode(body)
        except KeyError:
            raise UnknownKind(f"record {record.seq} is a {record.kind!r}; this program does not know it") from None
        except msgspec.MsgspecError as error:
            raise UnknownKind(f"record {record.seq}, a {record.kind!r}, cannot be read: {error}") from None
        return said


def _tag(said: type[Stimulus] | type[Event]) -> str:
    tag = said.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
