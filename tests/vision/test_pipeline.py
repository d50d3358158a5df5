"""Cards are read where something changed and came to rest, and nowhere else. Drawn table, shipped eyes."""

from collections.abc import Sequence

import numpy as np

from tests.vision.seeing import FRAME_NS, Evening, shipped_eyes, told
from vision.gate import Gate
from vision.geometry import Image
from vision.pipeline import Heed
from vision.reader import Reader, Reading
from vision.rendered.orders import Chips, Lay, Reach, Shift, Take, Turn
from vision.rendered.places import place
from vision.sighting import Left, Sighting

FELT: Image = np.full((540, 960, 3), 80, np.uint8)
HALVES = {
    "left": np.array([[0, 0], [480, 0], [480, 540], [0, 540]], np.float64),
    "right": np.array([[480, 0], [960, 0], [960, 540], [480, 540]], np.float64),
}


class CountingReader(Reader):
    """The shipped reader, which remembers what it was shown."""

    def __init__(self) -> None:
        shipped = shipped_eyes()
        super().__init__(shipped.detector, shipped.classifier, shipped.threshold)
        self.shown: list[Image] = []

    def read(self, image: Image, scales: Sequence[float] = ()) -> Reading:
        self.shown.append(image)
        return super().read(image, scales)


def test_a_card_that_came_to_rest_is_said_once_with_its_place() -> None:
    evening = Evening()
    (said,) = evening.do(Lay(slot="box3", card="KS"), frames=30)
    assert isinstance(said, Sighting)
    there = place("box3", 0)
    assert told([said]) == ["box3 KS"]
    assert abs(said.spot.x - there.x) < 8
    assert abs(said.spot.y - there.y) < 8


def test_a_card_is_said_within_four_frames_of_coming_to_rest() -> None:
    evening = Evening()
    rest_ns = evening.scene.obey(Lay(slot="box6", card="9D"), evening.now_ns)
    (said,) = evening.watch(12)
    assert isinstance(said, Sighting)
    assert rest_ns <= said.since_ns < said.at_ns <= rest_ns + 4 * FRAME_NS


def test_the_second_card_of_a_box_is_said_and_the_first_is_not_said_again() -> None:
    evening = Evening()
    evening.do(Lay(slot="box1", card="TC"))
    assert told(evening.do(Lay(slot="box1", card="8H"), frames=40)) == ["box1 8H"]


def test_a_table_at_rest_costs_no_reading() -> None:
    reader = CountingReader()
    evening = Evening(reader)
    evening.do(Lay(slot="box2", card="7C"), frames=20)
    before = len(reader.shown)
    evening.watch(20)
    assert len(reader.shown) == before > 0


def test_only_the_part_that_changed_is_read() -> None:
    reader = CountingReader()
    evening = Evening(reader)
    evening.do(Lay(slot="dealer", card="5S"))
    whole = max(image.shape[1] for image in reader.shown)
    reader.shown.clear()
    evening.do(Lay(slot="dealer", card="6S"))
    assert max(image.shape[1] for image in reader.shown) < whole / 2


def test_a_hand_that_passes_over_the_cards_changes_nothing() -> None:
    evening = Evening()
    evening.do(Lay(slot="box3", card="KS"), Lay(slot="box3", card="2D"), frames=15)
    assert evening.do(Reach(slot="box3", ms=700), frames=30) == []


def test_cards_that_are_taken_away_have_left() -> None:
    evening = Evening()
    evening.do(Lay(slot="box6", card="KS"), Lay(slot="box6", card="2D"), frames=15)
    assert told(evening.do(Take(slot="box6"))) == ["box6 left", "box6 left"]


def test_a_card_that_moves_has_left_its_place_and_is_seen_at_the_new_one() -> None:
    evening = Evening()
    evening.do(Lay(slot="box5", card="QS"))
    shifted = evening.do(Shift(slot="box5", order=0, to=(-180.0, 440.0, 20.0)))
    assert told(shifted) == ["box5 left", "box5 QS"]


def test_a_card_under_another_one_is_covered() -> None:
    evening = Evening()
    evening.do(Lay(slot="box4", card="QS", to=(0, 480, 0)))
    assert told(evening.do(Lay(slot="box4", card="3D", to=(14, 478, 90)), frames=45)) == ["box4 3D", "box4 covered"]


def test_a_card_laid_exactly_on_another_is_said_with_what_was_there() -> None:
    evening = Evening()
    evening.do(Lay(slot="box4", card="QS", to=(0, 480, 0)))
    (said,) = evening.do(Lay(slot="box4", card="3D", to=(1, 480, 0)), frames=30)
    assert isinstance(said, Sighting)
    assert (str(said.card), str(said.was)) == ("3D", "QS")


def test_a_card_between_two_boxes_is_said_by_one_of_them_only() -> None:
    evening = Evening()
    one, other = place("box4", 1), place("box5", 1)
    between = ((one.x + other.x) / 2 - 6, (one.y + other.y) / 2, 10.0)
    assert len(evening.do(Lay(slot="box5", card="8S", to=between), frames=30)) == 1


def test_chips_that_change_after_a_rest_are_noticed() -> None:
    evening = Evening()
    assert told(evening.do(Chips(slot="circle2", count=2))) == ["circle2 changed"]
    assert told(evening.do(Chips(slot="circle2", count=5))) == ["circle2 changed"]
    assert evening.watch(10) == []


def test_frames_from_before_the_card_was_drawn_count_for_nothing() -> None:
    evening = Evening()
    later = Heed(due=["box2"], after_ns=evening.now_ns + 20 * FRAME_NS)
    assert evening.do(Lay(slot="box2", card="AH"), frames=18, heed=later) == []
    assert told(evening.watch(10, later)) == ["box2 AH"]


def test_the_hole_card_is_a_back_and_what_is_under_it_is_not_read_before_the_reveal() -> None:
    evening = Evening()
    veiled = Heed(veiled=["dealer"])
    evening.do(Lay(slot="dealer", card="AH"))
    hole = evening.do(Lay(slot="dealer", face_down=True), heed=Heed(due=["dealer"], backs=["dealer"]))
    assert told(hole) == ["dealer back"]
    assert evening.do(Turn(slot="dealer", order=1, card="QH"), frames=20, heed=veiled) == []
    assert told(evening.watch(8)) == ["dealer QH"]


def test_where_only_a_back_is_due_no_card_is_named() -> None:
    evening = Evening()
    backs = Heed(due=["dealer"], backs=["dealer"])
    assert evening.do(Lay(slot="dealer", card="QH"), frames=40, heed=backs) == []


def test_a_veiled_slot_is_not_even_shown_to_the_reader() -> None:
    reader = CountingReader()
    evening = Evening(reader)
    reader.shown.clear()
    evening.do(Lay(slot="dealer", card="AH"), frames=15, heed=Heed(due=["dealer"], veiled=["dealer"]))
    assert reader.shown == []


def test_nothing_veiled_is_said_to_be_gone() -> None:
    evening = Evening()
    evening.do(Lay(slot="dealer", card="AH"))
    veiled = Heed(veiled=["dealer"])
    assert evening.do(Take(slot="dealer"), frames=20, heed=veiled) == []
    assert told(evening.watch(10)) == ["dealer left"]


def test_where_the_hole_card_lies_is_painted_over_while_a_card_is_looked_for_beside_it() -> None:
    reader = CountingReader()
    evening = Evening(reader)
    evening.do(Lay(slot="dealer", face_down=True))
    lies = place("dealer", 0)
    beside = Heed(due=["dealer"], hole=(lies.x, lies.y))
    reader.shown.clear()
    assert evening.do(Turn(slot="dealer", order=0, card="QH"), frames=15, heed=beside) == []
    assert max(float((image.min(axis=2) > 200).mean()) for image in reader.shown) < 0.01
    assert told(evening.do(Lay(slot="dealer", card="5C"), heed=beside)) == ["dealer 5C"]


def test_movement_is_seen_in_its_own_part_only() -> None:
    gate, changed = Gate(HALVES), FELT.copy()
    assert gate.moving(FELT) == {"left", "right"}
    changed[100:300, 100:200] = 230
    assert gate.moving(changed) == {"left"}


def test_sensor_noise_is_no_movement() -> None:
    gate, rng = Gate(HALVES), np.random.default_rng(2)
    noisy = [np.clip(FELT + rng.normal(0, 6, FELT.shape), 0, 255).astype(np.uint8) for _ in range(4)]
    assert [gate.moving(image) for image in noisy][1:] == [set()] * 3


def test_equal_cards_of_one_hand_are_as_many_as_lie_there() -> None:
    evening = Evening()
    said = [evening.do(Lay(slot="box4", card="7D")) for _ in range(3)]
    assert [told(one) for one in said] == [["box4 7D"]] * 3
    assert evening.watch(40) == []


def test_a_split_pair_is_followed_to_its_two_hands() -> None:
    evening = Evening()
    for _ in range(2):
        evening.do(Lay(slot="box4", card="8S"))
    moved = evening.do(Shift(slot="box4", order=1, to_slot="box4", to_hand=1), frames=45)
    assert told(moved) == ["box4 left", "box4 8S"]
    assert told(evening.do(Lay(slot="box4", card="KC", hand=0))) == ["box4 KC"]
    assert told(evening.do(Lay(slot="box4", card="2H", hand=1))) == ["box4 2H"]


def test_a_card_laid_across_a_doubled_hand_is_said_and_hides_no_other() -> None:
    evening = Evening()
    for card in ("5S", "6D"):
        evening.do(Lay(slot="box2", card=card))
    assert told(evening.do(Lay(slot="box2", card="QC", sideways=True), frames=45)) == ["box2 QC"]


def test_every_card_of_long_split_hands_is_said_to_have_left_also_where_it_reached_out_of_its_box() -> None:
    evening = Evening()
    for hand, names in enumerate(("8S 2H 3D 4C 2S", "8D 2C 3H 4S 2D")):
        for card in names.split():
            evening.do(Lay(slot="box5", hand=hand, card=card))
    lying = {one.spot for one in evening.said if isinstance(one, Sighting)}
    assert len(lying) >= 10
    evening.do(Take(), frames=60)
    assert lying <= {one.spot for one in evening.said if isinstance(one, Left)}


def test_a_card_at_the_line_between_two_boxes_stays_one_card_when_it_is_nudged_across() -> None:
    """As where the eyes of the two boxes measure it a few millimetres apart: each would take it for its own."""
    evening = Evening()
    for card, x, y in (("8S", -157, 409), ("4H", -141, 421), ("4S", -125, 434), ("6D", -109, 448)):
        evening.do(Lay(slot="box5", card=card, to=(x, y, 0.0)))
    assert evening.do(Shift(slot="box5", order=3, to_slot="box5", to=(-104, 448, 0.0)), frames=80) == []
    assert sorted(told(evening.do(Take(), frames=60))) == ["box5 left"] * 4
