"""The host's side of a session: whom it trusts, when it waits, what it says when something is missing."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.conversation import Lamps
from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.faults import Faults, Manipulator
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.null_modem import NullModem
from firmware_bridge.errors import NotNow
from firmware_bridge.events import Cursor, EventKind
from firmware_bridge.framing import wrap
from firmware_bridge.greeting import Policy
from firmware_bridge.messages import Fitted, Hello, Pong, pack
from firmware_bridge.outputs import Denied, EventsLost, Greeted, Live, Output, Refusal, Silent
from firmware_bridge.session import Phase, Session
from firmware_bridge.tags import NO_KEY, seal

from .peers import DEVICE, EVERYTHING, KEY, NullModemPeer
from .world import card, press, told

Board_ = Callable[[], Board]


def line(board: Board, policy: Policy) -> tuple[NullModem, list[Output]]:
    chance, outputs = Random(4), list[Output]()
    session = Session(policy, lambda: chance.randbytes(8))
    quiet = Manipulator(Faults(), chance)
    modem = NullModem(session, board, outputs.append, up=quiet, down=Manipulator(Faults(), chance))
    modem.plug()
    for _ in range(400):
        modem.step()
    return modem, outputs


def paired() -> Board:
    return Board(Eeprom(DEVICE, EVERYTHING, KEY))


NOBODY: dict[str, bytes] = {}
OURS = Policy({DEVICE.hex(): KEY}.get)


@pytest.mark.parametrize(
    ("board", "policy", "refusal"),
    [
        (lambda: Board(Eeprom(DEVICE, EVERYTHING)), OURS, Refusal.UNPAIRED),
        (lambda: Board(Eeprom(DEVICE, EVERYTHING, KEY), jumper=True), OURS, Refusal.JUMPER_SET),
        (paired, Policy(NOBODY.get), Refusal.NO_KEY),
        (paired, Policy({DEVICE.hex(): bytes(16)}.get), Refusal.WRONG_KEY),
        (paired, Policy({DEVICE.hex(): KEY}.get, only="another"), Refusal.OTHER_BOARD),
    ],
)
def test_a_board_that_may_not_be_used_is_refused_with_the_reason(
    board: Board_, policy: Policy, refusal: Refusal
) -> None:
    modem, outputs = line(board(), policy)
    denied = outputs[0]
    assert isinstance(denied, Denied)
    assert denied.refusal is refusal
    assert modem.session.phase is Phase.ASKING


def test_in_the_demo_a_board_without_a_key_is_taken() -> None:
    modem, outputs = line(Board(Eeprom(DEVICE, EVERYTHING)), Policy(NOBODY.get, demo=True))
    assert isinstance(outputs[0], Greeted)
    assert modem.session.phase is Phase.GREETED


def test_a_board_that_speaks_another_version_is_refused_as_wrong_firmware() -> None:
    session = Session(OURS, lambda: bytes(8))
    session.open(0)
    session.tick(0)
    found = session.receive(wrap(b"\x05\x01\x02\x03"), 10)
    assert found == [Denied(Refusal.WRONG_FIRMWARE, None)]


def test_events_wait_until_the_controller_has_reconciled() -> None:
    board = paired()
    board.note(EventKind.MANUAL_BURN, 0)
    modem, outputs = line(board, OURS)
    for _ in range(3000):
        modem.step()
    assert [type(output) for output in outputs] == [Greeted]
    outputs += modem.session.resume(None, modem.now_ns)
    for _ in range(50):
        modem.step()
    assert [type(output).__name__ for output in outputs] == ["Greeted", "Live", "DeviceEvent", "DeviceEvent"]


def test_nothing_can_be_resumed_before_a_greeting() -> None:
    session = Session(OURS, lambda: bytes(8))
    with pytest.raises(NotNow, match="closed"):
        session.resume(None, 0)
    with pytest.raises(NotNow, match="live session"):
        session.self_test()


def test_a_record_that_is_ahead_of_the_board_is_refused_not_believed() -> None:
    modem, _ = line(paired(), OURS)
    with pytest.raises(NotNow, match="event 9 is not in ring 1"):
        modem.session.resume(Cursor(1, 9), modem.now_ns)
    assert modem.session.phase is Phase.GREETED


def test_an_event_that_was_never_delivered_cannot_be_acknowledged() -> None:
    modem, _ = line(paired(), OURS)
    modem.session.resume(None, modem.now_ns)
    for _ in range(50):
        modem.step()
    with pytest.raises(NotNow, match="has not been delivered"):
        modem.session.acknowledge(Cursor(1, 2))


def test_an_acknowledgement_for_a_ring_that_has_died_touches_no_event_of_the_new_one() -> None:
    peer = NullModemPeer()
    peer.perform([card()])
    peer.until(lambda: len(peer.controller.world) == 2)
    late = peer.controller.record[-1].cursor
    peer.controller.stalled = True
    peer.power_cut()
    peer.perform([card(), card()])
    peer.until(lambda: len(peer.controller.world) == 6)
    peer.session.acknowledge(late)
    peer.until(lambda: False, 0.2)
    assert peer.board.ring.first == 1


def test_events_that_another_host_took_are_told_as_lost() -> None:
    peer = NullModemPeer()
    peer.perform([card(), card()])
    peer.until(lambda: len(peer.controller.world) == 4)
    peer.until(lambda: False, 0.1)
    peer.line.plug()
    peer.controller.record.clear()
    peer.until(lambda: len([r for r in peer.controller.reports if isinstance(r, Live)]) == 2)
    assert peer.controller.losses == [EventsLost(DEVICE.hex(), 1, 1, 5)]


def test_a_forged_hello_is_counted_and_changes_nothing() -> None:
    session = Session(OURS, lambda: bytes(8))
    session.open(0)
    session.tick(0)
    hello = Hello(1, 1, 0, EVERYTHING, 1, 1, DEVICE, 1, 1, bytes(8), 1, 1, 1, 1, 0, 0)
    found = session.receive(wrap(seal(NO_KEY, pack(hello))), 10)
    assert found == [Denied(Refusal.WRONG_KEY, hello)]
    assert (session.phase, session.health.forged) == (Phase.ASKING, 1)


def test_a_hello_for_another_nonce_is_stale() -> None:
    session = Session(OURS, lambda: bytes(8))
    session.open(0)
    hello = Hello(1, 1, 0, EVERYTHING, 1, 1, DEVICE, 1, 1, b"old once", 1, 1, 1, 1, 0, 0)
    assert session.receive(wrap(seal(KEY, pack(hello))), 10) == []
    assert (session.phase, session.health.stale) == (Phase.ASKING, 1)


def test_tagged_frames_before_the_greeting_are_thrown_away_unread() -> None:
    session = Session(OURS, lambda: bytes(8))
    session.open(0)
    assert session.receive(wrap(seal(NO_KEY, pack(Pong(1, 1, 1, 1, 1, 1, 1, 1)))), 10) == []
    assert session.health.stale == 1


@pytest.mark.parametrize("steps", [*range(0, 12), 40, 300])
def test_the_plug_may_be_pulled_at_any_moment_of_the_protocol(steps: int) -> None:
    peer = NullModemPeer(seed=steps)
    for _ in range(steps):
        peer.line.step()
    peer.board.note(EventKind.MANUAL_BURN, 0)
    peer.line.plug()
    actions = [press(1, 1), card()]
    peer.perform(actions)
    expected = [(EventKind.MANUAL_BURN, 0), *told(actions)]
    peer.until(lambda: len(peer.controller.world) >= 5)
    assert peer.controller.world == expected
    assert peer.controller.numbers_are_consecutive()


def test_a_controller_killed_before_its_acknowledgement_gets_the_event_once_more_and_records_it_once() -> None:
    peer = NullModemPeer()
    peer.until(lambda: peer.controller.has(Live))
    peer.controller.stalled = True
    peer.perform([card()])
    peer.until(lambda: len(peer.controller.world) == 2)
    reborn = Session(OURS, lambda: b"reborn!!")
    peer.line.session = peer.session = reborn
    peer.line.plug()
    peer.perform([card()])
    peer.until(lambda: len(peer.controller.world) == 4)
    assert peer.controller.world == told([card(), card()])
    assert peer.controller.numbers_are_consecutive()


def test_a_new_hosts_lamps_are_shown_although_its_first_word_about_them_is_lost() -> None:
    peer = NullModemPeer()
    peer.show(Lamps(1, 0))
    assert peer.until(lambda: peer.shown() == (1, 0))
    peer.session = peer.line.session = Session(OURS, lambda: b"reborn!!")
    peer.show(Lamps(2, 0))
    peer.line.plug()
    assert peer.until(lambda: peer.session.phase is Phase.RESUMING)
    while peer.session.phase is not Phase.LIVE:
        peer.down.faults = Faults(drop=float(bool(peer.line.board.frames_said)))
        peer.line.step()
    peer.until(lambda: False, 0.02)
    peer.down.faults = Faults()
    assert peer.until(lambda: peer.shown() == (2, 0), 3)


def test_a_silent_board_is_noticed_and_asked_anew() -> None:
    peer = NullModemPeer()
    peer.until(lambda: peer.controller.has(Live))
    peer.up.faults = Faults(drop=1.0)
    assert peer.until(lambda: peer.controller.has(Silent), 2)
    assert peer.session.phase is Phase.ASKING
    peer.up.faults = Faults()
    assert peer.until(lambda: peer.session.phase is Phase.LIVE, 5)


def test_a_hello_request_injected_by_a_stranger_does_not_end_the_session() -> None:
    peer = NullModemPeer()
    peer.until(lambda: peer.controller.has(Live))
    for number in range(20):
        peer.board.feed(wrap(b"\x81\x01\x01" + bytes([number]) * 8), peer.line.now_ns // 1000)
        peer.line.step()
    peer.perform([card()])
    peer.until(lambda: len(peer.controller.world) == 2)
    assert peer.controller.world == told([card()])
    assert not peer.controller.has(Silent)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=60), max_size=10), st.randoms(use_true_random=False))
def test_no_bytes_from_the_line_can_invent_an_event(noise: list[bytes], chance: Random) -> None:
    peer = NullModemPeer()
    peer.until(lambda: peer.controller.has(Live))
    for part in noise:
        position = chance.randrange(3)
        framed = part if position == 0 else wrap(part)
        for output in peer.session.receive(framed + b"\0", peer.line.now_ns):
            peer.controller.hear(output)
    peer.perform([card()])
    peer.until(lambda: len(peer.controller.world) == 2)
    assert peer.controller.world == told([card()])
    assert {event.kind for event in peer.controller.record} <= set(EventKind)


def test_everything_fitted_to_the_atmega_is_named() -> None:
    assert Fitted(EVERYTHING) | Fitted.READING_SHOE == Fitted(0x3FF)
