"""The disk fails under a running table: nothing is acknowledged that is not kept, and nothing is kept twice."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.journal.day import open_day
from table_controller.journal.keys import make_key
from table_controller.journal.verify import verify_file
from tests.journal.crash.settlement import clock, paid, payments

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="LEFT OUT: strace is not installed")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="LEFT OUT: only root can mount a small disk")


def stubborn(journal: Path, patience: int, *before: str) -> subprocess.CompletedProcess[bytes]:
    key = journal.parent / "house.key"
    if not key.exists():
        make_key(key)
    command = [*before, sys.executable, "-m", "tests.journal.crash.stubborn", str(journal), str(key), str(patience)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60)


def acknowledged(done: subprocess.CompletedProcess[bytes]) -> set[int]:
    return set(done.stdout)


@needs_strace
@pytest.mark.parametrize(
    "fault",
    ["fsync,fdatasync:error=EIO", "pwrite64:error=ENOSPC", "pwrite64:error=EIO"],
    ids=["sync fails", "disk full", "write fails"],
)
@pytest.mark.parametrize("first", [9, 12, 17, 20, 22])
def test_a_disk_that_fails_for_a_while_loses_and_doubles_nothing(tmp_path: Path, fault: str, first: int) -> None:
    journal = tmp_path / "T07-2026-11-29.db"
    inject = f"inject={fault}:when={first}..{first + 6}"
    done = stubborn(journal, 40, "strace", "-f", "-qq", "-o", os.devnull, "-e", inject)
    assert b"down: the disk does not take the record" in done.stderr
    assert done.returncode == 0, done.stderr
    assert paid(journal) == dict(payments())
    assert verify_file(journal).ok


@needs_strace
def test_a_disk_that_fails_for_good_acknowledges_nothing_more(tmp_path: Path) -> None:
    journal = tmp_path / "T07-2026-11-29.db"
    done = stubborn(journal, 5, "strace", "-f", "-qq", "-o", os.devnull, "-e", "inject=fdatasync:error=EIO:when=14+")
    assert done.returncode == 1
    assert 0 < len(acknowledged(done)) < len(dict(payments()))
    recorded = paid(journal)
    assert acknowledged(done) <= set(recorded)
    assert verify_file(journal).ok


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


@needs_root
def test_a_full_disk_stops_the_table_and_room_lets_it_go_on(small_disk: Path) -> None:
    journal = small_disk / "T07-2026-11-29.db"
    open_day(journal, make_key(small_disk / "house.key"), clock).leave()
    filler, room = small_disk / "pictures", os.statvfs(small_disk)
    filler.write_bytes(bytes(room.f_bavail * room.f_bsize - (60 << 10)))
    stopped = stubborn(journal, 1)
    assert stopped.returncode == 1
    assert b"full" in stopped.stderr
    assert acknowledged(stopped) == set(paid(journal)) < set(dict(payments()))
    assert verify_file(journal).ok
    filler.unlink()
    went_on = stubborn(journal, 1)
    assert went_on.returncode == 0, went_on.stderr
    assert paid(journal) == dict(payments())
    assert verify_file(journal).ok
