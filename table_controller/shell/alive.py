"""Telling systemd that the table runs; nothing happens where nobody asked to be told."""

import os
import socket
from typing import Final

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"
STOPPING: Final = "STOPPING=1"


def tell_systemd(word: str) -> bool:
    """Whether somebody was there to be told (sd_notify(3))."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.connect(address)
        line.sendall(word.encode())
    return True
