"""The demo to look at: the table's real processes under their supervisor, the people and the boards in this one."""

import os
import random
import secrets
import socket
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from msgspec import Struct
from msgspec.structs import replace

from dashboard.drawing import now as window_now
from dashboard.people import People
from dashboard.settings import Settings
from table_controller import houses
from table_controller.app import parts_of, supervise
from table_controller.config import read_config
from table_controller.core.people import Role
from table_controller.core.stimuli import VoidRound
from table_controller.demo.boards import DemoBoards
from table_controller.demo.dealer import AT_ONCE_S, Slips, Table
from table_controller.demo.drawn import DrawnFelt
from table_controller.demo.evening import Evening
from table_controller.demo.eyes import Felt, ScriptedEyes
from table_controller.demo.floor import Screen
from table_controller.demo.follow import Follower
from table_controller.demo.headless import Told, told
from table_controller.journal.certificate import certificate_of
from table_controller.journal.naming import journals
from table_controller.play.felt import FLOOR, SECOND, CannotPlay
from table_controller.port.client import NOBODY, Door, DoorClosed
from table_controller.port.wire import orders_place
from table_controller.port.words import Look, Status
from table_controller.supervisor import Supervisor

LOOK_AGAIN_S: Final = 0.01
UP_S: Final = 60.0
SIGHT_S: Final = 12.0
YEAR_2026_S: Final = 1_767_225_600
LONGEST_S: Final = 4.0
"""Nobody likes to watch a shuffle for longer."""
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
    port: int | None = 8800
    language: str = "en"
    source: str | None = "rendered:"
    table: str = "T01"

    @property
    def slips(self) -> Slips:
        """Real eyes find by themselves what cannot be read."""
        return Slips() if self.source is None else Slips(unreadable=0)


def show(wanted: Show) -> Told | None:
    """Runs until Ctrl-C, or until its rounds are played: then it is told what came of them."""
    wanted.data.mkdir(parents=True, exist_ok=True)
    wanted = replace(wanted, table=_open_table(wanted.data))
    with TemporaryDirectory(prefix="krupier-boards-") as ports:
        boards = DemoBoards(Path(ports), boots=int(time.time() - YEAR_2026_S))
        boards.start()
        try:
            file = _configuration(wanted, boards)
            supervisor = Supervisor(parts_of(read_config(file), file, accept=True), _tell)
            if wanted.port is not None:
                _tell_people(wanted)
                _open_browser(wanted.data)
            evenings: list[Evening] = []
            done = threading.Event()
            threading.Thread(target=_people, args=(wanted, boards, evenings, done), name="people", daemon=True).start()
            supervise(supervisor, done)
        finally:
            boards.close()
    if wanted.rounds is None or not evenings or evenings[0].found.rounds < wanted.rounds:
        return None
    return told(journals(wanted.data, wanted.table)[-1], evenings[0], wanted.rules, wanted.seed)


def _open_browser(data: Path) -> None:
    """Where there is a screen, the window opens by itself once it is served."""
    if not {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ):
        return
    window = read_config(data / "table.toml").window
    assert window is not None

    def look() -> None:
        for _ in range(int(UP_S)):
            time.sleep(1)
            with suppress(OSError), socket.create_connection(("127.0.0.1", window.port), timeout=1):
                webbrowser.open(f"http://127.0.0.1:{window.port}/")
                return

    threading.Thread(target=look, name="browser", daemon=True).start()


def _open_table(data: Path) -> str:
    """The first table whose last day has not been closed; a closed day takes no more rounds."""
    names = (f"T{number:02}" for number in count(1))
    last = ((name, journals(data, name)[-1:]) for name in names)
    return next(name for name, days in last if not days or certificate_of(days[0]) is None)


def _tell(name: str, what: str) -> None:
    click.echo(f"krupier: {name} {what}", err=True)


def _configuration(wanted: Show, boards: DemoBoards) -> Path:
    file = wanted.data / "table.toml"
    places = (
        f'[[boards]]\nname = "{name}"\nport = "{port.path}"\nsecond_beam = true\nunpaired = true\n'
        for name, port in boards.ports.items()
    )
    own = f'table = "{wanted.table}"\ndata = "."\nrules = "{wanted.rules}"\n[budgets]\nsilent_ms = 5000\n'
    camera = f'[camera]\nsource = "{wanted.source}"\n[recorder]\ngigabytes = 2\n' if wanted.source else ""
    window = ""
    if wanted.port is not None:
        window = f'[window]\nport = {_free(wanted.port)}\nhttps = false\nlanguage = "{wanted.language}"\n'
    file.write_text("\n".join((own, *places, camera, window)), "utf-8")
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


def _people(wanted: Show, boards: DemoBoards, evenings: list[Evening], done: threading.Event) -> None:
    try:
        _play(wanted, boards, evenings)
    except CannotPlay as stuck:
        click.echo(f"krupier: {stuck}", err=True)
    done.set()


def _play(wanted: Show, boards: DemoBoards, evenings: list[Evening]) -> None:
    door = Door(wanted.data, wanted.table)
    follower = Follower(_journal(door))
    screen = Screen(door, follower.look, LOOK_AGAIN_S)
    table = Table(
        screen,
        boards,
        _felt(wanted, door),
        random.Random(wanted.seed),
        lambda seconds: time.sleep(min(seconds, LONGEST_S) / wanted.speed),
        AT_ONCE_S if wanted.source is None else SIGHT_S,
        attended=wanted.port is not None,
    )
    evening = Evening(table, wanted.rules, wanted.slips)
    evenings.append(evening)
    while not _done(evening.open, table):
        pass
    while wanted.rounds is None or evening.found.rounds < wanted.rounds:
        _done(lambda: next(evening.play(wanted.rounds or 10**9), None), table)


def _felt(wanted: Show, door: Door) -> Felt:
    if wanted.source is None:
        return ScriptedEyes(door, f"eyes{time.time_ns()}", time.time_ns)
    return DrawnFelt([orders_place(wanted.data, wanted.table)], houses.rules_with(wanted.rules, {}).boxes)


def _done(act: Callable[[], object], table: Table) -> bool:
    """Whether it was done; people who cannot go on wait until they may, clear the felt, and begin anew."""
    try:
        act()
    except (CannotPlay, DoorClosed) as stuck:
        click.echo(f"krupier: the demo's people wait: {stuck}", err=True)
        time.sleep(2.0)
        with suppress(CannotPlay, DoorClosed):
            _put_right(table)
        return False
    return True


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
