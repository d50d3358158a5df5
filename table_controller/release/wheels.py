"""A folder of wheels: which release it holds, and making an environment of it without a network."""

import ctypes
import signal
import subprocess
import sys
from pathlib import Path

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from table_controller.release.shelf import Shelf

PDEATHSIG = 1


class NotInstalled(RuntimeError):
    """The release was not put into use; the old one stays. The message says what to do."""


def release_in(wheels: Path) -> str:
    """The version of the newest krupier wheel of the folder; raises NotInstalled."""
    versions = []
    for wheel in wheels.glob("krupier-*.whl"):
        try:
            versions.append(parse_wheel_filename(wheel.name)[1])
        except InvalidWheelFilename as error:
            raise NotInstalled(f"{wheel.name} is no wheel: {error}") from None
    if not versions:
        raise NotInstalled(f"{wheels}: no krupier wheel here; unpack the whole release into this folder")
    return str(max(versions))


def install(shelf: Shelf, wheels: Path, version: str, extra: str) -> None:
    """An environment of its own with this version in it, from these wheels alone; raises NotInstalled."""
    place = shelf.place(version)
    place.parent.mkdir(parents=True, exist_ok=True)
    wanted = f"krupier[{extra}]=={version}" if extra else f"krupier=={version}"
    run([sys.executable, "-m", "venv", str(place)], "the environment cannot be made")
    pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run([*pip, "--no-index", "--find-links", str(wheels), wanted], "the wheels do not fit together")


def run(words: list[str], trouble: str) -> str:
    """The output of a program; raises NotInstalled with the last line of what it complained about."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=_die_with_me)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise NotInstalled(f"{trouble}: {said[-1] if said else words[0]}")
    return done.stdout


def _die_with_me() -> None:
    """An update that was killed leaves nobody behind who goes on writing into the release (prctl(2), Linux)."""
    ctypes.CDLL(None).prctl(PDEATHSIG, signal.SIGKILL)
