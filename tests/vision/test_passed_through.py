"""What a camera encoded itself is recorded as it came: exactly, with its sound, and nothing that cannot be played."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

from table_controller.port.footage import footage_of
from tests.vision.filmed import RATE, START_NS, STEP_NS, decoded, number_of, numbered
from vision.coded import Coded, CodedFilm
from vision.geometry import Image
from vision.recording import Place, Recorded, Recorder, playable

KEY_EVERY, SECONDS, SAMPLES = 30, 6, 48_000
PLAIN = {"tune": "zerolatency", "g": str(KEY_EVERY)}


def camera(path: Path, options: dict[str, str] = PLAIN, codec: str = "libx264") -> Path:
    """A camera's stream: six seconds of numbered frames and of a tone."""
    with av.open(str(path), "w") as film:
        pictures = film.add_stream(codec, rate=RATE, options=options)
        assert isinstance(pictures, VideoStream)
        pictures.height, pictures.width = numbered(0).shape[:2]
        pictures.pix_fmt = "yuv420p"
        sounds = film.add_stream("aac", rate=SAMPLES, layout="mono")
        assert isinstance(sounds, AudioStream)
        for number in range(SECONDS * RATE):
            film.mux(pictures.encode(av.VideoFrame.from_ndarray(numbered(number), format="bgr24")))
            film.mux(sounds.encode(tone(number)))
        film.mux(pictures.encode(None))
        film.mux(sounds.encode(None))
    return path


def tone(number: int) -> av.AudioFrame:
    count = SAMPLES // RATE
    wave = np.sin(np.arange(number * count, (number + 1) * count) * 0.05, dtype=np.float32)[None] * 0.3
    frame = av.AudioFrame.from_ndarray(wave, format="fltp", layout="mono")
    frame.sample_rate, frame.pts, frame.time_base = SAMPLES, number * count, Fraction(1, SAMPLES)
    return frame


def frames(path: Path, *, sound: bool = False) -> Iterator[tuple[Image, int, Coded | None]]:
    with av.open(str(path)) as film:
        yield from CodedFilm(film, sound=sound)


def recorder_in(folder: Path) -> Recorder:
    return Recorder(Place(folder, 10**10), RATE, Recorded)


def kept(folder: Path, source: Path, left_out: range = range(0), *, sound: bool = False) -> list[Path]:
    """The segments of a recording of this camera, some frames of which never reached the recorder."""
    recorder = recorder_in(folder)
    for number, (image, stamp_ns, coded) in enumerate(frames(source, sound=sound)):
        if number not in left_out:
            recorder.take(image, START_NS + stamp_ns, coded)
    recorder.close()
    return [folder / segment.file for segment in footage_of(folder).segments]


def pictures(path: Path) -> list[Image]:
    with av.open(str(path)) as film:
        return [np.asarray(frame.to_ndarray(format="bgr24"), np.uint8) for frame in film.decode(video=0)]


def test_every_picture_is_the_cameras_own_to_the_last_bit(tmp_path: Path) -> None:
    source = camera(tmp_path / "camera.mp4")
    (film,) = kept(tmp_path / "kept", source)
    sent, recorded = pictures(source), pictures(film)
    assert len(sent) == len(recorded) == SECONDS * RATE
    assert all(np.array_equal(one, other) for one, other in zip(sent, recorded, strict=True))


def test_sound_is_kept_only_where_it_is_asked_for_and_beside_its_picture(tmp_path: Path) -> None:
    source = camera(tmp_path / "camera.mp4")
    (silent,) = kept(tmp_path / "silent", source)
    (heard,) = kept(tmp_path / "heard", source, sound=True)
    with av.open(str(silent)) as film:
        assert not film.streams.audio
    with av.open(str(heard)) as film:
        times = [(frame.time or 0.0, frame.samples) for frame in film.decode(audio=0)]
    assert sum(samples for _, samples in times) > (SECONDS - 0.3) * SAMPLES
    assert times == sorted(times)
    assert times[-1][0] == pytest.approx(SECONDS, abs=0.3)


def test_after_a_gap_frames_are_encoded_here_until_the_camera_sends_a_whole_picture(tmp_path: Path) -> None:
    source = camera(tmp_path / "camera.mp4")
    films = kept(tmp_path / "kept", source, left_out=range(40, 45))
    played = [decoded(film) for film in films]
    whole = next(number for number, frame in enumerate(frames(source)) if number > 45 and frame[2] and frame[2].key)
    assert played == [list(range(40)), list(range(45, whole)), list(range(whole, SECONDS * RATE))]


def test_a_recording_that_begins_in_mid_stream_misses_nothing(tmp_path: Path) -> None:
    films = kept(tmp_path / "kept", camera(tmp_path / "camera.mp4"), left_out=range(10))
    assert [number for film in films for number in decoded(film)] == list(range(10, SECONDS * RATE))


@pytest.mark.parametrize(
    ("codec", "options"), [("libx264", {"bf": "2", "g": "30"}), ("mpeg4", {"g": "30"})], ids=["refers_ahead", "mpeg4"]
)
def test_what_cannot_be_kept_as_it_came_is_encoded_here(tmp_path: Path, codec: str, options: dict[str, str]) -> None:
    source = camera(tmp_path / "camera.mp4", options, codec)
    films = kept(tmp_path / "kept", source)
    assert [number for film in films for number in decoded(film)] == list(range(SECONDS * RATE))
    with av.open(str(films[0])) as film:
        assert film.streams.video[0].codec_context.name == "h264"


def test_a_camera_with_rare_whole_pictures_loses_no_more_than_a_second_when_the_recorder_dies(tmp_path: Path) -> None:
    source = camera(tmp_path / "camera.mp4", {"tune": "zerolatency", "g": "1000"})
    recorder = recorder_in(tmp_path / "kept")
    for image, stamp_ns, coded in frames(source):
        recorder.take(image, START_NS + stamp_ns, coded)
    (segment,) = footage_of(tmp_path / "kept").segments  # never closed: what is on disk is what a crash leaves
    found, end_ns = playable(tmp_path / "kept" / segment.file, segment.start_ns)
    assert found >= (SECONDS - 1) * RATE - 1
    assert end_ns - START_NS >= (SECONDS - 1) * 1_000_000_000 - STEP_NS
    assert number_of(pictures(tmp_path / "kept" / segment.file)[-1]) == found - 1


def test_a_stream_that_no_file_takes_is_encoded_here_from_then_on(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path)
    for number in range(4 * RATE):
        strange = Coded(b"no film", number, b"no frame", key=True)
        recorder.take(numbered(number), START_NS + number * STEP_NS, strange)
    recorder.close()
    assert recorder.trouble is None
    films = [tmp_path / segment.file for segment in footage_of(tmp_path).segments]
    assert [number for film in films if film.stat().st_size for number in decoded(film)][-1] == 4 * RATE - 1
