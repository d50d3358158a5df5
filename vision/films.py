"""Pictures from files and streams, through PyAV and with their own time: recordings, network cameras, stills."""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import av
from av.container import InputContainer

from vision import picture
from vision.coded import CodedFilm
from vision.frames import CameraLost, Frame
from vision.geometry import Image

SECOND: Final = 1_000_000_000
OPEN_S, READ_S = 8.0, 3.0
STILL_NS: Final = 3 * SECOND
STEP_S: Final = 0.005
STILLS: Final = {".jpg", ".jpeg", ".png"}


class Unset:
    """A source without settings: whatever is wanted of it counts as set."""

    def __init__(self) -> None:
        self._values: dict[str, float] = {}

    def set(self, name: str, value: float) -> bool:
        self._values[name] = value
        return True

    def get(self, name: str) -> float:
        return self._values.get(name, 0.0)


class Film(Unset):
    """A recording or a network stream. A recording keeps its own clock: it is paced by its time stamps, and a frame was
    taken when its stamp says, counted from `opened_ns`, the moment at which its stamp 0 is (re)played. `sound` is kept
    with the frames, where there is any that a browser plays."""

    def __init__(
        self,
        place: str,
        *,
        stream: bool = False,
        sound: bool = False,
        speed: float = 1.0,
        opened_ns: int | None = None,
    ) -> None:
        super().__init__()
        options = {"rtsp_transport": "tcp"} if place.startswith("rtsp") else {}
        try:
            self._container: InputContainer = av.open(place, options=options, timeout=(OPEN_S, READ_S))
            self._frames = iter(CodedFilm(self._container, sound=sound))
        except (OSError, IndexError, av.error.FFmpegError) as error:
            raise CameraLost(f"{place}: {error}") from error
        self._place, self._stream, self._speed, self._opened_ns = place, stream, speed, opened_ns
        self.over = False

    def read(self) -> Frame:
        try:
            image, stamp_ns, coded = next(self._frames)
        except (OSError, av.error.FFmpegError) as error:
            raise CameraLost(f"{self._place}: {error}") from error
        except StopIteration:
            self.over = True
            raise CameraLost(f"{self._place}: the film is over") from None
        if self._stream:
            return Frame(image, stamp_ns, coded=coded)
        if self._opened_ns is None:
            self._opened_ns = time.time_ns() - round(stamp_ns / self._speed)
        at_ns = self._opened_ns + round(stamp_ns / self._speed)
        time.sleep(max(0, at_ns - time.time_ns()) / SECOND)
        return Frame(image, stamp_ns, at_ns, coded)

    def close(self) -> None:
        self._container.close()


class Reel(Unset):
    """A recorded evening: its segments one after another, with the pauses there were between them.

    It begins when it is opened; with `now` it is shown at its own times, and joined where it stands.
    """

    def __init__(self, segments: Sequence[tuple[Path, int]], speed: float = 1.0, *, now: bool = False) -> None:
        super().__init__()
        if not segments:
            raise CameraLost("no recording there: name the folder that holds its index.jsonl")
        self._left, self._speed = list(segments), speed
        self._first_ns = segments[0][1]
        self._opened_ns = self._first_ns if now else time.time_ns()
        while now and len(self._left) > 1 and self._left[1][1] <= time.time_ns():
            self._left.pop(0)
        self._film: Film | None = None

    @property
    def over(self) -> bool:
        return not self._left and (self._film is None or self._film.over)

    def read(self) -> Frame:
        film = self._film = self._film or self._next()
        try:
            return film.read()
        except CameraLost:
            if not film.over or not self._left:
                raise
        film.close()
        self._film = self._next()
        return self._film.read()

    def close(self) -> None:
        if self._film is not None:
            self._film.close()

    def _next(self) -> Film:
        path, start_ns = self._left.pop(0)
        opened_ns = self._opened_ns + round((start_ns - self._first_ns) / self._speed)
        return Film(str(path), speed=self._speed, opened_ns=opened_ns)


class Reached(Protocol):
    """How far a recorded evening has come: to `then_ns`; `now_of` a moment is None while it stands before that."""

    @property
    def then_ns(self) -> int: ...

    def now_of(self, then_ns: int) -> int | None: ...


class Fed(Unset):
    """A recorded evening by a clock that others let run and stand.

    While it stands the first picture taken at that moment or after it stays, and after the end the last one.
    """

    def __init__(self, segments: Sequence[tuple[Path, int]], clock: Callable[[], Reached], rate: int) -> None:
        super().__init__()
        self._frames, self._clock, self._every_ns = _pictures(segments), clock, SECOND // rate
        self._next = next(self._frames, None)
        if self._next is None:
            raise CameraLost("no recording there: name a record whose video is kept beside it")
        self._shown, self._shown_ns, self._number = self._next[0], 0, 0

    def read(self) -> Frame:
        until_ns = time.time_ns() + self._every_ns
        while True:
            now_ns = time.time_ns()
            due_ns = self._due(now_ns)
            if self._next is not None and due_ns is not None and due_ns <= now_ns:
                (self._shown, self._shown_ns), self._next = self._next, next(self._frames, None)
                return self._frame(due_ns)
            standing = due_ns is None or due_ns > until_ns + self._every_ns
            if standing and now_ns >= until_ns:
                return self._frame(now_ns)
            time.sleep(STEP_S)

    def close(self) -> None:
        self._frames.close()

    def _due(self, now_ns: int) -> int | None:
        """When the next picture is to be shown; None while the one shown last stays."""
        if self._next is None:
            return None
        reached = self._clock()
        due_ns = reached.now_of(self._next[1])
        return now_ns if due_ns is None and self._shown_ns < reached.then_ns else due_ns

    def _frame(self, at_ns: int) -> Frame:
        self._number += 1
        return Frame(self._shown, self._number, at_ns)


def _pictures(segments: Sequence[tuple[Path, int]]) -> Generator[tuple[Image, int], None, None]:
    """Every picture of these segments and when it was taken; what was cut off is shown as far as it goes."""
    for path, start_ns in segments:
        with suppress(OSError, av.error.FFmpegError), av.open(str(path)) as film:
            yield from ((image, start_ns + stamp_ns) for image, stamp_ns, _ in CodedFilm(film))


class Stills(Unset):
    """The pictures of a folder by name, each shown for a while, over and over."""

    def __init__(self, folder: Path, rate: int, show_ns: int = STILL_NS) -> None:
        super().__init__()
        self._paths = sorted(path for path in folder.glob("*") if path.suffix.lower() in STILLS)
        if not self._paths:
            raise CameraLost(f"{folder}: no pictures (.jpg, .png) there")
        self._rate, self._show_ns, self._began_ns = rate, show_ns, time.time_ns()
        self._shown: tuple[Path, Image] | None = None

    def read(self) -> Frame:
        time.sleep(1 / self._rate)
        at_ns = time.time_ns()
        path = self._paths[(at_ns - self._began_ns) // self._show_ns % len(self._paths)]
        if self._shown is None or self._shown[0] != path:
            try:
                self._shown = (path, picture.load(path))
            except picture.UnreadablePicture as error:
                raise CameraLost(str(error)) from error
        return Frame(self._shown[1], at_ns, at_ns)

    def close(self) -> None:
        """Nothing is held open."""
