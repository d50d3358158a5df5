"""Invented suits and cuts teach the truth: four different shapes, no font that prints one suit for another."""

import cv2
import numpy as np

from vision.geometry import box_quad, sides
from vision.training import suits, tiles


def shapes(seed: int) -> list[np.ndarray]:
    with_ = suits.measures(np.random.default_rng(seed))
    return [suits.drawn(suit, with_) for suit in range(4)]


def test_every_invented_deck_has_four_suits_of_one_height() -> None:
    for seed in range(60):
        assert {shape.shape[0] for shape in shapes(seed)} == {suits.SIZE}


def test_invented_suits_are_told_apart_by_the_judge_of_fonts() -> None:
    fonts = [shapes(seed) for seed in range(40)]
    assert np.mean(suits.truthful(fonts)) > 0.9


def test_a_font_that_prints_a_club_for_a_spade_is_found_out() -> None:
    fonts = [shapes(seed) for seed in range(12)]
    spade, heart, diamond, club = fonts[3]
    fonts[3] = [club, heart, diamond, spade]
    assert not suits.truthful(fonts)[3]


def test_an_empty_glyph_stays_empty() -> None:
    assert suits.fitted(np.zeros((20, 20), np.uint8), 1.0).size == 0


def test_a_bend_moves_the_outline_and_the_same_seed_bends_alike() -> None:
    ink = np.zeros((96, 96), np.uint8)
    cv2.circle(ink, (48, 48), 30, 255, -1)
    assert (suits.bent(ink, 2.0, 7) == suits.bent(ink, 2.0, 7)).all()
    assert (suits.bent(ink, 2.0, 7) != ink).any()


def test_a_shaken_quad_lies_over_the_index_and_reads_in_its_direction() -> None:
    rng, quad = np.random.default_rng(3), box_quad(100, 100, 120, 140)
    for _ in range(200):
        moved = tiles.shaken(rng, quad, 0.06)
        down, was = moved[3] - moved[0], quad[3] - quad[0]
        assert float(np.hypot(*(moved.mean(axis=0) - quad.mean(axis=0)))) < 0.35 * sides(quad)[1]
        assert float(down @ was) > 0.9 * float(np.hypot(*down) * np.hypot(*was))
