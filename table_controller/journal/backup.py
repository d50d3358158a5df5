"""A second copy of a journal, taken while the table plays, and putting it back."""

import os
import shutil
from itertools import count
from pathlib import Path

from table_controller.journal.certificate import certificate_of, sync_folder
from table_controller.journal.day import CLOSED_MODE
from table_controller.journal.errors import NotKept
from table_controller.journal.naming import table_and_day
from table_controller.journal.sqlite_store import open_reader, take_lock
from table_controller.journal.verify import Verdict, refuse_damaged, verify_file


def back_up(journal: Path, folder: Path) -> Verdict:
    """Copies a journal, the write-ahead part included; only a copy that verifies takes the place of the last one."""
    place = folder / journal.name
    if place.exists() and place.samefile(journal):
        raise NotKept(f"{folder}: the journal itself lies there; name another folder, best on another disk")
    copy = _arriving(place)
    if certificate_of(journal) is not None:  # a closed file must stay the same to the byte
        _copy(journal, copy)
    else:
        reader = open_reader(journal)
        try:
            reader.copy_to(copy)
        finally:
            reader.close()
    refuse_worse(verify_file(copy), place)
    _move(copy, place)
    return verify_file(place)


def put_back(copy: Path, journal: Path) -> Verdict:
    """Puts a backup in the place of a damaged journal, which stays beside it under a name nothing had before.

    Raises JournalDamaged if the backup is bad, NotKept if it is not a backup of that journal or holds less,
    JournalBusy while the journal is written.
    """
    if journal.exists() and journal.samefile(copy):
        raise NotKept(f"{copy} is the journal itself; name a backup of it")
    with take_lock(journal):
        refuse_worse(verify_file(copy), journal)
        arrived = _arriving(journal)
        _copy(copy, arrived)
        _keep_beside(journal)
        _move(arrived, journal)
    return verify_file(journal)


def refuse_worse(copy: Verdict, place: Path) -> None:
    """Raises JournalDamaged or NotKept unless the copy is good and no loss to the journal in whose place it comes."""
    refuse_damaged(copy)
    if (copy.table, copy.day) != table_and_day(place):
        raise NotKept(f"{copy.path} is of {copy.table} {copy.day}; its place is not {place.name}")
    there = verify_file(place) if place.exists() else copy
    if there.records and (there.table, there.day) == (copy.table, copy.day) and there.fingerprint != copy.fingerprint:
        raise NotKept(f"{copy.path} and {place} are sealed with two keys; move away the one that is not the house's")
    if there.records > copy.records:
        have = f"{there.records} good records are in {place}, only {copy.records} in {copy.path}"
        raise NotKept(f"{have}; move it away yourself if they are to be given up")


def _keep_beside(journal: Path) -> None:
    def kept(number: int) -> dict[Path, Path]:
        beside = journal.with_name(f"{journal.name}.damaged-{number}")
        return {journal.with_name(journal.name + part): beside.with_name(beside.name + part) for part in ("-wal", "")}

    free = next(names for names in map(kept, count(1)) if not any(name.exists() for name in names.values()))
    for damaged, name in free.items():
        if damaged.exists():
            damaged.rename(name)


def _copy(journal: Path, copy: Path) -> None:
    shutil.copyfile(journal, copy)
    if certificate_of(copy) is not None:
        os.chmod(copy, CLOSED_MODE)


def _arriving(place: Path) -> Path:
    """Where a copy is made before it takes its place: under its name, in a folder of its own."""
    folder = place.with_name("arriving")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / place.name).unlink(missing_ok=True)
    return folder / place.name


def _move(arrived: Path, place: Path) -> None:
    arrived.replace(place)
    arrived.parent.rmdir()
    sync_folder(place.parent)
