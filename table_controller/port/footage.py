"""The recorded video of a table on disk: segments with exact times, the index that ties them to the record, holds.

One folder a table: `index.jsonl` grows by a line for everything that happens to a segment; `<segment>.hold` beside a
segment keeps it whatever the budget says.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from table_controller.core.words import word
from table_controller.port.wire import camera_name

INDEX: Final = "index.jsonl"
HOLD: Final = ".hold"
VIDEO, TAPE = ".mp4", ".tape"
"""What a recorder keeps: pictures, and what passed on the boards' lines (firmware_bridge/tape.py)."""
# Presentation times in the files count in this many steps a second from the segment's start.
CLOCK_RATE: Final = 90_000
CAMERAS: Final = (1, 2)
"""The numbers of a table's cameras, where it has two."""


class Line(Struct, frozen=True, kw_only=True, tag_field="line", tag=word):
    """Anything that happened to the recording, by the host's clock in nanoseconds."""

    at_ns: int


class Opened(Line, frozen=True, kw_only=True):
    """A segment begins; its first frame was taken at `at_ns`, when the record ended with row `seq`."""

    file: str
    journal: str = ""
    seq: int = 0
    round: int | None = None


class Marked(Line, frozen=True, kw_only=True):
    """While this segment ran the record came to row `seq`."""

    file: str
    seq: int
    round: int | None = None


class Closed(Line, frozen=True, kw_only=True):
    """A segment ends with the frame taken at `at_ns`; `whole` False: its writer died, so far it can be played."""

    file: str
    frames: int
    seq: int = 0
    whole: bool = True


class Stopped(Line, frozen=True, kw_only=True):
    """Nothing is recorded from here on, and why."""

    reason: str


class Resumed(Line, frozen=True, kw_only=True):
    """It is recorded again."""


class Purged(Line, frozen=True, kw_only=True):
    """A segment was let go to make room."""

    file: str


Lines = Opened | Marked | Closed | Stopped | Resumed | Purged
_READ: Final = msgspec.json.Decoder(Lines)


class State(StrEnum):
    """What is known of a segment."""

    RUNNING = "running"
    CLOSED = "closed"
    INTERRUPTED = "interrupted"


class Segment(Struct, frozen=True):
    """One file and what it shows; rows `seq_from` to `seq_to` of `journal` were written meanwhile."""

    file: str
    start_ns: int
    end_ns: int
    state: State
    journal: str
    seq_from: int
    seq_to: int
    rounds: tuple[int, ...] = ()

    def at(self, at_ns: int) -> float:
        """The second of the file that shows a moment."""
        return max(0.0, (at_ns - self.start_ns) / 1e9)


class Gap(Struct, frozen=True):
    """Nothing was recorded from here to there (None: still not), and why."""

    from_ns: int
    to_ns: int | None
    reason: str


class Footage(Struct, frozen=True):
    """What a table's index says, oldest first."""

    segments: tuple[Segment, ...]
    gaps: tuple[Gap, ...]

    def between(self, from_ns: int, to_ns: int) -> tuple[Segment, ...]:
        """The segments that show any of this time."""
        return tuple(one for one in self.segments if one.start_ns <= to_ns and one.end_ns >= from_ns)


def video_folder(data: Path, table: str, number: int = 1) -> Path:
    """Where the video of a table's camera lies, and in the first one's folder the tapes of its boards."""
    return data / "video" / camera_name(table, number)


def cameras_of(data: Path, table: str) -> tuple[int, ...]:
    """The cameras of a table whose video may be there."""
    return tuple(number for number in CAMERAS if number == 1 or video_folder(data, table, number).is_dir())


def stamp_of(at_ns: int) -> str:
    """The name of what begins then: by universal time, which never goes back an hour, with milliseconds."""
    moment = datetime.fromtimestamp(at_ns // 1_000_000_000, UTC)
    return f"{moment:%Y%m%dT%H%M%S}.{at_ns % 1_000_000_000 // 1_000_000:03d}Z"


def tapes_of(folder: Path) -> list[Path]:
    """The tapes of a table's boards, oldest first."""
    return sorted(folder.glob(f"*{TAPE}"))


def write_line(line: Lines) -> bytes:
    """A line of the index."""
    return msgspec.json.encode(line) + b"\n"


def read_lines(folder: Path) -> Iterator[Lines]:
    """The index, without a last line that was cut short by a power cut."""
    index = folder / INDEX
    if not index.exists():
        return
    for line in index.read_bytes().splitlines():
        try:
            yield _READ.decode(line)
        except msgspec.DecodeError:
            continue


def footage_of(folder: Path) -> Footage:
    """What the index says of segments and gaps; a segment that was let go is not among them."""
    segments: dict[str, Segment] = {}
    gaps: list[Gap] = []
    for line in read_lines(folder):
        match line:
            case Opened():
                _interrupt(segments)
                rounds = () if line.round is None else (line.round,)
                segments[line.file] = Segment(
                    line.file, line.at_ns, line.at_ns, State.RUNNING, line.journal, line.seq, line.seq, rounds
                )
            case Stopped():
                gaps.append(Gap(line.at_ns, None, line.reason))
            case Resumed():
                gaps[-1:] = [replace(gap, to_ns=line.at_ns) for gap in gaps[-1:]]
            case Purged():
                segments.pop(line.file, None)
            case Marked() | Closed() if line.file in segments:
                segments[line.file] = _told(segments[line.file], line)
            case _:
                pass
    ordered = sorted(segments.values(), key=lambda one: one.start_ns)
    return Footage(tuple(ordered), tuple(gaps))


def _interrupt(segments: dict[str, Segment]) -> None:
    """One that never ended before the next began was cut off."""
    for name, segment in segments.items():
        if segment.state is State.RUNNING:
            segments[name] = replace(segment, state=State.INTERRUPTED)


def _told(segment: Segment, line: Marked | Closed) -> Segment:
    end_ns, seq = max(segment.end_ns, line.at_ns), max(segment.seq_to, line.seq)
    if isinstance(line, Closed):
        return replace(segment, state=State.CLOSED if line.whole else State.INTERRUPTED, end_ns=line.at_ns, seq_to=seq)
    told = () if line.round is None or line.round in segment.rounds else (line.round,)
    return replace(segment, end_ns=end_ns, seq_to=seq, rounds=(*segment.rounds, *told))


def hold(folder: Path, segments: Iterable[Segment], why: str) -> None:
    """Keep these segments, whatever the budget says, until `let_go`."""
    for segment in segments:
        (folder / (segment.file + HOLD)).write_text(why, "utf-8")


def let_go(folder: Path, segments: Iterable[Segment]) -> None:
    """These may go again when room is needed."""
    for segment in segments:
        (folder / (segment.file + HOLD)).unlink(missing_ok=True)


def is_held(folder: Path, file: str) -> bool:
    """Whether a segment must be kept."""
    return (folder / (file + HOLD)).exists()
