"""Old versions of what was recorded, made readable in today's words. Every step is kept for ever."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from table_controller.journal.errors import UnknownKind
from table_controller.journal.record import Record, content_of

Fields = dict[str, Any]
Upcasts = Mapping[tuple[str, int], Callable[[Fields], Fields]]

UPCASTS: Final[Upcasts] = {}
"""(kind, version) -> the fields one version later. Empty: no kind has changed since the first release."""


def upcast(steps: Upcasts, record: Record, current: int) -> bytes:
    """The body in the current version; raises UnknownKind for a version that is newer, or older and without a step."""
    if record.version == current:
        return record.body
    if record.version > current:
        raise UnknownKind(
            f"record {record.seq} is version {record.version} of {record.kind!r}; this program knows {current}"
        )
    fields = content_of(record, Fields)
    for version in range(record.version, current):
        step = steps.get((record.kind, version))
        if step is None:
            raise UnknownKind(f"record {record.seq}: nothing reads version {version} of {record.kind!r} any more")
        fields = step(fields)
    return msgspec.json.encode(fields)
