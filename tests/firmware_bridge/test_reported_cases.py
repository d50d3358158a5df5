"""What users of other serial hosts reported, on our wire: real pseudo-terminal, real pyserial, bytes fed by hand.

A06 and A12 are in test_link.py (ports and processes), A10 in test_firmware.py (contacts of the real firmware).
"""

import os
import pty
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.events import EventKind, Signal
from firmware_bridge.framing import Garbled
from firmware_bridge.greeting import Policy
from firmware_bridge.link import Adapter, Link, LinkDown, LinkUp
from firmware_bridge.messages import ResetCause
from firmware_bridge.outputs import Greeted, Live
from firmware_bridge.session import Session
from firmware_bridge.visit import fresh_nonce

from .controller import Controller
from .peers import DEVICE, EVERYTHING, KEY

pytestmark = pytest.mark.timeout(60)
HIT, STAND = 2 << 4 | Signal.HIT, 2 << 4 | Signal.STAND
DOWN = EventKind.BUTTON_DOWN


class HandFedPort:
    """A board whose every byte towards the host the test passes on itself."""

    def __init__(self) -> None:
        self.board = Board(Eeprom(DEVICE, EVERYTHING, KEY))
        self._started = time.monotonic()
        self._master = -1
        self.path = ""
        self.plug()

    def plug(self) -> None:
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(slave)
        self._slave = slave  # held open, so that closing and opening is no hang-up here

    def pull(self) -> None:
        os.close(self._slave)
        os.close(self._master)
        self._master, self.path = -1, ""

    def say(self) -> bytes:
        """What the board would like to send, given what the host has said."""
        elapsed = int((time.monotonic() - self._started) * 1e6)
        with suppress(BlockingIOError):
            self.board.feed(os.read(self._master, 4096), elapsed)
        self.board.tick(elapsed)
        return self.board.outgoing()

    def write(self, data: bytes) -> None:
        os.write(self._master, data)

    def pump_until(self, condition: Callable[[], bool], seconds: float = 10.0) -> bool:
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            self.write(self.say())
            time.sleep(0.005)
        return condition()

    def next_event_frame(self) -> bytes:
        """The next frame of events, kept back for the test to spoil; heartbeats pass."""
        while True:
            for frame in self.say().split(b"\0"):
                if len(frame) > 28 and frame[1] == 0x02:
                    return frame + b"\0"
                if frame:
                    self.write(frame + b"\0")
            time.sleep(0.005)


@contextmanager
def table() -> Iterator[tuple[HandFedPort, Controller, threading.Thread]]:
    port, controller = HandFedPort(), Controller()
    session = Session(Policy({DEVICE.hex(): KEY}.get), fresh_nonce)
    controller.bridge = link = Link(lambda: Adapter(port.path, "S1") if port.path else None, session, controller.hear)
    thread = threading.Thread(target=link.run)
    thread.start()
    assert port.pump_until(lambda: controller.has(Live) and len(controller.record) == 1)
    yield port, controller, thread
    link.stop()
    thread.join()
    if port.path:
        port.pull()


def health(controller: Controller) -> Session:
    assert isinstance(controller.bridge, Link)
    return controller.bridge.session


def test_a01_half_a_message_before_a_pause_is_never_taken_for_a_whole_one() -> None:
    with table() as (port, controller, _):
        port.board.note(DOWN, HIT)
        frame = port.next_event_frame()
        port.write(frame[:12])
        time.sleep(0.25)
        assert controller.world == []
        assert not controller.has(Garbled)
        port.write(frame[12:])
        assert port.pump_until(lambda: bool(controller.world))
        assert controller.world == [(DOWN, HIT)]
        assert health(controller).health.garbled == 0


def test_a02_one_bad_byte_costs_one_frame_which_is_counted_and_kept_for_the_log() -> None:
    with table() as (port, controller, thread):
        port.board.note(DOWN, HIT)
        frame = bytearray(port.next_event_frame())
        frame[5] ^= 0xB2
        port.write(bytes(frame))
        assert port.pump_until(lambda: bool(controller.world))
        assert controller.world == [(DOWN, HIT)]
        assert thread.is_alive()
        assert health(controller).health.garbled == 1
        (garbled,) = [report for report in controller.reports if isinstance(report, Garbled)]
        assert garbled.raw in bytes(frame)


def test_a04_what_was_left_of_a_frame_when_the_cable_dropped_does_not_spoil_the_next_one() -> None:
    with table() as (port, controller, _):
        port.board.note(DOWN, STAND)
        port.write(port.next_event_frame()[:10])
        time.sleep(0.1)
        port.pull()
        port.board.note(DOWN, HIT)
        time.sleep(0.5)
        port.plug()
        port.board.reset()
        assert port.pump_until(lambda: len(controller.world) == 2)
        assert controller.world == [(DOWN, STAND), (DOWN, HIT)]
        assert health(controller).health.garbled == 0
        kinds = [type(report) for report in controller.reports]
        assert kinds.index(LinkDown) < len(kinds) - 1 - kinds[::-1].index(LinkUp)


def test_a08_a_board_that_starts_anew_is_recognised_and_its_next_card_is_the_thirty_eighth() -> None:
    with table() as (port, controller, _):
        for _ in range(37):
            port.board.note(EventKind.BEAM_CLEARED, 0, 90_000)
            assert port.pump_until(lambda: len(controller.world) == controller_count(port))
        port.board.reset(ResetCause.EXTERNAL)
        assert port.pump_until(lambda: controller.lives() == 2, 5)
        greeted = [report for report in controller.reports if isinstance(report, Greeted)][-1]
        assert (greeted.rebooted, greeted.hello.reset) == (True, ResetCause.EXTERNAL)
        assert len(controller.world) == 37
        port.board.note(EventKind.BEAM_CLEARED, 0, 90_000)
        assert port.pump_until(lambda: len(controller.world) == 38)
        assert controller.losses == []


def controller_count(port: HandFedPort) -> int:
    """Cards the board has seen: every number but the BOOTED of its first start."""
    return port.board.ring.next - 2
