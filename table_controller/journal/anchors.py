"""Heads that left the machine: one line per closed day in a file on a second host, a stick or a mail box."""

import os
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from table_controller.journal.errors import JournalDamaged
from table_controller.journal.record import UNREADABLE
from table_controller.journal.verify import Verdict

TORN = b" #torn"  # ends a line that a crash cut short, so that nothing is ever glued to it


class Anchor(Struct, frozen=True):
    """One day's head and the house's fingerprint, in hex."""

    table: str
    day: str
    head: str
    fingerprint: str


class Anchors(Struct, frozen=True):
    """What a file of anchors holds; `torn` counts lines that a crash cut short."""

    lines: tuple[Anchor, ...]
    torn: int


def add_anchor(path: Path, anchor: Anchor) -> None:
    """Adds a line, on disk when it returns."""
    with path.open("a+b") as file:
        whole = _ends_whole(file.seek(0, os.SEEK_END), path)
        file.write((b"" if whole else TORN + b"\n") + msgspec.json.encode(anchor) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read_anchors(path: Path) -> Anchors:
    """All whole lines; raises JournalDamaged naming the first line that is neither whole nor marked as torn."""
    *whole, tail = path.read_bytes().split(b"\n")
    lines, torn = [], 1 if tail else 0
    for number, line in enumerate(whole, 1):
        if line.endswith(TORN):
            torn += 1
            continue
        try:
            lines.append(msgspec.json.decode(line, type=Anchor))
        except UNREADABLE:
            raise JournalDamaged(f"{path.name}: line {number} is not what was written", number) from None
    return Anchors(tuple(lines), torn)


def contradiction(anchors: Anchors, verdict: Verdict) -> str | None:
    """What a journal says against the heads that left the house, else None."""
    for anchor in anchors.lines:
        if (anchor.table, anchor.day) != (verdict.table, verdict.day):
            continue
        if anchor.head != verdict.head:
            return f"{anchor.day}: the head is not the one that left the house"
        if anchor.fingerprint != verdict.fingerprint:
            return f"{anchor.day}: sealed with another key than the house's"
    return None


def missing(anchors: Anchors, verdicts: Iterable[Verdict], purged: Collection[str]) -> str | None:
    """The first day whose head left the house and which is neither there nor recorded as purged, else None."""
    there = {(verdict.table, verdict.day) for verdict in verdicts}
    for anchor in anchors.lines:
        if (anchor.table, anchor.day) not in there and anchor.head not in purged:
            return f"{anchor.table} {anchor.day}: its head left the house, but the day is not here"
    return None


def _ends_whole(size: int, path: Path) -> bool:
    return size == 0 or path.read_bytes().endswith(b"\n")
