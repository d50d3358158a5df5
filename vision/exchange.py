"""The newest frames in memory that two processes share: the camera writes and never waits, the eyes read and copy."""

import hashlib
import mmap
import os
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

SHARED_MEMORY: Final = Path("/dev/shm")
MAGIC: Final = 0x4B524F5550494552
PLACES: Final = 3
# Magic, width, height, places, one spare; then numbers of eight bytes, each written in one go: the newest frame's, and
# for every place the frame's number (0 while it is being written) and its time.
HEAD: Final = struct.Struct("<QIIII")
NEWEST, NUMBERS = 0, 1 + 2 * PLACES
BEFORE_PIXELS: Final = HEAD.size + 8 * NUMBERS
RETRIES: Final = 5


@dataclass(frozen=True)
class Shared:
    """One frame as the camera took it; `number` counts the frames of this camera process."""

    image: Image
    at_ns: int
    number: int


def board_of(run: Path, table: str) -> Path:
    """Where a table's frames are shared: in memory, not on the disk."""
    if not SHARED_MEMORY.is_dir():
        return run / f"{table}.frames"
    name = hashlib.sha256(os.fsencode(run.absolute() / table)).hexdigest()[:24]
    return SHARED_MEMORY / f"krupier-{os.getuid()}-{name}"


def _pixels(place: int, width: int, height: int) -> int:
    return BEFORE_PIXELS + place * width * height * 3


def _numbers(memory: mmap.mmap) -> NDArray[np.int64]:
    return np.frombuffer(memory, np.int64, NUMBERS, HEAD.size)


class FrameWriter:
    """The camera's end. A new file every time, so that a reader of the old one sees that nothing comes any more."""

    def __init__(self, path: Path, width: int, height: int) -> None:
        self._path, self._shape, self._number = path, (height, width, 3), 0
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        size = _pixels(PLACES, width, height)
        with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "r+b") as file:
            file.truncate(size)
            self._memory = mmap.mmap(file.fileno(), size)
        HEAD.pack_into(self._memory, 0, MAGIC, width, height, PLACES, 0)
        self._numbers = _numbers(self._memory)
        draft.replace(path)

    def put(self, image: Image, at_ns: int) -> None:
        """Share a frame of this board's size."""
        if image.shape != self._shape:
            raise ValueError(f"frames of {self._shape} are shared here, not {image.shape}")
        self._number += 1
        place = self._number % PLACES
        height, width, _ = self._shape
        self._numbers[1 + 2 * place] = 0
        start = _pixels(place, width, height)
        there = np.frombuffer(self._memory, np.uint8, image.size, start).reshape(self._shape)
        np.copyto(there, image)
        self._numbers[2 + 2 * place] = at_ns
        self._numbers[1 + 2 * place] = self._number
        self._numbers[NEWEST] = self._number

    def close(self) -> None:
        self._path.unlink(missing_ok=True)


class FrameReader:
    """The eyes' end; finds the camera's board again after either of them was started anew."""

    LOOK_AGAIN_S: Final = 0.5

    def __init__(self, path: Path) -> None:
        self._path = path
        self._memory: mmap.mmap | None = None
        self._file: tuple[int, int] = (0, 0)
        self._last, self._looked_s = 0, 0.0

    def newest(self) -> Shared | None:
        """The newest frame if it was not returned before; a copy that nobody writes to any more."""
        taken = self._take() if self._memory is not None else None
        if taken is None and time.monotonic() - self._looked_s > self.LOOK_AGAIN_S:
            self._look_again()
        return taken

    def _take(self) -> Shared | None:
        memory = self._memory
        assert memory is not None
        _, width, height, _, _ = HEAD.unpack_from(memory, 0)
        numbers = _numbers(memory)
        for _ in range(RETRIES):
            newest = int(numbers[NEWEST])
            if newest in (0, self._last):
                return None
            place = newest % PLACES
            number, at_ns = int(numbers[1 + 2 * place]), int(numbers[2 + 2 * place])
            pixels = np.frombuffer(memory, np.uint8, width * height * 3, _pixels(place, width, height))
            image = pixels.reshape(height, width, 3).copy()
            if number == newest and int(numbers[1 + 2 * place]) == number:
                self._last = newest
                return Shared(image, at_ns, number)
        return None

    def _look_again(self) -> None:
        self._looked_s = time.monotonic()
        try:
            with self._path.open("rb") as file:
                found = os.fstat(file.fileno())
                if (found.st_dev, found.st_ino) == self._file:
                    return
                memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            return
        if len(memory) < BEFORE_PIXELS or HEAD.unpack_from(memory, 0)[0] != MAGIC:
            return
        self._memory, self._file, self._last = memory, (found.st_dev, found.st_ino), 0
