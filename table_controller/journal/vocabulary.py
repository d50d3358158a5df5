"""Between the judge's words and the rows of the record: stimuli and events as drafts, and rows as what was said."""

from typing import Final

import msgspec

from table_controller.core.codec import ENCODER, Codec
from table_controller.core.events import Event
from table_controller.core.game import Game
from table_controller.core.step import kind_of
from table_controller.core.stimuli import Stimulus
from table_controller.journal.errors import UnknownKind
from table_controller.journal.record import UNREADABLE, Draft, Record
from table_controller.journal.upcast import UPCASTS, Upcasts, upcast

STIMULUS, EVENT = "stimulus.", "event."
JUDGE: Final = "judge"


def encode_sorted(value: object) -> bytes:
    """JSON, always the same for equal values, whatever order their dictionaries were filled in."""
    return msgspec.json.encode(msgspec.json.decode(ENCODER.encode(value)), order="deterministic")


class Vocabulary:
    """All that one game's table can say and record."""

    def __init__(self, game: Game, upcasts: Upcasts = UPCASTS) -> None:
        self._codec = Codec(game)
        self._versions = {EVENT + str(fact.__struct_config__.tag): fact.version for fact in game.folds}
        self._upcasts = upcasts

    def heard(self, stimulus: Stimulus, round_number: int | None, boot_id: str | None = None) -> Draft:
        """What the world said, under its source's own number."""
        return Draft(
            kind=STIMULUS + kind_of(stimulus),
            body=ENCODER.encode(stimulus),
            round=round_number,
            source=stimulus.cause.source,
            source_seq=stimulus.cause.seq,
            boot_id=boot_id,
        )

    def judged(self, event: Event, round_number: int | None) -> Draft:
        """What the judge made of it."""
        kind = EVENT + kind_of(event)
        return Draft(kind=kind, body=ENCODER.encode(event), version=event.version, round=round_number, source=JUDGE)

    def read(self, record: Record) -> Stimulus | Event | None:
        """What a row says, in today's words; None for the journal's own rows; raises UnknownKind for tomorrow's."""
        if not record.kind.startswith((STIMULUS, EVENT)):
            return None
        body = upcast(self._upcasts, record, self._versions.get(record.kind, 1))
        read = self._codec.stimulus if record.kind.startswith(STIMULUS) else self._codec.event
        try:
            said: Stimulus | Event = read(body)
        except UNREADABLE as error:
            raise UnknownKind(f"record {record.seq}, a {record.kind!r}, cannot be read: {error}") from None
        return said
