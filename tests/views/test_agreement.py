"""Who was wrong how often: two witnesses that differ unheeded prove nothing."""

from functools import reduce

import pytest

from table_controller.core.irregular import ALLOWED, Irregularity, Remedy
from table_controller.views import agreement
from table_controller.views.agreement import Agreement
from tests.scenario import SCENARIOS, play


def counted(scenario: str) -> Agreement:
    return reduce(agreement.apply, play(SCENARIOS / f"{scenario}.round").felt.events, agreement.initial)


@pytest.mark.parametrize(
    ("scenario", "device", "irregularity"),
    [
        ("wit_drawn_and_seen_too_late", "camera", Irregularity.DRAWN_NOT_SEEN),
        ("irr_34_a_card_drawn_and_never_seen", "shoe", Irregularity.DRAWN_NOT_SEEN),
        ("wit_seen_and_its_pulse_too_late", "shoe", Irregularity.SEEN_NOT_DRAWN),
        ("irr_34_the_two_witnesses_disagree", "camera", Irregularity.WITNESSES_DISAGREE),
        ("irr_34_the_camera_is_believed", "shoe", Irregularity.WITNESSES_DISAGREE),
        ("wit_a_card_is_read_differently", "camera", Irregularity.READ_DIFFERENTLY),
        ("wit_unreadable_shown_again_by_the_camera", "camera", Irregularity.UNREADABLE),
    ],
)
def test_the_floors_decision_shows_which_device_was_wrong(
    scenario: str, device: str, irregularity: Irregularity
) -> None:
    devices = counted(scenario).devices
    assert {name: dict(tally.questions) for name, tally in devices.items()} == {device: {irregularity: 1}}


def test_a_dealers_slips_are_counted_beside_the_cards_dealt() -> None:
    view = counted("wit_wrong_place_moved_at_once")
    tally = view.dealers[""]
    assert dict(tally.questions) == {Irregularity.WRONG_PLACE: 1}
    assert tally.cards == 1
    assert tally.per_thousand == 1000.0


def test_a_round_in_which_all_agree_counts_nobody() -> None:
    view = counted("wit_agreed_whatever_comes_first")
    assert view.devices == {}
    assert view.cards == 3


def test_only_decisions_a_house_can_take_are_listed() -> None:
    by_itself = {Remedy.ANSWERED, Remedy.SHOWN_AGAIN}
    assert all(remedy in ALLOWED[one] or remedy in by_itself for one, remedy in agreement.WRONG)
