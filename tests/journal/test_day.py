"""Gaming days: opened on yesterday's head, sealed, closed into one certified file."""

import sqlite3
import stat
from pathlib import Path

import msgspec
import pytest

from table_controller.journal.certificate import certificate_of
from table_controller.journal.errors import AppendConflict, JournalBusy, JournalDamaged
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.verify import verify_file
from tests.journal.conftest import OpenDay, TickingClock, play_rounds, said, tear_off_certificate


def test_a_new_day_begins_on_the_head_of_the_day_before(open_table: OpenDay) -> None:
    first = open_table("2026-11-29")
    play_rounds(first, 2)
    closed = first.close()
    second = open_table("2026-11-30")
    second.writer.write([said(1)])
    assert verify_file(second.path).before == closed.head


def test_the_first_day_of_a_table_begins_on_nothing(open_table: OpenDay) -> None:
    assert verify_file(open_table("2026-11-29").path).before == "00" * 32


def test_a_day_cannot_begin_while_the_day_before_is_open(open_table: OpenDay) -> None:
    open_table("2026-11-29").leave()
    with pytest.raises(AppendConflict, match="is not closed"):
        open_table("2026-11-30")


def test_a_closed_day_is_one_file_that_cannot_be_written(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 3)
    day.close()
    assert sorted(path.name for path in tmp_path.glob("T07*")) == [
        "T07-2026-11-29.db",
        "T07-2026-11-29.lock",
    ]
    assert stat.S_IMODE(day.path.stat().st_mode) == 0o440
    verdict = verify_file(day.path)
    assert (verdict.ok, verdict.closed, verdict.sealed) == (True, True, verdict.records)


def test_a_day_goes_on_where_it_was_left(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 2)
    head = day.writer.head
    day.leave()
    again = open_table("2026-11-29")
    assert again.writer.head == head
    again.writer.write([said(1)])
    assert verify_file(again.path).records == head.seq + 1


def test_a_second_writer_is_refused(open_table: OpenDay) -> None:
    open_table("2026-11-29")
    with pytest.raises(JournalBusy, match="another program is writing"):
        open_table("2026-11-29")


def test_closing_can_be_repeated_after_it_was_cut_off(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 1)
    closed = day.close()
    tear_off_certificate(day.path)
    assert not verify_file(day.path).ok
    assert open_table("2026-11-29").close().head == closed.head
    assert verify_file(day.path).ok


def forged(path: Path, *statements: str) -> None:
    """A forger without the key at a closed day: the certificate is off, the triggers are off, then his statements."""
    tear_off_certificate(path)
    forger = sqlite3.connect(path)
    triggers = forger.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for statement in (*(f"DROP TRIGGER {name}" for name, _ in triggers), *statements, *(sql for _, sql in triggers)):
        forger.execute(statement)
    forger.commit()
    forger.execute("PRAGMA journal_mode=DELETE")
    forger.close()


LAST = "(SELECT max(seq) FROM journal)"


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (
            "INSERT INTO journal SELECT seq + 1, at_ns, mono_ns, 'event.payout_corrected', version, round, source,"
            f" source_seq, boot_id, body, salt, prev, hash FROM journal WHERE seq = {LAST}",
            "does not follow",
        ),
        (f"UPDATE journal SET body = CAST(upper(body) AS BLOB) WHERE seq = {LAST}", "is not what was written"),
        (f"DELETE FROM journal WHERE seq = {LAST}", "its last records are not the closing and its seal"),
        ("CREATE TABLE evil (x)", "tables and triggers are not those of a journal"),
        ("CREATE TRIGGER evil BEFORE INSERT ON journal BEGIN SELECT 1; END", "tables and triggers are not those"),
    ],
    ids=["row added", "seal changed", "seal removed", "table added", "trigger added"],
)
def test_a_closing_that_was_cut_off_is_finished_only_over_what_was_written(
    open_table: OpenDay, statement: str, reason: str
) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 1)
    day.close()
    forged(day.path, statement)
    with pytest.raises(JournalDamaged, match=reason):
        open_table("2026-11-29")
    assert certificate_of(day.path) is None


def test_rows_keep_both_clocks_and_their_order_when_the_clock_is_set_back(
    open_table: OpenDay, clock: TickingClock
) -> None:
    day = open_table("2026-11-29")
    day.writer.write([said(1)])
    clock.at_ns -= 3600 * 10**9
    day.writer.write([said(2)], seal=True)
    reader = open_reader(day.path)
    before, after = [record for record in reader.read(0) if record.source == "camera"]
    reader.close()
    assert before.seq < after.seq
    assert before.at_ns > after.at_ns
    assert before.mono_ns < after.mono_ns
    assert verify_file(day.path).ok


def test_a_row_is_never_changed_or_removed_by_anyone_who_writes(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    day.writer.write([said(1)])
    day.leave()
    stranger = sqlite3.connect(day.path)
    for statement in ("UPDATE journal SET body = x'00'", "DELETE FROM journal"):
        with pytest.raises(sqlite3.IntegrityError, match="a record is never"):
            stranger.execute(statement)
    stranger.close()


def test_the_certificate_is_plain_json(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    day.close()
    certificate = msgspec.json.decode(certificate_of(day.path) or b"")
    assert certificate["closed"]["day"] == "2026-11-29"
