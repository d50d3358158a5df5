"""A table's life around its rounds: who may open it, with what, and what stands in the way of the next round."""

from typing import Any

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.events import (
    BoxTaken,
    CommandRefused,
    Event,
    RulesChanged,
    ShoeLoaded,
    TableOpened,
)
from table_controller.core.money import Chips
from table_controller.core.people import Person, Role
from table_controller.core.places import Place
from table_controller.core.step import step, why_not
from table_controller.core.stimuli import Cause, DecksChecked
from table_controller.core.table import Phase
from table_controller.core.upkeep_words import DecksOverdue
from table_controller.play.felt import DEALER_ROLE, FLOOR, SECOND, Felt

RULES, HOUSE = houses.rule_values("golden_wolf"), houses.house_values("golden_wolf")
EYE = Person("eye", Role.SURVEILLANCE)


def opened() -> Felt:
    felt = Felt()
    felt.open(RULES, HOUSE)
    return felt


def refused(events: tuple[Event, ...]) -> str:
    (event,) = events
    assert isinstance(event, CommandRefused)
    return event.reason


@pytest.mark.parametrize(
    ("by", "second", "changes", "chips", "told"),
    [
        (FLOOR, FLOOR, {}, {}, "second_person"),
        (FLOOR, Person(FLOOR.name, Role.DEALER), {}, {}, "second_person"),
        (DEALER_ROLE, SECOND, {}, {}, "role"),
        (FLOOR, SECOND, {"languages": ["xx"]}, {}, "house_unusable"),
        (FLOOR, SECOND, {"deck_check": True}, {}, "decks_unchecked"),
        (FLOOR, SECOND, {"deck_check": "daily"}, {}, "house_unusable"),
        (FLOOR, SECOND, {}, {33: 1}, "no_such_chip"),
        (FLOOR, SECOND, {}, {50: -1}, "no_such_chip"),
    ],
)
def test_a_table_opens_for_two_people_with_a_house_and_its_chips(
    by: Person, second: Person, changes: dict[str, Any], chips: Chips, told: str
) -> None:
    felt = Felt()
    command = said.OpenTable(felt.cause(), by, second, RULES, {**HOUSE, **changes}, chips)
    assert refused(felt.say(command)).startswith(told)
    assert felt.state.phase is Phase.CLOSED


def test_where_the_house_wants_checked_decks_the_record_says_who_checked_them() -> None:
    felt, checked = Felt(), DecksChecked("anna", "2026-11-29T17:40:00+00:00", 6)
    strict = {**HOUSE, "deck_check": True}
    (opened,) = felt.say(said.OpenTable(felt.cause(), FLOOR, SECOND, RULES, strict, {}, checked))
    assert isinstance(opened, TableOpened)
    assert opened.checked == checked


def test_rules_that_cannot_be_used_do_not_open_a_table() -> None:
    felt = Felt()
    events = felt.say(said.OpenTable(felt.cause(), FLOOR, SECOND, {**RULES, "decks": 0}, HOUSE, {}))
    assert "decks" in refused(events)
    assert felt.state.phase is Phase.CLOSED


def test_an_open_table_is_not_opened_again() -> None:
    felt = opened()
    assert refused(felt.say(said.OpenTable(felt.cause(), FLOOR, SECOND, RULES, HOUSE, {}))) == "table_open"


def test_the_rules_lie_in_the_record_by_value() -> None:
    felt = opened()
    first = felt.events[0]
    assert isinstance(first, TableOpened)
    assert (first.rules, first.house) == (RULES, HOUSE)


def test_other_rules_need_a_shoe_of_their_own_number_of_packs() -> None:
    felt = opened()
    (changed,) = felt.say(said.ChangeRules(felt.cause(), FLOOR, {**RULES, "decks": 8}))
    assert isinstance(changed, RulesChanged)
    assert refused(felt.say(said.OpenBets(felt.cause(), FLOOR))).startswith("no_shoe")
    felt.load()
    felt.command(said.OpenBets(felt.cause(), FLOOR))


@pytest.mark.parametrize("by", [DEALER_ROLE, EYE])
def test_only_the_floor_changes_rules(by: Person) -> None:
    felt = opened()
    assert refused(felt.say(said.ChangeRules(felt.cause(), by, RULES))).startswith("role")


def test_rules_that_cannot_be_used_do_not_replace_the_old_ones() -> None:
    felt = opened()
    assert "decks" in refused(felt.say(said.ChangeRules(felt.cause(), FLOOR, {**RULES, "decks": 99})))
    assert felt.state.rules == houses.rules_with("golden_wolf", {})


def test_a_player_may_hold_several_boxes_and_leave_them() -> None:
    felt = opened()
    for box in (2, 3):
        (taken,) = felt.say(said.TakeBox(felt.cause(), FLOOR, box, "guest"))
        assert isinstance(taken, BoxTaken)
    assert felt.state.players == {2: "guest", 3: "guest"}
    felt.command(said.TakeBox(felt.cause(), FLOOR, 2))
    assert felt.state.players == {3: "guest"}
    assert refused(felt.say(said.TakeBox(felt.cause(), FLOOR, 8, "guest"))) == "no_such_box"


def test_a_count_that_names_no_card_is_refused() -> None:
    felt = opened()
    assert refused(felt.say(said.CountShoe(felt.cause(), FLOOR, {"1S": 1}))) == "no_such_card: 1S"


def test_a_closed_table_does_nothing_but_open() -> None:
    state = BLACKJACK.empty
    commands: list[said.Command] = [
        said.OpenBets(Cause("t", 1), FLOOR),
        said.LoadShoe(Cause("t", 1), FLOOR),
        said.PlaceBet(Cause("t", 1), FLOOR, 1, 100),
        said.MoveMoney(Cause("t", 1), FLOOR, said.Moved.FILL, {50: 1}, SECOND),
        said.PauseTable(Cause("t", 1), FLOOR, "why"),
        said.SignOn(Cause("t", 1), FLOOR, "one"),
        said.CloseTable(Cause("t", 1), FLOOR, SECOND, {}),
    ]
    for command in commands:
        refusal = why_not(BLACKJACK, state, command)
        assert refusal is not None
        assert refusal.reason == "table_closed"


def test_a_command_is_answered_by_the_very_reason_it_was_greyed_out_with() -> None:
    felt = opened()
    command = said.ResumeTable(felt.cause(), FLOOR)
    told = why_not(BLACKJACK, felt.state, command)
    assert refused(felt.say(command)) == str(told) == "not_paused"


def test_a_double_tap_acts_once() -> None:
    felt = opened()
    tap = said.OpenBets(felt.cause(), FLOOR)
    assert len(felt.say(tap)) == 1
    assert felt.say(tap) == ()
    assert felt.state.rounds == 1


def test_what_a_source_said_before_is_not_taken_after() -> None:
    state = step(BLACKJACK, BLACKJACK.empty, said.DeviceLost(Cause("shoe", 9), "shoe")).state
    late = step(BLACKJACK, state, said.DeviceBack(Cause("shoe", 8), "shoe"))
    assert late.events == ()
    assert late.state.faults == ("shoe",)


def test_a_table_closes_only_when_every_question_is_answered() -> None:
    felt = opened()
    felt.say(said.CardSeen(felt.cause(), Place(1)))
    close = said.CloseTable(felt.cause(), FLOOR, SECOND, {})
    assert refused(felt.say(close)) == "dispute_open: outside_round"


def test_faults_outlive_the_closing_of_a_table() -> None:
    felt = opened()
    felt.say(said.DeviceLost(felt.cause(), "camera"))
    felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, {}))
    felt.open(RULES, HOUSE)
    assert refused(felt.say(said.OpenBets(felt.cause(), FLOOR))) == "device_fault: camera"


def test_slips_are_numbered_without_gaps_and_by_kind() -> None:
    felt = opened()
    for what in (said.Moved.FILL, said.Moved.TIP, said.Moved.FILL, said.Moved.CREDIT, said.Moved.COLOUR_UP):
        felt.command(said.MoveMoney(felt.cause(), FLOOR, what, {100: 2}, SECOND))
    assert felt.state.bank.slips == {"fill": 2, "tip": 1, "credit": 1, "colour_up": 1}
    assert refused(felt.say(said.MoveMoney(felt.cause(), EYE, said.Moved.TIP, {100: 1}))) == "role"
    assert refused(felt.say(said.MoveMoney(felt.cause(), FLOOR, said.Moved.TIP, {}))) == "amount"


HOUR = 3_600_000_000_000


def watched(felt: Felt, at_hours: int) -> None:
    """The table opens at that hour in a house that changes its cards every day."""
    cause = Cause("floor", at_hours, at_hours * HOUR)
    felt.command(said.OpenTable(cause, FLOOR, SECOND, RULES, {**HOUSE, "deck_hours": 24}, {}))


def load(felt: Felt, at_hours: int, *, new: bool) -> tuple[Event, ...]:
    cause = Cause("shoe", at_hours, at_hours * HOUR)
    return felt.say(said.LoadShoe(cause, FLOOR, new, SECOND if new else None))


def test_cards_whose_age_nobody_knows_are_not_dealt_from_where_it_is_watched() -> None:
    felt = Felt()
    watched(felt, 1)
    assert refused(load(felt, 2, new=False)) == "decks_old"
    (loaded,) = load(felt, 3, new=True)
    assert isinstance(loaded, ShoeLoaded)
    assert (loaded.by, loaded.second, loaded.new_cards) == (FLOOR, SECOND, True)


def test_the_age_of_the_cards_outlives_a_closed_table() -> None:
    felt = Felt()
    watched(felt, 1)
    load(felt, 2, new=True)
    felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, {}))
    watched(felt, 20)
    assert isinstance(load(felt, 21, new=False)[0], ShoeLoaded)
    assert refused(load(felt, 26, new=False)) == "decks_old"
    assert felt.say(said.Tick(Cause("clock", 1, 26 * HOUR))) == (DecksOverdue(Cause("clock", 1, 26 * HOUR), 24),)


def test_the_inspection_of_the_reader_ends_with_the_table() -> None:
    felt = Felt()
    felt.open(RULES, {**HOUSE, "reader_check": True})
    felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, {}))
    felt.command(said.OpenTable(felt.cause(), FLOOR, SECOND, RULES, {**HOUSE, "reader_check": True}, {}))
    felt.load()
    assert refused(felt.say(said.OpenBets(felt.cause(), FLOOR))) == "reader_unchecked"


@pytest.mark.parametrize(
    ("key", "value"), [("deck_hours", 0), ("deck_hours", "daily"), ("cut_percent", 9), ("reader_check", "yes")]
)
def test_a_house_that_asks_for_what_cannot_be_done_in_time_opens_no_table(key: str, value: object) -> None:
    felt = Felt()
    command = said.OpenTable(felt.cause(), FLOOR, SECOND, RULES, {**HOUSE, key: value}, {})
    assert refused(felt.say(command)).startswith("house_unusable")
