"""Any byte changed the house hands out is found; where it belongs to a record, that record is named."""

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.journal.certificate import certificate_of
from table_controller.journal.day import open_day
from table_controller.journal.keys import make_key
from table_controller.journal.naming import journal_path
from table_controller.journal.verify import Verdict, verify_file
from tests.journal.conftest import TickingClock, play_rounds, tear_off_certificate


@pytest.fixture(scope="module")
def closed_day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    path = journal_path(folder, "T07", "2026-11-29")
    day = open_day(path, make_key(folder / "house.key"), TickingClock())
    play_rounds(day, 40)
    day.close()
    return path


@pytest.fixture
def copy(closed_day: Path, tmp_path: Path) -> Path:
    return copied(closed_day, tmp_path)


def copied(journal: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / journal.name).unlink(missing_ok=True)
    shutil.copyfile(journal, folder / journal.name)
    return folder / journal.name


def change_byte(path: Path, at: int, difference: int) -> None:
    content = bytearray(path.read_bytes())
    content[at % len(content)] ^= difference
    path.write_bytes(content)


def places(path: Path) -> list[range]:
    """Where each record's body, salt and hashes lie in the file; a row's salt is in no other row."""
    content = path.read_bytes()
    connection = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    rows = connection.execute("SELECT length(body), salt FROM journal ORDER BY seq").fetchall()
    connection.close()
    return [range((at := content.index(salt)) - length, at + len(salt) + 64) for length, salt in rows]


def test_the_day_is_good_before_anyone_touches_it(copy: Path) -> None:
    assert verify_file(copy).ok


@settings(max_examples=300, deadline=None)
@given(at=st.integers(0, 1 << 40), difference=st.integers(1, 255))
def test_any_byte_changed_in_a_closed_journal_is_found(closed_day: Path, at: int, difference: int) -> None:
    copy = copied(closed_day, closed_day.parent / f"tampered-{random.getrandbits(64)}")
    change_byte(copy, at, difference)
    assert not verify_file(copy).ok
    shutil.rmtree(copy.parent)


@settings(max_examples=100, deadline=None)
@given(at=st.integers(0, 1 << 40), difference=st.integers(1, 255))
def test_any_byte_changed_in_a_certificate_is_found(closed_day: Path, at: int, difference: int) -> None:
    copy = copied(closed_day, closed_day.parent / f"tampered-{random.getrandbits(64)}")
    certificate = certificate_of(copy)
    assert certificate is not None
    change_byte(copy, len(copy.read_bytes()) - 1 - at % len(certificate), difference)
    assert not verify_file(copy).ok
    shutil.rmtree(copy.parent)


def test_the_record_a_changed_byte_belongs_to_is_named(closed_day: Path, tmp_path: Path) -> None:
    chance = random.Random(9)
    for seq, place in enumerate(places(closed_day), 1):
        copy = copied(closed_day, tmp_path)
        change_byte(copy, chance.choice(place), 1 << chance.randrange(8))
        assert verify_file(copy).first_bad == seq


def forged(path: Path, statement: str) -> Verdict:
    """What is said of a copy after a forger with a database tool has been at it."""
    connection = sqlite3.connect(path)
    connection.executescript(f"DROP TRIGGER never_changed; DROP TRIGGER never_removed; {statement};")
    connection.close()
    return verify_file(path)


@pytest.mark.parametrize(
    ("statement", "first_bad"),
    [
        ("DELETE FROM journal WHERE seq = 50", 50),
        ("UPDATE journal SET body = x'7b7d' WHERE seq = 33", 33),
        ("UPDATE journal SET at_ns = at_ns + 1 WHERE seq = 7", 7),
        ("UPDATE journal SET kind = 'event.other' WHERE seq = 9", 9),
        ("UPDATE journal SET round = NULL WHERE seq = 20", 20),
        ("UPDATE journal SET source_seq = 1 WHERE seq = 21", 21),
        ("UPDATE journal SET boot_id = 'b2' WHERE seq = 22", 22),
        ("UPDATE journal SET salt = zeroblob(16) WHERE seq = 23", 23),
        ("UPDATE journal SET mono_ns = 0 WHERE seq = 24", 24),
        ("UPDATE journal SET version = 2 WHERE seq = 25", 25),
        ("UPDATE journal SET source = 'shoe' WHERE seq = 26", 26),
        ("UPDATE journal SET prev = zeroblob(32) WHERE seq = 27", 27),
        ("UPDATE journal SET seq = -seq WHERE seq = 60", 60),
        ("CREATE TABLE other (x)", None),
    ],
)
def test_a_change_by_a_database_tool_is_found_where_it_was_made(
    copy: Path, statement: str, first_bad: int | None
) -> None:
    verdict = forged(copy, statement)
    assert (verdict.ok, verdict.first_bad) == (False, first_bad)


def test_a_journal_without_its_certificate_is_not_closed(copy: Path) -> None:
    tear_off_certificate(copy)
    assert verify_file(copy).reason == "the day is closed but its certificate is missing"


def test_bytes_added_behind_the_certificate_are_found(copy: Path) -> None:
    content = copy.read_bytes()
    for added in (b"\0", b"}\n", content[-400:]):
        copy.write_bytes(content + added)
        assert not verify_file(copy).ok


def test_a_closed_journal_is_good_under_any_name(copy: Path) -> None:
    assert verify_file(copy.rename(copy.with_name("evening.sqlite"))).ok


def test_a_day_cut_off_before_its_close_is_an_open_day_with_another_head(copy: Path, closed_day: Path) -> None:
    """Nothing inside a file can prove that it once went on; the head that left the house does."""
    verdict = forged(copy, "DELETE FROM journal WHERE seq > 150")
    assert (verdict.records, verdict.closed) == (150, False)
    assert verdict.head != verify_file(closed_day).head


def test_rows_cut_off_with_the_certificate_left_are_missed(copy: Path) -> None:
    certificate = certificate_of(copy)
    assert certificate is not None
    forged(copy, "DELETE FROM journal WHERE seq > 150")
    copy.write_bytes(copy.read_bytes() + certificate)
    assert verify_file(copy).reason == "records from 151 on are missing"


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"no journal at all" * 500])
def test_a_file_that_is_no_journal_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "T07-2026-11-29.db"
    path.write_bytes(content)
    verdict = verify_file(path)
    assert not verdict.ok
    assert verdict.reason
    assert "\n" not in verdict.reason


@pytest.mark.parametrize("page", [3, 5, 8])
def test_a_page_that_cannot_be_read_names_the_record_after_the_last_good_one(copy: Path, page: int) -> None:
    content = copy.read_bytes()
    size = 4096
    copy.write_bytes(content[: page * size] + bytes(size) + content[(page + 1) * size :])
    verdict = verify_file(copy)
    assert 0 < verdict.records < 203
    assert verdict.first_bad == verdict.records + 1
