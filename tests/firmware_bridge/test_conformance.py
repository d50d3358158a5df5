"""The law of the bridge, the same for the null modem, the Python twin and the real firmware: nothing lost, nothing
doubled, nothing invented, and every fault counted."""

from itertools import pairwise
from random import Random

import pytest

from firmware_bridge.conversation import Lamps
from firmware_bridge.emulator.device import SAFE_LAMPS
from firmware_bridge.emulator.faults import Faults
from firmware_bridge.events import EventKind, Fault
from firmware_bridge.outputs import Greeted, Live, Silent

from .conftest import MakePeer
from .peers import Peer
from .world import any_actions, card, press, told

pytestmark = pytest.mark.timeout(90)


def live(peer: Peer) -> Peer:
    assert peer.until(lambda: peer.controller.has(Live)), peer.controller.reports
    return peer


def all_told(peer: Peer, expected: list[tuple[int, int]], seconds: float = 40) -> None:
    peer.until(lambda: len(peer.controller.world) >= len(expected), seconds)
    assert peer.controller.world == expected
    assert peer.controller.numbers_are_consecutive()


def settle(peer: Peer) -> None:
    """Wait until the board itself says that it has nothing left to acknowledge."""
    peer.session.health.kept = -1
    assert peer.until(lambda: peer.session.health.kept == 0), peer.session.health


def test_every_card_and_press_arrives_once_and_in_order(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    actions = any_actions(Random(3), 20)
    peer.perform(actions)
    all_told(peer, told(actions))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_line_that_spoils_every_tenth_frame_loses_doubles_and_invents_nothing(make_peer: MakePeer, seed: int) -> None:
    peer = live(make_peer(seed, Faults.of_each(0.1, stall_ms=120)))
    chance, performed = Random(seed), list[tuple[int, int]]()
    for _ in range(6):
        actions = any_actions(chance, 12)
        peer.perform(actions)
        performed += told(actions)
        all_told(peer, performed)
        settle(peer)


def test_every_fault_on_the_way_up_is_counted(make_peer: MakePeer) -> None:
    faults = Faults(drop=0.1, double=0.1, flip=0.1)
    peer = live(make_peer(5, faults))
    peer.perform(any_actions(Random(5), 20))
    peer.until(lambda: peer.up.frames > 60, 8)
    peer.calm()
    heard = peer.session.health.frames
    assert peer.until(lambda: peer.session.health.frames > heard + 4)
    health, did = peer.session.health, peer.up.counts
    assert health.garbled >= did["flip"] - did["double"]
    assert health.replayed + health.garbled + health.stale >= did["double"]
    assert health.missing >= did["drop"] - health.stale - 2
    assert health.forged == 0


def test_frames_of_another_session_are_refused_and_counted(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    actions = any_actions(Random(7), 5)
    peer.perform(actions)
    all_told(peer, told(actions))
    recorded = list(peer.up.remembered)
    peer.reset()
    assert peer.until(lambda: len([r for r in peer.controller.reports if isinstance(r, Live)]) == 2)
    before = peer.session.health.forged + peer.session.health.stale + peer.session.health.unknown
    peer.up.remembered.clear()
    peer.up.remembered.extend(recorded)
    peer.up.faults = Faults(splice=1.0)
    peer.until(lambda: peer.up.counts["splice"] >= 10, 5)
    peer.calm()
    health = peer.session.health
    peer.until(lambda: health.forged + health.stale + health.unknown > before + 5, 3)
    assert health.forged + health.stale + health.unknown > before + 5
    assert peer.controller.world == told(actions)


def test_frames_replayed_to_the_board_are_refused_and_counted_there(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    peer.down.faults = Faults(double=1.0)
    peer.perform([press(1, 1), press(2, 2)])
    all_told(peer, told([press(1, 1), press(2, 2)]))
    assert peer.until(lambda: peer.session.health.device_refused > 3)


def test_a_reset_in_the_middle_of_a_burst_loses_and_doubles_nothing(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    peer.controller.stalled = True
    first, second = any_actions(Random(11), 8), any_actions(Random(12), 8)
    peer.perform(first)
    peer.reset()
    peer.until(lambda: len([r for r in peer.controller.reports if isinstance(r, Greeted)]) == 2)
    peer.until(lambda: len([r for r in peer.controller.reports if isinstance(r, Live)]) == 2)
    peer.catch_up()
    peer.perform(second)
    all_told(peer, told(first + second))
    assert [event.value for event in peer.controller.record if event.kind == EventKind.BOOTED][-1] >= 2
    assert peer.controller.losses == []
    assert peer.session.health.reboots == 1


def test_a_power_cut_says_that_events_may_be_lost_and_starts_a_new_ring(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    peer.perform([card()])
    all_told(peer, told([card()]))
    rings = {event.ring for event in peer.controller.record}
    peer.power_cut()
    assert peer.until(lambda: len([r for r in peer.controller.reports if isinstance(r, Live)]) == 2)
    peer.perform([card()])
    all_told(peer, told([card(), card()]))
    assert [loss.last for loss in peer.controller.losses] == [None]
    assert {event.ring for event in peer.controller.record} > rings


def test_sixty_four_events_kept_while_the_host_stalls_come_in_the_boards_time_order(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    settle(peer)
    peer.hush(2.6)
    actions = [press(box, signal) for box in range(1, 5) for signal in range(1, 9)]
    assert len(told(actions)) == 64
    peer.down.faults = Faults(drop=1.0)
    peer.perform(actions)
    peer.down.faults = Faults()
    all_told(peer, told(actions))
    times = [event.at_us for event in peer.controller.record]
    assert times == sorted(times)
    assert peer.controller.losses == []
    assert not any((event.kind, event.arg) == (EventKind.FAULT, Fault.EVENTS_LOST) for event in peer.controller.record)


def test_what_a_full_ring_could_not_keep_is_told_at_its_place(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    settle(peer)
    peer.controller.stalled = True
    actions = [press(1 + n % 7, 1 + n // 7 % 7) for n in range(36)]
    peer.perform(actions)
    peer.until(lambda: len(peer.controller.world) == 64)
    peer.catch_up()
    settle(peer)
    peer.perform([press(7, 7)])
    expected = told(actions)[:64] + told([press(7, 7)])
    all_told(peer, expected)
    lost = [e for e in peer.controller.record if (e.kind, e.arg) == (EventKind.FAULT, Fault.EVENTS_LOST)]
    assert [event.value for event in lost] == [8]
    assert peer.controller.record.index(lost[0]) < len(peer.controller.record) - 2


def test_lamps_are_levels_and_fall_to_the_safe_pattern_when_the_host_is_silent(make_peer: MakePeer) -> None:
    peer = make_peer()
    assert peer.shown() == (SAFE_LAMPS, 0)
    peer.show(Lamps(0b101, 1))
    live(peer)
    assert peer.until(lambda: peer.shown() == (0b101, 1))
    peer.down.faults = Faults(drop=1.0)
    assert peer.until(lambda: peer.shown() == (SAFE_LAMPS, 0))
    peer.down.faults = Faults()
    assert peer.until(lambda: peer.shown() == (0b101, 1))
    assert peer.controller.has(Silent)


def test_a_self_test_answers_with_what_failed(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    peer.self_test()
    assert peer.until(lambda: any(event.kind == EventKind.SELF_TEST for event in peer.controller.record))
    assert [event.value for event in peer.controller.record if event.kind == EventKind.SELF_TEST] == [0]


def test_an_events_time_lies_between_its_two_bounds_and_is_never_in_the_future(make_peer: MakePeer) -> None:
    peer = live(make_peer())
    peer.perform([card()] * 5)
    all_told(peer, told([card()] * 5))
    spans = [event.when for event in peer.controller.record if event.kind == EventKind.BEAM_BROKEN]
    assert all(span and span.earliest_ns <= span.latest_ns for span in spans)
    assert all(a and b and a.before(b) is not False for a, b in pairwise(spans))
