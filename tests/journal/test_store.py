"""One contract for every home of the record."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.journal.chain import GENESIS, Head, extend
from table_controller.journal.errors import AppendConflict
from table_controller.journal.record import Draft, Moment, Record
from table_controller.journal.sqlite_store import open_reader, open_store
from table_controller.journal.store import MemoryStore, Store


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    home: Store = MemoryStore() if request.param == "memory" else open_store(tmp_path / "T07-2026-11-29.db")
    yield home
    home.close()


def rows(count: int, head: Head | None = None) -> list[Record]:
    made: list[Record] = []
    head = head or Head(0, GENESIS)
    for number in range(count):
        draft = Draft(kind="event.card_dealt", body=b'{"card":"KS"}', source="shoe", source_seq=number, boot_id="b1")
        made.append(extend(head, draft, Moment(1, 2), bytes(16)))
        head = Head(made[-1].seq, made[-1].hash)
    return made


def test_an_empty_record_has_no_head(store: Store) -> None:
    assert store.head() is None
    assert store.read(0) == []


def test_what_was_appended_is_read_back_unchanged(store: Store) -> None:
    written = rows(3)
    store.append(written)
    assert store.read(0) == written


def test_a_reader_follows_by_number(store: Store) -> None:
    written = rows(5)
    store.append(written)
    assert store.read(2, 2) == written[2:4]
    assert store.read(5) == []


def test_the_head_is_the_last_row(store: Store) -> None:
    written = rows(3)
    store.append(written)
    assert store.head() == Head(3, written[-1].hash)


def test_rows_that_skip_a_number_are_refused_and_none_is_kept(store: Store) -> None:
    written = rows(3)
    store.append(written[:1])
    with pytest.raises(AppendConflict):
        store.append(written[2:])
    assert store.read(0) == written[:1]


def test_rows_of_another_course_of_the_day_are_refused(store: Store) -> None:
    store.append(rows(2))
    with pytest.raises(AppendConflict):
        store.append(rows(1, Head(2, bytes(32))))
    assert store.head() == Head(2, rows(2)[-1].hash)


def test_appending_twice_is_refused_and_changes_nothing(store: Store) -> None:
    store.append(rows(2))
    with pytest.raises(AppendConflict):
        store.append(rows(2))
    assert store.read(0) == rows(2)


def test_a_reader_beside_the_writer_sees_each_append(tmp_path: Path) -> None:
    writer = open_store(tmp_path / "T07-2026-11-29.db")
    reader = open_reader(tmp_path / "T07-2026-11-29.db")
    written = rows(2)
    for number in (0, 1):
        writer.append(written[number : number + 1])
        assert reader.read(number) == [written[number]]
    reader.close()
    writer.close()
