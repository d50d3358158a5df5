"""What was recorded can be played, whatever happened to the recorder. Case numbers: the collected reports of users."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import av
import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from table_controller.port.footage import INDEX, TAPE, Gap, State, footage_of, hold, let_go, stamp_of
from tests.vision.filmed import RATE, START_NS, STEP_NS, decoded, numbered, record
from vision.recording import NO_ROOM, Place, Recorded, Recorder, playable
from vision.segments import playable_codec

SECOND = 1_000_000_000


def run(what: str, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.vision.filmed", what, str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def films(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.mp4"))


@pytest.mark.slow
def test_b07_of_a_minute_whose_recorder_was_killed_58_seconds_can_be_played(tmp_path: Path) -> None:
    with run("interrupted", tmp_path) as recorder:
        assert recorder.stdout is not None
        assert recorder.stdout.readline() == "recorded\n"
        recorder.kill()
    (film,) = films(tmp_path)
    numbers = decoded(film)
    assert numbers == list(range(len(numbers)))
    assert len(numbers) >= 58 * RATE
    Recorder(Place(tmp_path, 10**10), RATE, Recorded)
    (segment,) = footage_of(tmp_path).segments
    assert (segment.state, segment.journal, segment.seq_from, segment.rounds) == (
        State.INTERRUPTED,
        "T01-2027-01-15.db",
        40,
        (7,),
    )
    assert abs(segment.end_ns - segment.start_ns - (len(numbers) - 1) * STEP_NS) < SECOND / 100


@pytest.mark.slow
def test_b06_a_disk_that_takes_nothing_for_a_minute_leaves_a_gap_and_no_flood_of_complaints(tmp_path: Path) -> None:
    with run("starved", tmp_path) as recorder:
        assert recorder.stdout is not None
        during, after, told = recorder.stdout.readline().split()
    assert (during, after, told) == ("cannot_write", "None", "1")
    footage = footage_of(tmp_path)
    (gap,) = footage.gaps
    assert gap.to_ns is not None
    assert abs(gap.from_ns - (START_NS + 10 * SECOND)) < 2 * SECOND
    assert abs(gap.to_ns - (START_NS + 70 * SECOND)) < 3 * SECOND
    before, later = footage.segments[0], footage.segments[-1]
    assert len(decoded(tmp_path / before.file)) >= 8 * RATE
    assert decoded(tmp_path / later.file)[-1] == 80 * RATE - 1


def test_every_frame_keeps_its_exact_time(tmp_path: Path) -> None:
    recorder = Recorder(Place(tmp_path, 10**10), RATE, Recorded)
    times = [START_NS + round(seconds * SECOND) for seconds in (0, 0.066, 0.2, 0.201, 1.5, 1.9)]
    for number, at_ns in enumerate(times):
        recorder.take(numbered(number), at_ns)
    recorder.close()
    (segment,) = footage_of(tmp_path).segments
    with av.open(str(tmp_path / segment.file)) as film:
        shown = [segment.start_ns + round((frame.time or 0) * SECOND) for frame in film.decode(video=0)]
    assert np.abs(np.array(shown) - np.array(times)).max() < 12_000
    assert (segment.start_ns, segment.end_ns) == (times[0], times[-1])
    assert segment.at(times[4]) == pytest.approx(1.5)


def test_a_minute_ends_a_segment_and_no_frame_is_lost_between_two(tmp_path: Path) -> None:
    record(tmp_path, 63).close()
    footage = footage_of(tmp_path)
    assert [segment.state for segment in footage.segments] == [State.CLOSED] * 2
    numbers = [number for segment in footage.segments for number in decoded(tmp_path / segment.file)]
    assert numbers == list(range(63 * RATE))


def test_the_index_says_which_rows_of_the_record_a_segment_shows(tmp_path: Path) -> None:
    stands = [Recorded("T01.db", 10, 1)]
    recorder = Recorder(Place(tmp_path, 10**10), RATE, lambda: stands[-1])
    record(tmp_path, 3, recorder)
    stands.append(Recorded("T01.db", 25, 2))
    record(tmp_path, 3, recorder, 3 * RATE)
    stands.append(Recorded("T01.db", 31, None))
    recorder.close()
    (segment,) = footage_of(tmp_path).segments
    assert (segment.journal, segment.seq_from, segment.seq_to, segment.rounds) == ("T01.db", 10, 31, (1, 2))


def test_a_moment_is_found_in_the_segments_that_show_it(tmp_path: Path) -> None:
    record(tmp_path, 63).close()
    footage = footage_of(tmp_path)
    first, second = footage.segments
    assert footage.between(START_NS + SECOND, START_NS + 2 * SECOND) == (first,)
    assert footage.between(START_NS + 58 * SECOND, START_NS + 61 * SECOND) == (first, second)
    assert footage.between(START_NS - 9 * SECOND, START_NS - 8 * SECOND) == ()


def test_b06_the_oldest_goes_first_when_room_is_needed_and_what_is_held_stays(tmp_path: Path) -> None:
    record(tmp_path, 150).close()
    oldest, middle, newest = footage_of(tmp_path).segments
    hold(tmp_path, [oldest], "dispute of round 7")
    used = sum(film.stat().st_size for film in films(tmp_path))
    recorder = Recorder(Place(tmp_path, used - 1000), RATE, Recorded)
    record(tmp_path, 1, recorder, 200 * RATE)
    recorder.close()
    assert not (tmp_path / middle.file).exists()
    assert (tmp_path / oldest.file).exists()
    assert [segment.file for segment in footage_of(tmp_path).segments][:2] == [oldest.file, newest.file]


def test_the_boards_tapes_go_with_the_video_of_their_time_but_for_the_one_being_written(tmp_path: Path) -> None:
    record(tmp_path, 61).close()
    used = sum(film.stat().st_size for film in films(tmp_path))
    tapes = [tmp_path / (stamp_of(START_NS + second * SECOND) + TAPE) for second in (1, 2, 199)]
    for tape in tapes:
        tape.write_bytes(bytes(used))
    recorder = Recorder(Place(tmp_path, 2 * used + 1000), RATE, Recorded)
    record(tmp_path, 1, recorder, 200 * RATE)
    recorder.close()
    assert [tape.exists() for tape in tapes] == [False, True, True]


def test_when_everything_is_held_nothing_is_recorded_and_that_is_said(tmp_path: Path) -> None:
    record(tmp_path, 62).close()
    footage = footage_of(tmp_path)
    hold(tmp_path, footage.segments, "dispute")
    recorder = Recorder(Place(tmp_path, 1000), RATE, Recorded, lambda _text: None)
    record(tmp_path, 5, recorder, 100 * RATE)
    assert recorder.trouble == NO_ROOM
    assert footage_of(tmp_path).gaps == (Gap(START_NS + 100 * RATE * STEP_NS, None, NO_ROOM),)
    let_go(tmp_path, footage.segments)
    record(tmp_path, 5, recorder, 110 * RATE)
    assert recorder.trouble is None


def test_b08_there_is_a_codec_that_browsers_play_and_files_are_made_with_it(tmp_path: Path) -> None:
    assert playable_codec() == "libx264"
    record(tmp_path, 2).close()
    with av.open(str(films(tmp_path)[0])) as film:
        stream = film.streams.video[0]
        assert (stream.codec_context.name, stream.pix_fmt) == ("h264", "yuv420p")


@pytest.mark.slow
def test_b08_a_real_browser_plays_a_clip_to_its_end(tmp_path: Path) -> None:
    record(tmp_path, 2).close()
    page = tmp_path / "page.html"
    page.write_text(f'<video muted src="{films(tmp_path)[0].name}"></video>')
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=[
                "--no-sandbox",
                "--disable-background-networking",
                "--no-first-run",
                "--allow-file-access-from-files",
            ],
        )
        shown = browser.new_page()
        shown.goto(page.as_uri())
        played = shown.evaluate(
            """async () => { const v = document.querySelector('video');
            const ended = new Promise((yes, no) => { v.onended = yes; v.onerror = () => no(v.error.message); });
            await v.play(); await ended; return [v.videoWidth, v.currentTime]; }"""
        )
        browser.close()
    assert played[0] == numbered(0).shape[1]
    assert played[1] == pytest.approx(2, abs=0.2)


def test_b11_the_hour_that_comes_twice_makes_two_files_in_order(tmp_path: Path) -> None:
    london = ZoneInfo("Europe/London")
    first, second = (datetime(2023, 10, 29, hour, 30, tzinfo=UTC) for hour in (0, 1))
    assert first.astimezone(london).hour == second.astimezone(london).hour == 1
    recorder = Recorder(Place(tmp_path, 10**10), RATE, Recorded)
    for number, moment in enumerate((first, second)):
        for frame in range(RATE):
            recorder.take(numbered(number), round(moment.timestamp()) * SECOND + frame * STEP_NS)
    recorder.close()
    footage = footage_of(tmp_path)
    assert [segment.file for segment in footage.segments] == ["20231029T003000.000Z.mp4", "20231029T013000.000Z.mp4"]
    for number, moment in enumerate((first, second)):
        at_ns = round(moment.timestamp()) * SECOND
        (segment,) = footage.between(at_ns, at_ns + SECOND)
        assert decoded(tmp_path / segment.file) == [number] * RATE


def test_names_sort_as_time_goes() -> None:
    moments = [START_NS, START_NS + 1_000_000, START_NS + SECOND, START_NS + 3600 * SECOND]
    names = [stamp_of(moment) for moment in moments]
    assert names == sorted(names)
    assert len(set(names)) == len(names)


def test_a_last_line_that_was_cut_short_does_not_spoil_the_index(tmp_path: Path) -> None:
    record(tmp_path, 2).close()
    with (tmp_path / INDEX).open("ab") as index:
        index.write(b'{"line":"opened","at_ns":12')
    assert len(footage_of(tmp_path).segments) == 1


def test_a_file_that_is_no_film_has_no_frames(tmp_path: Path) -> None:
    (tmp_path / "x.mp4").write_bytes(b"not a film")
    assert playable(tmp_path / "x.mp4", 5) == (0, 5)


def test_a_folder_without_an_index_has_no_footage(tmp_path: Path) -> None:
    assert footage_of(tmp_path).segments == ()
