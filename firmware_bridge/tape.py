"""What passed on the lines of a table's boards, kept as it came: bytes both ways, with the host's monotonic time.

A tape is lines of JSON. Its first says how that clock stood to UTC; a last line that was cut short counts as not there.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct


class Way(StrEnum):
    """What happened on a line."""

    OPENED = "opened"
    HEARD = "heard"
    SAID = "said"
    CLOSED = "closed"


class Begun(Struct, frozen=True, array_like=True, tag="begun"):
    """Both clocks of the host at the head of a tape, in nanoseconds."""

    at_ns: int
    mono_ns: int


class Passed(Struct, frozen=True, array_like=True, tag="passed"):
    """One stretch of bytes on the line of one board, or its opening or closing; monotonic nanoseconds."""

    board: str
    way: Way
    at_ns: int
    data: bytes = b""


Tape = Callable[[Way, int, bytes], None]
"""Keeps what passes on one line."""

_LINE = msgspec.json.Decoder(Begun | Passed)


def no_tape(way: Way, at_ns: int, data: bytes) -> None:
    """Nothing is kept."""


def write_line(line: Begun | Passed) -> bytes:
    """A line of a tape."""
    return msgspec.json.encode(line) + b"\n"


def read_tape(path: Path) -> Iterator[tuple[int, Passed]]:
    """What passed, each with its UTC time in nanoseconds. A line that cannot be read is passed over."""
    ahead: int | None = None
    with path.open("rb") as lines:
        for written in lines:
            try:
                line = _LINE.decode(written)
            except msgspec.DecodeError:
                continue
            if isinstance(line, Begun):
                ahead = line.at_ns - line.mono_ns
            elif ahead is not None:
                yield line.at_ns + ahead, line
