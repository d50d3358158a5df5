"""The composition root of a running table: the only file that knows every room.

`krupier run --config FILE` supervises the table's processes; `python -m table_controller.app FILE` is its controller.
"""

import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import click

from firmware_bridge.greeting import Policy
from firmware_bridge.keys import KeyFile, default_path
from firmware_bridge.link import Find, at_path, find_by
from firmware_bridge.tape import no_tape
from table_controller import again
from table_controller import config as settings
from table_controller.cameras import EYES, devices_of, processes_of, records
from table_controller.commands import fail
from table_controller.config import Config, read_config
from table_controller.journal.keys import house_key
from table_controller.misconfigured import ConfigInvalid
from table_controller.port.client import Door, DoorClosed
from table_controller.port.fed import FedClock
from table_controller.port.footage import video_folder
from table_controller.port.stopping import Stop
from table_controller.port.wire import PlaceTaken, door_of, hold
from table_controller.port.words import Health, Look, Status
from table_controller.replay.again import evening_of
from table_controller.replay.opening import load
from table_controller.shell.alive import ALIVE, READY, STOPPING, tell_systemd
from table_controller.shell.boards import BoardPlace, real_line
from table_controller.shell.budgets import DiskBudget
from table_controller.shell.checks import OWN, Budget
from table_controller.shell.controller import Controller, Plan, now, say, serve
from table_controller.shell.days import Days
from table_controller.shell.feeding import Feeder
from table_controller.shell.lights import expected
from table_controller.shell.metrics import serve_metrics
from table_controller.shell.pulses import Meanings
from table_controller.shell.taping import DEVICE as TAPE
from table_controller.shell.taping import Taping
from table_controller.supervisor import Part, Supervisor
from table_controller.window_watch import WindowWatch

MS: Final = 1_000_000
HUNG_AFTER_NS: Final = 5_000_000_000
FED_SILENT_NS: Final = 60_000_000_000
"""A computer that is slow for a moment must make no other evening of one that is fed again."""
DEAF_AFTER_NS: Final = 10_000_000_000
EYES_OPEN_S: Final = 20.0
TURN_S: Final = 0.1


def days_of(config: Config) -> Days:
    """The records of this table."""
    return Days(
        folder=config.data,
        table=config.table,
        key=lambda: house_key(config.data),
        clock=now,
        warn=say,
        zone=ZoneInfo(config.zone),
        hour=config.day_begins,
    )


def plan_of(config: Config, file: Path, *, accept: bool = False) -> Plan:
    """What the controller of this table runs."""
    eyes = devices_of(config)
    names = (*(board.name for board in config.boards), *eyes)
    budgets = config.budgets
    silent_ns = budgets.silent_ms * MS if config.fed is None else FED_SILENT_NS
    taping = Taping(video_folder(config.data, config.table), now) if records(config) else None
    feeder = _feeder(config, config.fed) if config.fed is not None else None
    own = OWN if taping is None else (*OWN, TAPE)
    return Plan(
        days=days_of(config),
        expected={**expected(names, silent_ns), **expected(own, 10 * budgets.silent_ms * MS)},
        boards=tuple(_board(board, config, taping, feeder) for board in config.boards),
        budget=Budget(
            folder=config.data,
            disk=DiskBudget(budgets.disk_warn, budgets.disk_alarm, budgets.disk_stop),
            clock_ms=budgets.clock_ms,
            digest_hours=budgets.digest_hours,
            beside=(file,),
            accept=accept,
        ),
        taping=taping,
        feeder=feeder,
        eyes=frozenset(eyes),
    )


def _feeder(config: Config, record: Path) -> Feeder:
    evening, tapes = evening_of(load(record, say)), video_folder(record.parent, config.table)
    return Feeder(evening, tapes, FedClock(config.data, config.table), now)


def _board(board: settings.Board, config: Config, taping: Taping | None, feeder: Feeder | None) -> BoardPlace:
    keys = KeyFile(config.pairing_keys or default_path())
    find: Find = find_by(board.adapter) if board.adapter is not None else at_path(str(board.port))
    return BoardPlace(
        board.name,
        find,
        Policy(keys.key_of, board.device, demo=board.unpaired),
        Meanings(second_beam=board.second_beam),
        no_tape if taping is None else taping.of(board.name),
        real_line if feeder is None else feeder.line,
    )


def parts_of(config: Config, file: Path, *, accept: bool = False) -> list[Part]:
    """The table's processes in the order they start."""
    door = Door(config.data, config.table, patience_s=2)
    controller = (sys.executable, "-m", "table_controller.app", str(file), *(("--accept",) if accept else ()))
    parts = [
        Part(
            name="controller",
            command=controller,
            is_ready=lambda: _status(door) is not None,
            is_well=lambda: _moves(_status(door)),
        )
    ]
    parts += _eyes(config, door)
    if config.window is not None:
        parts.append(_window(config, config.window))
    return parts


def _eyes(config: Config, door: Door) -> list[Part]:
    """The processes of the cameras and those that look at their pictures."""
    return [
        Part(
            name=name,
            command=command,
            is_ready=partial(_is_heard, door, name, ok=True),
            is_well=partial(_is_heard, door, name),
            patience_s=EYES_OPEN_S,
        )
        for name, command in processes_of(config).items()
    ]


def _is_heard(door: Door, name: str, *, ok: bool = False) -> bool:
    """Whether it has said lately how it is, and if asked, that it is well; nobody can tell while the door is shut."""
    status = _status(door)
    if status is None:
        return not ok
    light = next((light for light in status.lights if light.device == name), None)
    return light is not None and (light.ok or (not ok and status.at_ns - light.heard_ns < DEAF_AFTER_NS))


def _window(config: Config, window: settings.Window) -> Part:
    where = ("--data", str(config.data), "--address", window.address, "--port", str(window.port))
    day = ("--zone", config.zone, "--day-begins", str(config.day_begins), "--rules", config.rules)
    how = (*day, "--lang", window.language, *(("--tls",) if window.https else ()))
    command = (sys.executable, "-m", "table_controller", "window", *where, *how)
    watch = WindowWatch(window.port, https=window.https)
    return Part(name="window", command=command, is_ready=watch.is_live, is_well=watch.is_live)


def _status(door: Door) -> Status | None:
    try:
        told = door.look(Look())
    except DoorClosed:
        return None
    return told if isinstance(told, Status) else None


def _moves(status: Status | None) -> bool:
    """Whether the table's own thread goes on; the door's threads answer even when it does not."""
    return status is not None and time.time_ns() - status.at_ns < HUNG_AFTER_NS


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), required=True, help="The table's configuration.")
@click.option("--accept-changed-files", "accept", is_flag=True, help="The program's files were changed on purpose.")
@click.option("--check", is_flag=True, help="Only check the configuration.")
def run(file: Path, *, accept: bool, check: bool) -> None:
    """Run a real table: controller, camera, eyes and window, each started again should it fail."""
    config = _usable(file)
    if check:
        click.echo(
            f"{file}: table {config.table}, the file is in order; krupier doctor --config {file} looks at the rest"
        )
        return
    if config.fed is not None:
        again.must_be_feedable(config, config.fed)
    config.data.mkdir(parents=True, exist_ok=True)
    try:
        held = hold(door_of(config.data, config.table).key.with_suffix(".run"), f"table {config.table} is run")
    except PlaceTaken as taken:
        fail(str(taken))
    with held:
        raise SystemExit(_run(config, file, accept=accept))


def _run(config: Config, file: Path, *, accept: bool) -> int:
    """Until it is told to stop, or an evening that is fed again is over; the exit status."""
    if config.fed is not None:
        days_of(config).begin_as(load(config.fed, say).start)
    supervisor = Supervisor(parts_of(config, file, accept=accept), lambda name, what: _tell(config, name, what))
    if config.fed is None:
        supervise(supervisor)
        return 0
    done = again.ended(config)
    supervise(supervisor, done)
    return again.compare(config, config.fed)


def supervise(supervisor: Supervisor, done: threading.Event | None = None) -> None:
    """Run the parts until SIGTERM or SIGINT, or until all is `done`."""
    stop = Stop(supervisor.end_soon)
    try:
        supervisor.start()
        tell_systemd(READY)
        while not stop.is_set() and not (done is not None and done.is_set()):
            supervisor.turn()
            tell_systemd(ALIVE)
            time.sleep(TURN_S)
    finally:
        tell_systemd(STOPPING)
        supervisor.stop()


def _tell(config: Config, name: str, what: str) -> None:
    say(f"{config.table}: {name} {what}")
    if name in EYES and what != "started":
        try:
            Door(config.data, config.table, patience_s=1).say(Health(name, ok=False, detail=what))
        except DoorClosed:
            return


def _usable(file: Path) -> Config:
    try:
        return read_config(file)
    except ConfigInvalid as wrong:
        for line in str(wrong).splitlines():
            click.echo(f"krupier: {line}", err=True)
        raise SystemExit(2) from None
    except OSError as missing:
        fail(f"{file}: {missing.strerror}; name a configuration such as docs/examples/home_table.toml")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--accept", is_flag=True)
def controller(file: Path, *, accept: bool) -> None:
    """The controller process of a configured table."""
    config = _usable(file)

    def with_it(running: Controller) -> None:
        if config.metrics is not None:
            serve_metrics(running.loop, config.data, config.metrics.port, config.metrics.address)

    serve(plan_of(config, file, accept=accept), with_it)


if __name__ == "__main__":
    controller()
