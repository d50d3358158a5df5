"""Tells a write-ahead log torn at its unsynced end from one damaged before it; SQLite cuts both off in silence."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# SQLite's file format, section "The Write-Ahead Log".
HEADER = struct.Struct(">IIIIIIII")
FRAME = struct.Struct(">IIIIII")
BIG_ENDIAN_SUMS = 0x377F0683
Sum = tuple[int, int]


class _Frame(NamedTuple):
    sound: bool
    ends_transaction: bool


def lost_in_the_log(journal: Path) -> str | None:
    """What is wrong with the log of a journal if something that had been synced is lost, else None.

    A transaction starts only after the one before it was synced. So a broken frame with a whole transaction behind
    it was once good; a broken frame in the last transaction may be the torn tail of a crash, and nobody was told of it.
    """
    log = journal.with_name(journal.name + "-wal")
    content = _read(log)
    while (damage := _damage(content)) is not None:
        again = _read(log)
        if again == content:
            break
        content = again  # somebody is writing, and the first look saw half of it
    return damage


def _read(log: Path) -> bytes:
    try:
        return log.read_bytes()
    except FileNotFoundError:
        return b""


def _damage(content: bytes) -> str | None:
    broken_at = None
    frames = list(_frames(content))
    for number, frame in enumerate(frames):
        if broken_at is None and not frame.sound:
            broken_at = number
        elif broken_at is not None and frame.sound and _starts_later_transaction(frames, broken_at, number):
            return f"the write-ahead log is damaged in its page {broken_at + 1}"
    return None


def _starts_later_transaction(frames: list[_Frame], broken: int, sound: int) -> bool:
    # The broken frame's own commit mark cannot be trusted; one between the two can.
    return any(frame.sound and frame.ends_transaction for frame in frames[broken + 1 : sound])


def _frames(content: bytes) -> Iterator[_Frame]:
    if len(content) < HEADER.size + FRAME.size:
        return
    magic, _, page_size, _, *salts, sum1, sum2 = HEADER.unpack_from(content)
    order = ">" if magic == BIG_ENDIAN_SUMS else "<"
    before: Sum = (sum1, sum2)
    if _sum(content[: HEADER.size - 8], (0, 0), order) != before:
        salts = list(FRAME.unpack_from(content, HEADER.size)[2:4])  # a broken header: believe the first frame
    step = FRAME.size + page_size
    for at in range(HEADER.size, len(content) - step + 1, step):
        _, size_after, *frame_salts, stored1, stored2 = FRAME.unpack_from(content, at)
        found = _sum(content[at : at + 8], before, order)
        found = _sum(content[at + FRAME.size : at + step], found, order)
        before = (stored1, stored2)
        # Frames with other salts are left over from before the log was last emptied.
        yield _Frame(found == before and frame_salts == salts, size_after > 0)


def _sum(data: bytes, start: Sum, order: str) -> Sum:
    s0, s1 = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        s0 = (s0 + first + s1) & 0xFFFFFFFF
        s1 = (s1 + second + s0) & 0xFFFFFFFF
    return s0, s1
