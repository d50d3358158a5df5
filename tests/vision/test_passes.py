"""A deck that was not proved complete with the very eyes that will watch it is not dealt."""

from dataclasses import replace
from pathlib import Path

import pytest

from vision.passes import BookDamaged, DeckPass, Eyes, checks, keep, profile_id, ready

EYES = Eyes("model-a")
GOOD = DeckPass("blue seven", 1, "2026-11-30T10:00:00+00:00", "model-a", "", passed=True)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return tmp_path / "decks.jsonl"


def test_c09_without_a_stored_pass_no_deck_is_ready(book: Path) -> None:
    assert not ready(book, "blue seven", 1, EYES)


def test_c09_a_full_correct_pass_is_stored_with_model_and_deck_and_makes_that_deck_ready(book: Path) -> None:
    keep(book, GOOD)
    assert list(checks(book)) == [GOOD]
    assert ready(book, "blue seven", 1, EYES)


@pytest.mark.parametrize(
    ("deck", "decks", "eyes"),
    [
        ("red seven", 1, EYES),
        ("blue seven", 6, EYES),
        ("blue seven", 1, Eyes("model-b")),
        ("blue seven", 1, Eyes("model-a", "learnt")),
    ],
)
def test_c09_a_pass_counts_for_no_other_deck_number_of_packs_model_or_profile(
    book: Path, deck: str, decks: int, eyes: Eyes
) -> None:
    keep(book, GOOD)
    assert not ready(book, deck, decks, eyes)


def test_c09_a_later_failed_check_takes_the_pass_away(book: Path) -> None:
    keep(book, GOOD)
    keep(book, replace(GOOD, passed=False))
    assert not ready(book, "blue seven", 1, EYES)
    keep(book, GOOD)
    assert ready(book, "blue seven", 1, EYES)


@pytest.mark.parametrize("line", ["{", "[]", '{"deck": "blue seven"}', '"text"'])
def test_a_damaged_book_is_named_and_makes_nothing_ready(book: Path, line: str) -> None:
    keep(book, GOOD)
    with book.open("a") as lines:
        lines.write(line + "\n")
    with pytest.raises(BookDamaged, match="line 2"):
        ready(book, "blue seven", 1, EYES)


def test_a_check_whose_result_is_no_truth_value_makes_nothing_ready(book: Path) -> None:
    keep(book, GOOD)
    book.write_text(book.read_text().replace("true", '"no"'))
    with pytest.raises(BookDamaged):
        ready(book, "blue seven", 1, EYES)


def test_two_profiles_have_two_ids_and_none_has_the_empty_one(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"1")
    other.write_bytes(b"2")
    assert profile_id(one) != profile_id(other)
    assert profile_id(None) == ""
