"""Pictures from files and streams, through PyAV and with their own time: recordings, network cameras, stills."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import av
import numpy as np
from av.container import InputContainer

from vision import picture
from vision.frames import CameraLost, Frame
from vision.geometry import Image

SECOND: Final = 1_000_000_000
OPEN_S, READ_S = 8.0, 3.0
STILL_NS: Final = 3 * SECOND
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
    taken when its stamp says, counted from the moment it was opened."""

    def __init__(self, place: str, *, stream: bool = False, speed: float = 1.0) -> None:
        super().__init__()
        options = {"rtsp_transport": "tcp"} if place.startswith("rtsp") else {}
        try:
            self._container: InputContainer = av.open(place, options=options, timeout=(OPEN_S, READ_S))
            self._frames = self._decoded()
        except (OSError, IndexError, av.error.FFmpegError) as error:
            raise CameraLost(f"{place}: {error}") from error
        self._place, self._stream, self._speed = place, stream, speed
        self._start_ns: int | None = None
        self.over = False

    def read(self) -> Frame:
        try:
            image, stamp_ns = next(self._frames)
        except (OSError, av.error.FFmpegError) as error:
            raise CameraLost(f"{self._place}: {error}") from error
        except StopIteration:
            self.over = True
            raise CameraLost(f"{self._place}: the film is over") from None
        if self._stream:
            return Frame(image, stamp_ns)
        if self._start_ns is None:
            self._start_ns = time.time_ns() - round(stamp_ns / self._speed)
        at_ns = self._start_ns + round(stamp_ns / self._speed)
        time.sleep(max(0, at_ns - time.time_ns()) / SECOND)
        return Frame(image, stamp_ns, at_ns)

    def close(self) -> None:
        self._container.close()

    def _decoded(self) -> Iterator[tuple[Image, int]]:
        for frame in self._container.decode(video=0):
            stamp = 0.0 if frame.pts is None or frame.time_base is None else float(frame.pts * frame.time_base)
            yield np.asarray(frame.to_ndarray(format="bgr24"), np.uint8), round(stamp * SECOND)


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
