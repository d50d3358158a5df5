"""A recording as a camera, and a camera that is not there."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames import CameraLost, Frame
from vision.sources import usb_camera, video_file


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for level in (40, 90, 140):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return path


def test_a_recording_gives_its_frames_with_rising_stamps_and_then_ends(recording: Path) -> None:
    device = video_file(recording)
    frames: list[Frame] = [device.read() for _ in range(3)]
    assert [round(float(frame.image.mean()) / 10) for frame in frames] == [4, 9, 14]
    assert frames[0].driver_ns < frames[1].driver_ns < frames[2].driver_ns
    with pytest.raises(CameraLost, match=r"table\.avi"):
        device.read()
    device.close()


def test_a_camera_that_is_not_plugged_in_is_named() -> None:
    with pytest.raises(CameraLost, match="no-such-camera"):
        usb_camera("/dev/no-such-camera", 1920, 1080)
