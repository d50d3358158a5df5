"""Everything that is looked at, in the order of the page: the computer, the record, the eyes, the boxes, the window."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from firmware_bridge.greeting import Policy
from firmware_bridge.keys import KeyFile, default_path
from firmware_bridge.link import usb_adapters
from firmware_bridge.visit import Visit, look
from table_controller import houses
from table_controller.cameras import numbered
from table_controller.config import DRAWN, Camera, Config, Window, read_config
from table_controller.doctor import camera, eyes, links, machine, measured, record, sharing, software, table, window
from table_controller.doctor.finding import Colour, Finding, amber, green, red
from table_controller.journal.keys import key_path
from table_controller.misconfigured import ConfigInvalid
from table_controller.port.wire import device_of
from vision.table_view import SourceUnknown, Table, lock_of, opener_of

LEAST_GB = 5.0
SETTINGS = ("exposure", "white_balance", "focus")


def examine(path: Path | None) -> Iterator[Finding]:
    """A finding at a time, so that whoever waits sees the page grow; without a configuration, what needs none."""
    yield from (software.python(), software.libraries(), software.sqlite(), machine.clock())
    if path is None:
        yield amber("config", "config_none")
        yield eyes.recogniser()
        yield from links.boards(_visits(Policy(KeyFile(default_path()).key_of), [one.path for one in usb_adapters()]))
        return
    try:
        config = read_config(path)
    except (ConfigInvalid, OSError) as error:
        yield red("config", "config_bad", why=error)
        return
    yield green("config", "config_good", path=path.name, table=config.table)
    yield from _table(config, path)


def _table(config: Config, path: Path) -> Iterator[Finding]:
    room = machine.room(config.data, LEAST_GB)
    # A folder that is not there is one thing to mend, not two.
    yield from (room,) if room.state == "folder_unusable" else (room, machine.disk(config.data))
    yield record.key(key_path(config.data))
    yield from (record.newest_day(config.data), record.copies(config.data, config.backup), record.rules(config.rules))
    yield eyes.recogniser()
    running = table.running_table(config.data, config.table, path)
    yield from running
    if any(finding.colour is Colour.AMBER for finding in running):
        # A running table holds camera and ports, and tells of them itself.
        yield from _idle_devices(config)
    elif config.window is not None:
        yield window.window(_address(config.window), _certificate(config.data))


def _idle_devices(config: Config) -> Iterator[Finding]:
    for number, seen in numbered(config):
        for finding in _camera(config, seen):
            yield replace(finding, check=device_of(finding.check, number))
    if len(config.cameras) > 1:
        first, second = (_place(config, seen) for seen in config.cameras)
        yield sharing.felt_shared(dataclasses.replace(first, beside=second))
    keys = KeyFile(config.pairing_keys or default_path())
    known = {one.identity: one.path for one in usb_adapters()}
    ports = [str(board.port) if board.port else known.get(board.adapter or "", "") for board in config.boards]
    wanted = [board.device for board in config.boards if board.device is not None]
    yield from links.boards(_visits(Policy(keys.key_of), [port for port in ports if port]), wanted)


def _visits(policy: Policy, ports: list[str]) -> list[Visit]:
    return [look(port, policy) for port in ports]


def _camera(config: Config, seen: Camera) -> Iterator[Finding]:
    """The camera, and where it needs one its calibration."""
    yield from _pictures(config, seen)
    if not seen.source.startswith(DRAWN):
        yield measured.calibration(seen.calibration, key_path(config.data))


def _pictures(config: Config, seen: Camera) -> Iterator[Finding]:
    place = _place(config, seen)
    try:
        opener, _ = opener_of(place)
    except (SourceUnknown, OSError, ValueError) as unusable:
        yield red("camera", "camera_lost", why=unusable)
        return
    yield from camera.camera(opener, lock_of(place).wanted, min(seen.rate, camera.LEAST_RATE))


def _place(config: Config, seen: Camera) -> Table:
    shown = seen.model_dump(include={"source", "width", "height", "rate", "calibration", "jumbo", *SETTINGS})
    return Table(name=config.table, boxes=houses.rules_with(config.rules, {}).boxes, **shown)


def _address(tablets: Window) -> str:
    host = "127.0.0.1" if tablets.address == "0.0.0.0" else tablets.address
    return f"{'https' if tablets.https else 'http'}://{host}:{tablets.port}/"


def _certificate(data: Path) -> str | None:
    path = data / "keys" / "window.crt"
    return str(path) if path.exists() else None
