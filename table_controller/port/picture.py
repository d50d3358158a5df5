"""The table's live picture, as the camera process gives it out: masked, and never an old one."""

import socket
import struct
from pathlib import Path
from typing import Final

from table_controller.port.wire import camera_name, door_of

LENGTH: Final = struct.Struct(">Q")
LARGEST: Final = 8_000_000
PATIENCE_S: Final = 2.0


def live_place(data: Path, table: str, number: int = 1) -> Path:
    """The socket the camera's process gives pictures out at."""
    return door_of(data, table).address.with_name(f"{camera_name(table, number)}.live")


def live_picture(data: Path, table: str, number: int = 1, patience_s: float = PATIENCE_S) -> bytes | None:
    """One JPEG of the table as this camera sees it now; None where there is no picture that may be trusted."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(patience_s)
            line.connect(str(live_place(data, table, number)))
            (length,) = LENGTH.unpack(_exactly(line, LENGTH.size))
            return _exactly(line, length) if 0 < length <= LARGEST else None
    except OSError:
        return None


def _exactly(line: socket.socket, length: int) -> bytes:
    got = bytearray()
    while len(got) < length:
        part = line.recv(length - len(got))
        if not part:
            raise ConnectionError("hung up in the middle of a picture")
        got += part
    return bytes(got)
