"""Slots and millimetres of the eyes become places at the table; what the eyes may look for follows from what is due."""

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import Action, Signal
from table_controller.core.cards import Card
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import CardGone, CardSighted, Cause, CircleChanged, CutCardSeen, Face
from table_controller.play.felt import FLOOR, Felt
from table_controller.port.words import Chips, Gone, Sighted, Watching
from table_controller.shell.translate import places_of, stimuli_of, watching_of

SECOND = 1_000_000_000


class SeenTable:
    """A table whose cards the eyes see, one box of Golden Wolf."""

    def __init__(self, house: str = "golden_wolf") -> None:
        self.felt, self.number, self.now = Felt(), 0, SECOND
        self.felt.open(houses.rule_values(house), houses.house_values(house))
        self.felt.command(said.OpenBets(self.felt.cause(), FLOOR))
        self.felt.command(said.PlaceBet(self.felt.cause(), FLOOR, 1, 100 if house == "golden_wolf" else 1000))
        self.felt.command(said.CloseBets(self.felt.cause(), FLOOR))

    def sighted(self, slot: str, card: str | None, x: float = 0, y: float = 0) -> Sighted:
        self.number, self.now = self.number + 1, self.now + SECOND
        down, now = card == "down", self.now
        name = None if down else card
        return Sighted(
            source="eyes", number=self.number, slot=slot, x=x, y=y, card=name, face_down=down, since_ns=now, at_ns=now
        )

    def see(self, slot: str, card: str | None, x: float = 0, y: float = 0) -> None:
        for stimulus in stimuli_of(self.felt.state, self.sighted(slot, card, x, y)):
            self.felt.say(stimulus)

    def signal(self, action: Action) -> None:
        self.felt.say(Signal(Cause("keys", self.number, self.now + 1), 1, 0, action))

    def split(self) -> None:
        """A pair of eights apart: the first hand at x 0, the second at x 100."""
        self.see("box1", "8S", 0, 500)
        self.see("dealer", "7H")
        self.see("box1", "8D", 18, 510)
        self.see("dealer", "down", 70)
        self.signal(Action.SPLIT)
        for stimulus in stimuli_of(self.felt.state, Gone(source="eyes", number=5, was=3, at_ns=self.now + 2)):
            self.felt.say(stimulus)
        self.number = 5
        self.see("box1", "8D", 100, 500)

    def watched(self, *what: str) -> list[object]:
        watching = watching_of(self.felt.state)
        return [getattr(watching, name) for name in what]


def test_a_sighting_is_told_with_all_that_the_record_wants_of_it() -> None:
    seen = Sighted(
        source="eyes",
        number=7,
        slot="box3",
        x=10.4,
        y=-5.6,
        card="KS",
        confidence=0.9912,
        since_ns=5,
        at_ns=9,
        evidence="a.jpg",
    )
    king = Card.parse("KS")
    assert stimuli_of(Felt().state, seen) == [
        CardSighted(Cause("eyes", 7, 9), (Place(3),), king, Face.UP, 5, 10, -6, 991, "a.jpg")
    ]


def test_a_back_has_no_name_whatever_is_said_with_it() -> None:
    seen = Sighted(source="eyes", number=1, slot="dealer", x=0, y=0, card="KS", face_down=True, since_ns=1, at_ns=1)
    (told,) = stimuli_of(Felt().state, seen)
    assert isinstance(told, CardSighted)
    assert (told.places, told.card, told.face) == ((DEALER,), None, Face.DOWN)


def test_a_card_gone_chips_and_the_cut_card_have_their_own_words() -> None:
    state = Felt().state
    assert stimuli_of(state, Gone(source="eyes", number=2, was=1, at_ns=5, covered=True)) == [
        CardGone(Cause("eyes", 2, 5), 1, covered=True)
    ]
    assert stimuli_of(state, Chips(source="eyes", number=3, box=2, at_ns=6, before="b", after="a")) == [
        CircleChanged(Cause("eyes", 3, 6), 2, "b", "a")
    ]
    cut = Sighted(source="eyes", number=4, slot="box2", x=0, y=0, card="cut", since_ns=1, at_ns=7)
    assert stimuli_of(state, cut) == [CutCardSeen(Cause("eyes", 4, 7), Place(2))]


@pytest.mark.parametrize("slot", ["shoe", "discard", "", "box", "boxing"])
def test_what_lies_outside_the_places_for_cards_means_nothing(slot: str) -> None:
    seen = Sighted(source="eyes", number=1, slot=slot, x=0, y=0, card="KS", since_ns=1, at_ns=1)
    assert stimuli_of(Felt().state, seen) == []


def test_a_card_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="write rank then suit"):
        stimuli_of(Felt().state, Sighted(source="e", number=1, slot="box1", x=0, y=0, card="1S", since_ns=1, at_ns=1))


def test_of_a_split_box_a_card_belongs_to_the_hand_it_touches() -> None:
    table = SeenTable()
    table.split()
    assert [str(card) for card in table.felt.round.cards_at(Place(1, 1))] == ["8D"]
    state = table.felt.state
    assert places_of(state, table.sighted("box1", "3C", 20, 510)) == (Place(1, 0),)
    assert places_of(state, table.sighted("box1", "3C", 120, 510)) == (Place(1, 1),)


def test_a_card_between_two_hands_may_be_eithers_and_one_far_from_all_anybodys() -> None:
    table = SeenTable()
    table.split()
    between = places_of(table.felt.state, table.sighted("box1", "3C", 50, 500))
    assert set(between) == {Place(1, 0), Place(1, 1)}
    assert set(places_of(table.felt.state, table.sighted("box1", "3C", 300, 500))) == {Place(1, 0), Place(1, 1)}


def test_a_long_hand_that_reaches_into_the_next_box_may_still_be_meant() -> None:
    table = SeenTable()
    table.see("box1", "8S", 0, 500)
    assert places_of(table.felt.state, table.sighted("box2", "3C", 40, 500)) == (Place(2), Place(1))


def test_nothing_is_looked_for_between_two_rounds() -> None:
    assert watching_of(Felt().state) == Watching(None, version=0)


def test_the_eyes_look_where_a_card_is_due_and_not_at_the_hole_card_before_the_reveal() -> None:
    table = SeenTable()
    assert table.watched("due") == [("box1",)]
    table.see("box1", "8S", 0, 500)
    table.see("dealer", "7H")
    table.see("box1", "KD", 18, 510)
    assert table.watched("due", "backs", "veiled") == [("dealer",), ("dealer",), ()]
    table.see("dealer", "down", 70)
    assert table.watched("due", "backs", "veiled") == [(), (), ("dealer",)]
    table.signal(Action.HIT)
    assert table.watched("due", "veiled") == [("box1",), ("dealer",)]
    assert table.watched("after_ns") == [table.now + 1]
    table.see("box1", "2C", 36, 520)
    table.signal(Action.STAND)
    assert table.watched("due", "veiled", "hole") == [("dealer",), (), None]


def test_a_clock_set_back_does_not_blind_the_eyes() -> None:
    table = SeenTable()
    for slot, card in (("box1", "8S"), ("dealer", "7H"), ("box1", "KD"), ("dealer", "down")):
        table.see(slot, card, 18.0 * table.number, 500)
    table.signal(Action.HIT)
    an_hour_before = table.now - 3600 * SECOND
    assert watching_of(table.felt.state, an_hour_before).after_ns == an_hour_before
    assert watching_of(table.felt.state, table.now + SECOND).after_ns == table.now + 1


def test_where_the_hidden_card_comes_first_its_place_is_told_while_the_open_one_is_looked_for() -> None:
    table = SeenTable("goldfishka")
    table.see("box1", "8S", 0, 500)
    table.see("dealer", "down", 70, 4)
    assert table.watched("due", "veiled") == [("box1",), ("dealer",)]
    table.see("box1", "KD", 18, 510)
    assert table.watched("due", "veiled", "hole") == [("dealer",), (), (70, 4)]


def test_a_question_or_a_pause_draws_the_veil_again() -> None:
    table = SeenTable()
    for slot, card in (("box1", "8S"), ("dealer", "7H"), ("box1", "KD"), ("dealer", "down")):
        table.see(slot, card, 18.0 * table.number, 500)
    table.signal(Action.STAND)
    assert table.watched("veiled") == [()]
    table.felt.command(said.PauseTable(table.felt.cause(), FLOOR, "why"))
    assert table.watched("veiled") == [("dealer",)]
