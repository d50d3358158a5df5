"""The house's key: made once, kept by its owner alone."""

from pathlib import Path

import pytest

from table_controller.journal.day import open_day
from table_controller.journal.errors import KeyUnusable
from table_controller.journal.keys import (
    fingerprint,
    house_key,
    key_path,
    load_key,
    make_key,
    public_hex,
    public_key,
)
from table_controller.journal.naming import journal_path
from tests.journal.conftest import TickingClock


def test_a_key_is_read_back_as_it_was_made(tmp_path: Path) -> None:
    made = make_key(tmp_path / "house.key")
    assert load_key(tmp_path / "house.key").private_bytes_raw() == made.private_bytes_raw()


def test_a_key_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    make_key(tmp_path / "house.key")
    assert (tmp_path / "house.key").stat().st_mode & 0o777 == 0o600


def test_a_key_others_may_read_is_refused_with_the_cure(tmp_path: Path) -> None:
    make_key(tmp_path / "house.key")
    (tmp_path / "house.key").chmod(0o640)
    with pytest.raises(KeyUnusable, match="chmod 600"):
        load_key(tmp_path / "house.key")


def test_a_key_is_never_replaced(tmp_path: Path) -> None:
    make_key(tmp_path / "house.key")
    with pytest.raises(KeyUnusable, match="a key is there already"):
        make_key(tmp_path / "house.key")


@pytest.mark.parametrize("content", [b"", b"not hex", b"ab" * 31, b"ab" * 33, b"\xff" * 64])
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "house.key").write_bytes(content)
    (tmp_path / "house.key").chmod(0o600)
    with pytest.raises(KeyUnusable):
        load_key(tmp_path / "house.key")


def test_a_missing_key_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(KeyUnusable, match="krupier key new"):
        load_key(tmp_path / "house.key")


def test_two_houses_have_two_fingerprints(tmp_path: Path) -> None:
    keys = [make_key(tmp_path / name).public_key() for name in ("a", "b")]
    assert fingerprint(keys[0]) != fingerprint(keys[1])
    assert fingerprint(public_key(public_hex(keys[0]))) == fingerprint(keys[0])


def test_the_houses_key_is_made_once_and_a_record_that_has_begun_is_never_sealed_with_another(tmp_path: Path) -> None:
    key = house_key(tmp_path)
    assert public_hex(house_key(tmp_path).public_key()) == public_hex(key.public_key())
    open_day(journal_path(tmp_path, "T07", "2026-11-29"), key, TickingClock()).leave()
    key_path(tmp_path).unlink()
    with pytest.raises(KeyUnusable, match="put it back from the house's safe"):
        house_key(tmp_path)
    assert not key_path(tmp_path).exists()
