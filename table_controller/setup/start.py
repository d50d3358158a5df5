"""How the table is started and reached, ready to be typed: the last thing the technician is told."""

import shlex
import socket
import sys
from pathlib import Path
from typing import Final

from table_controller.config import Window

ALL_NETWORKS: Final = "0.0.0.0"
ONLY_HERE: Final = ("127.", "localhost", "::1")
"""How the addresses begin that no tablet reaches."""


def typed(*words: str) -> str:
    """`krupier` with these words, as a line that runs in any folder: the program beside this Python."""
    program = Path(sys.executable).with_name("krupier")
    begin = [str(program)] if program.exists() else [sys.executable, "-m", "table_controller"]
    return shlex.join([*begin, *words])


def address(window: Window) -> str:
    """What a tablet opens; where every network is served, by this computer's name."""
    host = socket.gethostname() if window.address == ALL_NETWORKS else window.address
    return f"{'https' if window.https else 'http'}://{host}:{window.port}/"


def hint(window: Window) -> str:
    """The key of the text that stands below the address, empty where nothing needs to be said."""
    if window.address.startswith(ONLY_HERE):
        return "only_here"
    return "by_name" if window.address == ALL_NETWORKS else ""
