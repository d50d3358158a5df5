"""Two processes share the newest frame: never a torn one, never an old one twice, and both may start anew."""

import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.exchange import FrameReader, FrameWriter, Shared, board_of
from vision.geometry import Image


def grey(level: int, height: int = 48, width: int = 64) -> Image:
    return np.full((height, width, 3), level, np.uint8)


def within(seconds: float, look: Callable[[], Shared | None]) -> Shared:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if (shared := look()) is not None:
            return shared
        time.sleep(0.01)
    raise AssertionError("no frame came")


def write_for(path: Path, seconds: float) -> None:
    """A camera that never waits: whole frames of one grey level, as fast as it can."""
    writer, number, until = FrameWriter(path, 640, 480), 0, time.monotonic() + seconds
    while time.monotonic() < until:
        number += 1
        writer.put(grey(number % 256, 480, 640), number)


def test_the_newest_frame_is_read_once(tmp_path: Path) -> None:
    writer, reader = FrameWriter(tmp_path / "frames", 64, 48), FrameReader(tmp_path / "frames")
    assert reader.newest() is None
    for level in (10, 20, 30):
        writer.put(grey(level), level)
    shared = within(2, reader.newest)
    assert (shared.at_ns, int(shared.image.mean())) == (30, 30)
    assert reader.newest() is None


def test_a_frame_that_was_read_does_not_change_when_the_camera_goes_on(tmp_path: Path) -> None:
    writer, reader = FrameWriter(tmp_path / "frames", 64, 48), FrameReader(tmp_path / "frames")
    writer.put(grey(10), 1)
    shared = within(2, reader.newest)
    for level in range(20, 60):
        writer.put(grey(level), level)
    assert int(shared.image.max()) == 10


@pytest.mark.slow
def test_no_frame_is_torn_however_fast_the_camera_writes(tmp_path: Path) -> None:
    path = tmp_path / "frames"
    camera = multiprocessing.get_context("spawn").Process(target=write_for, args=(path, 4.0))
    camera.start()
    reader, seen = FrameReader(path), []
    within(20, reader.newest)
    until = time.monotonic() + 2.5
    while time.monotonic() < until:
        if (shared := reader.newest()) is not None:
            assert shared.image.min() == shared.image.max() == shared.at_ns % 256
            seen.append(shared.number)
    camera.join()
    assert len(seen) > 20
    assert seen == sorted(set(seen))


def test_eyes_find_the_board_of_a_camera_that_was_started_again(tmp_path: Path) -> None:
    reader = FrameReader(tmp_path / "frames")
    FrameWriter(tmp_path / "frames", 64, 48).put(grey(10), 1)
    within(2, reader.newest)
    again = FrameWriter(tmp_path / "frames", 32, 24)
    again.put(grey(99, 24, 32), 2)
    shared = within(3, reader.newest)
    assert (shared.image.shape, int(shared.image.mean())) == ((24, 32, 3), 99)


def test_a_file_that_is_no_board_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "frames").write_bytes(b"\0" * 500)
    reader = FrameReader(tmp_path / "frames")
    assert reader.newest() is None
    (tmp_path / "frames").write_bytes(b"")
    assert FrameReader(tmp_path / "frames").newest() is None


def test_a_frame_of_another_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="frames of"):
        FrameWriter(tmp_path / "frames", 64, 48).put(grey(1, 50, 64), 1)


def test_two_tables_never_share_a_board(tmp_path: Path) -> None:
    assert board_of(tmp_path, "T01") != board_of(tmp_path, "T02")
    assert board_of(tmp_path, "T01") == board_of(tmp_path, "T01")
