"""What can happen to a running table from outside: how it is done to it, how it is mended, what its row demands."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from resource import RLIM_INFINITY, RLIMIT_FSIZE, prlimit
from typing import Final
from urllib.request import urlopen

from msgspec import Struct

from firmware_bridge.emulator.faults import Faults, Manipulator
from firmware_bridge.events import DealerKey
from table_controller.core.table import Phase
from table_controller.demo.boards import KEYS
from table_controller.demo.boards import SHOE as MOUTH
from tests.faults.running.table import TABLE, RunningTable, children, eventually
from vision.door import video_folder
from vision.rendered.orders import Sight

Act = Callable[[RunningTable], None]
EVERYWHERE: Final = (Phase.BETTING, Phase.DEALING, Phase.PLAYING, Phase.SETTLING)
TWICE: Final = (Phase.DEALING, Phase.PLAYING)
SEEN: Final = (Phase.BETTING, Phase.DEALING)
HELD, NEXT, ON, DOWN = "held", "next round refused", "goes on", "down"
STEP_S: Final = 600


def nothing(_table: RunningTable) -> None:
    """There is nothing to mend."""


class Fault(Struct, frozen=True):
    """A row of the campaign. `does` is what the row of the failure table or of the checklist demands."""

    name: str
    rows: str
    does: str
    strike: Act
    mend: Act = nothing
    phases: tuple[Phase, ...] = TWICE
    camera: bool = False
    clock: bool = False
    copied: bool = False


# -- processes


def killed(part: str) -> Act:
    def strike(table: RunningTable) -> None:
        was = table.signal(part, signal.SIGKILL)
        eventually(lambda: table.pids().get(part, was) != was, f"{part} is started again")

    return strike


def stopped(part: str) -> Act:
    """It lives and does nothing; the supervisor has to notice."""

    def strike(table: RunningTable) -> None:
        was = table.signal(part, signal.SIGSTOP)
        eventually(lambda: table.pids().get(part, was) != was, f"{part} is started again")

    return strike


def window_worker_stopped(table: RunningTable) -> None:
    """The process that answers, not the one that watches over it."""
    was = table.pids()["window"]
    eventually(lambda: children(was), "its worker runs")
    os.kill(children(was)[0], signal.SIGSTOP)
    eventually(lambda: table.pids().get("window", was) != was, "the window is started again")
    eventually(table.shows, "the window shows the table")


def window_back(part: Act) -> Act:
    def strike(table: RunningTable) -> None:
        part(table)
        eventually(table.shows, "the window shows the table")

    return strike


def supervisor_killed(table: RunningTable) -> None:
    table.process.kill()
    table.process.wait()
    eventually(lambda: table.status() is None, "its parts go along")
    table.start()


def power_cut(table: RunningTable) -> None:
    """Every process at once, in no order."""
    for pid in (*(one for part in table.pids().values() for one in (part, *children(part))), table.process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    table.process.wait()
    table.start()


# -- boards


def unplugged(board: str) -> Act:
    """The line is cut; the card that is due leaves the shoe all the same."""

    def strike(table: RunningTable) -> None:
        table.boards.ports[board].unplug()
        if board == MOUTH and table.card_is_due:
            table.pull()

    return strike


def plugged(board: str) -> Act:
    def mend(table: RunningTable) -> None:
        port = table.boards.ports[board]
        port.plug(port.path)

    return mend


def shoe_restarts(table: RunningTable) -> None:
    """The button on the board: it keeps what it has not said."""
    twin = table.boards.twins[MOUTH]
    twin.restart(twin.board.reset)


def shoe_loses_power(table: RunningTable) -> None:
    """A card was drawn that the board had not said."""
    port, twin = table.boards.ports[MOUTH], table.boards.twins[MOUTH]
    port.unplug()
    if table.card_is_due:
        table.pull()
    twin.restart(twin.board.power_cut)
    port.plug(port.path)


def garbled(table: RunningTable) -> None:
    port = table.boards.ports[MOUTH]
    port.up, port.down = (Manipulator(Faults(flip=1.0), Random(seed)) for seed in (1, 2))


def clear_again(table: RunningTable) -> None:
    table.boards.ports[MOUTH].calm()


# -- disk, clock, files


def no_room(part: str) -> Act:
    """No file of this process may grow."""

    def strike(table: RunningTable) -> None:
        prlimit(table.pids()[part], RLIMIT_FSIZE, (0, RLIM_INFINITY))
        table.boards.key(DealerKey.CALL_SUPERVISOR)

    return strike


def room(part: str) -> Act:
    def mend(table: RunningTable) -> None:
        prlimit(table.pids()[part], RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))
        eventually(lambda: table.status_now().down is None, "the record is written again")

    return mend


def video_folder_gone(table: RunningTable) -> None:
    shutil.rmtree(video_folder(table.data, TABLE))


def clock_steps(seconds: int) -> Act:
    def strike(table: RunningTable) -> None:
        table.step_clock(seconds)

    return strike


def config_changed(table: RunningTable) -> None:
    with table.config.open("a", encoding="utf-8") as file:
        file.write("# looks harmless\n")
    killed("controller")(table)


def config_as_before(table: RunningTable) -> None:
    """The file is as it was; only a new start looks at it again."""
    table.config.write_text(table.configuration(), "utf-8")
    killed("controller")(table)


def config_broken(table: RunningTable) -> None:
    """Somebody saved half a file, and then the controller falls."""
    table.config.write_text('table = "T07"\nboards = [', "utf-8")
    table.signal("controller", signal.SIGKILL)


def config_mended(table: RunningTable) -> None:
    table.config.write_text(table.configuration(), "utf-8")
    eventually(lambda: table.status() is not None, "the door opens")


def spoilt(name: str) -> Act:
    """A byte more at the end of a file of the program."""

    def strike(table: RunningTable) -> None:
        with (table.program / name).open("ab") as file:
            file.write(b"\n")
        killed("controller")(table)

    return strike


def unspoilt(name: str) -> Act:
    def mend(table: RunningTable) -> None:
        with (table.program / name).open("r+b") as file:
            file.truncate(file.seek(0, os.SEEK_END) - 1)
        killed("controller")(table)

    return mend


# -- people


def started_twice(table: RunningTable) -> None:
    command = [sys.executable, "-m", "table_controller", "run", "--config", str(table.config)]
    second = subprocess.run(command, env=table.environment, capture_output=True, timeout=120, check=False)
    assert second.returncode != 0
    assert b"T07" in second.stderr, second.stderr


def second_controller(table: RunningTable) -> None:
    command = [sys.executable, "-m", "table_controller.app", str(table.config)]
    second = subprocess.run(command, env=table.environment, capture_output=True, timeout=120, check=False)
    assert second.returncode != 0
    assert table.status() is not None


def tablets_stall(table: RunningTable) -> None:
    """Tablets that begin to ask and then say no more; others are served."""
    eventually(table.shows, "the window shows the table")
    table.stalled = [socket.create_connection(("127.0.0.1", table.port)) for _ in range(30)]
    for line in table.stalled:
        line.sendall(b"GET /tables HTTP/1.1\r\nHost: x\r\n")
    for _ in range(3):
        with urlopen(f"http://127.0.0.1:{table.port}/sign-in", timeout=20) as page:
            assert page.status == 200


def tablets_gone(table: RunningTable) -> None:
    for line in table.stalled:
        line.close()
    table.stalled.clear()


# -- the camera's picture


def looks(sight: Sight) -> Act:
    def act(table: RunningTable) -> None:
        table.look(sight)

    return act


def felt_again(part: Act) -> Act:
    """The drawn felt went with its process; what lay there lies there when the eyes look again."""

    def strike(table: RunningTable) -> None:
        part(table)
        table.lay_anew()

    return strike


def wait_a_moment(_table: RunningTable) -> None:
    """Long enough for whoever is to notice something."""
    time.sleep(3)


FAULTS: Final = (
    Fault("controller killed", "§10 power; A7 A10", HELD, killed("controller"), phases=EVERYWHERE),
    Fault("controller hangs", "A9; C14", HELD, stopped("controller")),
    Fault("window killed", "§10 dashboard; A6", ON, window_back(killed("window")), phases=EVERYWHERE),
    Fault("window hangs", "§10 dashboard; E1", ON, window_worker_stopped),
    Fault("supervisor killed", "§10 power; A10", HELD, supervisor_killed, phases=EVERYWHERE),
    Fault("power cut to all processes", "§10 power; A7 A10", HELD, power_cut, phases=EVERYWHERE),
    Fault("shoe unplugged", "§10 serial; A5 A6 E4", HELD, unplugged(MOUTH), plugged(MOUTH), phases=EVERYWHERE),
    Fault("buttons unplugged", "§10 serial; A5 E4", HELD, unplugged(KEYS), plugged(KEYS)),
    Fault("shoe starts anew", "§10 serial; A7", HELD, shoe_restarts, phases=EVERYWHERE),
    Fault("shoe loses its power", "§10 serial; A9", HELD, shoe_loses_power),
    Fault("every byte garbled", "§10 serial; A5 E8", HELD, garbled, clear_again),
    Fault("disk full", "§10 disk; A1 A9", DOWN, no_room("controller"), room("controller"), phases=EVERYWHERE),
    Fault("clock set forward", "C10", HELD, clock_steps(STEP_S), clock=True),
    Fault("clock set back", "C10", HELD, clock_steps(-STEP_S), clock=True),
    Fault("configuration changed", "A2 A9; C8", HELD, config_changed, config_as_before),
    Fault("configuration broken", "A9; C8", DOWN, config_broken, config_mended),
    Fault(
        "program changed",
        "A9; C8",
        HELD,
        spoilt("vision/pips.py"),
        unspoilt("vision/pips.py"),
        phases=TWICE[:1],
        copied=True,
    ),
    Fault(
        "model changed",
        "A9; C8",
        HELD,
        spoilt("models/detector.onnx"),
        unspoilt("models/detector.onnx"),
        phases=TWICE[:1],
        copied=True,
    ),
    Fault(
        "house's rules changed",
        "A2 A9; C8",
        HELD,
        spoilt("table_controller/rules/golden_wolf.toml"),
        unspoilt("table_controller/rules/golden_wolf.toml"),
        phases=TWICE[:1],
        copied=True,
    ),
    Fault("started twice", "E3; C14", ON, started_twice),
    Fault("second controller on the record", "A9", ON, second_controller),
    Fault("thirty tablets stall", "§10 dashboard; E6", ON, tablets_stall, tablets_gone),
    Fault("camera killed", "§10 camera; A1", HELD, felt_again(killed("camera")), phases=SEEN, camera=True),
    Fault("camera hangs", "§10 camera; A1 B02", HELD, felt_again(stopped("camera")), phases=SEEN, camera=True),
    Fault("eyes killed", "§10 vision; A1", HELD, killed("vision"), phases=SEEN, camera=True),
    Fault("eyes hang", "§10 vision; A1", HELD, stopped("vision"), phases=SEEN, camera=True),
    *(
        Fault(name, rows, HELD, looks(sight), looks(Sight.CLEAR), phases=SEEN, camera=True)
        for name, rows, sight in (
            ("camera unplugged", "§10 camera; A5 B02", Sight.UNPLUGGED),
            ("picture frozen", "A1; B01", Sight.FROZEN),
            ("picture dark", "A1; B05", Sight.DARK),
            ("lens covered", "A1; B05", Sight.COVERED),
            ("camera moved", "A1; B05", Sight.MOVED),
        )
    ),
    Fault("video cannot be written", "A9 E5; B06", NEXT, no_room("camera"), room("camera"), phases=SEEN, camera=True),
    Fault("video's folder gone", "A9 E5; B06", NEXT, video_folder_gone, phases=SEEN, camera=True),
    Fault("power cut with camera and eyes", "§10 power; A10", HELD, felt_again(power_cut), phases=SEEN, camera=True),
)
