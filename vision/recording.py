"""What the camera sees, kept: segments a browser plays, cut off anywhere without loss of more than a second."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import av

from table_controller.port.footage import (
    INDEX,
    VIDEO,
    Closed,
    Lines,
    Marked,
    Opened,
    Purged,
    Resumed,
    State,
    Stopped,
    footage_of,
    is_held,
    stamp_of,
    tapes_of,
    write_line,
)
from vision.coded import Coded
from vision.geometry import Image
from vision.segments import CopiedSegment, EncodedSegment, Segment, playable_codec

SECOND: Final = 1_000_000_000
SEGMENT_NS: Final = 60 * SECOND
RETRY_NS: Final = 2 * SECOND
TELL_NS: Final = 60 * SECOND
MARK_NS: Final = SECOND
# Room that is kept free beyond the budget: the record and the rest of the table need it.
SPARE_BYTES: Final = 300_000_000
NO_CODEC, NO_ROOM, CANNOT_WRITE = "no_browser_codec", "no_room", "cannot_write"


class NoRoom(OSError):
    """The budget is used up, or the disk nearly full, by what must be kept: somebody must let something go."""


@dataclass(frozen=True)
class Recorded:
    """Where the record stands: its file's name, last row and running round."""

    journal: str = ""
    seq: int = 0
    round: int | None = None


@dataclass(frozen=True)
class Place:
    """Where video is kept and how much of it."""

    folder: Path
    budget_bytes: int


class Recorder:
    """Takes frames one after another; a failure leaves a gap in the index and is tried again, the table goes on."""

    def __init__(
        self, place: Place, rate: int, record: Callable[[], Recorded], tell: Callable[[str], None] = print
    ) -> None:
        place.folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._budget = place.folder, place.budget_bytes
        self._rate, self._record, self._tell = rate, record, tell
        self._codec = playable_codec()
        self._segment: Segment | None = None
        self._uncopied: bytes | None = None
        self._stopped: Stopped | None = None
        self._stop_noted = True
        self._retry_ns = self._marked_ns = self._told_ns = 0
        self._end_interrupted()

    @property
    def trouble(self) -> str | None:
        """Why nothing is recorded, as a code; None while it is."""
        if self._codec is None:
            return NO_CODEC
        return None if self._stopped is None else self._stopped.reason

    def take(self, image: Image, at_ns: int, coded: Coded | None = None) -> None:
        """Keep a frame, as its camera encoded it where it did; never raises for a full or broken disk."""
        if self._codec is None or at_ns < self._retry_ns:
            return
        coded = None if coded is not None and coded.format == self._uncopied else coded
        try:
            self._segment_for(at_ns, self._codec, coded).write(image, at_ns, coded)
            self._went_on(at_ns)
        except (OSError, av.error.FFmpegError) as error:
            if coded is not None and not isinstance(error, OSError):  # not the disk: from now on it is encoded here
                self._uncopied = coded.format
            self._fail(at_ns, error)

    def close(self) -> None:
        """End the running segment."""
        with contextlib.suppress(OSError, av.error.FFmpegError):
            if self._segment is not None:
                self._end_segment()

    def _segment_for(self, at_ns: int, codec: str, coded: Coded | None) -> Segment:
        if self._segment is not None and _is_over(self._segment, at_ns, coded):
            self._end_segment()
        if self._segment is None:
            self._make_room(at_ns)
            path, stands = self._folder / (stamp_of(at_ns) + VIDEO), self._record()
            self._segment = (
                CopiedSegment(path, at_ns, coded)
                if coded is not None and coded.key
                else EncodedSegment(path, at_ns, codec, self._rate)
            )
            line = Opened(at_ns=at_ns, file=path.name, journal=stands.journal, seq=stands.seq, round=stands.round)
            self._note(line, lasting=True)
        return self._segment

    def _end_segment(self) -> None:
        segment, self._segment = self._segment, None
        assert segment is not None
        segment.close()
        stands = self._record()
        line = Closed(at_ns=segment.last_ns, file=segment.path.name, frames=segment.frames, seq=stands.seq)
        self._note(line, lasting=True)

    def _went_on(self, at_ns: int) -> None:
        if self._stopped is not None:
            if not self._stop_noted:
                self._note(self._stopped, lasting=True)
                self._stop_noted = True
            self._note(Resumed(at_ns=at_ns), lasting=True)
            self._stopped = None
        if at_ns - self._marked_ns >= MARK_NS and self._segment is not None:
            self._marked_ns, stands = at_ns, self._record()
            self._note(Marked(at_ns=at_ns, file=self._segment.path.name, seq=stands.seq, round=stands.round))

    def _fail(self, at_ns: int, error: Exception) -> None:
        segment, self._segment = self._segment, None
        self._retry_ns = at_ns + RETRY_NS
        if segment is not None:
            with contextlib.suppress(OSError, av.error.FFmpegError):
                segment.close()
        if self._stopped is None:
            reason = NO_ROOM if isinstance(error, NoRoom) else CANNOT_WRITE
            self._stopped = Stopped(at_ns=segment.last_ns if segment else at_ns, reason=reason)
            self._stop_noted = False
            with contextlib.suppress(OSError):  # the index may lie on the very disk that is full: said when it has room
                self._note(self._stopped, lasting=True)
                self._stop_noted = True
        if at_ns - self._told_ns >= TELL_NS:
            self._told_ns = at_ns
            self._tell(f"not recording: {error}")

    def _make_room(self, at_ns: int) -> None:
        """Let the oldest go that nobody holds; raises NoRoom when that is not enough."""
        kept = [*self._folder.glob(f"*{VIDEO}"), *tapes_of(self._folder)[:-1]]  # the newest tape is being written
        files = {path.name: path.stat().st_size for path in kept}
        used, free = sum(files.values()), _free(self._folder)
        for name in sorted(files):
            if used <= self._budget and free >= SPARE_BYTES:
                return
            if not is_held(self._folder, name):
                (self._folder / name).unlink(missing_ok=True)
                self._note(Purged(at_ns=at_ns, file=name), lasting=True)
                used, free = used - files[name], free + files[name]
        if used > self._budget or free < SPARE_BYTES:
            raise NoRoom(f"{self._folder}: no room left, and what is there is held")

    def _note(self, line: Lines, *, lasting: bool = False) -> None:
        with (self._folder / INDEX).open("ab") as index:
            index.write(write_line(line))
            if lasting:
                index.flush()
                os.fsync(index.fileno())

    def _end_interrupted(self) -> None:
        """Say of a segment whose writer died how far it can be played."""
        for segment in footage_of(self._folder).segments:
            if segment.state is State.RUNNING:
                frames, end_ns = playable(self._folder / segment.file, segment.start_ns)
                line = Closed(at_ns=end_ns, file=segment.file, frames=frames, whole=False)
                self._note(line, lasting=True)


def _is_over(segment: Segment, at_ns: int, coded: Coded | None) -> bool:
    """A copied segment can only be cut where the next may begin."""
    long = at_ns - segment.start_ns >= SEGMENT_NS
    return not segment.goes_on_with(coded) or (long and (coded is None or coded.key))


def playable(path: Path, start_ns: int) -> tuple[int, int]:
    """How many frames of a file can be played, and when the last of them was taken."""
    frames, end_ns = 0, start_ns
    try:
        with av.open(str(path)) as container:
            for packet in container.demux(video=0):
                if packet.pts is not None and packet.time_base is not None:
                    frames += 1
                    end_ns = max(end_ns, start_ns + round(packet.pts * packet.time_base * SECOND))
    except (OSError, av.error.FFmpegError):
        return frames, end_ns
    return frames, end_ns


def segments_of(folder: Path) -> list[tuple[Path, int]]:
    """The segments of a recording in order, each with the time of its first frame."""
    return [(folder / segment.file, segment.start_ns) for segment in footage_of(folder).segments]


def _free(folder: Path) -> int:
    there = os.statvfs(folder)
    return there.f_bavail * there.f_frsize
