"""Feeds a recorded evening to a running table: boards and people in one thread, in the order of the record.

The evening's clock (port/fed.py) runs while the table keeps up: before a board's or a person's next word the record of
now must hold as many facts as the record of then did. Otherwise the clock stands, and the pictures with it.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from firmware_bridge.clock import Span
from firmware_bridge.events import DeviceEvent
from firmware_bridge.link import Hear, Report
from firmware_bridge.tape import Passed, Way, read_tape
from firmware_bridge.taped import TapedLink
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.writer import Clock
from table_controller.port.client import ask_for
from table_controller.port.fed import FedClock
from table_controller.port.footage import tapes_of
from table_controller.port.words import Answer, Ask, Light, Outcome, Status, Told
from table_controller.replay.again import Evening, Word, is_fact
from table_controller.shell.boards import BoardPlace, Line

SECOND: Final = 1_000_000_000
PATIENCE_S: Final = 60.0
LOOK_AGAIN_S: Final = 0.01
ALIVE_EVERY_S: Final = 0.5

Strip = tuple[int, Passed]
"""What passed on a line, and its UTC time."""


class FedTable:
    """The table that is fed: what it shows, its door, and how many facts it has on record."""

    def __init__(
        self, status: Callable[[], Status], ask: Callable[[Ask], Told], felt_empty: Callable[[], bool]
    ) -> None:
        self._status = status
        self._ask = ask
        self.felt_empty = felt_empty
        self._taps = count(1)
        self.seq = self._facts = 0

    def lights(self) -> Sequence[Light]:
        """How everybody is."""
        return self._status().lights

    def facts(self) -> int:
        """How many facts are on record."""
        status = self._status()
        if status.down is None and status.seq > self.seq:
            reader = open_reader(Path(status.journal))
            try:
                while rows := reader.read(self.seq):
                    self._facts += sum(map(is_fact, rows))
                    self.seq = rows[-1].seq
            finally:
                reader.close()
        return self._facts

    def say(self, word: Word) -> None:
        """Ask for what was asked for then, as somebody whose screen is up to date."""
        for _ in range(round(PATIENCE_S / LOOK_AGAIN_S)):
            answer = self._ask(ask_for(word.stimulus, f"fed-{next(self._taps)}", self._status().version))
            if isinstance(answer, Answer) and answer.outcome not in (Outcome.STALE, Outcome.DOWN):
                return
            time.sleep(LOOK_AGAIN_S)


class Feeder:
    """One evening, once. Every board is given its `line` before `start`."""

    def __init__(self, evening: Evening, folder: Path, fed: FedClock, clock: Clock) -> None:
        self._evening = evening
        self._strips = strips_of(tapes_of(folder), evening)
        self._words = deque(evening.words)
        self._fed = fed
        self._clock = clock
        self._lines: dict[str, TapedLink] = {}
        self._playing: Strip | None = None
        self._parted = False
        self._stop = threading.Event()
        fed.begin(evening.began_ns, clock().at_ns)

    def line(self, place: BoardPlace, report: Hear) -> Line:
        """The line of a board: what the tape has of it."""
        own = [passed for _, passed in self._strips if passed.board == place.name]
        self._lines[place.name] = TapedLink(place.policy, own, lambda said: self._pass_on(said, report))
        return self._lines[place.name]

    def start(self, table: FedTable, eyes: frozenset[str]) -> None:
        """Begin as soon as these are well."""
        threading.Thread(target=self._run, args=(table, eyes), name="feeder", daemon=True).start()

    def stop(self) -> None:
        """Feed nothing more."""
        self._stop.set()

    def _run(self, table: FedTable, eyes: frozenset[str]) -> None:
        """Whatever goes wrong, the evening comes to an end, and the comparison tells how far it got."""
        self._table = table
        try:
            self._feed(table, eyes)
        finally:
            if not self._stop.is_set():
                self._fed.end(table.seq)

    def _feed(self, table: FedTable, eyes: frozenset[str]) -> None:
        while not eyes <= {light.device for light in table.lights() if light.ok}:
            if self._stop.wait(LOOK_AGAIN_S):
                return
        self._fed.run(self._clock().at_ns)
        for then_ns, passed in self._strips:
            self._speak_until(then_ns)
            self._come_to(then_ns)
            if self._stop.is_set():
                return
            self._playing = (then_ns, passed)
            if passed.board in self._lines:
                self._lines[passed.board].play(passed)
        self._speak_until(self._evening.ended_ns)
        self._come_to(self._evening.ended_ns)
        self._keep_up(len(self._evening.facts))

    def _pass_on(self, said: Report, report: Hear) -> None:
        """A board's word, after what was on record before it then. What another day has on record is not said again."""
        if isinstance(said, DeviceEvent):
            row = self._evening.boards.get((said.device, said.ring, said.seq))
            if row is None:
                return
            while self._words and self._words[0].row < row:
                self._speak()
            self._keep_up(self._evening.facts_before(row))
            said = replace(said, when=self._now_of(said.when))
        report(said)

    def _speak_until(self, then_ns: int) -> None:
        while self._words and self._words[0].at_ns <= then_ns and not self._stop.is_set():
            self._come_to(self._words[0].at_ns)
            self._speak()

    def _speak(self) -> None:
        word = self._words.popleft()
        self._keep_up(self._evening.facts_before(word.row), felt_empty=word.felt_empty)
        self._table.say(word)

    def _come_to(self, then_ns: int) -> None:
        """Wait for a moment of then."""
        now_ns = self._fed.read().now_of(then_ns)
        assert now_ns is not None
        self._stop.wait(max(0, now_ns - self._clock().at_ns) / SECOND)

    def _keep_up(self, facts: int, *, felt_empty: bool = False) -> None:
        """Stand still until so many facts are on record, and the felt is seen to be empty where it was.

        A table that never gets there has parted from the record.
        """

        def is_there() -> bool:
            return self._table.facts() >= facts and (not felt_empty or self._table.felt_empty())

        if self._parted or is_there():
            return
        self._fed.stand(self._clock().at_ns)
        began = looked = time.monotonic()
        while not is_there() and not self._parted and not self._stop.wait(LOOK_AGAIN_S):
            now = time.monotonic()
            self._parted = now - began > PATIENCE_S
            if now - looked > ALIVE_EVERY_S:
                looked = now
                for line in self._lines.values():
                    line.stand_still()
        self._fed.run(self._clock().at_ns)

    def _now_of(self, when: Span | None) -> Span | None:
        """A span of the monotonic clock of then, in terms of the one of now."""
        if when is None or self._playing is None:
            return None
        then_ns, passed = self._playing
        now, now_ns = self._clock(), self._fed.read().now_of(then_ns)
        assert now_ns is not None
        later = now.mono_ns - (now.at_ns - now_ns) - passed.at_ns
        return Span(when.earliest_ns + later, when.latest_ns + later)


def strips_of(tapes: Sequence[Path], evening: Evening) -> list[Strip]:
    """What passed that evening, in order; of a line that was open already, since it was opened."""
    began_ns, ended_ns = evening.began_ns, evening.ended_ns
    every = sorted((strip for tape in tapes for strip in read_tape(tape)), key=lambda strip: strip[0])
    strips = [strip for strip in every if strip[0] <= ended_ns]
    opened = {
        passed.board: at
        for at, (then_ns, passed) in enumerate(strips)
        if passed.way is Way.OPENED and then_ns < began_ns
    }
    return [
        (then_ns, passed)
        for at, (then_ns, passed) in enumerate(strips)
        if then_ns >= began_ns or at >= opened.get(passed.board, len(strips))
    ]
