"""A second copy of a journal, taken while the table plays, and putting it back."""

import shutil
from pathlib import Path

from table_controller.journal.certificate import certificate_of, sync_folder
from table_controller.journal.day import refuse_damaged
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.verify import Verdict, verify_file


def back_up(journal: Path, folder: Path) -> Verdict:
    """Copies a journal, the write-ahead part included; only a copy that verifies takes the place of the last one."""
    arriving = folder / "arriving"
    arriving.mkdir(parents=True, exist_ok=True)
    copy = arriving / journal.name
    copy.unlink(missing_ok=True)
    if certificate_of(journal) is not None:  # a closed file must stay the same to the byte
        shutil.copyfile(journal, copy)
    else:
        reader = open_reader(journal)
        try:
            reader.copy_to(copy)
        finally:
            reader.close()
    refuse_damaged(verify_file(copy))
    _move(copy, folder / journal.name)
    return verify_file(folder / journal.name)


def put_back(copy: Path, journal: Path) -> Verdict:
    """Puts a backup in the place of a damaged journal, which stays beside it; JournalDamaged if the backup is bad."""
    refuse_damaged(verify_file(copy))
    for name in (journal.name, f"{journal.name}-wal"):
        damaged = journal.with_name(name)
        if damaged.exists():
            damaged.rename(damaged.with_name(f"{name}.damaged"))
    arriving = journal.with_name("arriving")
    arriving.mkdir(exist_ok=True)
    shutil.copyfile(copy, arriving / copy.name)
    _move(arriving / copy.name, journal)
    return verify_file(journal)


def _move(arrived: Path, place: Path) -> None:
    arrived.replace(place)
    arrived.parent.rmdir()
    sync_folder(place.parent)
