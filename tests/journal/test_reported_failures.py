"""Failures users of similar systems reported, area "journal, power loss"; a name carries the report's number."""

import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core.blackjack.words import Action, Signal
from table_controller.core.step import step
from table_controller.core.stimuli import Cause
from table_controller.games import GAMES
from table_controller.journal.anchors import Anchor, add_anchor, read_anchors
from table_controller.journal.day import open_day
from table_controller.journal.errors import JournalBusy, JournalDamaged
from table_controller.journal.keys import load_key, make_key
from table_controller.journal.sqlite_store import open_reader, open_store
from table_controller.journal.verify import verify_file
from table_controller.replay.opening import carry
from table_controller.shell.recorder import open_recorder
from tests.evening import EveningClock, nobody_warns, open_felt, open_house, play_round
from tests.journal.conftest import OpenDay, TickingClock, play_rounds, said
from tests.journal.crash.campaign import quick_disk
from tests.journal.crash.tracer import mark, run_until_call


def anchor(number: int) -> Anchor:
    return Anchor("T07", f"2026-11-{number:02}", "ab" * 32, "cd" * 32)


def test_e01_a_line_cut_short_by_a_crash_is_reported_once_and_costs_no_other_line(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    for number in (1, 2, 3, 4):
        add_anchor(path, anchor(number))
    path.write_bytes(path.read_bytes()[:-70])
    add_anchor(path, anchor(5))
    for _ in range(2):
        assert read_anchors(path).lines == tuple(map(anchor, (1, 2, 3, 5)))
        assert read_anchors(path).torn == 1


def test_e01_a_cut_line_at_the_very_end_is_reported_too(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    add_anchor(path, anchor(1))
    with path.open("ab") as file:
        file.write(b'{"table":"T0')
    assert (len(read_anchors(path).lines), read_anchors(path).torn) == (1, 1)


def test_e01_garbage_in_the_middle_stops_the_reading_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    for number in (1, 2, 3, 4):
        add_anchor(path, anchor(number))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b'\xff{"nonsense\n' + lines[2] + lines[3])
    with pytest.raises(JournalDamaged) as damage:
        read_anchors(path)
    assert damage.value.seq == 2


def test_e02_the_writer_syncs_every_append(tmp_path: Path) -> None:
    store = open_store(tmp_path / "T07-2026-11-29.db")
    full = 2
    assert store.settings() == {"journal_mode": "wal", "synchronous": full, "user_version": 1}
    store.close()


def test_e03_a_damaged_journal_refuses_dealing_and_is_left_as_it_is(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 40)
    day.leave()
    content = bytearray(day.path.read_bytes())
    page = 4096
    content[2 * page + 500 : 2 * page + 600] = b"\x55" * 100
    day.path.write_bytes(content)
    with pytest.raises(JournalDamaged, match=r"dealing is refused.*put the backup in its place"):
        open_table("2026-11-29")
    assert day.path.read_bytes() == content


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """A journal whose write lock a stranger takes."""
    key = make_key(tmp_path / "house.key")
    path = tmp_path / "T07-2026-11-29.db"
    open_day(path, key, TickingClock()).leave()
    stranger = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    yield path, stranger
    stranger.close()


def test_e05_a_lock_held_for_three_seconds_delays_one_append(held: tuple[Path, sqlite3.Connection]) -> None:
    path, stranger = held
    day = open_day(path, load_key(path.parent / "house.key"), TickingClock())
    stranger.execute("BEGIN IMMEDIATE")
    release = threading.Timer(3, stranger.execute, ["ROLLBACK"])
    release.start()
    day.writer.write([said(1)])
    release.join()
    day.leave()
    assert verify_file(path).records == 2


def test_e05_a_lock_held_too_long_fails_clearly_and_a_retry_appends_once(
    held: tuple[Path, sqlite3.Connection],
) -> None:
    path, stranger = held
    day = open_day(path, load_key(path.parent / "house.key"), TickingClock())
    stranger.execute("BEGIN IMMEDIATE")
    looks, failed = _looks_during(path, lambda: day.writer.write([said(1)]))
    assert isinstance(failed, JournalBusy)
    assert looks > 10, "a screen waited for the lock"
    assert verify_file(path).records == 1
    stranger.execute("ROLLBACK")
    day.writer.write([said(1)])
    day.leave()
    assert verify_file(path).records == 2


def _looks_during(path: Path, work: "object") -> tuple[int, BaseException | None]:
    """How often a screen could read while the work went on, and what the work raised."""
    failures: list[BaseException] = []

    def run() -> None:
        assert callable(work)
        try:
            work()
        except JournalBusy as error:
            failures.append(error)

    worker, looks = threading.Thread(target=run), 0
    worker.start()
    while worker.is_alive():
        reader = open_reader(path)
        reader.read(0)
        reader.close()
        looks += 1
        time.sleep(0.02)
    worker.join()
    return looks, failures[0] if failures else None


def test_e06_a_reader_that_stays_does_not_let_the_log_grow() -> None:
    with tempfile.TemporaryDirectory(dir=quick_disk()) as name:
        path = Path(name, "T07-2026-11-29.db")
        day = open_day(path, make_key(Path(name, "house.key")), TickingClock())
        reader, seen, largest = open_reader(path), 0, 0
        for number in range(12_500):
            day.writer.write([said(4 * number + each) for each in range(4)])
            day.writer.tidy()
            if number % 10 == 0:
                seen += len(reader.read(seen))
                largest = max(largest, path.with_name(path.name + "-wal").stat().st_size)
        assert reader.head() == day.writer.head
        assert day.writer.head.seq > 50_000
        assert largest < 16 << 20
        reader.close()
        day.leave()


def test_e08_an_opening_cut_off_anywhere_can_be_begun_again() -> None:
    with tempfile.TemporaryDirectory(dir=quick_disk()) as name:
        key = make_key(Path(name, "house.key"))
        whole = _open_and_die(Path(name, "whole"), 1 << 30)
        assert whole > 50
        for call in range(0, whole, 2):
            folder = Path(name, str(call))
            _open_and_die(folder, call)
            path = folder / "T07-2026-11-29.db"
            open_day(path, key, TickingClock()).leave()
            before = verify_file(path)
            open_day(path, key, TickingClock()).leave()
            assert (before.ok, before.records) == (True, 1)
            assert verify_file(path) == before
            shutil.rmtree(folder)


class _Nobody:
    def settled(self) -> None: ...

    def synced(self, name: str) -> None: ...


def _open_and_die(folder: Path, call: int) -> int:
    folder.mkdir()
    key = load_key(folder.parent / "house.key")

    def work() -> None:
        mark()
        open_day(folder / "T07-2026-11-29.db", key, TickingClock())

    return run_until_call(work, call, _Nobody())


def test_e08_a_file_of_a_newer_layout_is_refused_with_both_numbers(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    day.leave()
    stranger = sqlite3.connect(day.path)
    stranger.execute("PRAGMA user_version=2")
    stranger.close()
    with pytest.raises(JournalDamaged, match="layout 2; this program writes layout 1"):
        open_table("2026-11-29")


def test_e12_a_day_ten_times_as_long_takes_ten_times_as_long_to_open_and_no_more(tmp_path: Path) -> None:
    """In proportion, that is; how many seconds a long day takes is in the benchmarks."""
    short, long = (_work_to_open(tmp_path / name, rows) for name, rows in (("short", 20_000), ("long", 200_000)))
    assert long < 25 * short


def _work_to_open(folder: Path, rows: int) -> float:
    """Seconds of the processor: what else the machine is doing is not the table's affair."""
    folder.mkdir()
    key, path, clock = make_key(folder / "house.key"), folder / "T07-2026-11-29.db", EveningClock()
    long_day(path, key, clock, rows)
    start = time.process_time()
    recorder = open_recorder(path, key, clock, "blackjack", nobody_warns)
    work = time.process_time() - start
    recorder.leave()
    assert recorder.state.cursors["button"] == rows // 2
    return work


def long_day(path: Path, key: Ed25519PrivateKey, clock: EveningClock, rows_wanted: int) -> None:
    """A day of observations, a thousand to a transaction so that the test is not about the disk."""
    recorder = open_recorder(path, key, clock, "blackjack", nobody_warns)
    words, state, batch = GAMES["blackjack"].words, recorder.state, []
    for seq in range(1, rows_wanted // 2 + 1):
        done = step(GAMES["blackjack"].game, state, Signal(Cause("button", seq), 1, 0, Action.HIT))
        batch += [words.heard(Signal(Cause("button", seq), 1, 0, Action.HIT), None), words.judged(done.events[0], None)]
        state = done.state
        if seq % 1000 == 0:
            recorder.note(batch)
            batch = []
    recorder.leave()


@pytest.mark.parametrize(("version", "spoilt"), [(1, True), (0, False)], ids=["damaged", "older layout"])
def test_e12_an_opening_state_that_cannot_be_used_is_passed_over(tmp_path: Path, version: int, spoilt: bool) -> None:
    key, clock = make_key(tmp_path / "house.key"), EveningClock()
    felt = open_felt(tmp_path / "T07-2026-11-29.db", key, clock)
    open_house(felt)
    play_round(felt)
    felt.recorder.close()
    row = carry("blackjack", felt.state)
    body = row.body.replace(b'"cursors":{', b'"cursors":[],"lost":{') if spoilt else row.body
    path = tmp_path / "T07-2026-11-30.db"
    open_day(path, key, clock, [msgspec.structs.replace(row, version=version, body=body)]).leave()
    warnings: list[str] = []
    recorder = open_recorder(path, key, clock, "blackjack", warnings.append)
    recorder.leave()
    assert recorder.state == felt.state
    assert any("replaying the day before" in text for text in warnings)
