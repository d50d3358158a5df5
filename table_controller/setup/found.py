"""What is plugged in: cameras and boards under names that outlive a change of socket."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from firmware_bridge.link import Adapter, usb_adapters

BY_ID: Final = Path("/dev/v4l/by-id")
FIRST_STREAM: Final = "-video-index0"


class FoundCamera(Struct, frozen=True):
    """A camera as `camera.source` names it, and what people call it."""

    source: str
    description: str


def cameras(folder: Path = BY_ID) -> list[FoundCamera]:
    """USB cameras by their stable name; a camera's further streams (metadata) are no cameras."""
    found = sorted(folder.glob(f"*{FIRST_STREAM}")) if folder.is_dir() else []
    return [FoundCamera(f"usb:{one.name}", _plain(one.name)) for one in found]


def _plain(name: str) -> str:
    return name.removeprefix("usb-").removesuffix(FIRST_STREAM).replace("_", " ")


def unused_boards(used: Sequence[str]) -> list[Adapter]:
    """Serial adapters plugged in now that no board of the table uses yet."""
    return [adapter for adapter in usb_adapters() if adapter.identity not in used]
