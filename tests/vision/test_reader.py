"""What the reader lets the table act on, with scripted networks."""

import numpy as np
import pytest

from table_controller.core.cards import Card
from tests.vision.scripts import FELT, ScriptedClassifier, ScriptedDetector, opinion, overturned, sure, upright
from vision.classifier import pooled
from vision.detector import Kind, Mark, decode, distinct
from vision.geometry import box_quad
from vision.reader import Reader, Reading, search_scales


def read(marks: list[Mark], *opinions: object, threshold: float = 0.9) -> Reading:
    classifier = ScriptedClassifier(list(opinions))  # type: ignore[arg-type]
    return Reader(ScriptedDetector(marks), classifier, threshold).read(FELT, scales=[1.0])


def index_mark(x: float, y: float, score: float = 0.8) -> Mark:
    return Mark(Kind.INDEX, upright(x, y), score)


def test_a_sure_index_is_a_card() -> None:
    (card,) = read([index_mark(50, 50)], sure("KS")).cards
    assert card.card == Card.parse("KS")


def test_c02_one_index_that_may_be_eight_or_six_is_one_unreadable_place() -> None:
    """Two boxes on one object, IoU 0.95: never two cards, and not one on this frame alone."""
    marks = [index_mark(50, 50, 0.83), index_mark(50.3, 50.3, 0.79)]
    seen = read(marks, opinion(c8H=0.83, c6H=0.1), opinion(c8H=0.83, c6H=0.1), opinion(c6H=0.79), opinion(c6H=0.79))
    assert seen.cards == ()
    assert len(seen.unreadable) == 1


def test_an_index_below_the_threshold_is_listed_as_unreadable() -> None:
    seen = read([index_mark(50, 50)], sure("KS", 0.7))
    assert (len(seen.cards), len(seen.unreadable)) == (0, 1)


def test_c10_a_card_with_one_corner_under_glare_is_read_from_the_clean_one() -> None:
    marks = [index_mark(50, 50), Mark(Kind.INDEX, overturned(130, 160), 0.5)]
    seen = read(marks, sure("7D"), sure("7D"), sure("7D", 0.3))
    assert [str(card.card) for card in seen.cards] == ["7D"]


def test_c10_a_card_with_both_corners_under_glare_is_unreadable() -> None:
    marks = [index_mark(50, 50), Mark(Kind.INDEX, overturned(130, 160), 0.5)]
    assert read(marks, sure("7D", 0.3)).cards == ()


def test_print_on_the_felt_that_the_detector_half_believes_troubles_nobody() -> None:
    assert read([index_mark(50, 50, 0.2)], sure("KS", 0.05)) == Reading((), (), ())


def test_an_index_of_another_alphabet_is_unreadable_not_ignored() -> None:
    """The detector is sure, the classifier rejects."""
    seen = read([index_mark(50, 50, 0.8)], sure("KS", 0.05))
    assert (len(seen.cards), len(seen.unreadable)) == (0, 1)


def test_an_index_of_sixteen_pixels_is_never_let_through() -> None:
    tiny = Mark(Kind.INDEX, upright(50, 50, height=16, width=8), 0.9)
    seen = read([tiny], sure("KS", 0.999))
    assert (len(seen.cards), len(seen.unreadable)) == (0, 1)


TALL = Mark(Kind.INDEX, upright(50, 60, height=40, width=18), 0.95)
SMALL = Mark(Kind.INDEX, upright(150, 52, height=20, width=9), 0.9)


def test_a_card_pictured_on_a_back_is_no_card_beside_a_real_one() -> None:
    back = Mark(Kind.BACK, box_quad(140, 35, 220, 147), 0.9)
    seen = read([TALL, SMALL, back], sure("KS"), sure("KS"), sure("AS"))
    assert [str(card.card) for card in seen.cards] == ["KS"]
    assert (len(seen.face_down), seen.unreadable) == (1, ())


def test_an_index_far_smaller_than_the_others_is_asked_about() -> None:
    seen = read([TALL, SMALL], sure("KS"), sure("KS"), sure("AS"))
    assert ([str(card.card) for card in seen.cards], len(seen.unreadable)) == (["KS"], 1)


def test_a_loose_photograph_may_show_cards_near_and_far() -> None:
    classifier = ScriptedClassifier([sure("KS"), sure("KS"), sure("AS")])
    marks = ScriptedDetector([TALL, SMALL])
    assert len(Reader(marks, classifier, 0.9).read(FELT).cards) == 2


def test_a_back_is_face_down_and_nothing_is_read_on_it() -> None:
    back = Mark(Kind.BACK, box_quad(20, 20, 90, 120), 0.9)
    seen = read([back, index_mark(50, 50)], sure("AS"))
    assert seen.cards == ()
    assert len(seen.face_down) == 1


def test_a_sure_index_in_its_corner_shows_that_a_back_was_a_face() -> None:
    back = Mark(Kind.BACK, box_quad(40, 35, 120, 147), 0.9)
    seen = read([back, index_mark(50, 52)], sure("AS"))
    assert [str(card.card) for card in seen.cards] == ["AS"]
    assert seen.face_down == ()


def test_an_empty_felt_has_nothing_on_it() -> None:
    assert read([], sure("AS")) == Reading((), (), ())


def test_of_two_marks_on_one_thing_the_better_stays_whatever_its_kind() -> None:
    marks = [Mark(Kind.INDEX, upright(50, 50), 0.6), Mark(Kind.BACK, upright(51, 51), 0.7), index_mark(90, 90)]
    assert [mark.score for mark in distinct(marks)] == [0.8, 0.7]


def test_the_networks_columns_become_quads_in_reading_order() -> None:
    column = np.zeros((19, 3), np.float32)
    column[4, 1] = 0.75
    column[7:19, 1] = [10, 20, 2, 30, 20, 2, 30, 60, 2, 10, 60, 2]
    (mark,) = decode(column, 0.25)
    assert (mark.kind, mark.score) == (Kind.INDEX, 0.75)
    assert mark.quad.tolist() == [[10, 20], [30, 20], [30, 60], [10, 60]]


def test_even_a_very_small_picture_is_searched() -> None:
    assert search_scales(np.zeros((100, 80, 3), np.uint8)) == [1.8]


def test_a_small_picture_is_searched_enlarged_and_a_large_one_reduced() -> None:
    assert max(search_scales(np.zeros((300, 400, 3), np.uint8))) > 1
    assert max(search_scales(np.zeros((3000, 4000, 3), np.uint8))) < 1


def test_looks_that_were_cut_badly_do_not_outvote_the_good_ones() -> None:
    said = pooled([sure("9C", 0.98), sure("9C", 0.96), sure("9C", 0.3), sure("9C", 0.1)])
    assert said.confidence == pytest.approx(0.97, abs=0.001)


def test_looks_that_name_two_cards_are_sure_of_neither() -> None:
    said = pooled([sure("9C", 0.98), sure("9C", 0.98), sure("9S", 0.98), sure("9S", 0.98)])
    assert said.confidence == pytest.approx(0.49)


def test_a_single_look_is_taken_as_it_is() -> None:
    assert pooled([sure("9C", 0.7)]).confidence == pytest.approx(0.7)


def test_a_doubt_about_the_name_weighs_more_than_one_about_being_an_index() -> None:
    assert opinion(c9C=0.9, c9S=0.1).confidence == pytest.approx(0.9)
    assert opinion(c9C=0.9).confidence == pytest.approx(0.9**0.5)
