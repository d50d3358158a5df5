"""What a table's own computer is asked before the first word to a device, and again and again after that."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from table_controller.journal.record import Draft, Moment
from table_controller.port.words import Health
from table_controller.shell.budgets import ClockWatch, DiskBudget, disk_health, disk_used
from table_controller.shell.digests import Files, changed, files_of, last_checked, row_of
from table_controller.shell.hearing import Hearing

SELF_TESTED: Final = "controller.self_test"
EVERY_NS: Final = 1_000_000_000
HOUR_NS: Final = 3_600_000_000_000
OWN: Final = ("disk", "clock", "files")


class Budget(Struct, frozen=True, kw_only=True):
    """How much is tolerated. `beside` are the table's own files that must not change; `accept` takes what changed."""

    folder: Path
    disk: DiskBudget = DiskBudget()
    clock_ms: int = 2000
    digest_hours: int = 24
    beside: tuple[Path, ...] = ()
    accept: bool = False


class SelfTest(Struct, frozen=True):
    """Body of the row: what was found; `fsync_ms` is what the disk takes to keep one row."""

    fsync_ms: float
    disk_used: float
    files: str
    changed: tuple[str, ...]
    wrong: tuple[str, ...]


class Checks:
    """Run by the table's thread: `self_test` once the record is open, `turn` after that."""

    def __init__(
        self,
        budget: Budget,
        hearing: Hearing,
        clock: Callable[[], Moment],
        version: str,
        tape: Callable[[], Health] | None = None,
    ) -> None:
        self._budget = budget
        self._tape = tape
        self._hearing = hearing
        self._clock = clock
        self._version = version
        self._watch = ClockWatch(clock, budget.clock_ms)
        self._files: Files | None = None
        self._differ: list[str] = []
        self._next_ns = self._next_digest_ns = 0

    def self_test(self) -> SelfTest:
        """Everything once, on record."""
        journal = self._hearing.table.recorder.day.path
        before = last_checked(journal)
        self._files = files_of(self._version, self._budget.beside)
        self._differ = [] if self._budget.accept else changed(before, self._files)
        self._next_digest_ns = self._clock().mono_ns + self._budget.digest_hours * HOUR_NS
        health = self._health()
        found = SelfTest(
            fsync_ms=_fsync_ms(self._budget.folder),
            disk_used=round(disk_used(self._budget.folder), 1),
            files=self._files.sha256,
            changed=tuple(self._differ),
            wrong=tuple(f"{one.device}: {one.detail}" for one in health if not one.ok),
        )
        rows = [Draft(kind=SELF_TESTED, body=msgspec.json.encode(found), source="controller")]
        if not self._differ:  # the files that count are those last accepted, until a person accepts others
            rows.append(row_of(self._files, before))
        self._hearing.table.note(rows)
        self._report(health)
        return found

    def turn(self) -> None:
        """Once a second the disk and the clock; once a day, between two rounds, the files.

        A clock that was set is told at once: before the judge hears of a time in which nobody could have answered.
        """
        now = self._clock().mono_ns
        if now < self._next_ns and not self._watch.was_set():
            return
        self._next_ns = now + EVERY_NS
        if now >= self._next_digest_ns and self._files is not None and self._hearing.table.down is None:
            self._check_files(now)
        self._report(self._health())

    def _check_files(self, now: int) -> None:
        if self._hearing.state.round is not None:
            return
        assert self._files is not None
        self._next_digest_ns = now + self._budget.digest_hours * HOUR_NS
        found = files_of(self._version, self._budget.beside)
        self._differ = changed(self._files, found) or self._differ
        if not self._differ:
            self._hearing.table.note([row_of(found, self._files)])

    def _health(self) -> list[Health]:
        files = Health("files", not self._differ, f"changed: {self._differ[0]}" if self._differ else "")
        tape = [] if self._tape is None else [self._tape()]
        return [disk_health(disk_used(self._budget.folder), self._budget.disk), self._watch.health(), *tape, files]

    def _report(self, health: list[Health]) -> None:
        """All lights first, then the judge: what has just been found well is no fault for a moment."""
        for one in health:
            self._hearing.lights.hear(one, self._clock())
        self._hearing.hear(health[-1])


def _fsync_ms(folder: Path) -> float:
    """How long this disk takes to keep a row."""
    trial = folder / "run" / "fsync.trial"
    trial.parent.mkdir(exist_ok=True)
    with trial.open("wb") as file:
        began = time.monotonic_ns()
        file.write(bytes(4096))
        file.flush()
        os.fsync(file.fileno())
        took = time.monotonic_ns() - began
    trial.unlink()
    return round(took / 1e6, 2)
