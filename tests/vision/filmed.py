"""Frames that carry their number as a pattern which survives a codec, and a recorder in a process of its own."""

import resource
import sys
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import Image
from vision.recording import Place, Recorded, Recorder

RATE = 15
STEP_NS = 1_000_000_000 // RATE
START_NS = 1_800_000_000_000_000_000
BITS = 14


def numbered(number: int) -> Image:
    """Fourteen blocks, white for a one."""
    image = np.full((96, 32 * BITS, 3), 30, np.uint8)
    for bit in range(BITS):
        if number >> bit & 1:
            image[16:80, 32 * bit + 4 : 32 * bit + 28] = 225
    return image


def number_of(image: Image) -> int:
    return sum(1 << bit for bit in range(BITS) if image[32:64, 32 * bit + 10 : 32 * bit + 22].mean() > 128)


def decoded(path: Path) -> list[int]:
    """The numbers of all frames OpenCV, a stock player, finds in a file."""
    capture, numbers = cv2.VideoCapture(str(path)), list[int]()
    while True:
        taken, image = capture.read()
        if not taken:
            return numbers
        numbers.append(number_of(np.asarray(image, np.uint8)))


def record(folder: Path, seconds: float, recorder: Recorder | None = None, first: int = 0) -> Recorder:
    """So many seconds of numbered frames, written as fast as it goes."""
    recorder = recorder or Recorder(Place(folder, 10**10), RATE, lambda: Recorded("T01-2027-01-15.db", 40, 7))
    for number in range(first, first + round(seconds * RATE)):
        recorder.take(numbered(number), START_NS + number * STEP_NS)
    return recorder


def interrupted(folder: Path) -> None:
    """Record a minute, say so, and wait to be killed."""
    recorder = record(folder, 59.9)
    sys.stdout.write("recorded\n")
    sys.stdout.flush()
    sys.stdin.read()
    recorder.close()


def starved(folder: Path) -> None:
    """Ten seconds, then a minute in which no file may grow, then ten more; prints what went wrong when."""
    told: list[str] = []
    recorder = Recorder(Place(folder, 10**10), RATE, lambda: Recorded("T01-2027-01-15.db", 40, 7), told.append)
    record(folder, 10, recorder)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, most))
    record(folder, 60, recorder, 10 * RATE)
    during = recorder.trouble
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    record(folder, 10, recorder, 70 * RATE)
    after = recorder.trouble
    recorder.close()
    sys.stdout.write(f"{during} {after} {len(told)}\n")


if __name__ == "__main__":
    {"interrupted": interrupted, "starved": starved}[sys.argv[1]](Path(sys.argv[2]))
