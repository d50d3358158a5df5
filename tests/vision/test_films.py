"""Recordings, streams and stills stand in for a camera, with their own time."""

import http.server
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_controller.port.footage import footage_of
from tests.vision.filmed import RATE, STEP_NS, number_of, numbered, record
from vision.films import Film, Reel, Stills
from vision.frames import CameraLost
from vision.recording import Place, Recorded, Recorder, segments_of
from vision.table_view import SourceUnknown, Table, opener_of


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("video")
    record(folder, 2).close()
    return folder / footage_of(folder).segments[0].file


def test_a_recording_gives_every_frame_in_order_with_the_time_between_them(film: Path) -> None:
    source = Film(str(film), speed=20)
    frames = [source.read() for _ in range(2 * RATE)]
    assert [number_of(frame.image) for frame in frames] == list(range(2 * RATE))
    steps = np.diff([frame.driver_ns for frame in frames])
    assert np.abs(steps - STEP_NS).max() < 100_000
    source.close()


def test_a_recording_is_played_at_its_own_pace_and_dates_its_frames(film: Path) -> None:
    source, began = Film(str(film), speed=2), time.monotonic()
    frames = [source.read() for _ in range(2 * RATE)]
    assert 0.85 < time.monotonic() - began < 3
    first, last = frames[0].at_ns, frames[-1].at_ns
    assert first is not None
    assert last is not None
    assert last - first == pytest.approx((2 * RATE - 1) * STEP_NS / 2, rel=0.001)
    source.close()


def test_at_the_end_of_a_recording_the_camera_is_lost(film: Path) -> None:
    source = Film(str(film), speed=1000)
    for _ in range(2 * RATE):
        source.read()
    with pytest.raises(CameraLost, match="over"):
        source.read()
    source.close()


def test_a_recording_is_shown_once(film: Path) -> None:
    opener, _ = opener_of(Table(f"file:{film}"))
    source = opener()
    for _ in range(2 * RATE):
        source.read()
    with pytest.raises(CameraLost, match="over"):
        source.read()
    source.close()
    with pytest.raises(CameraLost, match="over"):
        opener()


def test_a_recorded_evening_is_played_through_with_the_pauses_it_had(tmp_path: Path) -> None:
    recorder = record(tmp_path, 61)
    record(tmp_path, 2, recorder, 63 * RATE).close()
    opener, _ = opener_of(Table(f"recorded:{tmp_path}"))
    assert isinstance(opener(), Reel)
    reel = Reel(segments_of(tmp_path), speed=200)
    frames = [reel.read() for _ in range(63 * RATE)]
    assert [number_of(frame.image) for frame in frames] == [*range(61 * RATE), *range(63 * RATE, 65 * RATE)]
    taken = [frame.at_ns or 0 for frame in frames]
    assert taken[-1] - taken[0] == pytest.approx((65 * RATE - 1) * STEP_NS / 200, rel=0.001)
    with pytest.raises(CameraLost, match="over"):
        reel.read()
    assert reel.over
    reel.close()


def test_recordings_by_two_cameras_that_begin_about_now_run_side_by_side(tmp_path: Path) -> None:
    began_ns = time.time_ns()
    for number in (1, 2):
        place = Place(tmp_path / str(number), 10**10)
        recorder = Recorder(place, RATE, lambda: Recorded("T01-2027-01-15.db", 40, 7))
        for at in range(60 * RATE):
            recorder.take(numbered(at), began_ns + at * STEP_NS)
        recorder.close()
    first, second = (Table(f"recorded:{tmp_path / str(number)}", number=number) for number in (1, 2))
    for table, other in ((first, second), (second, first)):
        opener, _ = opener_of(replace(table, beside=other))
        time.sleep(0.5)
        frame = opener().read()
        assert frame.at_ns == pytest.approx(began_ns + number_of(frame.image) * STEP_NS, abs=STEP_NS / 50)


def test_a_folder_without_a_recording_is_a_lost_camera(tmp_path: Path) -> None:
    opener, _ = opener_of(Table(f"recorded:{tmp_path}"))
    with pytest.raises(CameraLost, match=r"index\.jsonl"):
        opener()


@pytest.fixture
def served(film: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """A test does not chatter."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(film.parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{film.name}"
        server.shutdown()


def test_a_network_camera_is_read_over_http(served: str) -> None:
    source = Film(served, stream=True)
    frame = source.read()
    assert number_of(frame.image) == 0
    assert frame.at_ns is None
    source.close()


@pytest.mark.parametrize("place", ["/nowhere.mp4", "http://127.0.0.1:9/none", "rtsp://127.0.0.1:9/none"])
def test_a_source_that_does_not_answer_is_a_lost_camera(place: str) -> None:
    with pytest.raises(CameraLost):
        Film(place, stream="://" in place)


def test_a_file_that_is_no_film_is_a_lost_camera(tmp_path: Path) -> None:
    (tmp_path / "x.mp4").write_text("not a film")
    with pytest.raises(CameraLost):
        Film(str(tmp_path / "x.mp4"))


def test_the_pictures_of_a_folder_are_shown_by_name_one_after_another(tmp_path: Path) -> None:
    for number in (3, 1, 2):
        cv2.imwrite(str(tmp_path / f"still{number}.png"), numbered(number))
    source = Stills(tmp_path, 200, show_ns=60_000_000)
    seen = [number_of(source.read().image) for _ in range(30)]
    assert list(dict.fromkeys(seen)) == [1, 2, 3]


def test_stills_carry_new_stamps_so_that_a_motionless_picture_is_not_a_frozen_camera(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), numbered(1))
    source = Stills(tmp_path, 100)
    assert source.read().driver_ns < source.read().driver_ns


def test_an_empty_folder_or_a_spoilt_picture_is_a_lost_camera(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="no pictures"):
        Stills(tmp_path, 10)
    (tmp_path / "bad.jpg").write_text("no picture")
    with pytest.raises(CameraLost, match=r"bad\.jpg"):
        Stills(tmp_path, 10).read()


@pytest.mark.parametrize("source", ["", "moon:1", "ftp://x/y"])
def test_a_source_nobody_knows_is_refused_with_how_they_are_written(source: str) -> None:
    with pytest.raises(SourceUnknown, match="usb:ID"):
        opener_of(Table(source))


def test_a_usb_camera_that_is_not_there_is_lost_and_not_a_crash() -> None:
    opener, drawn = opener_of(Table("usb:usb-nobody-made-this-index0"))
    assert drawn is None
    with pytest.raises(CameraLost):
        opener()
