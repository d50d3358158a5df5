"""Pictures and video stay outside the record; their digests are in it."""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from table_controller.journal.certificate import file_digest
from table_controller.journal.errors import JournalDamaged
from table_controller.journal.record import Draft, Record

EVIDENCE_KEPT: Final = "journal.evidence_kept"


class Evidence(Struct, frozen=True):
    """A file by name, what it shows (`box` None: the whole table), and its SHA-256."""

    name: str
    sha256: str
    box: int | None = None


def evidence_folder(journal: Path, number: int) -> Path:
    """Where the pictures of a round lie, beside its journal."""
    return journal.parent / "evidence" / journal.stem / f"round-{number}"


def check_evidence(journal: Path, row: Record) -> None:
    """Raises JournalDamaged if the file a row speaks of is another; one that is gone may have been let go in time."""
    kept = msgspec.json.decode(row.body, type=Evidence)
    file = evidence_folder(journal, row.round or 0) / kept.name
    if file.exists() and file_digest(file) != kept.sha256:
        raise JournalDamaged(f"{kept.name} is not the evidence that record {row.seq} speaks of", row.seq)


def keep_evidence(file: Path, number: int, box: int | None = None) -> Draft:
    """The row that binds a file to a round."""
    body = msgspec.json.encode(Evidence(file.name, file_digest(file), box))
    return Draft(kind=EVIDENCE_KEPT, body=body, round=number, source="journal")
