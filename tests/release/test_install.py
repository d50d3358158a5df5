"""The installer beside the wheels: one command on a computer without a network, and none that goes halfway."""

import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from tests.release.conftest import NEW, OLD, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def box(wheels: Path, folder: Path) -> Path:
    """A release as it is carried to the table: wheels, their digests, the installer."""
    shutil.copytree(wheels, folder / "wheels")
    sums = [f"{sha256(one.read_bytes()).hexdigest()}  wheels/{one.name}\n" for one in (folder / "wheels").iterdir()]
    (folder / "SHA256SUMS").write_text("".join(sums))
    shutil.copy(ROOT / "packaging" / "install.sh", folder)
    return folder / "install.sh"


def ran(installer: Path, shelf: Path) -> subprocess.CompletedProcess[str]:
    words = ["bash", str(installer), str(shelf), str(shelf / "data"), ""]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_first_installed_and_then_updated_by_the_same_command(releases: dict[str, Path], tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    for version in (OLD, NEW):
        done = ran(box(releases[version], tmp_path / version), shelf)
        assert done.returncode == 0, done.stderr
        told = subprocess.run(
            [str(shelf / "current" / "bin" / "krupier"), "--version"], capture_output=True, text=True, check=True
        )
        assert told.stdout.split()[-1] == version


def test_a_folder_damaged_on_the_way_installs_nothing(releases: dict[str, Path], tmp_path: Path) -> None:
    installer = box(releases[OLD], tmp_path / "box")
    wheel = next((tmp_path / "box" / "wheels").glob("click-*.whl"))
    wheel.write_bytes(wheel.read_bytes()[:-9] + b"different")
    done = ran(installer, tmp_path / "shelf")
    assert done.returncode == 1
    assert "damaged on the way" in done.stderr
    assert not (tmp_path / "shelf").exists()
