"""The pips of a whole card confirm its rank or contradict it; whatever is not clearly pips says nothing."""

import cv2
import numpy as np
import pytest

from tests.vision.scripts import index, opinion, overturned, upright
from vision.cardsheet import assemble
from vision.geometry import Image, Quad, box_quad
from vision.pips import counted, weighed
from vision.reader import witnessed

WIDTH, HEIGHT = 240, 336
OUTLINE = box_quad(0, 0, WIDTH, HEIGHT)
OUTER = {3: (0.2, 0.8), 4: (0.2, 0.8), 5: (0.2, 0.5, 0.8), 6: (0.2, 0.5, 0.8), 7: (0.2, 0.5, 0.8)}
OUTER |= {8: (0.2, 0.4, 0.6, 0.8), 9: (0.2, 0.4, 0.6, 0.8)}
INNER = {1: (0.2, 0.8), 2: (0.2, 0.5, 0.8), 4: (0.5,), 6: (0.35,), 7: (0.35, 0.65), 8: (0.5,), 9: (0.3, 0.7)}


def drawn(rank: int, colour: tuple[int, int, int] = (30, 30, 190)) -> Image:
    face = np.full((HEIGHT, WIDTH, 3), 240, np.uint8)
    places = [(x, y) for y in OUTER.get(rank, ()) for x in (0.3, 0.7)] + [(0.5, y) for y in INNER.get(rank, ())]
    for x, y in places:
        cv2.circle(face, (round(x * WIDTH), round(y * HEIGHT)), 20, colour, -1)
    return face


@pytest.mark.parametrize("rank", range(1, 10))
def test_the_pips_of_every_number_are_counted(rank: int) -> None:
    assert counted(drawn(rank), OUTLINE) == rank


@pytest.mark.parametrize("rank", range(1, 10))
def test_a_card_turned_half_round_and_askew_counts_the_same(rank: int) -> None:
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 172, 0.6)
    table = cv2.warpAffine(drawn(rank), turn, (WIDTH, HEIGHT), borderValue=(60, 90, 20))
    outline = np.asarray(cv2.transform(OUTLINE[None], turn)[0], np.float32)
    assert counted(np.asarray(table, np.uint8), outline) == rank


@pytest.mark.parametrize("rank", range(1, 10))
def test_a_covered_pip_silences_the_witness_or_leaves_the_truth(rank: int) -> None:
    face: Image = drawn(rank)
    face[: HEIGHT // 2, WIDTH * 11 // 20 :] = (60, 90, 20)
    assert counted(face, OUTLINE) in (None, rank)


def test_a_court_an_ace_and_an_empty_card_say_nothing() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (HEIGHT, WIDTH, 3)).astype(np.uint8)
    court = np.asarray(cv2.blur(noise, (9, 9)), np.uint8)
    assert [counted(face, OUTLINE) for face in (court, drawn(0), drawn(12))] == [None] * 3


def test_a_card_of_too_few_pixels_says_nothing() -> None:
    small = np.asarray(cv2.resize(drawn(4), (36, 50), interpolation=cv2.INTER_AREA), np.uint8)
    assert counted(small, box_quad(0, 0, 36, 50)) is None


def test_pips_confirm_the_rank_but_not_the_suit() -> None:
    said = weighed(opinion(c8H=0.6, c6H=0.3, c8D=0.05), 7)
    assert str(said.card) == "8H"
    assert said.confidence == pytest.approx(0.95**0.5 * 0.6 / 0.655, abs=0.01)


def test_pips_that_contradict_a_sure_index_make_it_unsure() -> None:
    said = weighed(opinion(c8H=0.98, c6H=0.01), 5)
    assert said.confidence < 0.9


def test_the_pips_never_make_an_index_of_what_is_none() -> None:
    doubtful = opinion(c8H=0.2)
    assert weighed(doubtful, 7).reality == pytest.approx(doubtful.reality)


def test_only_the_indices_in_the_corners_of_the_whole_card_are_weighed() -> None:
    face: Image = drawn(7)
    table = np.full((HEIGHT, 3 * WIDTH, 3), 60, np.uint8)
    table[:, :WIDTH] = face
    corner: Quad = upright(24, 40, height=50, width=26)
    beside: Quad = upright(WIDTH * 2, 40, height=50, width=26)
    own, other = witnessed(table, [index(corner, "6H", 0.9), index(beside, "6H", 0.9)], [OUTLINE])
    assert own.opinion.confidence < 0.8
    assert other.opinion.confidence == pytest.approx(0.9)
    assert len(assemble([own, other], [OUTLINE])) == 2


def test_a_card_laid_upon_another_is_not_weighed_with_the_pips_of_the_one_below() -> None:
    """Its index lies beside the lower card's second corner, whose two corners agree."""
    below = [index(upright(26, 45, height=40), "8H", 0.99), index(overturned(214, 291, height=40), "8H", 0.99)]
    above = index(overturned(180, 282, height=40), "JS", 0.98)
    heard = witnessed(drawn(7), [*below, above], [OUTLINE])
    assert heard[2] is above
    assert str(heard[0].opinion.card) == "8H"
