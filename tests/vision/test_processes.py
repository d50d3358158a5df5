"""Camera, recorder and eyes as real processes: what is heard at the door, and what happens when one of them dies."""

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_controller.port.client import Door, DoorClosed
from table_controller.port.footage import State, footage_of, video_folder
from table_controller.port.words import Chips, Gone, Kept, Look, Outcome, Sighted, Status, Watching
from tests.vision.filmed import record
from tests.vision.processes import TABLE, Table, eventually, order_to
from vision.door import evidence_folder, run_folder
from vision.exchange import board_of
from vision.geometry import Image
from vision.rendered import orders
from vision.rendered.orders import Lay, Lens, Reach, Sight, Take

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(tmp_path) as running:
        running.until_well()
        yield running


def picture(jpeg: bytes | None) -> Image:
    assert jpeg is not None
    shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    return np.asarray(shown, np.uint8)


def dealer_of(image: Image) -> Image:
    """The dealer's cards in a live picture, 1280 pixels wide."""
    return image[90:160, 500:780]


def white(image: Image) -> float:
    return float((image.min(axis=2) > 200).mean())


def test_cards_are_sighted_with_their_picture_and_leave_again(table: Table) -> None:
    listener = table.listener
    listener.watching = Watching(7, due=("box3",))
    rest_ns = table.order(Lay(slot="box3", card="KS")).rest_ns
    (sighted,) = eventually(lambda: listener.all(Sighted))
    assert listener.cards() == ["box3 KS"]
    assert sighted.since_ns >= rest_ns - 100_000_000
    assert sighted.at_ns > sighted.since_ns
    (kept,) = eventually(lambda: listener.all(Kept))
    assert (kept.file, kept.round, kept.box) == (sighted.evidence, 7, 3)
    crop = cv2.imread(str(evidence_folder(table.data / f"{TABLE}-2026-11-30.db", 7) / kept.file))
    assert crop is not None
    assert white(np.asarray(crop, np.uint8)) > 0.1
    table.order(Take(slot="box3"))
    (gone,) = eventually(lambda: listener.all(Gone))
    assert (gone.was, gone.covered) == (sighted.number, False)
    assert gone.number > sighted.number


def test_chips_that_change_are_told_with_pictures_from_before_and_after(table: Table) -> None:
    table.order(orders.Chips(slot="circle4", count=2))
    (chips,) = eventually(lambda: table.listener.all(Chips))
    assert chips.box == 4
    names = {chips.before, chips.after}
    eventually(lambda: {kept.file for kept in table.listener.all(Kept)} == names or None)
    assert None not in names


def test_what_was_not_heard_is_said_again_until_it_was(table: Table) -> None:
    listener = table.listener
    listener.outcome = Outcome.DOWN
    table.order(Lay(slot="box1", card="AS"))
    time.sleep(1.5)
    assert listener.cards() == []
    listener.hang()
    table.order(Lay(slot="box2", card="7D"))
    time.sleep(1.5)
    listener.outcome = Outcome.DONE
    listener.answer()
    eventually(lambda: listener.cards() == ["box1 AS", "box2 7D"] or None)
    numbers = [one.number for one in listener.all(Sighted)]
    assert numbers == sorted(set(numbers))


def test_the_hole_card_is_in_no_picture_before_the_reveal(table: Table) -> None:
    listener = table.listener
    table.order(Lay(slot="dealer", card="AH"))
    eventually(lambda: listener.cards() == ["dealer AH"] or None)
    assert white(dealer_of(picture(table.live()))) > 0.1
    listener.watching = Watching(1, veiled=("dealer",))
    eventually(lambda: white(dealer_of(picture(table.live()))) == 0 or None)
    table.order(Lay(slot="dealer", card="QH"))
    time.sleep(1.5)
    assert white(dealer_of(picture(table.live()))) == 0
    assert listener.cards() == ["dealer AH"]
    assert not any("QH" in str(said) for said in listener.heard)
    listener.watching = Watching(1)
    eventually(lambda: listener.cards() == ["dealer AH", "dealer QH"] or None)


def test_while_nobody_answers_at_the_door_the_dealers_cards_are_not_shown(table: Table) -> None:
    table.order(Lay(slot="dealer", card="AH"))
    eventually(lambda: white(dealer_of(picture(table.live()))) > 0.1 or None)
    table.listener.hang()
    eventually(lambda: white(dealer_of(picture(table.live()))) == 0 or None, 6)


@pytest.mark.parametrize(
    ("sight", "device", "fault"),
    [
        (Sight.COVERED, "vision", "covered"),
        (Sight.DARK, "vision", "dark"),
        (Sight.GLARE, "vision", "glare"),
        (Sight.BLURRED, "vision", "blurred"),
        (Sight.MOVED, "vision", "moved"),
        (Sight.FROZEN, "camera", "stale"),
        (Sight.UNPLUGGED, "camera", "lost"),
    ],
)
def test_a_picture_that_cannot_be_trusted_is_a_fault_and_nothing_is_read(
    table: Table, sight: Sight, device: str, fault: str
) -> None:
    listener = table.listener
    table.order(Lens(sight=sight))
    eventually(lambda: listener.trouble(device) == fault or None, 8)
    table.order(Lay(slot="box5", card="9C"))
    time.sleep(1.5)
    assert listener.cards() == []
    table.order(Lens(sight=Sight.CLEAR))
    table.until_well()
    eventually(lambda: listener.cards() == ["box5 9C"] or None)


def test_a_frozen_camera_gives_out_no_live_picture(table: Table) -> None:
    assert table.live() is not None
    table.order(Lens(sight=Sight.FROZEN))
    eventually(lambda: table.listener.trouble("camera") == "stale" or None, 8)
    assert table.live() is None


def test_the_recording_goes_on_while_the_eyes_are_killed_and_they_see_everything_again(table: Table) -> None:
    listener = table.listener
    table.order(Lay(slot="box6", card="TD"))
    eventually(lambda: listener.cards() == ["box6 TD"] or None)
    assert table.eyes is not None
    table.eyes.kill()
    time.sleep(2)
    frames_before = footage_of(video_folder(table.data, TABLE)).segments[-1].end_ns
    table.start_eyes()
    eventually(lambda: listener.cards() == ["box6 TD", "box6 TD"] or None, 40)
    first, again = listener.all(Sighted)
    assert again.number > first.number
    assert footage_of(video_folder(table.data, TABLE)).segments[-1].end_ns > frames_before
    assert listener.trouble("recorder") == ""


def test_a_killed_camera_is_missed_within_two_seconds_and_its_recording_can_be_played(table: Table) -> None:
    time.sleep(4)
    killed_ns = time.time_ns()
    table.camera.kill()
    eventually(lambda: table.listener.trouble("vision") == "no_frames" or None, 3)
    table.start_camera()
    table.until_well()
    table.order(Lay(slot="box1", card="5H"))
    eventually(lambda: table.listener.cards() == ["box1 5H"] or None)
    cut, running = footage_of(video_folder(table.data, TABLE)).segments
    assert (cut.state, running.state) == (State.INTERRUPTED, State.RUNNING)
    assert killed_ns - cut.end_ns < 2_000_000_000


def test_told_to_stop_both_end_in_time_and_the_last_segment_is_whole(table: Table) -> None:
    assert table.eyes is not None
    for process in (table.eyes, table.camera):
        process.send_signal(signal.SIGTERM)
    assert [table.eyes.wait(5), table.camera.wait(5)] == [0, 0]
    assert footage_of(video_folder(table.data, TABLE)).segments[-1].state is State.CLOSED


def test_a_hand_over_the_cards_is_nothing_to_report(table: Table) -> None:
    table.order(Lay(slot="box3", card="KS"))
    eventually(lambda: table.listener.cards() == ["box3 KS"] or None)
    table.order(Reach(slot="box3", ms=900))
    time.sleep(3)
    assert table.listener.cards() == ["box3 KS"]
    assert table.listener.all(Gone) == []


def test_a_source_that_does_not_exist_is_refused_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "vision.filming", "--data", str(tmp_path), "--table", TABLE, "--source", "moon:1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("krupier: moon:1: write usb:ID")
    assert "Traceback" not in done.stderr


def test_the_real_controller_writes_down_what_the_eyes_say_and_what_shows_it(tmp_path: Path) -> None:
    controller = subprocess.Popen(
        [sys.executable, "-m", "table_controller.shell.controller", "--data", str(tmp_path), "--table", TABLE]
    )
    door = Door(tmp_path, TABLE)

    def up() -> Status | None:
        try:
            told = door.look(Look())
        except DoorClosed:
            return None
        return told if isinstance(told, Status) else None

    eyes: list[subprocess.Popen[bytes]] = []
    try:
        journal = Path(eventually(up).journal)
        place = ["--data", str(tmp_path), "--table", TABLE, "--source", "rendered:"]
        eyes = [subprocess.Popen([sys.executable, "-m", f"vision.{name}", *place]) for name in ("filming", "watching")]
        eventually(lambda: any(light.device == "vision" and light.ok for light in (up() or no()).lights) or None, 40)
        assert order_to(tmp_path, Lay(slot="box3", card="KS")).rest_ns
        rows = eventually(lambda: [row for row in _rows(journal) if row[0] == "journal.evidence_kept"], 20)
        assert b"box3-" in rows[0][1]
    finally:
        for process in (*eyes, controller):
            process.terminate()
            process.wait(10)


def no() -> Status:
    return Status(TABLE, "", 0, 0, ())


def _rows(journal: Path) -> list[tuple[str, bytes]]:
    with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as reader:
        found = reader.execute("SELECT kind, body FROM journal").fetchall()
    reader.close()
    return [(str(kind), bytes(body)) for kind, body in found]


def test_frames_are_shared_in_memory_and_the_board_goes_with_the_camera(table: Table) -> None:
    board = board_of(run_folder(table.data, TABLE), TABLE)
    assert board.exists()
    assert os.stat(board).st_mode & 0o077 == 0
    table.camera.terminate()
    table.camera.wait(10)
    assert not board.exists()


def stalling(film: bytes, stop: threading.Event) -> socket.socket:
    """A network camera that gives half of a film and then nothing, without hanging up."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError):
                caller, _ = server.accept()
                caller.recv(4096)
                head = f"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: {len(film)}\r\n\r\n"
                caller.sendall(head.encode() + film[: len(film) // 2])
                stop.wait(60)
                caller.close()

    threading.Thread(target=serve, daemon=True).start()
    return server


def test_b02_a_network_camera_that_falls_silent_is_lost_and_the_process_can_still_be_stopped(tmp_path: Path) -> None:
    record(tmp_path / "film", 50).close()
    film, stop = next((tmp_path / "film").glob("*.mp4")).read_bytes(), threading.Event()
    server = stalling(film, stop)
    source = f"http://127.0.0.1:{server.getsockname()[1]}/camera"
    try:
        with Table(tmp_path / "data", source, eyes=False) as table:
            eventually(lambda: table.listener.trouble("camera") == "lost" or None, 20)
            assert table.live() is None
            table.camera.terminate()
            assert table.camera.wait(5) == 0
    finally:
        stop.set()
        server.close()
