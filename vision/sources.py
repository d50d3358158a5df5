"""Devices: a USB camera through V4L2, and a video file that stands in for one."""

from pathlib import Path

import cv2
import numpy as np

from vision.frames import CameraLost, Frame

# A camera that is not there is told in our own words; OpenCV's own line on stderr helps nobody.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

PROPERTIES = {
    "auto_exposure": cv2.CAP_PROP_AUTO_EXPOSURE,
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "auto_white_balance": cv2.CAP_PROP_AUTO_WB,
    "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
    "autofocus": cv2.CAP_PROP_AUTOFOCUS,
    "focus": cv2.CAP_PROP_FOCUS,
}


class Capture:
    """An OpenCV capture as a Device; `read` raises CameraLost when a read fails."""

    def __init__(self, capture: cv2.VideoCapture, name: str) -> None:
        if not capture.isOpened():
            raise CameraLost(f"{name}: cannot be opened; check plug, cable and who else uses it")
        self._capture, self._name = capture, name

    def read(self) -> Frame:
        taken, image = self._capture.read()
        if not taken or image is None:
            raise CameraLost(f"{self._name}: no picture; check plug and cable")
        stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC)
        return Frame(np.asarray(image, np.uint8), round(stamp * 1_000_000))

    def set(self, name: str, value: float) -> bool:
        return bool(self._capture.set(PROPERTIES[name], value))

    def get(self, name: str) -> float:
        return float(self._capture.get(PROPERTIES[name]))

    def close(self) -> None:
        self._capture.release()


def usb_camera(device: str, width: int, height: int, rate: int = 15) -> Capture:
    """Open a camera with MJPG before its size, and a queue of one frame; raises CameraLost."""
    capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
    capture.set(cv2.CAP_PROP_FPS, rate)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return Capture(capture, device)


def video_file(path: Path) -> Capture:
    """Open a recording; raises CameraLost when it is none, and at its end."""
    return Capture(cv2.VideoCapture(str(path)), str(path))


def locked(exposure: float | None, white_balance: float | None, focus: float | None) -> dict[str, float]:
    """Settings for SettingsLock, each automatic off before its value: V4L2 refuses it otherwise (1 = manual)."""
    wanted: dict[str, float] = {}
    for automatic, off, name, value in (
        ("auto_exposure", 1.0, "exposure", exposure),
        ("auto_white_balance", 0.0, "white_balance", white_balance),
        ("autofocus", 0.0, "focus", focus),
    ):
        if value is not None:
            wanted |= {automatic: off, name: value}
    return wanted
