"""The processes of a table's cameras: each camera has one that films and one that looks at its pictures."""

import sys
from collections.abc import Mapping
from typing import Final

from table_controller import houses
from table_controller.config import Camera, Config
from table_controller.port.footage import CAMERAS, video_folder
from table_controller.port.wire import device_of

NAMES: Final = ("camera", "recorder", "vision")
EYES: Final = frozenset(device_of(name, number) for name in NAMES for number in CAMERAS)
"""Every device a camera may have, as its light is named."""
SHARED: Final = ("source", "width", "height", "calibration")
"""What of a camera the other one's processes must know: both find out by themselves which of them reads a zone."""


def records(config: Config) -> bool:
    """Whether pictures and boards are kept; an evening that is fed has been kept already."""
    return config.recorder is not None and config.camera is not None and config.fed is None


def devices_of(config: Config) -> tuple[str, ...]:
    """What must be well for this table's cameras to be."""
    names = NAMES if records(config) else ("camera", "vision")
    return tuple(device_of(name, number) for number, _ in numbered(config) for name in names)


def numbered(config: Config) -> list[tuple[int, Camera]]:
    """The cameras of a table by their numbers."""
    return list(enumerate(config.cameras, 1))


def processes_of(config: Config) -> Mapping[str, tuple[str, ...]]:
    """The commands by the name of the process, in the order they start."""
    commands: dict[str, tuple[str, ...]] = {}
    for number, camera in numbered(config):
        told = _told(config, number, camera)
        deck = (f"--deck={camera.deck}",) if camera.deck is not None else ()
        commands[device_of("camera", number)] = (sys.executable, "-m", "vision.filming", *told, *_recorded(config))
        commands[device_of("vision", number)] = (sys.executable, "-m", "vision.watching", *told, *deck)
    return commands


def _told(config: Config, number: int, camera: Camera) -> list[str]:
    of = {"data": config.data, "table": config.table, "boxes": houses.rules_with(config.rules, {}).boxes}
    of |= {"number": number, **camera.model_dump(exclude={"deck", "jumbo"})}
    for other in (one for at, one in numbered(config) if at != number):
        of |= {f"beside_{name}": getattr(other, name) for name in SHARED}
    told = [f"--{name.replace('_', '-')}={value}" for name, value in of.items() if value is not None]
    told += ["--jumbo"] if camera.jumbo else []
    if config.fed is not None:
        told += [f"--fed={video_folder(config.fed.parent, config.table, number)}"]
    return told


def _recorded(config: Config) -> list[str]:
    """Every camera has an equal share of the room for recordings."""
    kept = config.recorder if records(config) else None
    if kept is None:
        return ["--gigabytes=0"]
    return [f"--gigabytes={kept.gigabytes / len(config.cameras)}", *(["--sound"] if kept.sound else [])]
