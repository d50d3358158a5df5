"""The disk fails under a running table: nothing is acknowledged that is not kept, and nothing is kept twice."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.journal.verify import verify_file
from tests.journal.crash.harness import check, state_after_start
from tests.journal.crash.settlement import JOURNAL, SETTLEMENT, prepare, script, states

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="LEFT OUT: strace is not installed")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="LEFT OUT: only root can mount a small disk")


def stubborn(folder: Path, patience: int, *before: str) -> subprocess.CompletedProcess[bytes]:
    command = [*before, sys.executable, "-m", "tests.journal.crash.stubborn", str(folder), str(patience)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60)


def with_fault(fault: str) -> tuple[str, ...]:
    return ("strace", "-f", "-qq", "-o", os.devnull, "-e", f"inject={fault}")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    prepare(tmp_path)
    return tmp_path


@needs_strace
@pytest.mark.parametrize("fault", ["fsync,fdatasync:error=EIO", "pwrite64:error=ENOSPC", "pwrite64:error=EIO"])
@pytest.mark.parametrize("first", [3, 6, 9, 12, 14])
def test_a_disk_that_fails_for_a_while_loses_and_doubles_nothing(table: Path, fault: str, first: int) -> None:
    done = stubborn(table, 40, *with_fault(f"{fault}:when={first}..{first + 6}"))
    assert b"down: the disk does not take the record" in done.stderr
    assert done.returncode == 0, done.stderr
    assert state_after_start(table) == states(script())[-1]
    assert verify_file(table / JOURNAL).ok


@needs_strace
def test_a_disk_that_fails_for_good_acknowledges_nothing_more(table: Path) -> None:
    done = stubborn(table, 5, *with_fault("fdatasync:error=EIO:when=9+"))
    assert done.returncode == 1
    assert 0 < len(done.stdout) < SETTLEMENT
    check(table, done.stdout)


@pytest.fixture
def small_disk(table: Path) -> Iterator[Path]:
    place = table / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(place)], check=True)
    for path in table.iterdir():
        if path.is_file():
            shutil.copy2(path, place)
    yield place
    subprocess.run(["umount", str(place)], check=True)


@needs_root
def test_a_full_disk_stops_the_table_and_room_lets_it_go_on(small_disk: Path) -> None:
    filler, room = small_disk / "pictures", os.statvfs(small_disk)
    filler.write_bytes(bytes(room.f_bavail * room.f_bsize - (70 << 10)))
    stopped = stubborn(small_disk, 1)
    assert stopped.returncode == 1
    assert b"full" in stopped.stderr
    assert len(stopped.stdout) < SETTLEMENT
    filler.unlink()
    check(small_disk, stopped.stdout)
