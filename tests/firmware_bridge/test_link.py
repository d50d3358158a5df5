"""One board on a real pseudo-terminal with real pyserial: pulled, swapped, locked, killed."""

import errno
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.faults import Faults
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.errors import PortUnusable
from firmware_bridge.events import Cursor, DeviceEvent
from firmware_bridge.greeting import Policy
from firmware_bridge.keys import KeyFile
from firmware_bridge.link import (
    Adapter,
    AskedInVain,
    Find,
    Link,
    LinkDown,
    LinkEnded,
    LinkUp,
    PortTrouble,
    Report,
    at_path,
    find_by,
    open_port,
)
from firmware_bridge.outputs import Denied, Greeted, Live, Refusal
from firmware_bridge.session import Session
from firmware_bridge.visit import fresh_nonce

from .controller import Controller
from .peers import DEVICE, EVERYTHING, KEY, TwinPtyPeer, twin_told
from .world import Action, card, press, told

pytestmark = pytest.mark.timeout(60)
POLICY = Policy({DEVICE.hex(): KEY}.get)


def wait(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    return condition()


@contextmanager
def running(find: Find, policy: Policy = POLICY) -> Iterator[tuple[Link, Controller]]:
    controller = Controller()
    controller.bridge = link = Link(find, Session(policy, fresh_nonce), controller.hear)
    thread = threading.Thread(target=link.run)
    thread.start()
    yield link, controller
    link.stop()
    thread.join(5)
    assert not thread.is_alive()
    assert controller.reports[-1] == LinkEnded(expected=True)


def twin_at(path: Path, device: bytes = DEVICE, key: bytes | None = KEY) -> tuple[TwinPeer, PtyPort]:
    twin = TwinPeer(Board(Eeprom(device, EVERYTHING, key)))
    port = PtyPort(twin, path)
    port.start()
    return twin, port


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[tuple[TwinPeer, PtyPort]]:
    made = twin_at(tmp_path / "board")
    yield made
    made[1].close()


def lives(controller: Controller) -> int:
    return sum(isinstance(report, Live) for report in controller.reports)


@pytest.mark.parametrize("state", ["asking", "greeted", "resuming", "live", "unacknowledged"])
def test_the_plug_may_be_pulled_in_every_state(twin: tuple[TwinPeer, PtyPort], state: str) -> None:
    board, port = twin
    if state == "asking":
        port.down.faults = Faults(drop=1.0)
    with running(at_path(str(port.path))) as (_, controller):
        reached: dict[str, Callable[[], bool]] = {
            "asking": lambda: controller.has(LinkUp),
            "greeted": lambda: controller.has(Greeted),
            "resuming": lambda: controller.has(Greeted),
            "live": lambda: controller.has(Live),
            "unacknowledged": lambda: controller.has(Live),
        }
        if state == "resuming":
            wait(lambda: controller.has(Greeted))
            port.up.faults = Faults(drop=1.0)
        assert wait(reached[state])
        controller.stalled = state == "unacknowledged"
        if state == "unacknowledged":
            tell(board, [press(3, 1)])
            assert wait(lambda: len(controller.world) == 2)
        port.unplug()
        before = [] if state != "unacknowledged" else told([press(3, 1)])
        assert wait(lambda: controller.has(LinkDown))
        tell(board, [card()])
        port.up.faults = port.down.faults = Faults()
        had = lives(controller)
        port.plug(port.path)
        assert wait(lambda: lives(controller) == had + 1)
        controller.catch_up()
        controller.stalled = False
        assert wait(lambda: len(controller.world) == len(before) + 2)
        assert controller.world == before + told([card()])
        assert controller.numbers_are_consecutive()


def tell(board: TwinPeer, actions: list[Action]) -> None:
    for action in actions:
        twin_told(board.note, action)


def test_two_adapters_that_swap_names_are_told_apart_by_identity(tmp_path: Path) -> None:
    """Case A06: the adapter vanishes, a stranger takes its name, it comes back under another one."""
    ours, our_port = twin_at(tmp_path / "ttyUSB0")
    stranger, strange_port = twin_at(tmp_path / "ttyUSB9", b"STRANGER")
    names = {"S1": our_port, "S2": strange_port}

    def adapters() -> list[Adapter]:
        return [Adapter(str(p.path), identity) for identity, p in names.items() if p.is_plugged]

    with running(find_by("S1", adapters)) as (_, controller):
        assert wait(lambda: controller.has(Live))
        boots = stranger.board.eeprom.boot
        our_port.unplug()
        strange_port.plug(tmp_path / "ttyUSB0")
        tell(ours, [card()])
        time.sleep(0.5)
        assert not (tmp_path / "ttyUSB1").exists()
        our_port.plug(tmp_path / "ttyUSB1")
        assert wait(lambda: lives(controller) == 2, 5)
        assert wait(lambda: len(controller.world) == 2)
        assert stranger.board.eeprom.boot == boots
    our_port.close()
    strange_port.close()


def test_a_board_with_another_name_behind_the_same_adapter_is_refused(tmp_path: Path) -> None:
    _, port = twin_at(tmp_path / "board", b"STRANGER")
    with running(at_path(str(port.path)), Policy(lambda _: KEY, only=DEVICE.hex())) as (_, controller):
        assert wait(lambda: controller.has(Denied))
        assert [r.check for r in controller.reports if isinstance(r, PortTrouble)] == [Refusal.OTHER_BOARD.value]
    port.close()


def test_a_name_that_is_no_character_device_is_never_opened_nor_created(tmp_path: Path) -> None:
    plain = tmp_path / "ttyUSB0"
    plain.write_bytes(b"\x05" * 100)
    with pytest.raises(PortUnusable) as refusal:
        open_port(str(plain))
    assert refusal.value.check == "not_a_port"
    with pytest.raises(PortUnusable) as refusal:
        open_port(str(tmp_path / "ttyUSB7"))
    assert refusal.value.check == "gone"
    assert not (tmp_path / "ttyUSB7").exists()
    assert plain.read_bytes() == b"\x05" * 100


@pytest.mark.skipif(os.geteuid() == 0 and not os.path.exists("/usr/bin/setpriv"), reason="root needs setpriv for this")
def test_a_port_without_permission_is_named_as_such_and_the_link_stays_alive() -> None:
    """Case A12, first half."""
    script = (
        "import sys; from firmware_bridge.link import open_port; from firmware_bridge.errors import PortUnusable\n"
        "try: open_port(sys.argv[1])\n"
        "except PortUnusable as unusable: print(unusable.check)"
    )
    master, slave = pty.openpty()
    os.chmod(os.ttyname(slave), 0)
    other_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    where = Path(__file__).parents[2]
    answer = subprocess.run(
        [*other_user, sys.executable, "-c", script, os.ttyname(slave)],
        capture_output=True,
        text=True,
        cwd=where,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    os.close(master)
    os.close(slave)
    if "Permission" in answer.stderr and not answer.stdout:
        pytest.skip("the other user cannot read this Python installation")
    assert answer.stdout.strip() == "permission", answer.stderr


def test_a_second_process_on_the_port_is_refused_and_steals_nothing(twin: tuple[TwinPeer, PtyPort]) -> None:
    """Case A12, second half."""
    board, port = twin
    script = (
        "import sys; from firmware_bridge.link import open_port; from firmware_bridge.errors import PortUnusable\n"
        "for _ in range(30):\n"
        "    try: open_port(sys.argv[1]).read(100); print('open')\n"
        "    except PortUnusable as unusable: print(unusable.check)"
    )
    with running(at_path(str(port.path))) as (_, controller):
        assert wait(lambda: controller.has(Live))
        second = subprocess.Popen([sys.executable, "-c", script, str(port.path)], stdout=subprocess.PIPE, text=True)
        actions = [press(1 + n % 7, 1 + n % 7) for n in range(60)]
        for action in actions:
            tell(board, [action])
            time.sleep(0.01)
        said, _ = second.communicate(timeout=20)
        assert set(said.split()) == {"busy"}
        assert wait(lambda: len(controller.world) == 120)
        assert controller.world == told(actions)
        assert lives(controller) == 1


def test_a_link_waits_for_a_board_that_is_not_there_and_says_so_once(tmp_path: Path) -> None:
    with running(at_path(str(tmp_path / "none"))) as (_, controller):
        time.sleep(1.0)
        assert controller.reports == [PortTrouble("not_found", "")]
        _, port = twin_at(tmp_path / "none")
        assert wait(lambda: controller.has(Live))
    port.close()


def test_a_port_on_which_nobody_answers_is_reported_within_six_seconds() -> None:
    master, slave = pty.openpty()
    with running(at_path(os.ttyname(slave))) as (_, controller):
        assert wait(lambda: any(isinstance(r, PortTrouble) for r in controller.reports), 6.5)
        assert [r.check for r in controller.reports if isinstance(r, PortTrouble)] == ["no_answer"]
    os.close(master)
    os.close(slave)


def test_a_request_that_comes_too_late_is_answered_and_kills_nothing(twin: tuple[TwinPeer, PtyPort]) -> None:
    _, port = twin
    with running(at_path(str(port.path))) as (link, controller):
        assert wait(lambda: bool(controller.record))
        link.resume(None)
        link.acknowledge(Cursor(controller.record[-1].ring, 999))
        assert wait(lambda: sum(isinstance(r, AskedInVain) for r in controller.reports) == 2)
        assert lives(controller) == 1


def test_a_killed_host_process_leaves_every_unacknowledged_event_for_the_next_one(tmp_path: Path) -> None:
    """SIGKILL in the middle of acknowledging: what is in the record file is never sent again, what is not always is."""
    peer, port = twin_at(tmp_path / "board")
    record = tmp_path / "record"
    actions = [press(1 + n % 7, 1 + n // 7 % 7) for n in range(90)]
    started = threading.Event()

    def play() -> None:
        started.wait()
        for action in actions:
            while len(peer.board.ring.records) > 50:
                time.sleep(0.005)
            tell(peer, [action])
            time.sleep(0.01)

    player = threading.Thread(target=play)
    player.start()
    host = [sys.executable, "-m", "tests.firmware_bridge.recording_host", str(port.path), str(record), KEY.hex()]
    where = Path(__file__).parents[2]
    for _ in range(6):
        process = subprocess.Popen(host, cwd=where, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        assert process.stdout.readline().strip() == "live"
        started.set()
        time.sleep(0.25)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    player.join()
    last = subprocess.Popen(host, cwd=where)
    assert wait(lambda: len(recorded(record)) >= 180, 15)
    time.sleep(0.3)
    last.kill()
    last.wait()
    port.close()
    assert [event[1:] for event in recorded(record)] == told(actions)
    numbers = [event[0] for event in recorded(record)]
    assert numbers == sorted(set(numbers))


def recorded(path: Path) -> list[tuple[int, int, int]]:
    """Seq, kind and argument of the world's events in a record file."""
    lines = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
    return [(int(seq), int(kind), int(arg)) for _, seq, kind, arg in lines if int(kind) < 15]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_of_the_controller_ends_the_link_loudly_and_is_no_pulled_plug(twin: tuple[TwinPeer, PtyPort]) -> None:
    board, port = twin
    heard: list[Report] = []

    def full_disk(report: Report) -> None:
        heard.append(report)
        if isinstance(report, Greeted):
            link.resume(None)
        if isinstance(report, DeviceEvent):
            raise OSError(errno.ENOSPC, "the disk is full")

    link = Link(at_path(str(port.path)), Session(POLICY, fresh_nonce), full_disk)
    thread = threading.Thread(target=link.run)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
    assert heard[-1] == LinkEnded(expected=False)
    assert not any(isinstance(report, LinkDown) for report in heard)
    assert board.board.ring.first == 1


def test_an_unreadable_key_file_is_reported_and_does_not_end_the_link(
    twin: tuple[TwinPeer, PtyPort], tmp_path: Path
) -> None:
    _, port = twin
    keys = KeyFile(tmp_path / "keys.json")
    keys.put(DEVICE.hex(), KEY)
    keys.path.chmod(0o644)
    with running(at_path(str(port.path)), Policy(keys.key_of)) as (_, controller):
        assert wait(lambda: PortTrouble("keys_unreadable", str(port.path)) in controller.reports)
        keys.path.chmod(0o600)
        assert wait(lambda: controller.has(Live))


def test_the_health_of_a_link_shows_what_happened_on_it(tmp_path: Path) -> None:
    peer = TwinPtyPeer(tmp_path)
    assert peer.until(lambda: peer.controller.has(Live))
    assert peer.until(lambda: peer.session.health.round_trip_ns is not None)
    health = peer.session.health
    assert health.round_trip_ns is not None
    assert 0 < health.round_trip_ns < 1_000_000_000
    assert (health.garbled, health.forged, health.silences) == (0, 0, 0)
    peer.close()


def test_an_error_number_names_the_trouble() -> None:
    from firmware_bridge.link import _check_of

    assert [_check_of(OSError(number, "")) for number in (errno.EACCES, errno.EBUSY, errno.ENOENT, errno.EIO)] == [
        "permission",
        "busy",
        "gone",
        "io_error",
    ]
