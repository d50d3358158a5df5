"""The demo to look at: the table's real processes under their supervisor, the people and the boards in this one."""

import random
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from msgspec import Struct

from dashboard.drawing import now as window_now
from dashboard.people import People
from dashboard.settings import Settings
from table_controller.app import parts_of, supervise
from table_controller.config import read_config
from table_controller.core.people import Role
from table_controller.core.stimuli import VoidRound
from table_controller.demo.boards import DemoBoards
from table_controller.demo.dealer import Slips, Table
from table_controller.demo.evening import Evening
from table_controller.demo.eyes import ScriptedEyes
from table_controller.demo.floor import Screen
from table_controller.demo.follow import Follower
from table_controller.play.felt import FLOOR, SECOND, CannotPlay
from table_controller.port.client import NOBODY, Door, DoorClosed
from table_controller.port.words import Look, Status
from table_controller.supervisor import Supervisor

TABLE: Final = "T01"
LOOK_AGAIN_S: Final = 0.01
UP_S: Final = 60.0
PEOPLE: Final = {
    "pit": Role.PIT_BOSS,
    "second": Role.PIT_BOSS,
    "dealer": Role.DEALER,
    "cameras": Role.SURVEILLANCE,
    "admin": Role.ADMINISTRATOR,
}


class Show(Struct, frozen=True, kw_only=True):
    """What is to be shown: `rounds` None plays until it is stopped, `speed` 2 is twice as fast as people."""

    rules: str
    seed: int
    data: Path
    rounds: int | None = None
    speed: float = 1.0
    port: int = 8800
    language: str = "en"


def show(wanted: Show) -> None:
    """Runs until Ctrl-C, or until its rounds are played."""
    wanted.data.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="krupier-boards-") as ports:
        boards = DemoBoards(Path(ports))
        boards.start()
        try:
            file = _configuration(wanted, boards)
            supervisor = Supervisor(parts_of(read_config(file), file), lambda name, what: click.echo(f"{name} {what}"))
            _tell_people(wanted)
            done = threading.Event()
            people = threading.Thread(target=_play, args=(wanted, boards, done), name="people", daemon=True)
            people.start()
            supervise(supervisor, done)
        finally:
            boards.close()


def _configuration(wanted: Show, boards: DemoBoards) -> Path:
    file = wanted.data / "table.toml"
    places = (
        f'[[boards]]\nname = "{name}"\nport = "{port.path}"\nsecond_beam = true\nunpaired = true\n'
        for name, port in boards.ports.items()
    )
    window = f'[window]\nport = {_free(wanted.port)}\nhttps = false\nlanguage = "{wanted.language}"\n'
    own = f'table = "{TABLE}"\ndata = "."\nrules = "{wanted.rules}"\n[budgets]\nsilent_ms = 4000\n'
    file.write_text("\n".join((own, *places, window)), "utf-8")
    return file


def _free(port: int) -> int:
    """This port, or the next one nobody uses."""
    for one in range(port, port + 50):
        with closing(socket.socket()) as trial, suppress(OSError):
            trial.bind(("127.0.0.1", one))
            return one
    return port


def _tell_people(wanted: Show) -> None:
    """Accounts with words made for this demo alone, told to whoever started it."""
    people = People(Settings(data=wanted.data).people)
    people.prepare()
    if people.anybody():
        return
    click.echo("\nThe demo's people (name, password, PIN):")
    for name, role in PEOPLE.items():
        password, pin = secrets.token_urlsafe(9), f"{secrets.randbelow(10**6):06}"
        people.add(name, role, password, "demo", window_now())
        people.change(name, "pin", pin, "demo", window_now())
        click.echo(f"  {name:<8} {password}  {pin}  ({role.value})")
    click.echo("")


def _play(wanted: Show, boards: DemoBoards, done: threading.Event) -> None:
    door = Door(wanted.data, TABLE)
    follower = Follower(_journal(door))
    screen = Screen(door, follower.look, LOOK_AGAIN_S)
    chance = random.Random(wanted.seed)
    felt = ScriptedEyes(door, f"eyes{time.time_ns()}", time.time_ns)
    table = Table(screen, boards, felt, chance, lambda seconds: time.sleep(seconds / wanted.speed))
    evening = Evening(table, wanted.rules, Slips())
    _until_done(evening.open, table)
    while wanted.rounds is None or evening.found.rounds < wanted.rounds:
        _until_done(lambda: next(evening.play(wanted.rounds or 10**9), None), table)
    done.set()


def _until_done(act: Callable[[], object], table: Table) -> object:
    """What people do when they cannot go on: wait, clear the felt, and begin the next round."""
    while True:
        try:
            return act()
        except (CannotPlay, DoorClosed) as stuck:
            click.echo(f"the demo's people wait: {stuck}", err=True)
            time.sleep(2.0)
            with suppress(CannotPlay, DoorClosed):
                _put_right(table)
            return None


def _put_right(table: Table) -> None:
    table.screen.wait(lambda state: not state.paused and state.rules is not None, seconds=10**6)
    if table.screen.state.round is not None:
        table.screen.ask(VoidRound(NOBODY, FLOOR, SECOND, "interrupted"))
    table.felt.clear()


def _journal(door: Door) -> Path:
    until = time.monotonic() + UP_S
    while time.monotonic() < until:
        with suppress(DoorClosed):
            status = door.look(Look())
            if isinstance(status, Status) and status.down is None:
                return Path(status.journal)
        time.sleep(0.1)
    raise CannotPlay("the table does not come up")
