"""Checks a whole folder of days: each file, and that each day begins on the head of the one before it."""

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from pathlib import Path

from msgspec import Struct

from table_controller.journal.errors import JournalDamaged, NotKept
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.record import content_of
from table_controller.journal.retention import PURGED, Purged
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.verify import Verdict, verify_file

FIRST = "00" * 32


class FolderVerdict(Struct, frozen=True, kw_only=True):
    """All days of a folder; `reason` and `first_bad` are those of the first file that is not good."""

    ok: bool
    records: int
    first_bad: int | None
    reason: str | None
    days: tuple[Verdict, ...]


def verify_folder(folder: Path) -> FolderVerdict:
    """Reads every journal of a folder; raises NotKept if there is none."""
    paths = journals(folder)
    if not paths:
        raise NotKept(f"{folder}: no journal here; it would be named like T07-2026-11-29.db")
    days = tuple(map(verify_file, paths))
    bad = next((day for day in days if not day.ok), None)
    reason = f"{Path(bad.path).name}: {bad.reason}" if bad else _break(paths, days)
    return FolderVerdict(
        ok=reason is None,
        records=sum(day.records for day in days),
        first_bad=bad.first_bad if bad else None,
        reason=reason,
        days=days,
    )


def _break(paths: list[Path], days: tuple[Verdict, ...]) -> str | None:
    try:
        return next(_breaks(paths, days), None)
    except JournalDamaged as damage:
        return damage.reason


def _breaks(paths: list[Path], days: tuple[Verdict, ...]) -> Iterator[str]:
    """Where one day does not follow the other; a day that was purged may be missing, for its head was recorded."""
    purged = set(purged_heads(paths))
    for _, pairs in groupby(zip(paths, days, strict=True), lambda pair: table_and_day(pair[0])[0]):
        yield from _breaks_of_a_table(list(pairs), purged)


def _breaks_of_a_table(days: list[tuple[Path, Verdict]], purged: set[str]) -> Iterator[str]:
    first_path, first = days[0]
    if first.before not in purged | {FIRST}:
        yield f"{first_path.name} is the first day here but follows another; a day before it is missing"
    for (earlier_path, earlier), (path, day) in pairwise(days):
        if day.before not in purged | {earlier.head}:
            yield f"{path.name} does not follow {earlier_path.name}; a day between them is missing"
        if day.fingerprint != earlier.fingerprint:
            yield f"{path.name} is sealed with another key than {earlier_path.name}"


def purged_heads(paths: Iterable[Path]) -> Iterator[str]:
    """The heads of days that these journals say were let go."""
    for path in paths:
        reader = open_reader(path)
        try:
            for record in reader.of_kinds(PURGED):
                yield content_of(record, Purged).head
        finally:
            reader.close()
