"""What only the real firmware can show: pins, bounce, noise, watchdog, EEPROM, memory that survives."""

import functools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.events import DeviceEvent, EventKind, Fault
from firmware_bridge.greeting import Policy
from firmware_bridge.link import Link, at_path
from firmware_bridge.messages import ResetCause
from firmware_bridge.outputs import Greeted, Live
from firmware_bridge.session import Session
from firmware_bridge.simulator.process import Simulator
from firmware_bridge.visit import fresh_nonce, look

from .controller import Controller
from .peers import pair_simulated

pytestmark = [pytest.mark.timeout(90), pytest.mark.usefixtures("simulator_ready")]
MS = 1000
CYCLES_PER_BYTE = 16_000_000 // 11_520
DOWN, UP = EventKind.BUTTON_DOWN, EventKind.BUTTON_UP


class Table:
    """The simulated board with a link to it. Simulated time runs as fast as it may where no host timer matters."""

    def __init__(self, folder: Path) -> None:
        self.board = Simulator(folder)
        self.board.__enter__()
        self.device, self.key = pair_simulated(self.board)
        self.controller = Controller()
        session = Session(Policy({self.device: self.key}.get), fresh_nonce)
        self.link = Link(at_path(str(self.board.port)), session, self.controller.hear)
        self.controller.bridge = self.link
        self._thread = threading.Thread(target=self.link.run)
        self._thread.start()

    def plan(self, *steps: tuple[int, str]) -> None:
        """Commands, each so many microseconds from now."""
        self.board.plan(steps)

    def wait(self, condition: Callable[[], bool], seconds: float = 30) -> bool:
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            time.sleep(0.01)
        return condition()

    def await_events(self, count: int, seconds: float = 30) -> list[tuple[int, int]]:
        self.wait(lambda: len(self.controller.world) >= count, seconds)
        time.sleep(0.1)
        return self.controller.world

    def faults(self) -> list[DeviceEvent]:
        return [event for event in self.controller.record if event.kind == EventKind.FAULT]

    def lives(self) -> int:
        return sum(isinstance(report, Live) for report in self.controller.reports)

    def close(self) -> None:
        self.link.stop()
        self._thread.join()
        self.board.__exit__()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    assert table.wait(lambda: table.lives() == 1)
    yield table
    table.close()


def test_contact_bounce_makes_no_second_press_and_two_quick_presses_stay_two(table: Table) -> None:
    """Case A10, parts 1 and 3, in the board's own time."""
    held = [(0, "input 9 1"), (1000 * MS, "input 9 0"), (1003 * MS, "input 9 1"), (1006 * MS, "input 9 0")]
    quick = [(at, f"input 9 {on}") for at, on in [(1500, 1), (1580, 0), (1900, 1), (1980, 0)]]
    table.plan(*held, *((at * MS, command) for at, command in quick))
    hit_of_box_two = 2 << 4 | 2
    assert table.await_events(6) == [(DOWN, hit_of_box_two), (UP, hit_of_box_two)] * 3


def test_a_key_that_stays_down_is_one_press_and_a_fault_after_ten_seconds(table: Table) -> None:
    """Case A10, part 2."""
    table.board.do("input 9 1")
    assert table.wait(lambda: bool(table.faults()), 70)
    (stuck,) = table.faults()
    (down,) = [event for event in table.controller.record if event.kind == DOWN]
    assert (stuck.arg, stuck.value) == (Fault.INPUT_STUCK, 9)
    assert 9_900_000 < stuck.at_us - down.at_us < 10_200_000
    assert table.controller.world == [(DOWN, 2 << 4 | 2)]


def test_a_key_held_through_a_reset_is_not_pressed_twice(table: Table) -> None:
    table.board.do("input 0 1")
    assert table.await_events(1) == [(DOWN, 1 << 4 | 1)]
    table.board.do("reset external")
    assert table.wait(lambda: table.lives() == 2)
    time.sleep(0.3)
    table.board.do("input 0 0")
    assert table.await_events(2) == [(DOWN, 1 << 4 | 1), (UP, 1 << 4 | 1)]


def test_resets_at_any_moment_neither_lose_nor_double_a_key(table: Table) -> None:
    chance, steps = Random(5), list[tuple[int, str]]()
    keys = chance.sample([number for number in range(56) if number % 8 != 7], 8)
    for place, key in enumerate(keys):
        down = place * 350 * MS + chance.randrange(100 * MS)
        steps += [(down, f"input {key} 1"), (down + 420 * MS + chance.randrange(200 * MS), f"input {key} 0")]
    resets = [chance.randrange(150 * MS) + n * 220 * MS for n in range(14)]
    steps += [(at, f"reset {chance.choice(('external', 'watchdog', 'brownout'))}") for at in resets]
    table.plan(*sorted(steps))
    told = table.await_events(16, 60)
    args = [(key // 8 + 1) << 4 | key % 8 + 1 for key in keys]
    assert sorted(told) == sorted((kind, arg) for arg in args for kind in (DOWN, UP))
    assert table.controller.losses == []
    assert table.controller.numbers_are_consecutive()


def test_a_hanging_program_is_reset_by_the_watchdog_which_is_named(table: Table) -> None:
    table.plan((0, "input 1 1"), (30 * MS, "input 1 0"))
    table.await_events(2)
    table.board.do("hang")
    assert table.wait(lambda: table.lives() == 2)
    greeted = [report for report in table.controller.reports if isinstance(report, Greeted)]
    assert (greeted[-1].rebooted, greeted[-1].hello.reset) == (True, ResetCause.WATCHDOG)
    assert table.await_events(2) == [(DOWN, 1 << 4 | 2), (UP, 1 << 4 | 2)]


def test_a_brown_out_that_keeps_the_memory_keeps_the_ring_and_is_named(table: Table) -> None:
    table.board.do("reset brownout")
    assert table.wait(lambda: table.lives() == 2)
    greeted = [report for report in table.controller.reports if isinstance(report, Greeted)]
    assert greeted[-1].hello.reset == ResetCause.BROWN_OUT
    assert greeted[-1].hello.ring == greeted[0].hello.ring


def test_the_beam_reports_edges_with_the_time_between_them(table: Table) -> None:
    table.plan((100 * MS, "beam 0 1"), (180 * MS, "beam 0 0"), (230 * MS, "beam 0 1"), (300 * MS, "beam 0 0"))
    assert [kind for kind, _ in table.await_events(4)] == [EventKind.BEAM_BROKEN, EventKind.BEAM_CLEARED] * 2
    edges = [event for event in table.controller.record if event.kind in {1, 2}]
    assert edges[0].value == 0xFFFFFFFF
    for edge, expected in zip(edges[1:], (80_000, 50_000, 70_000), strict=True):
        assert abs(edge.value - expected) < 300
        assert abs(edge.value - (edge.at_us - edges[edges.index(edge) - 1].at_us)) < 16


def test_a_noisy_beam_is_called_noisy_and_its_present_level_follows(table: Table) -> None:
    table.plan(*((n * 200, f"beam 0 {(n + 1) % 2}") for n in range(101)))
    assert table.wait(lambda: any(event.arg == Fault.BEAM_NOISY for event in table.faults()))
    table.board.do("beam 0 0")
    table.wait(lambda: table.controller.record[-1].kind == EventKind.BEAM_CLEARED)
    edges = [event.kind for event in table.controller.record if event.kind in {1, 2}]
    assert len(edges) < 50
    assert edges == [1, 2] * (len(edges) // 2)
    (noisy,) = [event for event in table.faults() if event.arg == Fault.BEAM_NOISY]
    assert noisy.value > 20


def test_a_beam_blocked_for_two_seconds_is_a_fault_not_a_card(table: Table) -> None:
    table.board.do("beam 0 1")
    assert table.wait(lambda: bool(table.faults()))
    assert [(event.arg, event.value) for event in table.faults()] == [(Fault.BEAM_BLOCKED, 0)]
    assert table.controller.world == [(EventKind.BEAM_BROKEN, 0)]


def test_a_scream_is_reported_once_while_it_lasts(table: Table) -> None:
    loud = [(1300, 900), (1600, 100), (1800, 950), (2100, 50)]
    table.plan(*((at * MS, f"sound {level}") for at, level in loud), (3000 * MS, "input 0 1"))
    assert table.wait(lambda: any(event.kind == DOWN for event in table.controller.record))
    assert [event.kind for event in table.controller.record if event.kind == EventKind.SOUND] == [EventKind.SOUND]


def test_the_boot_counter_survives_power_cuts_and_never_repeats(table: Table) -> None:
    for _ in range(3):
        lives = table.lives()
        table.board.do("power-cut")
        assert table.wait(functools.partial(lambda before: table.lives() > before, lives))
    boots = [report.hello.boot for report in table.controller.reports if isinstance(report, Greeted)]
    assert boots == sorted(set(boots))


def test_the_worst_interrupt_takes_less_than_four_bytes_time_and_leaves_stack_to_spare(table: Table) -> None:
    table.plan(*((n * 7001, f"beam 0 {(n + 1) % 2}") for n in range(60)))
    table.plan(*((n * 6001, f"input {n % 64} {n // 64 % 2 == 0:d}") for n in range(128)))
    assert table.wait(lambda: figures(table)["edges"] >= 60)
    assert figures(table)["worst"] < 4 * CYCLES_PER_BYTE
    assert figures(table)["stack-free"] > 100


def figures(table: Table) -> dict[str, float]:
    words = table.board.do("figures").split()
    return dict(zip(words[::2], map(float, words[1::2]), strict=True))


def test_a_simulated_board_is_found_and_described(table: Table) -> None:
    table.link.stop()
    time.sleep(0.2)
    visit = look(str(table.board.port), Policy({table.device: table.key}.get))
    assert visit.check == "ok"
    assert visit.hello
    assert (visit.hello.device.hex(), visit.hello.version) == (table.device, 1)
