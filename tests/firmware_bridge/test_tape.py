"""A line played from tape: the board says again what it said, and a real session believes it for the same reasons."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.events import Cursor
from firmware_bridge.greeting import Policy
from firmware_bridge.link import Link, LinkDown, at_path
from firmware_bridge.outputs import Denied, Greeted, Live, Refusal, Suspicious
from firmware_bridge.session import Session
from firmware_bridge.tape import Begun, Passed, Way, read_tape, write_line
from firmware_bridge.taped import TapedLink
from firmware_bridge.visit import fresh_nonce

from .controller import Controller
from .peers import DEVICE, EVERYTHING, KEY, twin_told
from .world import card, press, told

pytestmark = pytest.mark.timeout(60)
POLICY = Policy({DEVICE.hex(): KEY}.get)
ACTIONS = [card(), press(3, 1), card(), press(5, 2)]


def wait(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)


@contextmanager
def taped(path: Path) -> Iterator[tuple[TwinPeer, PtyPort, Controller, list[Passed]]]:
    """A real link to a board on a pseudo-terminal, with everything that passes on the tape."""
    twin = TwinPeer(Board(Eeprom(DEVICE, EVERYTHING, KEY)))
    port, controller, tape = PtyPort(twin, path), Controller(), list[Passed]()
    port.start()
    controller.bridge = link = Link(
        at_path(str(port.path)),
        Session(POLICY, fresh_nonce),
        controller.hear,
        tape=lambda way, at_ns, data: tape.append(Passed("shoe", way, at_ns, data)),
    )
    thread = threading.Thread(target=link.run)
    thread.start()
    yield twin, port, controller, tape
    link.stop()
    thread.join(10)
    port.close()


def played(tape: list[Passed], policy: Policy = POLICY) -> Controller:
    controller = Controller()
    controller.bridge = link = TapedLink(policy, tape, controller.hear)
    for passed in tape:
        link.play(passed)
    return controller


def dealt(path: Path) -> tuple[list[Passed], Controller]:
    """An evening with a pulled plug in it."""
    with taped(path) as (twin, port, controller, tape):
        wait(lambda: controller.has(Live))
        for action in ACTIONS[:2]:
            twin_told(twin.note, action)
        wait(lambda: controller.world == told(ACTIONS[:2]))
        port.unplug()
        wait(lambda: controller.has(LinkDown))
        for action in ACTIONS[2:]:
            twin_told(twin.note, action)
        port.plug(path)
        wait(lambda: controller.world == told(ACTIONS))
    return tape, controller


Evening = tuple[list[Passed], Controller]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return dealt(tmp_path_factory.mktemp("line") / "board")


def test_a_taped_line_says_the_same_events_of_the_same_times(evening: Evening) -> None:
    tape, then = evening
    now = played(tape)
    assert now.record == then.record
    kinds = [
        [type(report) for report in one.reports if isinstance(report, Greeted | Live | LinkDown)] for one in (now, then)
    ]
    assert kinds[0] == [*kinds[1], LinkDown]  # the link of then was told to stop


def test_a_tape_is_believed_only_with_the_key_of_its_board(evening: Evening) -> None:
    now = played(evening[0], Policy(lambda _: bytes(16)))
    assert now.record == []
    assert any(isinstance(report, Denied) and report.refusal is Refusal.WRONG_KEY for report in now.reports)


def test_a_tape_that_was_tampered_with_is_not_believed(evening: Evening) -> None:
    """The events of the evening are put in again at its end, as the board sent them."""
    tape, then = evening
    end_ns = tape[-1].at_ns
    again = [Passed(one.board, one.way, end_ns, one.data) for one in tape if one.way is Way.HEARD]
    now = played([*tape[:-1], *again])
    assert now.record == then.record
    assert any(isinstance(report, Suspicious) for report in now.reports)


def test_a_controller_that_needs_a_while_misses_nothing(evening: Evening) -> None:
    tape, then = evening
    slow = Controller()
    slow.bridge = link = TapedLink(POLICY, tape, slow.hear)
    slow.bridge = _Late(link)
    for passed in tape:
        link.play(passed)
    assert slow.record == then.record


class _Late:
    """Answers a greeting from another thread, after a while."""

    def __init__(self, link: TapedLink) -> None:
        self._link = link

    def resume(self, recorded: Cursor | None) -> None:
        threading.Timer(0.2, self._link.resume, (recorded,)).start()

    def acknowledge(self, upto: Cursor) -> None:
        self._link.acknowledge(upto)


def test_a_tape_on_disk_is_read_with_universal_time_up_to_where_it_was_cut(tmp_path: Path) -> None:
    file = tmp_path / "a.tape"
    heard = Passed("shoe", Way.HEARD, 1_500, b"\x00\xff")
    file.write_bytes(write_line(Begun(1_000_000, 1_000)) + write_line(heard) + write_line(heard)[:-9])
    assert list(read_tape(file)) == [(1_000_500, heard)]
