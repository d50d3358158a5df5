"""The controller process: the only writer of a table's record, answering at its door.

`python -m table_controller.shell.controller --data DIR --table T01` runs one without devices.
"""

import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

import click
from msgspec import Struct

from table_controller.journal.certificate import file_digest
from table_controller.journal.evidence import LONGEST_NAME, PLAIN_NAME, evidence_folder
from table_controller.journal.keys import house_key
from table_controller.journal.record import Moment
from table_controller.port.stopping import Stop
from table_controller.port.wire import PlaceTaken, door_of
from table_controller.port.words import Answer, Complain, Kept, Outcome, Said, Told
from table_controller.replay.again import is_empty
from table_controller.shell.boards import Board, BoardPlace
from table_controller.shell.books import Books
from table_controller.shell.checks import Budget, Checks
from table_controller.shell.days import Days
from table_controller.shell.feeding import FedTable, Feeder
from table_controller.shell.grievances import hear_complaint
from table_controller.shell.hearing import Filed, Hearing
from table_controller.shell.lamps import DOWN, lamps_of
from table_controller.shell.lights import Lights
from table_controller.shell.loop import TICK_S, Loop
from table_controller.shell.place_taker import PlaceTaker
from table_controller.shell.port import PortServer, Respond
from table_controller.shell.table import Table
from table_controller.shell.taping import Taping

GAME = "blackjack"


def now() -> Moment:
    """Both clocks of this machine."""
    return Moment(time.time_ns(), time.monotonic_ns())


def say(text: str) -> None:
    """A line for whoever looks after the process."""
    click.echo(f"krupier: {text}", err=True)


class Plan(Struct, frozen=True, kw_only=True):
    """What a controller runs: the days it writes, who is expected to be heard, its boards, its budgets.

    `taping` keeps what passes on the boards' lines; `feeder` feeds a recorded evening once the `eyes` are well.
    """

    days: Days
    expected: Mapping[str, int] = {}
    boards: tuple[BoardPlace, ...] = ()
    budget: Budget | None = None
    tick_s: float = TICK_S
    taping: Taping | None = None
    feeder: Feeder | None = None
    eyes: frozenset[str] = frozenset()


class Controller:
    """A table's loop with its boards and its checks. No device hears a word before the self-test is on record."""

    def __init__(self, plan: Plan) -> None:
        clock = plan.days.clock
        hearing = Hearing(
            Table(plan.days.open), GAME, clock, Lights(plan.expected, clock().at_ns), machine_clock=clock is now
        )
        self.loop = Loop(plan.days.table, hearing, clock, tick_s=plan.tick_s)
        self.loop.after_each(self._turn)
        self._days = plan.days
        self._taping, self._feeder, self._eyes = plan.taping, plan.feeder, plan.eyes
        self._boards = [Board(place, hearing, self.loop.inbox) for place in plan.boards]
        tape = plan.taping.health if plan.taping is not None else None
        self._checks = Checks(plan.budget, hearing, clock, version("krupier"), tape) if plan.budget else None
        self._place_taker = PlaceTaker(hearing.table, clock, Books(plan.days.warn))
        self._tested = False

    @property
    def hearing(self) -> Hearing:
        """Who hears what is said at this table."""
        return self.loop.hearing

    def stop(self) -> None:
        """Let go of the boards; the loop is stopped by whoever runs it."""
        if self._feeder is not None:
            self._feeder.stop()
        for board in self._boards:
            board.stop()
        if self._taping is not None:
            self._taping.stop()

    def _begin(self) -> None:
        if self._taping is not None:
            self._taping.start()
        if self._checks is not None:
            self._checks.self_test()
        self._tested = True
        for board in self._boards:
            board.start()
        if self._feeder is not None:
            table = FedTable(lambda: self.loop.shown.status, self.loop.answer, lambda: is_empty(self.hearing.state))
            self._feeder.start(table, self._eyes)

    def _turn(self) -> None:
        table = self.hearing.table
        if table.down is None and self._days.is_over(table.recorder):
            table.end_day()
            self.loop.revive()
        if table.down is None:
            self._days.tell(table)
        if not self._tested and table.down is None:
            self._begin()
        if self._checks is not None and self._tested:
            self._checks.turn()
        for board in self._boards:
            board.turn()
        self._place_taker.turn()
        lamps = DOWN if self.hearing.table.down is not None else lamps_of(self.hearing.state)
        for board in self._boards:
            board.show(lamps)


def responder(loop: Loop) -> Respond:
    """What the door's threads answer with; a file of evidence is read by the caller's own thread."""

    def respond(said: Said) -> Told:
        if isinstance(said, Complain):
            return _complaint(loop, said)
        if not isinstance(said, Kept):
            return loop.answer(said)
        digest = _digest(Path(loop.shown.status.journal), said)
        return digest if isinstance(digest, Answer) else loop.answer(Filed(said, digest))

    return respond


def _complaint(loop: Loop, said: Complain) -> Answer:
    status = loop.shown.status
    if status.down is not None:
        return Answer(Outcome.DOWN, 0, detail=status.down)
    data = Path(status.journal).parent

    def take(said: Complain) -> Answer:
        answer = loop.answer(said)
        assert isinstance(answer, Answer)
        return answer

    return hear_complaint(said, (data, status.table), house_key(data), take, now)


def _digest(journal: Path, kept: Kept) -> str | Answer:
    if not PLAIN_NAME.fullmatch(kept.file) or len(kept.file.encode()) > LONGEST_NAME:
        return Answer(Outcome.UNREADABLE, 0, detail=f"{kept.file!r} is no plain file name")
    try:
        return file_digest(evidence_folder(journal, kept.round) / kept.file)
    except OSError as missing:
        return Answer(Outcome.UNREADABLE, 0, detail=f"{missing.filename}: {missing.strerror}")


def serve(plan: Plan, with_it: Callable[[Controller], None] = lambda _: None) -> None:
    """Open the door and run until SIGTERM or SIGINT; then boards first, door last."""
    plan.days.folder.mkdir(parents=True, exist_ok=True)
    controller, stop = Controller(plan), Stop()
    controller.loop.turn()
    door = PortServer(door_of(plan.days.folder, plan.days.table), responder(controller.loop))
    try:
        door.start()
    except PlaceTaken as taken:
        say(str(taken))
        raise SystemExit(2) from None
    with_it(controller)
    try:
        controller.loop.run(stop.is_set)
    finally:
        controller.stop()
        door.close()


@click.command()
@click.option("--data", type=click.Path(path_type=Path), required=True)
@click.option("--table", required=True)
def main(data: Path, table: str) -> None:
    """Run a table's controller without devices until it is told to stop."""
    days = Days(folder=data, table=table, key=lambda: house_key(data), clock=now, warn=say)
    serve(Plan(days=days))


if __name__ == "__main__":
    sys.exit(main())
