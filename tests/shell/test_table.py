"""A table never runs with a journal that cannot be written."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import values_of
from table_controller.core.codec import ENCODER
from table_controller.core.events import TablePaused
from table_controller.core.stimuli import Cause
from table_controller.journal.errors import JournalBusy, JournalDamaged, JournalUnwritable
from table_controller.journal.sqlite_store import CHECKPOINT_EVERY, open_store
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR, SECOND
from table_controller.shell.recorder import Recorder, open_recorder
from table_controller.shell.table import SYSTEM, Table
from tests.evening import EveningClock, nobody_warns, rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "T07-2026-11-29.db"


@pytest.fixture
def open_record(path: Path, house_key: Ed25519PrivateKey) -> Callable[[], Recorder]:
    return lambda: open_recorder(path, house_key, EveningClock(), "blackjack", nobody_warns)


@pytest.fixture
def table(open_record: Callable[[], Recorder]) -> Iterator[Table]:
    running = Table(open_record)
    running.revive(0)
    rules = values_of(houses.rules_with("classic", {}))
    running.take(said.OpenTable(Cause("screen", 1), FLOOR, SECOND, rules, houses.house_values("classic"), {}))
    yield running
    if running.down is None:
        running.recorder.leave()


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process may grow: what a write meets on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def drawn(seq: int) -> said.CardDrawn:
    return said.CardDrawn(Cause("shoe", seq, seq))


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(JournalUnwritable) as error:
        act()
    return str(error.value)


def test_a_table_takes_nothing_before_its_record_is_open() -> None:
    assert "just started" in refused(lambda: Table(lambda: pytest.fail("opened")).take(drawn(1)))


def test_a_disk_that_fails_takes_the_table_down_and_it_says_why(table: Table) -> None:
    with full_disk():
        reason = refused(lambda: table.take(drawn(1)))
    assert table.down == reason
    assert "the disk does not take the record" in reason
    assert refused(lambda: table.take(drawn(2))) == reason


def test_the_pause_is_the_first_fact_once_the_disk_answers(table: Table, path: Path) -> None:
    with full_disk():
        reason = refused(lambda: table.take(drawn(1)))
        refused(lambda: table.revive(5))
        assert table.down == reason
    table.revive(6)
    assert table.recorder.state.paused
    started, said_so, paused = rows(path)[-3:]
    assert (started.kind, said_so.kind) == ("journal.started", "stimulus.pause_table")
    assert ENCODER.encode(TablePaused(Cause("journal", 0, 6), SYSTEM, reason)) == paused.body


def test_a_disk_that_fails_between_two_stimuli_takes_the_table_down_too(table: Table, path: Path) -> None:
    for seq in range(CHECKPOINT_EVERY):
        table.take(drawn(seq))
    with full_disk(), pytest.raises(JournalUnwritable):
        table.tidy()
    assert table.down is not None
    table.revive(6)
    assert table.recorder.state.cursors["shoe"] == CHECKPOINT_EVERY - 1
    assert verify_file(path).ok


def test_only_a_person_lets_the_table_go_on(table: Table) -> None:
    with full_disk():
        refused(lambda: table.take(drawn(1)))
    table.revive(6)
    table.take(said.ResumeTable(Cause("screen", 2), FLOOR))
    assert not table.recorder.state.paused
    table.take(drawn(1))
    assert table.recorder.state.cursors["shoe"] == 1


def test_a_record_damaged_meanwhile_keeps_the_table_down(table: Table, path: Path) -> None:
    with full_disk():
        refused(lambda: table.take(drawn(1)))
    open_store(path).close()  # what was still in the write-ahead log goes into the file
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"table":"T07"', b'"table":"T08"'))
    with pytest.raises(JournalDamaged, match="dealing is refused"):
        table.revive(6)
    assert refused(lambda: table.take(drawn(1)))


def test_a_table_that_runs_is_left_alone_by_a_revival(table: Table, path: Path) -> None:
    before = table.recorder.day.writer.head
    table.revive(6)
    assert table.recorder.day.writer.head == before
    assert verify_file(path).ok


def test_a_program_started_again_finds_an_open_table_paused(path: Path, open_record: Callable[[], Recorder]) -> None:
    first = open_record()
    rules = values_of(houses.rules_with("classic", {}))
    first.take(said.OpenTable(Cause("screen", 1), FLOOR, SECOND, rules, houses.house_values("classic"), {}))
    first.leave()
    again = Table(open_record)
    again.revive(9)
    assert again.recorder.state.paused
    assert again.recorder.state.cursors["screen"] == 1
    again.recorder.leave()
    assert verify_file(path).ok


def test_a_record_held_by_another_program_takes_the_table_down_and_a_retry_takes_once(table: Table, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalBusy) as busy:
            table.take(drawn(1))
        assert table.down == str(busy.value)
        assert refused(lambda: table.take(drawn(1))) == table.down
        stranger.execute("ROLLBACK")
    table.revive(6)
    for _ in range(2):
        table.take(drawn(1))
    assert [row.source_seq for row in rows(path) if row.kind == "stimulus.card_drawn"] == [1]
    assert verify_file(path).ok
