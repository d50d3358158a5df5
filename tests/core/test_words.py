"""Cards, places, parameters and lines of notation read back as written, or are refused with what is allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller import houses
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.rules import KEYS, read_rules, values_of
from table_controller.core.cards import PACK, Card, counts
from table_controller.core.house import house_values, read_house
from table_controller.core.notation import Unreadable, read_event, read_stimulus, write
from table_controller.core.parameters import Unusable
from table_controller.core.people import Person, Role
from table_controller.core.places import DEALER, Place
from table_controller.core.shoe import differences, fresh, named, without
from table_controller.core.stimuli import BoxPaid, Cause, PauseTable


def test_a_pack_has_52_different_cards() -> None:
    assert len(set(PACK)) == 52
    assert counts(PACK) == bytes([1] * 52)
    assert [card.index for card in PACK] == list(range(52))


@given(st.sampled_from(PACK))
def test_a_card_reads_back_from_its_text(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert eval(repr(card), {"Card": Card}) == card


@pytest.mark.parametrize("text", ["", "1S", "10S", "SA", "As", "T", "TSS", " TS"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write rank then suit"):
        Card.parse(text)


@given(st.integers(1, 15), st.integers(0, 9))
def test_a_place_reads_back_from_its_text(box: int, hand: int) -> None:
    assert Place.parse(str(Place(box, hand))) == Place(box, hand)
    assert Place.parse("dealer") == DEALER


@pytest.mark.parametrize("text", ["", "box", "box0", "box1.", "box-1", "box1.x", "table", "dealer1"])
def test_what_is_no_place_is_refused(text: str) -> None:
    if text == "box1.":
        assert Place.parse(text) == Place(1)
    else:
        with pytest.raises(ValueError, match="is no place"):
            Place.parse(text)


@pytest.mark.parametrize("name", houses.NAMES)
def test_a_rule_set_reads_back_from_its_values(name: str) -> None:
    rules = houses.rules_with(name, {})
    assert read_rules(values_of(rules)) == rules
    assert list(values_of(rules)) == list(KEYS)


def test_the_same_rules_have_the_same_fingerprint_and_others_another() -> None:
    prints = {houses.fingerprint(houses.rules_with(name, {})) for name in houses.NAMES}
    assert len(prints) == 5
    assert houses.fingerprint(houses.rules_with("classic", {"soft17": "stand"})) in prints
    assert houses.fingerprint(houses.rules_with("classic", {"soft17": "hit"})) not in prints


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("decks", 9),
        ("decks", True),
        ("decks", "six"),
        ("peek", ["K"]),
        ("peek", ["A", "A"]),
        ("peek", "A"),
        ("bj_pays", [3]),
        ("bj_pays", [3, 0]),
        ("insurance_max", "half"),
        ("charlie", [2, [1, 1]]),
        ("charlie", [5]),
        ("double", "always"),
        ("hole_card", 1),
        ("pairs", {"mixed": 6}),
        ("min_bet", 0),
        ("min_bet", 500),
        ("rounding", "nearest"),
    ],
)
def test_a_value_that_is_not_allowed_is_named_with_what_is(key: str, value: object) -> None:
    with pytest.raises(Unusable) as refused:
        houses.rules_with("golden_wolf", {key: value})
    (problem,) = refused.value.problems
    assert problem.key == key
    assert "must" in problem.allowed


def test_every_mistake_is_reported_at_once() -> None:
    values = {**houses.rule_values("classic"), "decks": 0, "soft17": "maybe", "colour": "green"}
    del values["push"]
    with pytest.raises(Unusable) as refused:
        read_rules(values)
    assert {problem.key for problem in refused.value.problems} == {"decks", "soft17", "colour", "push"}


def test_a_hole_card_that_does_not_exist_cannot_be_checked() -> None:
    with pytest.raises(Unusable, match="no hole card"):
        houses.rules_with("bil_cup", {"peek": ["A"]})


@pytest.mark.parametrize("name", houses.NAMES)
def test_a_house_reads_back_from_its_values(name: str) -> None:
    house = read_house(houses.house_values(name))
    assert read_house(house_values(house)) == house


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("denominations", [0], "chip values"),
        ("languages", ["de"], "pl, en, ru"),
        ("burns", {"new_shoe": 1}, "new_dealer"),
        ("remedies", {}, "missing"),
        ("timers", 5, "section"),
        ("signals", {"hit": "tap"}, "button"),
    ],
)
def test_a_house_value_that_is_not_allowed_is_named(key: str, value: object, told: str) -> None:
    with pytest.raises(Unusable, match=told) as refused:
        read_house({**houses.house_values("classic"), key: value})
    assert [problem.key for problem in refused.value.problems] == [key]


def test_a_remedy_that_does_not_fit_the_irregularity_is_refused() -> None:
    values = houses.house_values("classic")
    remedies = values["remedies"]
    assert isinstance(remedies, dict)
    with pytest.raises(Unusable, match="reshuffle, void"):
        read_house({**values, "remedies": {**remedies, "shoe_empty": ["burn"]}})


def test_texts_with_blanks_and_odd_letters_read_back() -> None:
    said = PauseTable(Cause("tablet", 3, 9), Person("Ała / ż", Role.DEALER), 'spilled "tea", @#1 {')
    assert read_stimulus(BLACKJACK, write(said, cause=True)) == said


@pytest.mark.parametrize("name", ["Sam", "Ała / ż", 'the "Colonel"', "@x#1"])
def test_who_said_it_reads_back_with_the_line(name: str) -> None:
    said = BoxPaid(Cause("floor", 3, 9, Person(name, Role.DEALER)), 5)
    assert read_stimulus(BLACKJACK, write(said, cause=True)) == said


def test_words_that_look_like_a_cause_stay_words() -> None:
    said = PauseTable(Cause("floor", 1), Person("Sam", Role.DEALER), "he said @x#1 by Kim/dealer")
    assert read_stimulus(BLACKJACK, write(said), Cause("floor", 1)) == said


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "is no kind"),
        ("card_lost box1.0", "is no kind"),
        ("card_seen", "place is missing"),
        ("card_seen box0.0 TS", "is no place"),
        ("card_seen box1.0 1S", "is no card"),
        ("card_seen box1.0 TS sideways", "sideways"),
        ("card_seen box1.0 TS up up", "too much"),
        ("open_bets floor/queen", "queen"),
        ("open_bets floor/pit_boss maybe", "yes or no"),
        ('pause_table floor/pit_boss "unfinished', "no complete JSON"),
        ("box_paid seven", "seven"),
    ],
)
def test_a_line_that_cannot_be_read_says_which_word(line: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        read_stimulus(BLACKJACK, line, Cause("script", 1))


def test_a_line_without_a_cause_is_refused() -> None:
    with pytest.raises(Unreadable, match="no cause"):
        read_event(BLACKJACK, "cut_card_shown")


def test_a_shoe_knows_what_must_be_inside() -> None:
    king = Card.parse("KS")
    shoe = without(without(fresh(1), king), None)
    assert not shoe.holds(king)
    assert shoe.cards_left == 50
    assert differences(shoe, fresh(1).inside) == {"KS": 1}
    assert named(shoe, None, Card.parse("2C")).cards_left == 50
    assert named(shoe, king, Card.parse("QS")).holds(king)
