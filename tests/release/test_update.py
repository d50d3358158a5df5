"""An update broken off anywhere leaves the old release or the new one in use, and the record stays readable."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from table_controller.journal.keys import make_key
from table_controller.journal.naming import journal_path
from tests.evening import EveningClock, open_felt, open_house
from tests.release.conftest import NEW, OLD

KRUPIER = str(Path(sys.executable).with_name("krupier"))
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
STEPS = 6


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed evening."""
    folder = tmp_path_factory.mktemp("data")
    subprocess.run(
        [KRUPIER, "demo", "--headless", "--rounds", "3", "--data", str(folder)],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture(scope="session")
def old_shelf(tmp_path_factory: pytest.TempPathFactory, releases: dict[str, Path], data: Path) -> Path:
    """The old release in use."""
    shelf = tmp_path_factory.mktemp("shelf") / "krupier"
    shelf.mkdir()
    assert asked(shelf, data, str(releases[OLD])).returncode == 0
    return shelf


def words(shelf: Path, data: Path, *more: str) -> list[str]:
    return [KRUPIER, "update", *more, "--shelf", str(shelf), "--data", str(data), "--extra", ""]


def asked(shelf: Path, data: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words(shelf, data, *more), capture_output=True, text=True, check=False)


def version_in_use(shelf: Path) -> str:
    told = subprocess.run(
        [str(shelf / "current" / "bin" / "krupier"), "--version"], capture_output=True, text=True, check=True
    )
    return told.stdout.split()[-1]


def verified(shelf: Path, data: Path) -> bool:
    command = [str(shelf / "current" / "bin" / "krupier"), "verify", str(data)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def shelf(old_shelf: Path) -> Path:
    """As it was before the update; environments do not move, so it is used in place."""
    for link, target in (("current", f"releases/{OLD}"), ("previous", None)):
        (old_shelf / link).unlink(missing_ok=True)
        if target:
            (old_shelf / link).symlink_to(target)
    if (old_shelf / "releases" / NEW).exists():
        shutil.rmtree(old_shelf / "releases" / NEW)
    return old_shelf


def test_an_update_and_the_way_back(shelf: Path, data: Path, releases: dict[str, Path]) -> None:
    done = asked(shelf, data, str(releases[NEW]))
    assert (done.returncode, done.stdout) == (0, f"{NEW}\n"), done.stderr
    assert version_in_use(shelf) == NEW
    assert verified(shelf, data)
    assert asked(shelf, data, "--back").returncode == 0
    assert version_in_use(shelf) == OLD
    assert verified(shelf, data)


def test_killed_at_every_step_the_old_or_the_new_release_runs_and_the_next_update_takes_what_was_left(
    shelf: Path, data: Path, releases: dict[str, Path]
) -> None:
    """Each try begins with what the one before left lying about; after a kill at the last step the new one may run."""
    for step in range(1, STEPS + 1):
        kill_at(step, shelf, data, releases[NEW])
        assert version_in_use(shelf) in (OLD, NEW)
        assert verified(shelf, data)
    again = asked(shelf, data, str(releases[NEW]))
    assert (again.returncode, version_in_use(shelf)) == (0, NEW), again.stderr


def kill_at(step: int, shelf: Path, data: Path, release: Path) -> None:
    """An update to this release that is killed at a step, in the middle of those that take long."""
    update = subprocess.Popen(words(shelf, data, str(release)), stderr=subprocess.PIPE, text=True)
    assert update.stderr is not None
    for line in update.stderr:
        if line.startswith(f"{step}/"):
            time.sleep(0.3 if step in (3, 5) else 0)
            os.kill(update.pid, signal.SIGKILL)
            break
    update.wait()
    update.stderr.close()


def test_no_update_while_a_table_is_open(shelf: Path, releases: dict[str, Path], tmp_path: Path) -> None:
    felt = open_felt(journal_path(tmp_path, "T01", "2026-11-29"), make_key(tmp_path / "house.key"), EveningClock())
    open_house(felt)
    felt.recorder.leave()
    for asked_for in ([str(releases[NEW])], ["--back"]):
        if asked_for == ["--back"]:
            (shelf / "previous").symlink_to(f"releases/{OLD}")
        refused = asked(shelf, tmp_path, *asked_for)
        assert refused.returncode == 1
        assert "table T01 is open" in refused.stderr
    assert version_in_use(shelf) == OLD


def test_a_folder_without_a_release_is_refused(shelf: Path, data: Path, tmp_path: Path) -> None:
    refused = asked(shelf, data, str(tmp_path))
    assert refused.returncode == 1
    assert "no krupier wheel here" in refused.stderr
    assert version_in_use(shelf) == OLD


def test_wheels_that_do_not_fit_leave_the_old_release_in_use(
    shelf: Path, data: Path, releases: dict[str, Path], tmp_path: Path
) -> None:
    krupier = next(releases[NEW].glob("krupier-*.whl"))
    shutil.copyfile(krupier, tmp_path / krupier.name)
    refused = asked(shelf, data, str(tmp_path))
    assert refused.returncode == 1
    assert "the wheels do not fit together" in refused.stderr
    assert version_in_use(shelf) == OLD
