"""The picture of the felt: boxes in their order, cards inside the bets, the same table from either side."""

from itertools import pairwise

import pytest

from dashboard.felt_picture import HEIGHT, WIDTH, chips, picture
from table_controller.views.board import Board, BoxShown, HandShown

CHIPS = (50, 100, 500, 1000, 2500, 10000)


def felt(boxes: int, hands: int = 1) -> Board:
    shown = tuple(HandShown(("KS", "7C"), 17, False, stake=100) for _ in range(hands))
    return Board(1, "playing", boxes=tuple(BoxShown(at, 100, hands=shown) for at in range(1, boxes + 1)))


@pytest.mark.parametrize("boxes", [1, 2, 5, 7, 9, 15])
def test_box_one_is_at_the_dealers_left_and_all_boxes_lie_on_the_cloth(boxes: int) -> None:
    spots = picture(felt(boxes), CHIPS).spots
    assert [spot.box.number for spot in spots] == list(range(1, boxes + 1))
    assert all(left.bet[0] < right.bet[0] for left, right in pairwise(spots))
    for spot in spots:
        for x, y in (spot.bet, spot.name, spot.cards, *spot.hands):
            assert 0 < x < WIDTH
            assert 0 < y < HEIGHT


def test_from_the_players_box_one_is_at_the_right_and_nearer() -> None:
    pit, players = picture(felt(7), CHIPS), picture(felt(7), CHIPS, turned=True)
    assert players.spots[0].bet[0] > players.spots[6].bet[0]
    assert players.dealer[1] < HEIGHT / 2 < pit.dealer[1]
    for one, other in zip(pit.spots, players.spots, strict=True):
        assert other.bet == (round(WIDTH - one.bet[0], 1), round(HEIGHT - one.bet[1], 1))


@pytest.mark.parametrize("hands", [1, 2, 3, 4])
def test_every_hand_of_a_split_box_has_a_place_of_its_own(hands: int) -> None:
    spot = picture(felt(7, hands), CHIPS).spots[2]
    assert len(set(spot.hands)) == hands


def test_more_boxes_are_drawn_smaller_so_that_they_do_not_overlap() -> None:
    spots = picture(felt(15), CHIPS).spots
    for left, right in pairwise(spots):
        apart = ((left.bet[0] - right.bet[0]) ** 2 + (left.bet[1] - right.bet[1]) ** 2) ** 0.5
        assert apart > 2 * 40 * left.scale


@pytest.mark.parametrize(
    ("amount", "stack"), [(0, ()), (50, (0,)), (1150, (3, 1, 0)), (10000, (5,)), (7500, (4, 4, 4)), (300, (1, 1, 1))]
)
def test_a_bet_is_drawn_with_the_fewest_chips_the_largest_first(amount: int, stack: tuple[int, ...]) -> None:
    assert chips(amount, CHIPS) == stack
