"""What went through a shoe's mouth, and what a key means at this house's table."""

from collections.abc import Iterable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.events import DealerKey, DeviceEvent, EventKind
from firmware_bridge.events import Signal as Key
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import Action, HolePeeked, Signal
from table_controller.core.cards import Card
from table_controller.core.places import DEALER
from table_controller.core.stimuli import CardDrawn, Cause, NothingDrawn, Pull, Stimulus
from table_controller.play.felt import FLOOR, Felt
from table_controller.shell.pulses import Meanings

READ_9C = 4 * 16 + 9


def edges(*told: tuple[EventKind, int, int, int]) -> list[DeviceEvent]:
    """Kind, argument, at and value, as a board numbers them."""
    return [
        DeviceEvent("shoe", 1, number, kind, arg, value, at_us, None)
        for number, (kind, arg, at_us, value) in enumerate(told, 1)
    ]


def through(beam: int, begun_us: int, cleared_us: int) -> list[tuple[EventKind, int, int, int]]:
    return [
        (EventKind.BEAM_BROKEN, beam, begun_us, 1_000_000),
        (EventKind.BEAM_CLEARED, beam, cleared_us, cleared_us - begun_us),
    ]


def crossing(inner: tuple[int, int], outer: tuple[int, int]) -> list[DeviceEvent]:
    """Two beams broken and cleared at these times, told in the order of time."""
    return edges(*sorted(through(0, *inner) + through(1, *outer), key=lambda edge: edge[2]))


def meant(events: Iterable[DeviceEvent], felt: Felt | None = None, *, second_beam: bool = False) -> list[Stimulus]:
    meanings, felt = Meanings(second_beam=second_beam), felt or Felt()
    told = list[Stimulus]()
    for event in events:
        told += meanings(felt.state, event, partial(numbered, event.seq))
    return told


def numbered(seq: int, at: int) -> Cause:
    return Cause("shoe", seq * 4 + at)


def kinds(stimuli: Iterable[Stimulus]) -> list[object]:
    return [
        (one.card and one.card.text, one.long) if isinstance(one, CardDrawn) else getattr(one, "pull", type(one))
        for one in stimuli
    ]


@pytest.mark.parametrize(
    ("begun_us", "cleared_us", "what"),
    [
        (1_000_000, 1_100_000, (None, False)),
        (1_000_000, 1_060_000, (None, False)),
        (1_000_000, 1_300_000, (None, True)),
        (1_000_000, 1_004_000, Pull.FINGER),
    ],
    ids=["a card", "a quick card", "as long as two cards", "dust"],
)
def test_one_beam_tells_cards_from_dust_and_marks_long_pulls(begun_us: int, cleared_us: int, what: object) -> None:
    assert kinds(meant(edges(*through(0, begun_us, cleared_us)))) == [what]


def test_two_cards_close_behind_one_another_are_two() -> None:
    events = edges(*through(0, 1_000_000, 1_090_000), *through(0, 1_098_000, 1_190_000))
    assert kinds(meant(events)) == [(None, False), (None, False)]


@pytest.mark.parametrize(
    ("inner", "outer", "what"),
    [
        ((1_000_000, 1_100_000), (1_020_000, 1_120_000), (None, False)),
        ((1_000_000, 1_300_000), (1_020_000, 1_250_000), Pull.PUSHED_BACK),
        ((1_020_000, 1_300_000), (1_000_000, 1_320_000), Pull.FINGER),
        ((1_000_000, 1_300_000), (1_020_000, 1_320_000), (None, True)),
    ],
    ids=["outwards", "pushed back", "a finger from outside", "outwards and long"],
)
def test_a_second_beam_tells_the_direction(inner: tuple[int, int], outer: tuple[int, int], what: object) -> None:
    assert kinds(meant(crossing(inner, outer), second_beam=True)) == [what]


def test_a_finger_that_reaches_only_the_outer_beam_is_a_finger() -> None:
    assert kinds(meant(edges(*through(1, 1_000_000, 1_300_000)), second_beam=True)) == [Pull.FINGER]


def test_a_card_whose_first_beam_was_told_before_the_program_started_is_a_card() -> None:
    events = crossing((1_000_000, 1_100_000), (1_020_000, 1_120_000))[1:]
    assert kinds(meant(events, second_beam=True)) == [(None, False)]


def test_a_reader_names_the_card_in_the_beam() -> None:
    broken, cleared = edges(*through(0, 1_000_000, 1_100_000))
    (read,) = edges((EventKind.CARD_READ, READ_9C, 1_050_000, 990))
    assert kinds(meant([broken, read, cleared])) == [("9C", False)]


def test_a_reader_that_repeats_a_card_after_it_has_passed_names_nothing() -> None:
    (read,) = edges((EventKind.CARD_READ, READ_9C, 1_250_000, 990))
    told = meant([*edges(*through(0, 1_000_000, 1_100_000)), read])
    assert kinds(told) == [(None, False), Pull.READ_AGAIN]
    assert "9C" not in repr(told)


def test_a_reader_without_a_beam_speaks_for_itself() -> None:
    events = edges((EventKind.CARD_READ, READ_9C, 1, 990), (EventKind.CARD_UNREADABLE, 0, 2, 3))
    assert kinds(meant(events)) == [("9C", False), (None, False)]


@given(st.lists(st.tuples(st.sampled_from([0, 1]), st.integers(1, 400_000)), max_size=20))
def test_whatever_the_beams_do_no_card_is_said_twice(moves: list[tuple[int, int]]) -> None:
    now, told = 0, list[tuple[EventKind, int, int, int]]()
    for beam, lasting in moves:
        told += through(beam, now + 10, now + 10 + lasting)
        now += lasting + 20
    cleared = sum(kind is EventKind.BEAM_CLEARED for kind, *_ in told)
    said_so = meant(edges(*told))
    assert len(said_so) <= cleared
    assert all(isinstance(one, CardDrawn | NothingDrawn) for one in said_so)


def dealt(house: str, *cards: str) -> Felt:
    """One box of the house's table, its cards dealt."""
    felt = Felt()
    felt.open(houses.rule_values(house), houses.house_values(house))
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 100 if house == "golden_wolf" else 1000))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    for card in cards:
        due = felt.round.due
        felt.say(said.CardSeen(felt.cause(), due.place, Card.parse(card) if card != "?" else None, due.face))
    return felt


def pressed(kind: EventKind, arg: int) -> list[DeviceEvent]:
    return edges((kind, arg, 1, 0))


@pytest.mark.parametrize("key", Key)
def test_a_players_key_is_his_signal_at_the_hand_that_is_asked(key: Key) -> None:
    felt = dealt("live_dealer", "TS", "7H", "6D", "?")
    signals = meant(pressed(EventKind.BUTTON_DOWN, 16 + key), felt)
    names = {Key.INSURANCE: Action.INSURE}
    wanted = names.get(key) or Action(key.name.lower())
    assert [(one.box, one.hand, one.action) for one in signals if isinstance(one, Signal)] == [(1, 0, wanted)]


def test_the_same_key_declines_insurance_while_it_is_asked() -> None:
    felt = dealt("golden_wolf", "TS", "AH", "6D", "?")
    (signal,) = meant(pressed(EventKind.BUTTON_DOWN, 16 + Key.STAND), felt)
    assert isinstance(signal, Signal)
    assert signal.action is Action.NO_INSURANCE


def test_the_dealers_keys_open_close_peek_and_call() -> None:
    felt = Felt()
    felt.open(houses.rule_values("classic"), houses.house_values("classic"))
    wanted = [
        (DealerKey.DEAL, said.OpenBets),
        (DealerKey.NO_MORE_BETS, said.CloseBets),
        (DealerKey.PEEK_YES, HolePeeked),
        (DealerKey.PEEK_NO, HolePeeked),
        (DealerKey.CALL_SUPERVISOR, said.SupervisorCalled),
    ]
    told = [meant(pressed(EventKind.KEY_DOWN, key), felt) for key, _ in wanted]
    assert [type(one) for (one,) in told] == [kind for _, kind in wanted]


def test_paid_goes_from_box_to_box_and_then_clears_the_table() -> None:
    felt = dealt("golden_wolf", "TS", "7H", "KD", "?")
    felt.say(Signal(felt.cause(), 1, 0, Action.STAND))
    felt.say(said.CardSeen(felt.cause(), DEALER, Card.parse("TC")))
    for number, kind in enumerate((said.BoxPaid, said.TableCleared), 1):
        press = DeviceEvent("keys", 1, number, EventKind.KEY_DOWN, DealerKey.PAID, 0, number, None)
        (one,) = meant([press], felt)
        assert kinds([one]) == [kind]
        felt.say(one)
    assert felt.state.round is None


def test_a_noise_moves_nobodys_money() -> None:
    assert kinds(meant(pressed(EventKind.SOUND, 1))) == [said.SupervisorCalled]
