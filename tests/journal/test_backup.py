"""Backups of a live journal, and what a damaged one is answered with."""

import random
import shutil
from pathlib import Path

import pytest

from table_controller.journal.backup import back_up, put_back
from table_controller.journal.day import Day, open_day
from table_controller.journal.errors import JournalBusy, JournalDamaged, NotKept
from table_controller.journal.keys import make_key
from table_controller.journal.verify import verify_file
from tests.journal.conftest import OpenDay, TickingClock, play_rounds, said


def test_a_backup_of_a_live_journal_holds_what_is_only_in_the_log(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 3)
    assert day.path.with_name(day.path.name + "-wal").stat().st_size > 0
    copy = back_up(day.path, tmp_path / "stick")
    assert (copy.ok, copy.head) == (True, verify_file(day.path).head)
    assert [path.name for path in (tmp_path / "stick").iterdir()] == [day.path.name]


def test_the_table_goes_on_after_a_backup(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    for number in range(3):
        day.writer.write([said(number)])
        assert back_up(day.path, tmp_path / "stick").records == number + 2
    assert verify_file(day.path).ok


def test_a_backup_of_a_closed_day_is_the_same_to_the_byte(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 2)
    day.close()
    assert back_up(day.path, tmp_path / "stick").closed
    assert (tmp_path / "stick" / day.path.name).read_bytes() == day.path.read_bytes()


def test_a_damaged_journal_never_replaces_a_good_backup(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 20)
    back_up(day.path, tmp_path / "stick")
    day.leave()
    content = day.path.read_bytes()
    day.path.write_bytes(content.replace(b'{"slot": 1}', b'{"slot": 7}', 1))
    with pytest.raises(JournalDamaged):
        back_up(day.path, tmp_path / "stick")
    assert verify_file(tmp_path / "stick" / day.path.name).ok


def live_copy(day: Day, folder: Path) -> Path:
    """The files of a running table as a disk would show them to a thief or a technician."""
    folder.mkdir(exist_ok=True)
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{day.path}{suffix}", folder / f"{day.path.name}{suffix}")
    return folder / day.path.name


def test_damage_to_synced_bytes_is_located_and_answered_by_the_backup(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 10)
    whole, chance = verify_file(day.path), random.Random(3)
    back_up(day.path, tmp_path / "stick")
    for number in range(60):
        path = live_copy(day, tmp_path / f"damaged-{number}")
        log = path.with_name(path.name + "-wal")
        content = bytearray(log.read_bytes())
        last_transactions = 6 * 4120
        content[chance.randrange(len(content) - last_transactions)] ^= 1 << chance.randrange(8)
        log.write_bytes(content)
        verdict = verify_file(path)
        if verdict.head != whole.head:  # a byte of the log that no page depends on changes nothing
            assert not verdict.ok
            assert verdict.first_bad == verdict.records + 1
        restored = put_back(tmp_path / "stick" / path.name, path)
        assert (restored.ok, restored.head) == (True, whole.head)


def test_a_log_torn_in_its_last_transaction_is_no_damage(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 5)
    whole = verify_file(day.path)
    for cut in range(1, 4120, 97):
        path = live_copy(day, tmp_path / "torn")
        log = path.with_name(path.name + "-wal")
        log.write_bytes(log.read_bytes()[:-cut])
        verdict = verify_file(path)
        assert verdict.ok, verdict.reason
        assert whole.records - 3 < verdict.records < whole.records
        shutil.rmtree(path.parent)


def backed_up(open_table: OpenDay, stick: Path, rounds: int = 2) -> Day:
    """A closed day and its backup."""
    day = open_table("2026-11-29")
    play_rounds(day, rounds)
    day.close()
    back_up(day.path, stick)
    return day


def damage(path: Path, content: bytes = b"damaged") -> None:
    path.chmod(0o640)
    path.write_bytes(content)


def test_every_damaged_file_is_kept_beside_the_restored_one(open_table: OpenDay, tmp_path: Path) -> None:
    path = backed_up(open_table, tmp_path / "stick").path
    for content in (b"damaged", b"damaged again"):
        damage(path, content)
        assert put_back(tmp_path / "stick" / path.name, path).ok
    kept = [path.with_name(f"{path.name}.damaged-{number}").read_bytes() for number in (1, 2)]
    assert kept == [b"damaged", b"damaged again"]


def test_a_closed_day_stays_closed_to_writing_in_its_copies(open_table: OpenDay, tmp_path: Path) -> None:
    path = backed_up(open_table, tmp_path / "stick").path
    damage(path)
    put_back(tmp_path / "stick" / path.name, path)
    assert [file.stat().st_mode & 0o777 for file in (path, tmp_path / "stick" / path.name)] == [0o440, 0o440]


def test_a_backup_of_another_day_takes_no_journals_place(open_table: OpenDay, tmp_path: Path) -> None:
    first = backed_up(open_table, tmp_path / "stick")
    second = open_table("2026-11-30")
    second.leave()
    before = verify_file(second.path)
    for place in (second.path, first.path.with_name("T08-2026-11-29.db")):
        with pytest.raises(NotKept, match="is of T07 2026-11-29"):
            put_back(tmp_path / "stick" / first.path.name, place)
    assert verify_file(second.path) == before


def test_a_backup_with_less_takes_no_good_journals_place(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 1)
    back_up(day.path, tmp_path / "stick")
    play_rounds(day, 1)
    day.leave()
    more = verify_file(day.path)
    with pytest.raises(NotKept, match=f"{more.records} good records"):
        put_back(tmp_path / "stick" / day.path.name, day.path)
    assert verify_file(day.path) == more
    damage(day.path, day.path.read_bytes().replace(b'{"end": true}', b'{"end": fals}'))
    damaged = verify_file(day.path)
    assert not damaged.ok
    assert put_back(tmp_path / "stick" / day.path.name, day.path).ok


def test_no_backup_is_put_back_under_the_hands_of_a_writer(open_table: OpenDay, tmp_path: Path) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 1)
    back_up(day.path, tmp_path / "stick")
    with pytest.raises(JournalBusy):
        put_back(tmp_path / "stick" / day.path.name, day.path)
    day.writer.write([said(500)])
    assert verify_file(day.path).ok


def test_a_journal_is_no_backup_of_itself(open_table: OpenDay, tmp_path: Path) -> None:
    path = backed_up(open_table, tmp_path / "stick").path
    with pytest.raises(NotKept, match="the journal itself"):
        put_back(path, path)
    assert verify_file(path).ok


def test_a_backup_of_another_house_takes_no_journals_place(
    open_table: OpenDay, tmp_path: Path, clock: TickingClock
) -> None:
    path = backed_up(open_table, tmp_path / "stick").path
    other = tmp_path / "other"
    other.mkdir()
    theirs = open_day(other / path.name, make_key(other / "house.key"), clock)
    play_rounds(theirs, 9)
    theirs.close()
    with pytest.raises(NotKept, match="two keys"):
        put_back(theirs.path, path)
    with pytest.raises(NotKept, match="two keys"):
        back_up(theirs.path, tmp_path / "stick")
    assert verify_file(path).ok


def test_no_backup_is_made_over_the_journal_itself(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 1)
    with pytest.raises(NotKept, match="name another folder"):
        back_up(day.path, day.path.parent)
