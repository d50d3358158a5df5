"""Capture that never serves an old frame. Case numbers: the collected reports of users of similar systems."""

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from vision.camera import Camera
from vision.frames import CameraLost, Frame
from vision.health import BrightnessWatch, Condition, Freshness, SettingsLock, faults

FRAME_NS = 33_333_333
FELT = np.full((36, 64, 3), 110, np.uint8)
LOCK = {"auto_exposure": 1.0, "exposure": 120.0}


class FakeDevice:
    """Reads come from a function of the frame's number; settings obey only after `stubborn` reads."""

    def __init__(self, reading: Callable[[int], Frame], stubborn: int = 0) -> None:
        self.reading, self.stubborn = reading, stubborn
        self.count, self.closed = 0, False
        self.values = {"auto_exposure": 3.0, "exposure": 0.0}

    def read(self) -> Frame:
        self.count += 1
        return self.reading(self.count)

    def set(self, name: str, value: float) -> bool:
        if self.count < self.stubborn:
            return False
        self.values[name] = value
        return True

    def get(self, name: str) -> float:
        return self.values[name]

    def close(self) -> None:
        self.closed = True


def live(number: int) -> Frame:
    time.sleep(0.001)
    return Frame(FELT, number * FRAME_NS)


@pytest.fixture
def running() -> Iterator[Callable[[FakeDevice], Camera]]:
    cameras: list[Camera] = []

    def start(device: FakeDevice) -> Camera:
        camera = Camera(lambda: device, SettingsLock(LOCK), time.monotonic_ns)
        cameras.append(camera)
        camera.start()
        return camera

    yield start
    for camera in cameras:
        camera.close(0.2)


def wait_for(camera: Camera, condition: Condition, seconds: float = 5.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if camera.condition() is condition:
            return True
        time.sleep(0.005)
    return False


def test_b01_the_same_picture_for_ninety_frames_is_stale_within_two_seconds() -> None:
    freshness, frozen = Freshness(), Frame(FELT, 7)
    seen = []
    for number in range(90):
        freshness.take(frozen, number * FRAME_NS)
        seen.append(freshness.condition(number * FRAME_NS))
    assert seen[0] is Condition.READY
    assert seen.index(Condition.STALE) * FRAME_NS <= 2_000_000_000 + FRAME_NS
    assert seen[-1] is Condition.STALE


def test_b01_a_motionless_table_with_new_stamps_is_not_stale() -> None:
    freshness = Freshness()
    for number in range(200):
        freshness.take(Frame(FELT, number * FRAME_NS), number * FRAME_NS)
        assert freshness.condition(number * FRAME_NS) is Condition.READY


def test_b01_sensor_noise_without_stamps_is_not_stale() -> None:
    freshness, rng = Freshness(), np.random.default_rng(1)
    for number in range(90):
        noisy = (FELT + rng.integers(0, 2, FELT.shape)).astype(np.uint8)
        freshness.take(Frame(noisy, 0), number * FRAME_NS)
    assert freshness.condition(90 * FRAME_NS) is Condition.READY


def test_b01_a_stale_camera_gives_no_frame(running: Callable[[FakeDevice], Camera]) -> None:
    def frozen(_number: int) -> Frame:
        time.sleep(0.005)
        return Frame(FELT, 7)

    camera = running(FakeDevice(frozen))
    assert wait_for(camera, Condition.READY)
    assert wait_for(camera, Condition.STALE)
    assert camera.newest() is None


def test_b02_a_read_that_never_returns_blocks_nobody(running: Callable[[FakeDevice], Camera]) -> None:
    blocked = threading.Event()

    def hang(number: int) -> Frame:
        if number > 5:
            blocked.wait(60)
        return live(number)

    camera = running(FakeDevice(hang))
    assert wait_for(camera, Condition.READY)
    assert wait_for(camera, Condition.LOST, 2.5)
    assert camera.newest() is None
    camera.close(0.2)
    blocked.set()


def test_a_lost_device_is_reopened(running: Callable[[FakeDevice], Camera]) -> None:
    def breaks_once(number: int) -> Frame:
        if number == 5:
            raise CameraLost("unplugged")
        return live(number)

    device = FakeDevice(breaks_once)
    camera = running(device)
    assert wait_for(camera, Condition.LOST)
    assert device.closed
    assert wait_for(camera, Condition.READY)


def test_b05_settings_that_only_obey_after_some_frames_are_retried_and_read_back(
    running: Callable[[FakeDevice], Camera],
) -> None:
    device = FakeDevice(live, stubborn=5)
    camera = running(device)
    assert wait_for(camera, Condition.READY)
    assert device.values == LOCK
    assert device.count >= 5


def test_b05_a_camera_that_claims_success_but_stays_automatic_is_never_ready() -> None:
    class Liar(FakeDevice):
        def set(self, name: str, value: float) -> bool:
            return (name, value) != ("", 0.0)

    lock = SettingsLock(LOCK)
    assert not any(lock.attempt(Liar(live)) for _ in range(100))
    assert lock.complaint() == "auto_exposure, exposure not locked"


def test_b05_felt_that_drifts_to_white_stops_automatic_commits() -> None:
    watch = BrightnessWatch(reference=110.0)
    levels = [np.full((8, 8, 3), level, np.uint8) for level in range(110, 236, 5)]
    alarms = [watch.drifted(patch) for patch in levels]
    assert alarms[0] is False
    assert alarms[-1] is True
    assert alarms == sorted(alarms)


def test_c10_a_picture_of_ten_grey_levels_is_a_lighting_fault() -> None:
    dim = np.random.default_rng(1).integers(60, 70, (360, 640, 3)).astype(np.uint8)
    assert "lighting: hardly any contrast" in faults(dim)


def test_a_black_picture_is_too_dark_and_a_white_one_glares() -> None:
    assert "too dark" in faults(np.zeros((360, 640, 3), np.uint8))
    assert "glare" in faults(np.full((360, 640, 3), 255, np.uint8))


def test_a_sharp_well_lit_picture_has_no_fault() -> None:
    squares = np.kron(np.indices((9, 16)).sum(axis=0) % 2, np.ones((40, 40)))[..., None] * 140 + 60
    assert faults(np.repeat(squares, 3, axis=2).astype(np.uint8)) == ()


def test_the_same_picture_out_of_focus_is_named_blurred() -> None:
    soft = np.tile(np.linspace(40, 220, 640), (360, 1))[..., None].repeat(3, axis=2).astype(np.uint8)
    assert faults(soft) == ("blurred or dirty lens",)
