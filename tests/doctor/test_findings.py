"""What the page says of this computer, its record and its boxes; every red line: test_mended.py."""

import os
import shutil
from importlib.metadata import Distribution
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware_bridge.messages import Hello
from firmware_bridge.visit import Visit
from table_controller.doctor import camera, links, machine, record, software
from table_controller.doctor.finding import Colour, Finding
from table_controller.journal.backup import back_up
from table_controller.journal.keys import make_key
from table_controller.journal.naming import journal_path
from tests.evening import EveningClock, open_felt, open_house
from vision.frames import CameraLost, Device
from vision.sources import video_file

RED, AMBER, GREEN = Colour.RED, Colour.AMBER, Colour.GREEN


def colours(*findings: Finding) -> list[Colour]:
    return [finding.colour for finding in findings]


def test_a_library_of_another_version_is_named_until_the_right_one_is_installed(tmp_path: Path) -> None:
    told = tmp_path / "krupier-9.dist-info" / "METADATA"
    told.parent.mkdir()
    head = "Metadata-Version: 2.1\nName: krupier\nVersion: 9\n"
    told.write_text(head + "Requires-Dist: click>=900\nRequires-Dist: nothing-of-that-name\n")
    finding = software.libraries(Distribution.at(told.parent))
    assert finding.colour is RED
    assert finding.values["wrong"].startswith("click>=900 (8.")
    assert "nothing-of-that-name (-)" in finding.values["wrong"]
    told.write_text(head + "Requires-Dist: click>=8\n")
    assert software.libraries(Distribution.at(told.parent)).colour is GREEN


def test_the_libraries_of_this_installation_are_those_it_was_tested_with() -> None:
    assert software.libraries().colour is GREEN


def test_too_little_room_is_red_and_soon_too_little_amber(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free / machine.GIGABYTE
    assert colours(*(machine.room(tmp_path, free * part) for part in (1.5, 0.7, 0.1))) == [RED, AMBER, GREEN]


def test_a_folder_that_is_not_there_is_red_until_it_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "krupier"
    assert colours(machine.room(folder, 0), machine.disk(folder)) == [RED, RED]
    folder.mkdir()
    assert machine.room(folder, 0).colour is GREEN
    assert machine.disk(folder, 60_000).colour is not RED
    assert list(folder.iterdir()) == []


def test_a_clock_nobody_keeps_is_amber() -> None:
    assert colours(machine.clock(lambda: 5), machine.clock(lambda: -1), machine.clock(lambda: 0)) == [
        AMBER,
        AMBER,
        GREEN,
    ]
    assert machine.clock().colour in (AMBER, GREEN)


def test_a_missing_or_open_key_is_red_until_it_is_made_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    assert record.key(path).colour is RED
    make_key(path)
    assert record.key(path).colour is GREEN
    path.chmod(0o644)
    assert record.key(path).colour is RED
    path.chmod(0o600)
    assert record.key(path).colour is GREEN


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """A day that is being recorded."""
    path = journal_path(tmp_path / "data", "T01", "2026-11-29")
    felt = open_felt(path, make_key(tmp_path / "data" / "house.key"), EveningClock())
    open_house(felt)
    felt.recorder.leave()
    return path


def test_a_changed_record_is_red_until_the_copy_is_put_back(day: Path, tmp_path: Path) -> None:
    assert record.newest_day(day.parent).colour is GREEN
    whole = day.read_bytes()
    day.write_bytes(whole.replace(b"dealer-1", b"dealer-2"))
    finding = record.newest_day(day.parent)
    assert (finding.colour, finding.values["name"]) == (RED, day.name)
    day.write_bytes(whole)
    assert record.newest_day(day.parent).colour is GREEN
    assert record.newest_day(tmp_path).colour is AMBER


def test_a_record_without_a_fresh_copy_is_red_until_one_is_made(day: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    assert colours(record.copies(day.parent, None), record.copies(day.parent, kept)) == [AMBER, AMBER]
    back_up(day, kept)
    assert record.copies(day.parent, kept).colour is GREEN
    long_ago = day.stat().st_mtime - 27 * 3600
    os.utime(kept / day.name, (long_ago, long_ago))
    assert record.copies(day.parent, kept).colour is RED
    back_up(day, kept)
    assert record.copies(day.parent, kept).colour is GREEN
    assert colours(record.copies(tmp_path, kept), record.copies(tmp_path, None)) == [GREEN, AMBER]


def test_a_camera_that_is_not_plugged_in_is_red(tmp_path: Path) -> None:
    def unplugged() -> Device:
        raise CameraLost("camera: no picture; check plug and cable")

    assert colours(*camera.camera(unplugged, {})) == [RED]
    assert colours(*camera.camera(lambda: video_file(tmp_path / "none.mp4"), {})) == [RED]


def answering(device: bytes, check: str = "ok") -> Visit:
    numbers = dict.fromkeys(Hello.__struct_fields__, 1)
    hello = msgspec.convert({**numbers, "device": bytes(8), "nonce": bytes(8)}, Hello)
    hello = replace(hello, device=device)
    return Visit("/dev/ttyUSB0", check, hello)


def test_a_box_that_does_not_answer_is_red_until_it_does() -> None:
    name = bytes(range(8)).hex()
    assert colours(*links.boards([], [name])) == [RED]
    assert colours(*links.boards([answering(bytes(8))], [name])) == [GREEN, RED]
    assert colours(*links.boards([answering(bytes(range(8)))], [name])) == [GREEN]
    assert colours(*links.boards([answering(bytes(8), "unpaired")])) == [RED]
    assert colours(*links.boards([])) == [AMBER]
