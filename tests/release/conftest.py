"""Two releases as a house gets them: folders of wheels, no network needed."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLD, NEW = "0.1.0", "0.1.1"


@pytest.fixture(scope="session")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By version: the folder with its wheel and those of everything the core needs."""
    folder = tmp_path_factory.mktemp("release") / OLD
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    constraints = ["-c", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, *constraints, "-w", str(folder), str(ROOT)], check=True)
    newer = folder.with_name(NEW)
    newer.mkdir()
    for wheel in folder.glob("*.whl"):
        if wheel.name.startswith("krupier-"):
            _renamed(wheel, newer)
        else:
            (newer / wheel.name).hardlink_to(wheel)
    return {OLD: folder, NEW: newer}


def _renamed(wheel: Path, folder: Path) -> None:
    """The same release under the next number."""
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(folder / wheel.name.replace(OLD, NEW), "w") as new:
        for entry in old.namelist():
            body = old.read(entry)
            if entry.endswith("METADATA"):
                body = body.replace(f"Version: {OLD}".encode(), f"Version: {NEW}".encode())
            if entry.endswith("RECORD"):
                body = re.sub(rb"(?m)^(krupier-)0\.1\.0(\S*?),.*$", rb"\g<1>0.1.1\2,,", body)
            new.writestr(entry.replace(f"krupier-{OLD}", f"krupier-{NEW}"), body)
