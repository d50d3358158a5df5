"""When is a reading final? Case numbers are those of the collected reports of users of similar systems."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.core.cards import PACK, Card
from vision.sighting import Back, Doubt, Left, Look, Sighting, Spot
from vision.steady import Absence, Rule, Steady

FRAME = 33_000_000
HERE = Spot("box3", 10.0, 15.0)
RULE = Rule(threshold=0.9, frames=5)


def look(card: str, confidence: float = 0.95, spot: Spot = HERE, runner_up: str | None = None) -> Look:
    return Look(spot, Card.parse(card), confidence, None if runner_up is None else Card.parse(runner_up))


def watch(steady: Steady, frames: Iterable[list[Look]], moving: tuple[str, ...] = ()) -> list[Sighting | Doubt | Left]:
    return [said for number, looks in enumerate(frames) for said in steady.frame(number * FRAME, looks, moving)]


def named(said: list[Sighting | Doubt | Left]) -> list[str]:
    return [str(one.card) for one in said if isinstance(one, Sighting)]


def test_a_card_at_rest_is_said_once_however_long_it_lies() -> None:
    assert named(watch(Steady(RULE), [[look("KS")]] * 200)) == ["KS"]


def test_c03_a_flickering_card_is_said_only_after_it_became_steady() -> None:
    flicker = [[look("8D", 0.56)], [look("6D", 0.54)]] * 10
    steady = Steady(RULE)
    assert named(watch(steady, flicker)) == []
    assert named(watch(steady, [[look("8D", 0.92)]] * 10)) == ["8D"]
    assert watch(steady, [[look("6D", 0.99)], [look("8D", 0.92)]] * 5) == []


def test_c02_a_frame_that_says_eight_or_six_commits_nothing() -> None:
    assert watch(Steady(RULE), [[look("8H", 0.52, runner_up="6H")]]) == []


def test_c05_two_equal_cards_45_millimetres_apart_are_both_said() -> None:
    second = Spot("box3", 55.0, 15.0)
    assert named(watch(Steady(RULE), [[look("2S"), look("2S", spot=second)]] * 10)) == ["2S", "2S"]


def test_two_equal_cards_closer_than_the_reach_are_still_two() -> None:
    second = Spot("box3", 18.0, 15.0)
    assert named(watch(Steady(RULE), [[look("2S"), look("2S", spot=second)]] * 10)) == ["2S", "2S"]


def test_two_cards_close_together_keep_their_names_whichever_is_read_first() -> None:
    second = Spot("box3", 18.0, 15.0)
    frames = [[look("2S"), look("5H", spot=second)], [look("5H", spot=second), look("2S")]] * 5
    assert sorted(named(watch(Steady(RULE), frames))) == ["2S", "5H"]


def test_nothing_is_said_while_a_hand_moves_over_the_box() -> None:
    assert watch(Steady(RULE), [[look("KS")]] * 50, moving=("box3",)) == []


def test_frames_from_before_a_movement_do_not_count_after_it() -> None:
    steady = Steady(RULE)
    watch(steady, [[look("KS")]] * 4)
    watch(steady, [[look("KS")]], moving=("box3",))
    assert watch(steady, [[look("KS")]] * 4) == []


def test_a_card_covered_by_a_sleeve_and_shown_again_is_not_said_twice() -> None:
    steady = Steady(RULE)
    assert named(watch(steady, [[look("KS")]] * 6)) == ["KS"]
    watch(steady, [[]] * 40, moving=("box3",))
    assert watch(steady, [[look("KS")]] * 10) == []


def test_a_movement_in_another_box_changes_nothing() -> None:
    assert named(watch(Steady(RULE), [[look("KS")]] * 6, moving=("box1",))) == ["KS"]


def test_an_unreadable_card_is_asked_about_once_with_the_names_considered() -> None:
    (doubt,) = watch(Steady(RULE), [[look("8D", 0.5)], [look("6D", 0.5)]] * 200)
    assert isinstance(doubt, Doubt)
    assert set(doubt.candidates) == {Card.parse("8D"), Card.parse("6D")}


def test_taken_away_and_dealt_anew_is_said_again() -> None:
    steady = Steady(RULE)
    watch(steady, [[look("KS")]] * 6)
    steady.clear("box3")
    assert named(watch(steady, [[look("QH")]] * 6)) == ["QH"]


def test_clearing_one_box_leaves_the_others() -> None:
    steady = Steady(RULE)
    watch(steady, [[look("KS")]] * 6)
    steady.clear("box1")
    assert watch(steady, [[look("KS")]] * 6) == []


@given(st.lists(st.tuples(st.sampled_from(PACK[:4]), st.floats(0, 0.899)), max_size=300))
def test_waiting_never_loosens_the_threshold(frames: list[tuple[Card, float]]) -> None:
    said = watch(Steady(RULE), ([Look(HERE, card, confidence)] for card, confidence in frames))
    assert named(said) == []


@given(st.lists(st.tuples(st.sampled_from(PACK[:3]), st.floats(0, 1)), max_size=200))
def test_whatever_is_said_was_seen_without_a_break_and_only_once(frames: list[tuple[Card, float]]) -> None:
    said = watch(Steady(RULE), ([Look(HERE, card, confidence)] for card, confidence in frames))
    sightings = [one for one in said if isinstance(one, Sighting)]
    assert len(sightings) <= 1
    for sighting in sightings:
        last = sighting.at_ns // FRAME
        run = frames[last + 1 - RULE.frames : last + 1]
        assert {card for card, _ in run} == {sighting.card}
        assert min(confidence for _, confidence in run) >= RULE.threshold


@pytest.mark.parametrize("frames", [1, 2, 4])
def test_too_few_frames_say_nothing(frames: int) -> None:
    assert watch(Steady(RULE), [[look("KS")]] * frames) == []


def test_another_name_is_heard_only_after_something_moved_there() -> None:
    steady = Steady(RULE)
    watch(steady, [[look("KS")]] * 6)
    assert watch(steady, [[look("KC")]] * 20) == []
    watch(steady, [[]], moving=("box3",))
    (again,) = watch(steady, [[look("KC")]] * 20)
    assert isinstance(again, Sighting)
    assert (str(again.card), str(again.was)) == ("KC", "KS")


def test_a_back_that_is_turned_over_is_said_with_its_name() -> None:
    steady = Steady(RULE)
    back = Look(HERE, Back.BACK, 1.0)
    assert [one.card for one in watch(steady, [[back]] * 6) if isinstance(one, Sighting)] == [Back.BACK]
    watch(steady, [[]], moving=("box3",))
    assert named(watch(steady, [[look("7H")]] * 6)) == ["7H"]


def test_a_card_missed_on_bare_felt_has_left_after_as_many_looks_as_it_took_to_say_it() -> None:
    steady = Steady(RULE)
    watch(steady, [[look("KS")]] * 6)
    missed = [steady.frame(FRAME * number, [], (), lambda _spot: Absence.BARE) for number in range(5)]
    assert missed == [[], [], [], [], [Left(HERE, FRAME * 4)]]
    assert named(watch(steady, [[look("QH")]] * 6)) == ["QH"]


def test_a_card_hidden_for_longer_than_patience_is_covered() -> None:
    steady = Steady(RULE)
    watch(steady, [[look("KS")]] * 6)
    told = [one for n in range(1, 90) for one in steady.frame(FRAME * n, [], (), lambda _spot: Absence.HIDDEN)]
    assert told == [Left(HERE, FRAME * 62, covered=True)]


def test_a_card_nobody_looked_for_is_where_it_was() -> None:
    steady = Steady(RULE)
    watch(steady, [[look("KS")]] * 6)
    assert watch(steady, [[]] * 200) == []


def test_a_glimpse_that_was_never_said_is_forgotten_in_silence() -> None:
    steady = Steady(RULE)
    watch(steady, [[look("KS")]])
    assert steady.waiting("box3")
    assert watch(steady, [[]] * 100) == []
    assert not steady.waiting("box3")


def test_a_place_without_any_name_is_asked_about() -> None:
    (doubt,) = watch(Steady(RULE), [[Look(HERE, None, 0.0)]] * 100)
    assert isinstance(doubt, Doubt)
    assert doubt.candidates == ()


@given(unread=st.lists(st.sampled_from(["?", "8D", "6D"]), min_size=70, max_size=120))
def test_a_back_turned_over_that_cannot_be_read_is_asked_about_once(unread: list[str]) -> None:
    steady = Steady(RULE)
    watch(steady, [[Look(HERE, Back.BACK, 1.0)]] * 6)
    watch(steady, [[]], moving=("box3",))
    looks = [[Look(HERE, None, 0.0) if name == "?" else look(name, 0.5)] for name in unread]
    (doubt,) = watch(steady, looks)
    assert isinstance(doubt, Doubt)
    assert named(watch(steady, [[look("8D")]] * 6)) == ["8D"]


def test_a_back_over_which_a_hand_passed_is_not_asked_about() -> None:
    steady = Steady(RULE)
    back = Look(HERE, Back.BACK, 1.0)
    watch(steady, [[back]] * 6)
    watch(steady, [[]], moving=("box3",))
    assert watch(steady, [[], [Look(HERE, None, 0.0)], [back]] * 40) == []


def test_what_was_asked_about_and_is_taken_away_has_left() -> None:
    steady = Steady(RULE)
    assert [type(one) for one in watch(steady, [[Look(HERE, None, 0.0)]] * 100)] == [Doubt]
    watch(steady, [[]], moving=("box3",))
    missed = [one for n in range(6) for one in steady.frame(FRAME * n, [], (), lambda _spot: Absence.BARE)]
    assert [type(one) for one in missed] == [Left]


def test_what_cannot_be_read_is_asked_about_though_it_is_not_looked_at_in_every_frame() -> None:
    steady, unread = Steady(RULE), Look(HERE, None, 0.0)
    frames = [[unread] if number % 5 == 0 else [] for number in range(100)]
    assert [type(one) for one in watch(steady, frames)] == [Doubt]


@pytest.mark.parametrize(("colours", "told"), [(["red"] * 9, "red"), (["red", ""] * 5, ""), (["red", "blue"] * 5, "")])
def test_a_backs_colour_is_said_only_where_all_frames_agree(colours: list[str], told: str) -> None:
    frames = [[Look(HERE, Back.BACK, 1.0, back=colour)] for colour in colours]
    (said,) = watch(Steady(RULE), frames)
    assert isinstance(said, Sighting)
    assert said.back == told


def test_a_card_belongs_to_the_slot_it_was_said_in_as_far_as_it_is_the_same_card() -> None:
    steady = Steady(RULE)
    assert steady.said_in(HERE.x, HERE.y) is None
    for number in range(RULE.frames):
        steady.frame(number, [look("9S")])
    near, far = (steady.said_in(HERE.x + step, HERE.y) for step in (RULE.reach - 1, RULE.reach + 1))
    assert (near, far) == (HERE.slot, None)
