"""The whole table in one process: controller, door, boards on pseudo-terminals, scripted eyes, a clock of its own."""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from msgspec import Struct

from firmware_bridge.greeting import Policy
from firmware_bridge.link import at_path
from table_controller import houses
from table_controller.core.blackjack.words import BetSettled
from table_controller.core.events import Disputed
from table_controller.core.table import TableState
from table_controller.demo.boards import DemoBoards
from table_controller.demo.dealer import Slips, Table
from table_controller.demo.evening import Evening
from table_controller.demo.eyes import ScriptedEyes
from table_controller.demo.floor import Passing, Screen
from table_controller.journal.keys import house_key
from table_controller.journal.naming import journal_path
from table_controller.journal.verify import verify_file
from table_controller.play.recorded import SECOND_NS, PlayedClock
from table_controller.port.client import Door
from table_controller.port.wire import door_of
from table_controller.replay.opening import load
from table_controller.shell.boards import BoardPlace
from table_controller.shell.checks import Budget
from table_controller.shell.controller import Controller, Plan, responder, say
from table_controller.shell.days import Days
from table_controller.shell.port import PortServer
from table_controller.shell.pulses import Meanings

EIGHT_IN_THE_EVENING = 20
TICK_S = 0.02
SIGHT_S: Final = 5.0
"""So long the eyes may look at a card, by the table's clock; what they cannot read they say after two seconds."""


class Told(Struct, frozen=True):
    """What the last line of a headless evening says."""

    rounds: int
    journal: str
    wrong_cards: int
    asked_for_help: int
    money_in: int
    money_out: int
    rules: str
    seed: int
    voided: list[str]
    settled_otherwise: list[str]
    felt_told_empty: int
    verified: bool

    @property
    def good(self) -> bool:
        """No card by a wrong name, no box paid otherwise, the record whole."""
        return self.verified and not self.wrong_cards and not self.settled_otherwise


class Wanted(NamedTuple):
    """An evening to be played; `source` is what the eyes look at (vision/table_view.py), None a script instead."""

    rules: str
    rounds: int
    seed: int
    source: str | None = None


def play_headless(wanted: Wanted, data: Path, heard: Callable[[int], None]) -> Told:
    """Plays the evening to its end and closes the day; `heard` learns of every round played."""
    begin = (datetime.now().astimezone() - timedelta(days=1)).replace(
        hour=EIGHT_IN_THE_EVENING, minute=0, second=0, microsecond=0
    )
    clock = PlayedClock(int(begin.timestamp()) * SECOND_NS)
    name = next(name for name in _names() if not journal_path(data, name, begin.date().isoformat()).exists())
    days = Days(folder=data, table=name, key=lambda: house_key(data), clock=clock, warn=say, zone=begin.tzinfo or UTC)
    with TemporaryDirectory(prefix="krupier-boards-") as ports, running(days, Path(ports)) as (controller, boards):
        door = Door(data, name)
        table = _table(wanted, _Room(controller, boards, door, clock))
        evening = Evening(table, wanted.rules, Slips() if wanted.source is None else Slips(unreadable=0))
        evening.open()
        for _ in evening.play(wanted.rounds):
            heard(evening.found.rounds)
        journal = controller.hearing.table.recorder.day.path
        door.close()
    days.open().close()
    return told(journal, evening, wanted.rules, wanted.seed)


class _Room(NamedTuple):
    """What an evening is played with."""

    controller: Controller
    boards: DemoBoards
    door: Door
    clock: PlayedClock


def _table(wanted: Wanted, room: _Room) -> Table:
    chance, clock, door = random.Random(wanted.seed), room.clock, room.door

    def look() -> TableState:
        return room.controller.hearing.state

    if wanted.source is None:
        eyes = ScriptedEyes(door, "eyes", lambda: clock().at_ns)
        return Table(Screen(door, look), room.boards, eyes, chance, clock.wait)
    from table_controller.demo.pixels import PixelFelt
    from vision.table_view import Table as View

    boxes = houses.rules_with(wanted.rules, {}).boxes
    felt = PixelFelt(door, clock, View(wanted.source, boxes=boxes, name="T01"))
    screen = Screen(door, look, passing=Passing(lambda: felt.now_s, felt.let_pass))
    return Table(screen, room.boards, felt, chance, felt.take_time, SIGHT_S)


@contextmanager
def running(days: Days, ports: Path) -> Iterator[tuple[Controller, DemoBoards]]:
    """A controller with its door open and its boards plugged in, until it is left."""
    days.folder.mkdir(parents=True, exist_ok=True)
    boards = DemoBoards(ports)
    places = tuple(
        BoardPlace(name, at_path(str(port.path)), Policy(lambda _: None, demo=True), Meanings(second_beam=True))
        for name, port in boards.ports.items()
    )
    controller = Controller(Plan(days=days, boards=places, budget=Budget(folder=days.folder), tick_s=TICK_S))
    door, stop = PortServer(door_of(days.folder, days.table), responder(controller.loop)), threading.Event()
    boards.start()
    controller.loop.turn()
    door.start()
    thread = threading.Thread(target=controller.loop.run, args=(stop.is_set,), name="table")
    thread.start()
    try:
        yield controller, boards
    finally:
        stop.set()
        thread.join()
        controller.stop()
        door.close()
        boards.close()


def told(journal: Path, evening: Evening, rules: str, seed: int) -> Told:
    """What the record says of the evening, and what the script knows of it."""
    day = load(journal, say)
    said = [fact for row in day.rows if isinstance(fact := day.said(row), BetSettled | Disputed)]
    lines = [fact.line for fact in said if isinstance(fact, BetSettled)]
    return Told(
        rounds=evening.found.rounds,
        journal=str(journal),
        wrong_cards=evening.found.wrong_cards,
        asked_for_help=sum(isinstance(fact, Disputed) for fact in said),
        money_in=sum(line.stake for line in lines),
        money_out=sum(line.back + line.carried for line in lines),
        rules=rules,
        seed=seed,
        voided=evening.found.voided,
        settled_otherwise=evening.found.differs,
        felt_told_empty=evening.found.felt_told_empty,
        verified=verify_file(journal).ok,
    )


def _names() -> Iterator[str]:
    return (f"T{number:02}" for number in count(1))
