"""The bridge beside bare pyserial reading the same kind of bytes: latency, events a second, CPU a frame.

A board in a process of its own speaks over a pseudo-terminal, two hundred events a second. Where firmware and simulator
are built, the real firmware's worst interrupt and its MAC are measured as well. Prints a Markdown table; what the
figures mean: docs/benchmarks.md.
"""

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import serial

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.events import Cursor, DeviceEvent, EventKind
from firmware_bridge.framing import wrap
from firmware_bridge.greeting import Policy
from firmware_bridge.link import Link, Report, at_path
from firmware_bridge.messages import Events, Record, pack
from firmware_bridge.outputs import Greeted, Live
from firmware_bridge.session import Session
from firmware_bridge.simulator.process import FIRMWARE, PROGRAM, Simulator
from firmware_bridge.tags import seal
from firmware_bridge.visit import fresh_nonce, pair

DEVICE, KEY = b"KRUPIER1", bytes(range(16))
EVENTS, RATE, FLOOD = 2000, 200, 6000
MASK = 0xFFFFFFFF
MAC_ELF = FIRMWARE.with_name("mac.elf")


def now_us() -> int:
    return time.monotonic_ns() // 1000 & MASK


class Host:
    """A link whose controller acknowledges and notes how long each event took."""

    def __init__(self, path: Path, device: str = DEVICE.hex(), key: bytes = KEY) -> None:
        self.latencies_ms: list[float] = []
        self.heard = 0
        self.live = threading.Event()
        self.cpu_s = 0.0
        self.session = Session(Policy({device: key}.get), fresh_nonce)
        self.link = Link(at_path(str(path)), self.session, self._hear)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self.link.run()
        self.cpu_s = time.thread_time()

    def _hear(self, report: Report) -> None:
        match report:
            case Greeted():
                self.link.resume(None)
            case Live():
                self.live.set()
            case DeviceEvent(kind=EventKind.BEAM_CLEARED | EventKind.BEAM_BROKEN):
                self.heard += 1
                self.latencies_ms.append((now_us() - report.value & MASK) / 1000)
                self.link.acknowledge(report.cursor)
            case _:
                pass

    def stop(self) -> None:
        self.link.stop()
        self._thread.join()


def play(mode: str, path: Path) -> None:
    """The child process: a twin at RATE ("events") or as fast as it can ("flood"), or frames only written ("bytes")."""
    twin = TwinPeer(Board(Eeprom(DEVICE, 1, KEY)))
    port = PtyPort(Writer() if mode == "bytes" else twin, path)
    port.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    start = time.monotonic()
    for number in range({"events": EVENTS, "flood": FLOOD, "bytes": 0}[mode]):
        while len(twin.board.ring.records) > 56:  # the host is behind: a full ring would lose events
            time.sleep(0.0002)
        twin.note(EventKind.BEAM_CLEARED, 0, now_us())
        if mode == "events":
            time.sleep(max(0.0, start + number / RATE - time.monotonic()))
    sys.stdin.readline()
    port.close()


class Writer:
    """A peer that says one frame of one event every 1/RATE s and listens to nobody."""

    def __init__(self) -> None:
        self._said = 0
        self._start = 0.0

    def opened(self) -> None:
        self._said, self._start = 0, time.monotonic()

    def exchange(self, data: bytes) -> bytes:
        del data
        if self._said >= EVENTS or time.monotonic() < self._start + self._said / RATE:
            return b""
        self._said += 1
        return wrap(seal(KEY, pack(Events(self._said, self._said, (Record(2, 0, self._said * 5000, now_us()),)))))


def child(mode: str, path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, __file__, mode, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    process.stdout.readline()
    return process


def tell(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def measure_link(mode: str, folder: Path, count: int) -> tuple[Host, float]:
    """A host that has heard `count` events, and the seconds it took."""
    board = child(mode, folder / mode)
    host = Host(folder / mode)
    host.live.wait(10)
    start = time.monotonic()
    tell(board)
    while len(host.latencies_ms) < count:
        time.sleep(0.01)
    took = time.monotonic() - start
    host.stop()
    tell(board)
    board.wait()
    return host, took


def measure_bare(folder: Path) -> tuple[int, float]:
    """Frames and CPU seconds of a loop that only reads what is there."""
    board = child("bytes", folder / "bytes")
    frames, before = 0, time.thread_time()
    with serial.Serial(str(folder / "bytes"), 115_200, timeout=1) as port:
        while data := port.read(port.in_waiting or 1):
            frames += data.count(0)
    cpu = time.thread_time() - before
    tell(board)
    tell(board)
    board.wait()
    return frames, cpu


def measure_decoding() -> float:
    """Frames a second through framing, tag, ordering and clock, six events each, no port."""
    session = Session(Policy({DEVICE.hex(): KEY}.get), fresh_nonce)
    board = Board(Eeprom(DEVICE, 1, KEY))
    streams = []
    session.open(0)
    last: Cursor | None = None
    for step in range(1, 3000):
        now = step * 1_000_000
        for _ in range(6):
            board.note(EventKind.BEAM_CLEARED, 0, 1)
        board.feed(session.outgoing(), step * 1000)
        board.tick(step * 1000)
        data = board.outgoing()
        begun = time.perf_counter()
        outputs = session.receive(data, now)
        streams.append(time.perf_counter() - begun)
        for output in outputs:
            if isinstance(output, Greeted):
                session.resume(None, now)
            elif isinstance(output, DeviceEvent):
                last = output.cursor
        if last:
            session.acknowledge(last)
        session.tick(now)
    return 1 / statistics.median(streams)


def firmware_figures(folder: Path) -> list[tuple[str, str]]:
    """Worst interrupt and MAC of the real firmware, in cycles of its 16 MHz."""
    if not (FIRMWARE.exists() and PROGRAM.exists()):
        return [("real firmware", "not built: make board")]
    rows = []
    with Simulator(folder, speed=0) as board:
        board.do("jumper 1")
        pair(str(board.port), 767)
        board.do("jumper 0")
        board.do("power-cut")
        last = board.plan((1_000_000 + n * 9_973, f"beam 0 {(n + 1) % 2}") for n in range(400))
        while int(board.do("time")) <= last:
            time.sleep(0.05)
        words = board.do("figures").split()
        rows.append(("interrupt to event in the ring, cycles: mean / worst", f"{words[5]} / {words[3]}"))
    return [*rows, ("pulse at the pin to controller, real firmware, ms: p50 / p99", firmware_latency(folder))]


def firmware_latency(folder: Path) -> str:
    """Two hundred edges of the simulated beam in real time, through the chip's UART at 115,200 baud."""
    arrived: list[float] = []
    with Simulator(folder) as board:
        board.do("jumper 1")
        pairing = pair(str(board.port), 767)
        board.do("jumper 0")
        board.do("power-cut")
        host = Host(board.port, pairing.device, pairing.key)
        host.live.wait(20)
        for number in range(200):
            before, started = host.heard, time.monotonic()
            board.do(f"beam 0 {(number + 1) % 2}")
            while host.heard == before and time.monotonic() < started + 5:
                time.sleep(0.0002)
            arrived.append((time.monotonic() - started) * 1000)
            time.sleep(0.02)
        host.stop()
    cuts = statistics.quantiles(arrived, n=100)
    return f"{cuts[49]:.1f} / {cuts[98]:.1f}"


def mac_figures(folder: Path) -> list[tuple[str, str]]:
    """Cycles of a tag over the bytes of an ACK, a key, one event and six."""
    with Simulator(folder, speed=0, elf=MAC_ELF) as board:
        while len(marks := board.do("marks").split()) < 12:
            time.sleep(0.05)
    names = ("SipHash-2-4, assembly", "SipHash-2-4, plain C++", "Chaskey-12, plain C++")
    sized = [mark.replace(":", " bytes: ") for mark in marks]
    return [(f"{name}, cycles", ", ".join(sized[4 * n : 4 * n + 4])) for n, name in enumerate(names)]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        host, _ = measure_link("events", folder, EVENTS)
        bare_frames, bare_cpu = measure_bare(folder)
        flooded, took = measure_link("flood", folder, FLOOD)
        rows = firmware_figures(folder)
        rows += mac_figures(folder) if MAC_ELF.exists() else []
    cuts = statistics.quantiles(host.latencies_ms, n=100)
    ours = host.cpu_s / host.session.health.frames * 1e6
    bare = bare_cpu / bare_frames * 1e6
    rows = [
        ("event to controller at 200/s, ms: p50 / p99", f"{cuts[49]:.2f} / {cuts[98]:.2f}"),
        ("CPU a frame, µs: bridge / bare pyserial", f"{ours:.0f} / {bare:.0f} ({ours / bare:.2f} times)"),
        ("events/s through pty, twin and bridge", f"{FLOOD / took:.0f} in {flooded.session.health.frames} frames"),
        ("frames/s of six events, decoding alone", f"{measure_decoding():.0f}"),
        *rows,
    ]
    print("| bridge | |\n| --- | --- |")
    for title, value in rows:
        print(f"| {title} | {value} |")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        play(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
