"""Journals that hang together and are still not what the house wrote."""

from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.journal.chain import DAY_OPENED, DayOpened
from table_controller.journal.day import open_day
from table_controller.journal.errors import JournalDamaged, JournalUnwritable, NotKept
from table_controller.journal.folder import verify_folder
from table_controller.journal.keys import make_key, public_hex
from table_controller.journal.naming import journal_path
from table_controller.journal.record import BODY_LIMIT, Draft
from table_controller.journal.slice import read_slice, write_slice
from table_controller.journal.sqlite_store import open_reader, open_store
from table_controller.journal.verify import journal_records, verify_file
from table_controller.journal.writer import Writer
from tests.journal.conftest import OpenDay, TickingClock, play_rounds, said, tear_off_certificate


def written(path: Path, key: Ed25519PrivateKey, drafts: list[Draft]) -> None:
    """A file made without the care of a day, by whoever has a key."""
    store = open_store(path)
    Writer(store, key, TickingClock()).write(drafts, seal=True)
    store.close()


def opening(key: Ed25519PrivateKey, day: str = "2026-11-29") -> Draft:
    body = msgspec.json.encode(DayOpened("T07", day, public_hex(key.public_key())))
    return Draft(kind=DAY_OPENED, body=body, source="journal")


def test_a_seal_made_with_another_key_is_named(tmp_path: Path, house_key: Ed25519PrivateKey) -> None:
    path = tmp_path / "T07-2026-11-29.db"
    written(path, make_key(tmp_path / "forger.key"), [opening(house_key), said(1)])
    verdict = verify_file(path)
    assert (verdict.first_bad, verdict.reason) == (3, "seal 3 was not made with the key of this journal")


def test_a_seal_made_with_another_key_is_named_in_a_slice_too(tmp_path: Path, house_key: Ed25519PrivateKey) -> None:
    path = tmp_path / "T07-2026-11-29.db"
    written(path, make_key(tmp_path / "forger.key"), [opening(house_key), said(1)])
    reader = open_reader(path)
    content = write_slice(journal_records(reader), lambda _: True)
    reader.close()
    with pytest.raises(JournalDamaged, match="seal 3 was not made with the key"):
        read_slice(content)


@pytest.mark.parametrize("body", [b"{}", b'{"table":"T07","day":"2026-11-29","key":"abc"}', b"nothing"])
def test_a_first_row_that_opens_no_day_is_named(tmp_path: Path, house_key: Ed25519PrivateKey, body: bytes) -> None:
    path = tmp_path / "T07-2026-11-29.db"
    written(path, house_key, [Draft(kind=DAY_OPENED, body=body, source="journal")])
    assert verify_file(path).first_bad == 1


def test_a_journal_that_begins_with_play_is_named(tmp_path: Path, house_key: Ed25519PrivateKey) -> None:
    path = tmp_path / "T07-2026-11-29.db"
    written(path, house_key, [said(1)])
    assert verify_file(path).reason == "record 1 does not open a day"


def test_a_row_added_after_the_close_is_named(open_table: OpenDay, house_key: Ed25519PrivateKey) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 1)
    closed = day.close()
    tear_off_certificate(day.path)
    written(day.path, house_key, [said(99)])
    verdict = verify_file(day.path)
    assert (verdict.first_bad, verdict.ok) == (closed.records + 1, False)
    assert "added after the day was closed" in str(verdict.reason)


def test_a_certificate_of_another_course_of_the_day_is_no_certificate(
    tmp_path: Path, house_key: Ed25519PrivateKey
) -> None:
    for name, rounds in (("one", 1), ("other", 2)):
        folder = tmp_path / name
        folder.mkdir()
        day = open_day(journal_path(folder, "T07", "2026-11-29"), house_key, TickingClock())
        play_rounds(day, rounds)
        day.close()
    one, other = (tmp_path / name / "T07-2026-11-29.db" for name in ("one", "other"))
    tear_off_certificate(other)
    other.write_bytes(other.read_bytes() + tear_off_certificate(one))
    assert verify_file(other).reason == "the certificate is of another day or another course of this day"


def test_a_folder_whose_first_day_follows_nothing_is_named(open_table: OpenDay) -> None:
    first = open_table("2026-11-29")
    first.close()
    open_table("2026-11-30").close()
    first.path.unlink()
    verdict = verify_folder(first.path.parent)
    assert verdict.reason == "T07-2026-11-30.db is the first day here but follows another; a day before it is missing"


def test_a_folder_sealed_with_two_keys_is_named(tmp_path: Path, house_key: Ed25519PrivateKey) -> None:
    first = open_day(journal_path(tmp_path, "T07", "2026-11-29"), house_key, TickingClock())
    head = bytes.fromhex(first.close().head)
    other = make_key(tmp_path / "other.key")
    store = open_store(journal_path(tmp_path, "T07", "2026-11-30"))
    Writer(store, other, TickingClock(), head).write([opening(other, "2026-11-30")], seal=True)
    store.close()
    assert verify_folder(tmp_path).reason == "T07-2026-11-30.db is sealed with another key than T07-2026-11-29.db"


def test_a_day_after_a_forged_certificate_is_not_begun(open_table: OpenDay) -> None:
    first = open_table("2026-11-29")
    first.close()
    certificate = tear_off_certificate(first.path)
    forged = certificate.replace(b'"records":3', b'"records":4')
    assert forged != certificate
    first.path.write_bytes(first.path.read_bytes() + forged)
    with pytest.raises(JournalDamaged, match="certificate"):
        open_table("2026-11-30")


def test_a_body_larger_than_a_record_is_refused_before_the_disk_sees_it(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    with pytest.raises(JournalUnwritable, match="larger than a record may be"):
        day.writer.write([said(1), said(2, "x" * (BODY_LIMIT + 1))])
    assert verify_file(day.path).records == 1


def test_a_name_that_is_no_journals_is_refused(tmp_path: Path, house_key: Ed25519PrivateKey) -> None:
    with pytest.raises(NotKept, match=r"T07-2026-11-29\.db"):
        open_day(tmp_path / "evening.db", house_key, TickingClock())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lines: [b"{}", *lines[1:]],
        lambda lines: [lines[0], b'"AAAA"', *lines[2:]],
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        lambda lines: [lines[0], b"[]", *lines[2:]],
        lambda lines: lines[:1],
        lambda _lines: [],
    ],
    ids=["no start", "short digest", "out of order", "empty row", "no rows", "nothing"],
)
def test_a_spoilt_slice_is_refused(open_table: OpenDay, spoil: "object") -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 1)
    reader = open_reader(day.path)
    lines = write_slice(journal_records(reader), lambda _: True).split(b"\n")
    reader.close()
    assert callable(spoil)
    with pytest.raises(JournalDamaged):
        read_slice(b"\n".join([*spoil(lines[:-1]), b""]))


@pytest.mark.parametrize("name", ["T07-2026-11-30.db", "T08-2026-11-29.db"])
def test_a_journal_under_the_name_of_another_table_or_day_is_not_good(
    open_table: OpenDay, tmp_path: Path, name: str
) -> None:
    day = open_table("2026-11-29")
    play_rounds(day, 1)
    day.close()
    for place, good in ((name, False), ("a copy.db", True)):
        (tmp_path / place).write_bytes(day.path.read_bytes())
        assert verify_file(tmp_path / place).ok is good
    assert "by its first record T07 2026-11-29" in str(verify_file(tmp_path / name).reason)
