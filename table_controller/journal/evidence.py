"""Pictures and video stay outside the record; their digests are in it."""

import re
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from table_controller.journal.certificate import file_digest
from table_controller.journal.errors import JournalDamaged
from table_controller.journal.record import Draft, Record, content_of

EVIDENCE_KEPT: Final = "journal.evidence_kept"
PLAIN_NAME: Final = re.compile(r"(?!\.{1,2}$)[^/\\\x00-\x1f]+")  # no way up and no other folder
LONGEST_NAME: Final = 255  # bytes, as file systems have it


class Evidence(Struct, frozen=True):
    """A file by name, what it shows (`box` None: the whole table), and its SHA-256."""

    name: str
    sha256: str
    box: int | None = None


def evidence_folder(journal: Path, number: int) -> Path:
    """Where the pictures of a round lie, beside its journal."""
    return journal.parent / "evidence" / journal.stem / f"round-{number}"


def evidence_of(row: Record) -> Evidence:
    """What a row speaks of; raises JournalDamaged unless it names a plain file, which can lie in one folder alone."""
    kept = content_of(row, Evidence)
    if not PLAIN_NAME.fullmatch(kept.name) or len(kept.name.encode()) > LONGEST_NAME:
        raise JournalDamaged(f"record {row.seq} names evidence that is no plain file name", row.seq)
    return kept


def check_evidence(journal: Path, row: Record) -> None:
    """Raises JournalDamaged if the file a row speaks of is another; one that is gone may have been let go in time."""
    kept = evidence_of(row)
    file = evidence_folder(journal, row.round or 0) / kept.name
    if file.exists() and file_digest(file) != kept.sha256:
        raise JournalDamaged(f"{kept.name} is not the evidence that record {row.seq} speaks of", row.seq)


def keep_evidence(file: Path, number: int, box: int | None = None) -> Draft:
    """The row that binds a file to a round."""
    body = msgspec.json.encode(Evidence(file.name, file_digest(file), box))
    return Draft(kind=EVIDENCE_KEPT, body=body, round=number, source="journal")
