"""The record: what an append costs beside a bare sync, what checking a day costs beside reading it, and thirty days.

python -m bench.journal [--disk FOLDER] — prints a table in Markdown; docs/benchmarks.md keeps the last one.
"""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from functools import partial
from io import FileIO
from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core.events import Event
from table_controller.journal.day import open_day
from table_controller.journal.folder import verify_folder
from table_controller.journal.keys import make_key
from table_controller.journal.record import Draft, Moment
from table_controller.journal.verify import verify_file
from table_controller.replay.opening import load
from tests.evening import EveningClock, nobody_warns, open_felt, open_house, play_round, rows
from tests.journal.crash.campaign import quick_disk

APPENDS = 3000
DAY_ROUNDS = 720  # twelve hours at a round a minute
SHORT_DAY_ROUNDS = 60
ALL_BOXES = (1, 2, 3, 4, 5, 6, 7)
MONTH = (1, 5, 10, 20, 30)


@click.command()
@click.option(
    "--disk", type=click.Path(path_type=Path), help="A folder on the disk to measure; default: the temporary one."
)
def main(disk: Path | None) -> None:
    """Measure and print."""
    print(f"SQLite {sqlite3.sqlite_version}, {os.cpu_count()} cores\n")
    print("| what | figure |\n|---|---|")
    with tempfile.TemporaryDirectory(dir=disk) as name:
        appends(Path(name, "append"))
    # Reading comes from the page cache in any case; in memory the days are played in a minute instead of ten.
    with tempfile.TemporaryDirectory(dir=quick_disk()) as name:
        one_day(Path(name, "day"))
        month(Path(name, "month"))


def row(what: str, figure: str) -> None:
    """A line of the table."""
    print(f"| {what} | {figure} |", flush=True)


def appends(folder: Path) -> None:
    """An append of what one stimulus leads to, and a bare write and fsync of the same bytes, by turns."""
    folder.mkdir()
    day = open_day(folder / "T07-2026-11-29.db", make_key(folder / "house.key"), clock)
    with (folder / "bare").open("ab", buffering=0) as bare:
        ours, theirs = [], []
        for number in range(APPENDS):
            drafts = step_like(number)
            content = b"".join(draft.body for draft in drafts)
            ours.append(timed(partial(day.writer.write, drafts)))
            theirs.append(timed(partial(write_and_sync, bare, content)))
            day.writer.tidy()
    day.leave()
    for name, rank in (("p50", 0.5), ("p99", 0.99)):
        append, sync = quantile(ours, rank), quantile(theirs, rank)
        row(f"append {name} / bare fsync {name}", f"{append * 1e3:.3f} ms / {sync * 1e3:.3f} ms = {append / sync:.2f}x")


def write_and_sync(file: FileIO, content: bytes) -> None:
    """The least a durable record can cost."""
    file.write(content)
    os.fsync(file.fileno())


def step_like(number: int) -> list[Draft]:
    """A stimulus and two facts, of the size the table really writes (about 120 bytes each)."""
    body = (
        b'{"kind":"card_dealt","cause":{"source":"camera","seq":%d,"at_ns":1795982400000000000},"place":[3,0]}' % number
    )
    said = Draft(kind="stimulus.card_seen", body=body, source="camera", source_seq=number, round=1)
    return [said, *(Draft(kind="event.card_dealt", body=body, source="judge", round=1) for _ in range(2))]


def one_day(folder: Path) -> None:
    """Verify and replay a day of twelve hours, and read the same file with plain sqlite3."""
    folder.mkdir()
    path = folder / "T07-2026-11-29.db"
    play_day(path, make_key(folder / "house.key"), EveningClock(), DAY_ROUNDS)
    recorded = load(path, nobody_warns)
    events = sum(isinstance(recorded.said(one), Event) for one in recorded.rows)
    row(
        "a day of twelve hours",
        f"{len(rows(path)):,} records, {events:,} of them events, {path.stat().st_size / 1e6:.1f} MB",
    )
    plain = best(lambda: read_plainly(path))
    verified = best(lambda: verify_file(path))
    replayed = best(lambda: load(path, nobody_warns).end())
    row("read with plain sqlite3", f"{plain:.3f} s")
    row("verify", f"{verified:.3f} s")
    row("replay to the last state", f"{replayed:.3f} s")
    row("verify and replay / plain read", f"{(verified + replayed):.3f} s = {(verified + replayed) / plain:.1f}x")


def read_plainly(path: Path) -> int:
    """Every column of every row."""
    connection = sqlite3.connect(path)
    found = len(connection.execute("SELECT * FROM journal").fetchall())
    connection.close()
    return found


def month(folder: Path) -> None:
    """Days in one folder, each going on from the last; the processor time each costs to verify and replay."""
    folder.mkdir()
    key, clock = make_key(folder / "house.key"), EveningClock()
    for number in range(1, max(MONTH) + 1):
        play_day(folder / f"T07-2026-12-{number:02}.db", key, clock, SHORT_DAY_ROUNDS)
        if number in MONTH:
            seconds = best(lambda: verify_and_replay(folder), times=3, clock=time.process_time)
            row(
                f"verify and replay {number} days of {SHORT_DAY_ROUNDS} rounds",
                f"{seconds:.2f} s of the processor, {seconds / number * 1e3:.0f} ms a day",
            )


def verify_and_replay(folder: Path) -> None:
    """Everything a folder can be asked."""
    assert verify_folder(folder).ok
    for path in sorted(folder.glob("*.db")):
        load(path, nobody_warns).end()


def play_day(path: Path, key: Ed25519PrivateKey, clock: EveningClock, rounds: int) -> None:
    """A table of seven boxes, opened on the first day and left open over night."""
    felt = open_felt(path, key, clock, seed=rounds)
    if felt.state.rules is None:
        open_house(felt)
    felt.load()
    for _ in range(rounds):
        play_round(felt, ALL_BOXES)
    felt.recorder.close()


def clock() -> Moment:
    """Both clocks of this machine."""
    return Moment(time.time_ns(), time.monotonic_ns())


def timed(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds by that clock."""
    start = clock()
    work()
    return clock() - start


def best(work: Callable[[], object], times: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """The quickest of some runs, in seconds: the others only say what else this machine was doing."""
    return min(timed(work, clock) for _ in range(times))


def quantile(times: list[float], rank: float) -> float:
    """The value below which that part of all times lies."""
    return sorted(times)[int(len(times) * rank)]


if __name__ == "__main__":
    main()
