"""A table's camera and eyes as real processes, a real door that hears them, and orders for the drawn table."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock
from types import TracebackType
from typing import Any, TypeVar

from table_controller.port.picture import live_picture
from table_controller.port.wire import door_of, orders_place
from table_controller.port.words import (
    Answer,
    Health,
    Look,
    Outcome,
    Said,
    Sighted,
    Status,
    Told,
    Watch,
    Watching,
)
from table_controller.shell.port import PortServer
from vision.rendered.orders import Obeyed, Orders
from vision.rendered.source import OrderCaller

TABLE = "T05"
Found = TypeVar("Found")


def eventually(look: Callable[[], Found | None], seconds: float = 20.0) -> Found:
    """What `look` finds as soon as it finds something; fails when it never does."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s")


class Listener:
    """The controller's door, behind which somebody only listens and answers what the test wants told."""

    def __init__(self, data: Path) -> None:
        self.data, self.watching, self.outcome = data, Watching(None), Outcome.DONE
        self.heard: list[Said] = []
        self.health: dict[str, Health] = {}
        self._guard, self._answers = Lock(), Event()
        self._answers.set()
        self._server = PortServer(door_of(self.data, TABLE), self._respond)
        self._server.start()

    def hang(self) -> None:
        """Nobody answers any more, as when the controller hangs."""
        self._answers.clear()

    def answer(self) -> None:
        self._answers.set()

    def close(self) -> None:
        self._answers.set()
        self._server.close()

    def _respond(self, said: Said) -> Told:
        self._answers.wait(60)
        with self._guard:
            match said:
                case Watch():
                    return self.watching
                case Look():
                    return Status(TABLE, str(self.data / f"{TABLE}-2026-11-30.db"), 12, 3, ())
                case Health():
                    self.health[said.device] = said
                case _ if self.outcome is not Outcome.DOWN:
                    self.heard.append(said)
            return Answer(self.outcome, 3)

    def cards(self) -> list[str]:
        """What was sighted, in order: "box3 KS", "dealer back", "box3 ?"."""
        sighted = [said for said in self.heard if isinstance(said, Sighted)]
        return [f"{one.slot} {'back' if one.face_down else one.card or '?'}" for one in sighted]

    def all(self, kind: type[Found]) -> list[Found]:
        return [said for said in self.heard if isinstance(said, kind)]

    def trouble(self, device: str) -> str | None:
        """The device's fault as last heard; "" when it is well, None when nothing was heard."""
        health = self.health.get(device)
        return None if health is None else health.detail


def order_to(data: Path, order: Orders, number: int = 1) -> Obeyed:
    """Say an order to the table that this camera of these data draws, as soon as it listens."""

    def caller() -> OrderCaller | None:
        try:
            return OrderCaller(orders_place(data, TABLE, number))
        except OSError:
            return None

    line = eventually(caller)
    try:
        obeyed = line.say(order)
    finally:
        line.close()
    assert obeyed.refused == ""
    return obeyed


class Table:
    """Camera and eyes of a drawn table."""

    def __init__(self, data: Path, source: str = "rendered:", *, eyes: bool = True) -> None:
        self.data, self.source = data, source
        self._started: list[subprocess.Popen[Any]] = []
        self.listener = Listener(data)
        self.camera = self.start_camera()
        self.eyes = self.start_eyes() if eyes else None

    def _start(self, module: str, *more: str) -> "subprocess.Popen[Any]":
        place = ("--data", str(self.data), "--table", TABLE, "--source", self.source)
        self._started.append(subprocess.Popen([sys.executable, "-m", module, *place, *more]))
        return self._started[-1]

    def start_camera(self) -> "subprocess.Popen[Any]":
        self.camera = self._start("vision.filming", "--gigabytes", "1")
        return self.camera

    def start_eyes(self) -> "subprocess.Popen[Any]":
        self.eyes = self._start("vision.watching")
        return self.eyes

    def until_well(self) -> None:
        devices = ("camera", "recorder", "vision") if self.eyes is not None else ("camera", "recorder")
        eventually(lambda: all(self.listener.trouble(device) == "" for device in devices) or None, 40)

    def order(self, order: Orders) -> Obeyed:
        """Said to the drawn table."""
        return order_to(self.data, order)

    def live(self) -> bytes | None:
        return live_picture(self.data, TABLE)

    def close(self) -> None:
        for process in self._started:
            process.terminate()
            process.wait(10)
        self.listener.close()

    def __enter__(self) -> "Table":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
