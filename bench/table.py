"""Card at rest, fact on disk, dealer's screen: a whole table as `krupier run` starts it, all of it on this machine.

The films are drawn beforehand, so that drawing is not measured: a round is dealt, voided by the floor and taken away,
over and over. The dealer's screen is its socket's message; the tablet itself is another computer. Prints Markdown.
`python -m bench.table [1080p|2x1080p|1440p|4K …] [--minutes 2] [--memory 5]`; memory is at ten rounds a minute.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from simple_websocket import Client, ConnectionClosed

from bench.filmed_table import HOUSE, HUMAN, IDLE_S, SECOND_NS, TEN_TIMES, Pace, films, places
from bench.sighting import SIZES as ONE_CAMERA
from bench.sighting import Size
from dashboard import create_app
from dashboard.settings import Settings
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind, round_of
from table_controller.core.table import TableState
from table_controller.demo.floor import Screen
from table_controller.demo.follow import Follower
from table_controller.journal.naming import journals
from table_controller.journal.sqlite_store import open_reader
from table_controller.play.felt import FLOOR, SECOND, CannotPlay
from table_controller.port.client import NOBODY, Door, DoorClosed
from table_controller.port.words import Look, Status
from tests.dashboard.browsing import free_port
from tests.dashboard.listening import cookie_of
from tests.dashboard.world import PASSWORD, make_people, post
from vision.installing import save
from vision.rendered.paint import view

TABLE, UP_S = "T01", 90
SIZES = {**ONE_CAMERA, "2x1080p": Size("2x1080p", 1920, 1080, 15, cameras=2)}
PARTS = {
    "controller": "table_controller.app",
    "camera": "vision.filming",
    "eyes": "vision.watching",
    "window": "window",
}


class People(threading.Thread):
    """Open the table, bet before every deal, and void the round when it is dealt."""

    def __init__(self, data: Path, door: Door, pace: Pace) -> None:
        super().__init__(daemon=True)
        self._screen = Screen(door, Follower(journals(data, TABLE)[-1]).look, 0.01)
        self._pace, self.rounds, self.questions = pace, 0, 0
        self.home = threading.Event()

    def run(self) -> None:
        house = {**houses.house_values(HOUSE), "witnesses": ["camera"]}
        house["burns"] = {"new_shoe": 0, "new_dealer": 0, "shown": False}
        self._screen.command(said.OpenTable(NOBODY, FLOOR, SECOND, houses.rule_values(HOUSE), house, {}))
        while not self.home.is_set():
            try:
                self._round()
            except (CannotPlay, DoorClosed) as stuck:
                print(f"the people wait: {stuck}", file=sys.stderr)
                time.sleep(1)

    def _round(self) -> None:
        screen = self._screen
        self._put_right()
        screen.command(said.LoadShoe(NOBODY, FLOOR))
        screen.command(said.OpenBets(NOBODY, FLOOR))
        for box in self._pace.boxes:
            screen.command(said.PlaceBet(NOBODY, FLOOR, box, 500))
        screen.command(said.CloseBets(NOBODY, FLOOR))
        self.rounds += screen.wait(_is_dealt, IDLE_S)
        self.questions += len(screen.state.disputes)
        screen.command(said.VoidRound(NOBODY, FLOOR, SECOND, "bench"))

    def _put_right(self) -> None:
        """A machine with other work on it leaves a device unheard for a moment: what came of that is ended."""
        screen = self._screen
        if screen.state.round is not None:
            screen.command(said.VoidRound(NOBODY, FLOOR, SECOND, "bench"))
        screen.wait(lambda state: not state.faults and not any(sight.lies for sight in state.sights), 30)
        if screen.state.paused:
            screen.command(said.ResumeTable(NOBODY, FLOOR))
        house = screen.state.house
        assert house is not None
        for question in screen.state.disputes:
            for remedy in house.remedies[question.irregularity]:
                screen.ask(said.ResolveDispute(NOBODY, FLOOR, question.number, remedy, SECOND))


def _is_dealt(state: TableState) -> bool:
    rnd = round_of(state)
    return rnd is None or bool(state.disputes) or rnd.due.kind is not DueKind.CARD


@dataclass
class Seen:
    """When each card came to rest and its fact could be read from the disk; when the dealer's screen was told anew."""

    cards: list[tuple[int, int]] = field(default_factory=list)
    told_ns: list[int] = field(default_factory=list)

    def follow(self, journal: Path) -> None:
        """Read the record as it grows."""
        reader, seq, rest = open_reader(journal), 0, dict[int, int]()
        while True:
            for row in reader.read(seq):
                seq, now_ns = row.seq, time.time_ns()
                if row.kind == "event.sighting_kept":
                    body = json.loads(row.body)
                    rest[body["cause"]["seq"]] = body["since_ns"]
                elif row.kind == "event.card_dealt" and (number := json.loads(row.body)["cause"]["seq"]) in rest:
                    self.cards.append((rest[number], now_ns))
            time.sleep(0.002)

    def listen(self, port: int, cookie: str) -> None:
        """The dealer's screen."""
        url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket&panels={TABLE}/dealer"
        screen = Client.connect(url, headers={"Cookie": cookie, "Origin": "http://127.0.0.1"})
        screen.send("40")
        try:
            while True:
                heard = str(screen.receive())
                if heard == "2":
                    screen.send("3")
                elif heard.startswith("42"):
                    self.told_ns.append(time.time_ns())
        except ConnectionClosed:
            return

    def late(self) -> tuple[list[float], list[float]]:
        """Milliseconds from rest to disk, and from rest to the screen, of every card."""
        told, screen = iter(sorted(self.told_ns)), list[float]()
        newest = next(told, None)
        for rest_ns, disk_ns in self.cards:
            while newest is not None and newest < disk_ns - 5_000_000:
                newest = next(told, None)
            if newest is not None:
                screen.append((newest - rest_ns) / 1e6)
        return [(disk_ns - rest_ns) / 1e6 for rest_ns, disk_ns in self.cards], screen


class Costs:
    """Processor time and memory of the table's parts, each with whatever it has started."""

    def __init__(self, run: int) -> None:
        parents: dict[int, int] = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
        self._pids = {name: list[int]() for name in PARTS}
        for pid in parents:
            part = pid
            while parents.get(part, run) != run:
                part = parents[part]
            if part in parents:
                self._add(part, pid)

    def _add(self, part: int, pid: int) -> None:
        words = Path(f"/proc/{part}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        for name, sign in PARTS.items():
            if f"-m {sign}" in words or f"table_controller {sign}" in words:
                self._pids[name].append(pid)

    def spent(self) -> dict[str, float]:
        """Seconds of processor so far."""
        return {name: sum(_stat(pid)[0] for pid in pids) for name, pids in self._pids.items()}

    def megabytes(self) -> dict[str, float]:
        """Memory now."""
        return {name: sum(_stat(pid)[1] for pid in pids) for name, pids in self._pids.items()}


def _stat(pid: int) -> tuple[float, float]:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def shares(costs: Costs, seconds: float) -> dict[str, float]:
    """The share of one core each part takes in the next so many seconds."""
    before, began = costs.spent(), time.monotonic()
    time.sleep(seconds)
    took = time.monotonic() - began
    return {name: (spent - before[name]) / took for name, spent in costs.spent().items()}


@contextmanager
def table(folder: Path, size: Size) -> Iterator[tuple[Path, int, int]]:
    """`krupier run` on the films in this folder: its data, its process, the window's port."""
    data, port = folder / "data", free_port()
    data.mkdir()
    make_people(data)
    config = folder / "table.toml"
    config.write_text(
        f'table = "{TABLE}"\ndata = "data"\nrules = "{HOUSE}"\n'
        + "".join(_camera(folder, size, name, side) for name, side in places(size))
        + f"[recorder]\ngigabytes = 2\n[window]\nport = {port}\nhttps = false\n"
    )
    command = [sys.executable, "-m", "table_controller", "run", "--config", str(config)]
    with (folder / "run.log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log)
        try:
            yield data, process.pid, port
        finally:
            process.terminate()
            process.wait(30)


def _camera(folder: Path, size: Size, name: str, side: int) -> str:
    """Its section of the configuration, calibrated."""
    calibration = folder / f"{name}.json"
    save(view(size.width, size.height, side), calibration)
    return (
        f'[{name}]\nsource = "recorded:{folder / "films" / name}"\ncalibration = "{calibration}"\n'
        f"width = {size.width}\nheight = {size.height}\nrate = {size.rate}\njumbo = true\n"
    )


def well(door: Door) -> bool:
    """Whether every device and process of the table says that it is."""
    try:
        status = door.look(Look())
    except DoorClosed:
        return False
    return isinstance(status, Status) and status.down is None and all(light.ok for light in status.lights)


def answers(port: int) -> bool:
    """Whether the window is served; it is the last to start."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def measured(folder: Path, size: Size, pace: Pace, minutes: float) -> dict[str, object]:
    """One table, looked at while it idles and while it is dealt at."""
    rounds = round(minutes * 60 * SECOND_NS / pace.period_ns)
    films(folder / "films", size, pace, rounds)
    with table(folder, size) as (data, process, port):
        door, until = Door(data, TABLE), time.monotonic() + UP_S
        while not (well(door) and answers(port)):
            if time.monotonic() > until:
                raise SystemExit(f"the table does not come up: {(folder / 'run.log').read_text()}")
            time.sleep(0.1)
        seen, people, costs = Seen(), People(data, door, pace), Costs(process)
        client = create_app(Settings(data=data)).test_client()
        post(client, "/sign-in", name="dealer", password=PASSWORD)
        for work in (lambda: seen.follow(journals(data, TABLE)[-1]), lambda: seen.listen(port, cookie_of(client))):
            threading.Thread(target=work, daemon=True).start()
        idle = shares(costs, 8)
        people.start()
        while not seen.cards and time.monotonic() < until + IDLE_S:
            time.sleep(0.05)
        memory = [costs.megabytes()]
        dealing = shares(costs, min(60.0, minutes * 60))
        for _ in range(1, int(minutes)):
            memory.append(costs.megabytes())
            time.sleep(60)
        memory.append(costs.megabytes())
        people.home.set()
    return {"seen": seen, "people": people, "idle": idle, "dealing": dealing, "memory": memory}


def percentiles(late: Sequence[float]) -> str:
    """p50 / p95 / p99."""
    ordered = sorted(late)
    at = (
        statistics.median(ordered),
        *(ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.95, 0.99)),
    )
    return " / ".join(f"{one:.0f}" for one in at)


def _each(values: dict[str, float], form: str) -> str:
    return " + ".join(format(values[name], form) for name in PARTS)


def latency(names: Sequence[str], minutes: float) -> None:
    """How late the fact and the screen are, by camera."""
    print(
        "| camera | cards | at rest to disk p50 / p95 / p99, ms | to the dealer's screen | idle, of a core | dealing |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names:
        with tempfile.TemporaryDirectory(prefix="krupier-bench-") as folder:
            found = measured(Path(folder), SIZES[name], HUMAN, minutes)
        seen, people = found["seen"], found["people"]
        assert isinstance(seen, Seen)
        assert isinstance(people, People)
        disk, screen = seen.late()
        read = f"{len(disk)} in {people.rounds} rounds, {people.questions} questions"
        costs = " | ".join(_each(found[when], ".0%") for when in ("idle", "dealing"))  # type: ignore[arg-type]
        size = SIZES[name]
        print(
            f"| {name}, {size.rate} a second | {read} | {percentiles(disk)} | {percentiles(screen)} | {costs} |",
            flush=True,
        )


def memory(minutes: float) -> None:
    """Megabytes of every part, minute by minute, at ten rounds a minute."""
    with tempfile.TemporaryDirectory(prefix="krupier-bench-") as folder:
        found = measured(Path(folder), SIZES["1080p"], TEN_TIMES, minutes)
    marks, people = found["memory"], found["people"]
    assert isinstance(marks, list)
    assert isinstance(people, People)
    print(f"| 1080p, {people.rounds} rounds in {minutes:g} minutes | at first | least | most | at last |")
    print("| --- | --- | --- | --- | --- |")
    for name in PARTS:
        over = [mark[name] for mark in marks]
        print(f"| {name}, MB | {over[0]:.0f} | {min(over):.0f} | {max(over):.0f} | {over[-1]:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", metavar="SIZE", help=f"of {', '.join(SIZES)}")
    parser.add_argument("--minutes", type=float, default=2.0, help="of dealing, for each size; 0 leaves it out")
    parser.add_argument("--memory", type=float, default=5.0, help="minutes at ten rounds a minute; 0 leaves it out")
    given = parser.parse_args()
    if given.minutes:
        latency(given.sizes or ["1080p", "2x1080p", "4K"], given.minutes)
        print()
    if given.memory:
        memory(given.memory)
    print(
        f"\nShares and memory are of {', '.join(PARTS)}. {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f} at last."
    )


if __name__ == "__main__":
    main()
