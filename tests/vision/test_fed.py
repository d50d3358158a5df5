"""A recorded evening fed again: pictures come when the evening's clock says so, and stand while it stands."""

import time
from pathlib import Path

import pytest

from table_controller.port.fed import FedClock
from tests.vision.filmed import RATE, START_NS, STEP_NS, number_of, record
from vision.films import Fed
from vision.frames import CameraLost
from vision.recording import segments_of

SECOND = 1_000_000_000


@pytest.fixture
def clock(tmp_path: Path) -> FedClock:
    made = FedClock(tmp_path, "T07")
    made.begin(START_NS - SECOND // 2, time.time_ns())
    return made


@pytest.fixture
def film(tmp_path: Path, clock: FedClock) -> Fed:
    record(tmp_path / "video", 2).close()
    return Fed(segments_of(tmp_path / "video"), clock.read, RATE)


def test_before_the_evening_begins_its_first_picture_stands(film: Fed) -> None:
    frames = [film.read() for _ in range(3)]
    assert [number_of(frame.image) for frame in frames] == [0, 0, 0]
    assert len({frame.driver_ns for frame in frames}) == 3  # no camera that has stopped


def test_pictures_come_in_order_at_their_own_times(film: Fed, clock: FedClock) -> None:
    began_ns = time.time_ns()
    clock.run(began_ns)
    shown = [film.read() for _ in range(3 * RATE)]
    frames = {number_of(frame.image): frame for frame in reversed(shown)}  # each where it was shown first
    assert sorted(frames) == list(range(len(frames)))
    assert len(frames) > RATE
    for number, frame in frames.items():
        if number:
            assert frame.at_ns == pytest.approx(began_ns + SECOND // 2 + number * STEP_NS, abs=100_000)


def test_while_the_clock_stands_the_picture_stands_and_then_nothing_is_missing(film: Fed, clock: FedClock) -> None:
    clock.run(time.time_ns() - SECOND)
    before = [number_of(film.read().image) for _ in range(3)]
    clock.stand(time.time_ns())
    standing = [number_of(film.read().image) for _ in range(2 * RATE)]
    clock.run(time.time_ns())
    after = [number_of(film.read().image) for _ in range(3 * RATE)]
    assert standing[-1] >= RATE // 2 - 1  # what the evening had come to is shown all the same
    assert len(set(standing[-3:])) == 1
    shown = [*before, *standing, *after]
    assert shown == sorted(shown)
    assert set(shown) == set(range(2 * RATE))


def test_where_pictures_are_missing_it_stands_with_the_next_one(tmp_path: Path, clock: FedClock) -> None:
    recorder = record(tmp_path / "video", 1)
    record(tmp_path / "video", 1, recorder, 3 * RATE).close()  # two seconds were not recorded
    film = Fed(segments_of(tmp_path / "video"), clock.read, RATE)
    clock.run(time.time_ns() - 2 * SECOND)
    clock.stand(time.time_ns())
    shown = [number_of(film.read().image) for _ in range(RATE + 3)]
    assert shown == [*range(RATE), 3 * RATE, 3 * RATE, 3 * RATE]


def test_after_its_end_the_last_picture_stays(film: Fed, clock: FedClock) -> None:
    clock.run(time.time_ns() - 60 * SECOND)
    shown = [number_of(film.read().image) for _ in range(2 * RATE + 3)]
    assert shown == [*range(2 * RATE), *[2 * RATE - 1] * 3]


def test_a_record_without_video_is_a_lost_camera(clock: FedClock) -> None:
    with pytest.raises(CameraLost, match="video"):
        Fed([], clock.read, RATE)
