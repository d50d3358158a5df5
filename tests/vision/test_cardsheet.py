"""Which indices belong to one card? Case numbers are those of the collected reports of users of similar systems."""

import numpy as np
import pytest

from table_controller.core.cards import Card
from tests.vision.scripts import index, opinion, overturned, upright
from vision.cardsheet import IndexReading, assemble, corner_misfit
from vision.geometry import Quad, box_quad


def turned(quad: Quad, degrees: float) -> Quad:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(quad @ np.array([[cosine, sine], [-sine, cosine]]), np.float32)


def test_c01_one_nine_with_both_corners_visible_is_one_card() -> None:
    (card,) = assemble([index(upright(10, 15), "9H"), index(overturned(90, 125), "9H")])
    assert card.card == Card.parse("9H")
    assert len(card.indices) == 2


def test_c01_two_equal_nines_that_show_one_corner_each_are_two_cards() -> None:
    found = assemble([index(upright(10, 15), "9H"), index(upright(35, 15), "9H")])
    assert [card.card for card in found] == [Card.parse("9H")] * 2


def test_c05_a_second_two_of_spades_45_pixels_away_is_kept() -> None:
    found = assemble([index(upright(10, 15), "2S"), index(upright(55, 15), "2S")])
    assert len(found) == 2


def test_an_equal_card_laid_half_round_beside_another_is_a_second_card() -> None:
    """Opposite directions alone do not make one card: these two lie side by side."""
    assert len(assemble([index(upright(10, 15), "7C"), index(overturned(90, 20), "7C")])) == 2


def test_an_overturned_corner_behind_the_rank_is_no_partner() -> None:
    assert corner_misfit(index(upright(90, 125), "7C"), index(overturned(10, 15), "7C")) is None


@pytest.mark.parametrize("degrees", range(0, 360, 30))
def test_both_corners_are_joined_at_any_rotation(degrees: int) -> None:
    corners = [index(turned(upright(10, 15), degrees), "QD"), index(turned(overturned(90, 125), degrees), "QD")]
    assert len(assemble(corners)) == 1


@pytest.mark.parametrize(("height", "width"), [(20, 9), (32, 15), (48, 24)])
def test_standard_and_jumbo_corners_are_joined(height: int, width: int) -> None:
    corners = [index(upright(13, 24, height, width), "AS"), index(overturned(87, 116, height, width), "AS")]
    assert len(assemble(corners)) == 1


def test_corners_of_different_cards_never_join() -> None:
    assert len(assemble([index(upright(10, 15), "9H"), index(overturned(90, 125), "6H")])) == 2


def test_agreeing_corners_are_surer_than_either() -> None:
    (card,) = assemble([index(upright(10, 15), "9H", 0.8), index(overturned(90, 125), "9H", 0.7)])
    assert card.confidence == pytest.approx(0.94)


def test_two_corners_that_may_be_clubs_or_spades_are_no_surer_of_it_than_one() -> None:
    torn = opinion(c8C=0.9, c8S=0.1)
    (card,) = assemble([IndexReading(upright(10, 15), torn), IndexReading(overturned(90, 125), torn)])
    assert card.confidence == pytest.approx(0.9)


def test_two_corners_that_may_be_three_or_five_are_surer_than_one() -> None:
    torn = opinion(c3C=0.9, c5C=0.1)
    (card,) = assemble([IndexReading(upright(10, 15), torn), IndexReading(overturned(90, 125), torn)])
    assert card.confidence == pytest.approx(0.99)


def test_corners_of_one_outlined_card_that_contradict_make_it_unreadable() -> None:
    outline = box_quad(0, 0, 100, 140)
    (card,) = assemble([index(upright(10, 15), "9H", 0.95), index(overturned(90, 125), "6H", 0.8)], [outline])
    assert card.card is None


def test_the_index_of_a_card_laid_upon_an_outlined_one_is_its_own_card() -> None:
    """It lies beside the other's corner, where no index of that card is printed."""
    outline = box_quad(0, 0, 100, 140)
    found = assemble([index(upright(10, 15), "8S"), index(upright(30, 17), "7D")], [outline])
    assert sorted(str(card.card) for card in found) == ["7D", "8S"]


def test_both_corners_of_an_outlined_card_outweigh_a_surer_index_laid_upon_it() -> None:
    outline = box_quad(0, 0, 100, 140)
    corners = [index(upright(10, 15), "2S", 0.9), index(overturned(90, 125), "2S", 0.9)]
    found = assemble([*corners, index(overturned(28, 122), "AD", 0.99)], [outline])
    assert sorted((str(card.card), len(card.indices)) for card in found) == [("2S", 2), ("AD", 1)]


def test_an_index_beside_the_second_corner_of_a_card_whose_two_corners_agree_is_its_own_card() -> None:
    outline = box_quad(0, 0, 100, 140)
    corners = [index(upright(10, 15), "5H", 0.9), index(overturned(90, 125), "5H", 0.9)]
    found = assemble([*corners, index(overturned(70, 120), "QS", 0.97)], [outline])
    assert sorted((str(card.card), len(card.indices)) for card in found) == [("5H", 2), ("QS", 1)]


def test_two_names_for_one_print_make_an_outlined_card_unreadable() -> None:
    outline = box_quad(0, 0, 100, 140)
    (card,) = assemble([index(upright(10, 15), "9H", 0.95), index(upright(12, 24), "6H", 0.9)], [outline])
    assert card.card is None


def test_a_covered_corner_does_not_spoil_the_clean_one() -> None:
    outline = box_quad(0, 0, 100, 140)
    (card,) = assemble([index(upright(10, 15), "9H", 0.95), index(overturned(90, 125), "6H", 0.2)], [outline])
    assert card.card == Card.parse("9H")
    assert len(card.indices) == 1


def test_four_indices_within_one_outline_are_one_card() -> None:
    outline = box_quad(0, 0, 100, 140)
    corners = [upright(10, 15), upright(90, 15), overturned(90, 125), overturned(10, 125)]
    (card,) = assemble([index(corner, "5C") for corner in corners], [outline])
    assert len(card.indices) == 4


def test_the_index_of_a_card_lying_on_the_middle_of_another_is_its_own() -> None:
    outline = box_quad(0, 0, 100, 140)
    found = assemble([index(upright(10, 15), "5C"), index(upright(50, 70), "5C")], [outline])
    assert len(found) == 2


def test_of_two_equal_overlapping_cards_each_keeps_its_own_corners() -> None:
    """A pair laid 45 pixels apart: no corner of the first is joined to one of the second."""
    first = [index(upright(10, 15), "QH"), index(overturned(90, 125), "QH")]
    second = [index(upright(55, 20), "QH"), index(overturned(135, 130), "QH")]
    for order in ([*first, *second], [*second, *first]):
        found = assemble(order)
        steps = [card.indices[1].quad.mean(axis=0) - card.indices[0].quad.mean(axis=0) for card in found]
        assert [np.abs(step).tolist() for step in steps] == [[80, 110], [80, 110]]


def test_an_index_that_reads_away_from_the_cards_middle_belongs_to_another_card() -> None:
    outline = box_quad(0, 0, 100, 140)
    found = assemble([index(upright(10, 15), "5C"), index(upright(90, 125), "5C")], [outline])
    assert len(found) == 2
