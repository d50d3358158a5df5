"""Rows whose bodies are not what their kinds promise are named as damage; nothing falls over them."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from table_controller.journal.certificate import BEGINS, ENDS
from table_controller.journal.complaints import (
    COMPLAINT_CLOSED,
    COMPLAINT_OPENED,
    COMPLAINTS_CARRIED,
    complaints_of,
)
from table_controller.journal.errors import JournalDamaged, JournalError
from table_controller.journal.evidence import EVIDENCE_KEPT, Evidence
from table_controller.journal.folder import verify_folder
from table_controller.journal.record import Draft
from table_controller.journal.retention import HOLD_LIFTED, HOLD_PLACED, HOLDS_CARRIED, PURGED, holds_of
from table_controller.journal.slice import write_slice
from table_controller.journal.verify import verify_file
from table_controller.replay.opening import OPENING_STATE, load
from tests.evening import rows
from tests.journal.conftest import OpenDay, tear_off_certificate

DEEP = 200_000
BODIES = {
    "no json": b"paid",
    "another shape": b"[]",
    "no text": b'"\xff"',
    "nested": b'{"x":' + b"[" * DEEP + b"]" * DEEP + b"}",
}
each_body = pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())


def written(open_table: OpenDay, kind: str, body: bytes) -> Path:
    """A day with one row of that kind, its second, sealed by the house."""
    day = open_table("2026-11-29")
    day.writer.write([Draft(kind=kind, body=body, round=1, source="journal")], seal=True)
    return day.path


@each_body
@pytest.mark.parametrize(
    ("kind", "read"),
    [
        *((kind, complaints_of) for kind in (COMPLAINT_OPENED, COMPLAINT_CLOSED, COMPLAINTS_CARRIED)),
        *((kind, holds_of) for kind in (HOLD_PLACED, HOLD_LIFTED, HOLDS_CARRIED)),
    ],
)
def test_a_note_that_cannot_be_read_is_named(
    open_table: OpenDay, kind: str, read: Callable[[Path], object], body: bytes
) -> None:
    path = written(open_table, kind, body)
    with pytest.raises(JournalDamaged) as damage:
        read(path)
    assert damage.value.seq == 2


@each_body
def test_a_purge_that_cannot_be_read_makes_the_folder_bad(open_table: OpenDay, body: bytes) -> None:
    path = written(open_table, PURGED, body)
    assert verify_file(path).ok
    assert verify_folder(path.parent).reason == f"record 2 cannot be read as {PURGED}"


@each_body
def test_evidence_that_cannot_be_read_is_the_first_bad_record(open_table: OpenDay, body: bytes) -> None:
    assert verify_file(written(open_table, EVIDENCE_KEPT, body)).first_bad == 2


@pytest.mark.parametrize("name", ["../house.key", "/etc/passwd", "..", ".", "", "a/b", "..\\key", "a\x00b", "x" * 256])
def test_evidence_never_lies_outside_its_folder(open_table: OpenDay, name: str) -> None:
    body = msgspec.json.encode(Evidence(name, "00" * 32))
    verdict = verify_file(written(open_table, EVIDENCE_KEPT, body))
    assert (verdict.first_bad, verdict.reason) == (2, "record 2 names evidence that is no plain file name")


@each_body
def test_a_day_that_opens_with_no_state_is_refused_in_one_line(open_table: OpenDay, body: bytes) -> None:
    path = written(open_table, OPENING_STATE, body)
    with pytest.raises(JournalError, match="record 2"):
        load(path, pytest.fail)


def test_a_certificate_nested_too_deep_is_damage(open_table: OpenDay) -> None:
    day = open_table("2026-11-29")
    day.close()
    tear_off_certificate(day.path)
    deep = b"[" * 1900
    day.path.write_bytes(day.path.read_bytes() + BEGINS + b'"x":' + deep + ENDS)
    verdict = verify_file(day.path)
    assert (verdict.ok, "certificate" in str(verdict.reason)) == (False, True)


def test_a_body_that_is_no_text_has_no_place_in_a_slice(open_table: OpenDay) -> None:
    path = written(open_table, "event.bet_placed", b"\xff")
    with pytest.raises(JournalDamaged, match="record 2 is no text"):
        write_slice(rows(path), lambda _: True)
