"""The weights in models/ on small rendered tables of decks they never saw. Case numbers: the collected reports."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from table_controller.cli import main
from vision import passes, weights
from vision.enrolment import Head
from vision.geometry import Image
from vision.health import faults
from vision.picture import load
from vision.profile import DeckProfile, ProfileRefused, load_replay
from vision.reader import Reader, Reading, shipped

DATA = Path(__file__).with_name("data")
TRUTH: dict[str, list[str]] = json.loads((DATA / "truth.json").read_text("utf-8"))
FIELDS = {"image", "width", "height", "cards", "unreadable", "face_down", "ms"}


@cache
def eyes() -> Reader:
    return shipped(weights.find())


def photo(name: str) -> Image:
    return load(DATA / name)


def names(seen: Reading) -> list[str]:
    return sorted(str(card.card) for card in seen.cards)


@pytest.mark.parametrize("name", TRUTH)
def test_all_cards_of_a_clear_picture_are_read_and_nothing_else(name: str) -> None:
    assert names(eyes().read(photo(name))) == sorted(TRUTH[name])


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("name", ["six_of_spades.jpg", "nine_of_spades.jpg"])
def test_c08_six_and_nine_are_told_apart_at_any_quarter_turn(name: str, quarters: int) -> None:
    turned = np.ascontiguousarray(np.rot90(photo(name), quarters))
    assert names(eyes().read(turned)) == TRUTH[name]


def blobbed(image: Image, corners: list[tuple[int, int]]) -> Image:
    """A white reflection over each of the places."""
    image = image.copy()
    for corner in corners:
        cv2.circle(image, corner, 17, (255, 255, 255), -1)
    return cv2.GaussianBlur(image, (0, 0), 1.0).astype(np.uint8)


UPPER, LOWER = (122, 101), (198, 217)


def test_c10_glare_over_both_corners_makes_a_card_unreadable() -> None:
    assert eyes().read(blobbed(photo("six_of_spades.jpg"), [UPPER, LOWER])).cards == ()


@pytest.mark.parametrize("corner", [UPPER, LOWER])
def test_c10_glare_over_one_corner_leaves_the_clean_one(corner: tuple[int, int]) -> None:
    assert names(eyes().read(blobbed(photo("six_of_spades.jpg"), [corner]))) == ["6S"]


@pytest.mark.parametrize("name", TRUTH)
def test_c10_ten_grey_levels_of_contrast_never_give_a_guessed_rank(name: str) -> None:
    dim = (photo(name).astype(np.float32) / 255 * 10 + 60).astype(np.uint8)
    assert set(names(eyes().read(dim))) <= set(TRUTH[name])
    assert "lighting: hardly any contrast" in faults(dim)


def test_two_equal_queens_are_two_cards() -> None:
    assert names(eyes().read(photo("pair.jpg"))) == ["QH", "QH"]


def test_felt_without_cards_has_none() -> None:
    felt = photo("pair.jpg")[:60]
    assert eyes().read(np.ascontiguousarray(felt)).cards == ()


def test_read_prints_one_line_for_each_picture_and_names_the_broken_one(tmp_path: Path) -> None:
    broken = tmp_path / "letter.jpg"
    broken.write_text("not a picture")
    result = CliRunner().invoke(main, ["read", str(DATA / "pair.jpg"), str(broken), str(DATA / "six_of_spades.jpg")])
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 2
    assert [Path(line["image"]).name for line in lines] == ["pair.jpg", "six_of_spades.jpg"]
    assert all(set(line) >= FIELDS for line in lines)
    assert result.stderr.splitlines() == [f"krupier: {broken}: not a picture OpenCV can decode; JPEG and PNG work"]


def test_read_gives_the_fields_of_the_contract() -> None:
    result = CliRunner().invoke(main, ["read", str(DATA / "six_of_spades.jpg")])
    (line,) = [json.loads(text) for text in result.stdout.splitlines()]
    (card,) = line["cards"]
    assert result.exit_code == 0
    assert (line["width"], line["height"], card["rank"], card["suit"]) == (320, 320, "6", "S")
    assert 0.5 < card["confidence"] <= 1
    assert all(len(index) == 4 for index in card["indices"])


def test_a_deck_shown_in_part_is_not_complete() -> None:
    result = CliRunner().invoke(main, ["deckcheck", str(DATA / "six_of_spades.jpg")])
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert len(report["missing"]) == 51


def test_c09_a_check_is_stored_with_deck_and_model_and_a_failed_one_makes_nothing_ready(tmp_path: Path) -> None:
    book = tmp_path / "decks.jsonl"
    CliRunner().invoke(main, ["deckcheck", "--store", "blue", str(book), str(DATA / "six_of_spades.jpg")])
    (check,) = passes.checks(book)
    assert (check.deck, check.model, check.passed) == ("blue", weights.find().model, False)
    assert not passes.ready(book, "blue", 1, passes.Eyes(weights.find().model))


def test_a_deck_shown_in_part_is_not_learnt(tmp_path: Path) -> None:
    profile = tmp_path / "house.npz"
    result = CliRunner().invoke(main, ["deckcheck", "--learn", str(profile), str(DATA / "six_of_spades.jpg")])
    assert "52 wanted" in result.stderr
    assert not profile.exists()


def test_a_profile_that_changes_nothing_reads_the_same(tmp_path: Path) -> None:
    manifest, path = weights.find(), tmp_path / "house.npz"
    DeckProfile(manifest.fingerprint, tuple(_still(len(manifest.classifiers)))).save(path)
    result = CliRunner().invoke(main, ["read", "--deck", str(path), str(DATA / "pair.jpg")])
    assert [card["rank"] + card["suit"] for card in json.loads(result.stdout)["cards"]] == ["QH", "QH"]


def _still(count: int) -> list[Head]:
    return [Head(np.zeros((129, 13)), np.zeros((129, 4))) for _ in range(count)]


def test_a_profile_learnt_with_other_weights_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "house.npz"
    DeckProfile("other weights", ()).save(path)
    with pytest.raises(ProfileRefused, match="other weights"):
        DeckProfile.load(path, "these weights")


def test_a_profile_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "house.npz"
    path.write_text("not a profile")
    result = CliRunner().invoke(main, ["read", "--deck", str(path), str(DATA / "pair.jpg")])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_the_kept_answers_fit_the_shipped_networks() -> None:
    manifest = weights.find()
    for kept in load_replay(manifest.replay, len(manifest.classifiers)):
        right = (kept.rank.argmax(axis=1) * 4 + kept.suit.argmax(axis=1) == kept.cards).mean()
        assert len(kept.cards) > 300
        assert right > 0.7


def test_the_weights_stay_below_twenty_megabytes() -> None:
    manifest = weights.find()
    assert sum(path.stat().st_size for path in (manifest.detector, *manifest.classifiers)) < 20_000_000
