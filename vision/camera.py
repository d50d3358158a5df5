"""One thread a camera: it reads, keeps the newest frame only, and reopens; nobody ever waits for it."""

import threading
from collections.abc import Callable

from vision.frames import CameraLost, Device, Frame
from vision.health import Condition, Freshness, SettingsLock

BACK_OFF_S = (0.2, 0.5, 1.0, 2.0, 5.0)


class Camera:
    """The newest frame of one device, or None whenever that frame may be old."""

    def __init__(
        self,
        opener: Callable[[], Device],
        lock: SettingsLock,
        now_ns: Callable[[], int],
        each: Callable[[Frame], None] = lambda _frame: None,
    ) -> None:
        """`each` is handed every new frame that may be trusted, by the camera's own thread: it must not wait."""
        self._opener, self._lock, self._now_ns, self._each = opener, lock, now_ns, each
        self._stop = threading.Event()
        self._guard = threading.Lock()
        self._freshness = Freshness()
        self._newest: Frame | None = None
        self._lost = False
        self._locked = False
        # A read() that never returns must not keep the process alive.
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def condition(self) -> Condition:
        """READY only while new frames arrive and all settings are locked."""
        with self._guard:
            seen = self._freshness.condition(self._now_ns())
            if self._lost:
                return Condition.LOST
            return Condition.STARTING if seen is Condition.READY and not self._locked else seen

    def complaint(self) -> str | None:
        """What is not locked, in words."""
        return self._lock.complaint()

    def newest(self) -> Frame | None:
        """The newest frame while the camera is READY; never an old one."""
        return self._newest if self.condition() is Condition.READY else None

    def close(self, timeout_s: float = 3.0) -> None:
        """Ask the thread to stop and wait at most `timeout_s`; a blocked read() is left behind."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                self._read_until_lost(self._opener())
            except CameraLost:
                with self._guard:
                    self._lost = True
            self._stop.wait(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
            failures += 1

    def _read_until_lost(self, device: Device) -> None:
        """Read until told to stop or until the picture stands still; raises CameraLost when the device gives up."""
        with self._guard:
            self._lock = SettingsLock(self._lock.wanted)
            self._locked, self._lost = False, False
        try:
            while not self._stop.is_set() and self._take(device):
                pass
        finally:
            device.close()

    def _take(self, device: Device) -> bool:
        frame = device.read()
        # Drivers may block in any call, so the device is never spoken to while the guard is held.
        locked = self._locked or self._lock.attempt(device)
        with self._guard:
            self._locked = locked
            new = self._freshness.take(frame, self._now_ns())
            if new:
                self._newest = frame
            stale = self._freshness.condition(self._now_ns()) is Condition.STALE
        if new and locked:
            self._each(frame)
        return not stale
