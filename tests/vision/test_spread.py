"""Decks spread before a camera: faces, the same cards turned over, and single cards shown again. Drawn cards."""

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from table_controller.cli import main
from table_controller.core.cards import PACK
from tests.vision.laid_out import FOREIGN, PITCH, Held, alone, cloth, sensed, spread
from tests.vision.seeing import shipped_eyes
from tests.vision.six_decks import tried
from vision import passes
from vision.backs import at_place, foreign, look, usual
from vision.deckcheck import check
from vision.geometry import Image, Quad, box_quad
from vision.reader import Reading
from vision.rendered import deck, paint
from vision.rendered.places import Stance
from vision.shown import Decks
from vision.spread import Laid, gathered, in_rows, paired

STRANGE = PACK[7]


def quads(*places: tuple[float, float]) -> list[Quad]:
    """Cards of 63 by 89 pixels with these upper left corners."""
    return [box_quad(x, y, x + 63, y + 89) for x, y in places]


def laid(*places: tuple[float, float]) -> list[Laid]:
    return [Laid(quad, PACK[0]) for quad in quads(*places)]


def test_cards_are_counted_row_by_row_even_where_the_rows_slope() -> None:
    assert in_rows(quads((70, 20), (0, 0), (0, 110), (140, 40), (70, 130))) == [1, 0, 3, 2, 4]


def test_a_card_turned_over_where_it_lay_has_the_back_nearest_to_it() -> None:
    pairs = paired(laid((0, 0), (70, 0)), quads((74, 5), (-3, 2)))
    assert (pairs.backs, pairs.spare) == ((1, 0), ())


def test_a_back_where_no_face_was_read_is_a_card_to_be_shown_again() -> None:
    assert paired(laid((0, 0)), quads((0, 0), (70, 0))).spare == (1,)


def test_two_corners_that_one_back_covers_are_one_card_and_marks_on_a_card_seen_whole_are_none() -> None:
    corners = [Laid(box_quad(2, 3, 12, 26), None), Laid(box_quad(50, 60, 60, 84), PACK[4])]
    known = Laid(box_quad(70, 0, 133, 89), PACK[0])
    mark = Laid(box_quad(90, 30, 100, 50), None)
    stray = Laid(box_quad(300, 30, 310, 50), None)
    found = gathered([*corners, known, mark, stray], quads((0, 0), (70, 0)))
    assert [one.card for one in found] == [None, PACK[0], None]
    assert paired(found[:2], quads((0, 0), (70, 0))).backs == (0, 1)
    assert found[2] is stray


def lying(places: Sequence[tuple[int, int]], empty: Sequence[int] = ()) -> tuple[Image, list[Quad]]:
    """A drawn cloth with cards turned over, of backs (see FOREIGN) at columns of one row; and each column's outline."""
    rng = np.random.default_rng(11)
    image, sight = cloth(5, 1, rng)
    for column, back in places:
        if column not in empty:
            paint.lay(image, FOREIGN[back], Stance(column * PITCH[0], 0.0, 180.0), sight)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([deck.CARD_WIDTH_MM, deck.CARD_HEIGHT_MM]) / 2
    outlines = [sight.to_picture(half + np.array([column * PITCH[0], 0.0])) for column in range(5)]
    return sensed(image, rng), [np.asarray(outline, np.float32) for outline in outlines]


HOUSE_ROW = [(column, 0) for column in range(5)]


@pytest.mark.parametrize(("larger", "askew"), [(1.1, 0), (1.12, 3), (0.9, 0), (1.05, -4)])
def test_the_houses_back_is_the_houses_though_its_outline_was_found_too_large_or_askew(
    larger: float, askew: float
) -> None:
    image, outlines = lying(HOUSE_ROW)
    house = usual([look(image, outline) for outline in outlines])
    assert house is not None
    turn = cv2.getRotationMatrix2D((0.0, 0.0), askew, larger)[:, :2]
    middle = outlines[2].mean(axis=0)
    found = np.asarray(middle + (outlines[2] - middle) @ turn.T, np.float32)
    assert foreign(look(image, found), house) is False


@pytest.mark.parametrize("back", [1, 2, 3])
def test_a_back_whose_outline_was_not_seen_is_told_by_where_its_face_lay(back: int) -> None:
    image, outlines = lying([(0, 0), (1, 0), (2, back), (3, 0), (4, 0)])
    house = usual([look(image, outlines[column]) for column in (0, 1, 3, 4)])
    there = at_place(image, outlines[2])
    assert house is not None
    assert there is not None
    assert foreign(there, house) is True


def test_where_a_face_lay_and_nothing_lies_now_there_is_no_back() -> None:
    image, outlines = lying(HOUSE_ROW, empty=[2])
    assert at_place(image, outlines[2]) is None
    assert at_place(image, outlines[1]) is not None


def test_backs_one_place_along_are_to_be_taken_again_and_say_nothing_of_any_card() -> None:
    """Otherwise every card would get its neighbour's back, and a foreign one the wrong name."""
    _, outlines = lying(HOUSE_ROW)
    moved, _ = lying(HOUSE_ROW, empty=[0])
    faces = Reading((), (), (), tuple(outlines[:4]))
    turned = Reading((), (), tuple(outlines[1:]))
    shown = Decks(lambda image: turned if image is moved else faces)
    shown.show([np.zeros_like(moved)], [moved])
    assert shown.retake == [0]
    assert [one.foreign for one in shown.cards] == [None] * 4


def test_the_usual_back_is_what_most_are_and_among_two_nobody_can_say() -> None:
    house, other = np.full((4, 3, 4), 100, np.float32), np.full((4, 3, 4), 110, np.float32)
    middle = usual([house, house, other])
    assert middle is not None
    assert (foreign(house, middle), foreign(other, middle), foreign(house + 3, middle)) == (False, True, None)
    assert usual([house, other]) is None


def test_a_foreign_back_alone_fails_the_check() -> None:
    assert check(PACK, foreign=(PACK[3],)).passed is False


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty-six cards, one of another house, in two pictures of faces and two of backs; and the card shown alone."""
    folder = tmp_path_factory.mktemp("deck")
    for name in ("faces", "backs"):
        (folder / name).mkdir()
    cards = [Held(card, int(card == STRANGE)) for card in PACK[:26]]
    for number, start in enumerate((0, 13)):
        for name, image in zip(("faces", "backs"), spread(cards[start : start + 13], 5 + number), strict=True):
            cv2.imwrite(str(folder / name / f"{number}.png"), image)
    return folder


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["deckcheck", *map(str, words)])


def test_a_card_with_a_foreign_back_is_named_by_its_face_and_the_book_says_who_looked(
    dealt: Path, tmp_path: Path
) -> None:
    book = tmp_path / "book.jsonl"
    result = run(dealt / "faces", "--backs", dealt / "backs", "--store", "blue", book, "--by", "anna")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["cards"], told["foreign_back"]) == (1, 26, [str(STRANGE)])
    assert len(told["missing"]) == 26 + told["unreadable"]
    (kept,) = passes.checks(book)
    assert (kept.by, kept.passed, len(kept.pictures)) == ("anna", False, 4)


@pytest.mark.parametrize(("language", "word"), [("pl", "Brakuje: "), ("en", "Missing: "), ("ru", "Не хватает: ")])
def test_the_same_is_said_in_words(dealt: Path, language: str, word: str) -> None:
    result = run(dealt / "faces" / "0.png", "--lang", language)
    assert word in result.stdout
    assert result.exit_code == 1


def test_a_picture_of_backs_too_few_is_refused(dealt: Path) -> None:
    result = run(dealt / "faces", "--backs", dealt / "backs" / "0.png")
    assert (result.exit_code, result.stderr) == (
        2,
        "krupier: 2 pictures of faces, but 1 of backs; take one of each\n",
    )


def test_a_covered_card_is_asked_for_and_named_when_it_is_shown_again(dealt: Path, tmp_path: Path) -> None:
    covered, again = tmp_path / "covered.png", tmp_path / "again.png"
    image = cv2.imread(str(dealt / "faces" / "0.png"))
    assert image is not None
    cv2.rectangle(image, (70, 70), (175, 150), (200, 210, 220), -1)
    cv2.imwrite(str(covered), image)
    cv2.imwrite(str(again), alone(Held(PACK[0]), 3))
    backs = dealt / "backs" / "0.png"
    before = json.loads(run(covered, "--backs", backs).stdout)
    after = json.loads(run(covered, "--backs", backs, "--again", again).stdout)
    assert [(one["row"], one["place"], one["what"]) for one in before["again"]] == [(1, 1, "face")]
    assert (before["unreadable"], after["unreadable"]) == (1, 0)
    assert str(PACK[0]) in before["missing"]
    assert str(PACK[0]) not in after["missing"]


def test_two_cards_shown_at_once_instead_of_the_one_asked_for_change_nothing(dealt: Path) -> None:
    image = cv2.imread(str(dealt / "faces" / "0.png"))
    assert image is not None
    picture = np.asarray(image, np.uint8)
    decks = Decks(shipped_eyes().read)
    covered = cv2.rectangle(picture.copy(), (70, 70), (175, 150), (200, 210, 220), -1)
    decks.show([np.asarray(covered, np.uint8)], [])
    asked = decks.asked
    decks.again([picture])
    assert asked
    assert decks.asked == asked


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_pack_with_a_card_missing_doubled_and_foreign_names_exactly_those(seed: int) -> None:
    """Six packs, twenty times: make campaign-deckcheck."""
    found = tried(seed, decks=1)
    assert found.exact, found
    assert found.wrong == 0
