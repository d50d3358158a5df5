"""What the set-up proposes before anybody has answered, by the computer it runs on."""

import os
import shutil
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

from table_controller.core.house import Language

GIGABYTE: Final = 1 << 30
# Video of two weeks or so; of a smaller disk four fifths of what is free.
VIDEO_GIGABYTES: Final = 200
LOCALTIME: Final = Path("/etc/localtime")
NOWHERE: Final = {"UTC", "Etc/UTC"}


def language() -> str:
    """That of the person at the keyboard where Krupier speaks it."""
    said = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    return said[:2] if said[:2] in {each.value for each in Language} else Language.POLISH.value


def zone(localtime: Path = LOCALTIME) -> str:
    """The computer's own, unless nobody told it where it stands."""
    here = str(localtime.resolve()).rpartition("zoneinfo/")[2]
    return here if here in available_timezones() - NOWHERE else "Europe/Warsaw"


def gigabytes(folder: Path | None = None) -> str:
    """What video may take of this disk."""
    free = shutil.disk_usage(folder or Path.cwd()).free / GIGABYTE
    return str(max(1, min(VIDEO_GIGABYTES, int(free * 0.8))))
