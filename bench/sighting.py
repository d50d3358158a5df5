"""Card at rest to the eyes' word at the door, on this machine with every process of the eyes running.

The table is drawn to a film beforehand, so that drawing is not measured; camera, recorder and eyes are the real ones.
Prints a Markdown table. `python -m bench.sighting [1080p|1440p|4K …]`
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from table_controller.core.cards import PACK
from table_controller.port.wire import door_of
from table_controller.port.words import Answer, Health, Look, Outcome, Said, Sighted, Status, Told, Watch, Watching
from table_controller.shell.port import PortServer
from vision.installing import save
from vision.rendered.orders import Lay, Take
from vision.rendered.paint import view
from vision.rendered.table import HouseDeck, Painter, Scene, Shot
from vision.segments import EncodedSegment

TABLE, BOXES, EACH = "T01", 7, 3
SECOND = 1_000_000_000
IDLE_S, CARD_NS = 12, 660_000_000


@dataclass(frozen=True)
class Size:
    """What the camera delivers, or each of two."""

    name: str
    width: int
    height: int
    rate: int
    cameras: int = 1


SIZES = {
    size.name: size
    for size in (Size("1080p", 1920, 1080, 15), Size("1440p", 2560, 1440, 15), Size("4K", 3840, 2160, 10))
}


def film(path: Path, size: Size) -> int:
    """An idle table, three rounds dealt at one and a half cards a second, each taken away; how many cards."""
    scene = Scene(BOXES, seed=5)
    painter = Painter(scene, Shot(size.width, size.height), HouseDeck())
    segment, step = EncodedSegment(path, 0, "libx264", size.rate), SECOND // size.rate
    orders: list[tuple[int, Lay | Take]] = []
    at_ns, cards = IDLE_S * SECOND, iter(PACK)
    for _ in range(EACH):
        for box in (number % BOXES + 1 for number in range(2 * BOXES)):
            orders.append((at_ns, Lay(slot=f"box{box}", card=str(next(cards)))))
            at_ns += CARD_NS
        orders.append((at_ns + SECOND, Take()))
        at_ns += 3 * SECOND
    dealt = sum(isinstance(order, Lay) for _, order in orders)
    for now_ns in range(0, at_ns, step):
        while orders and orders[0][0] <= now_ns:
            scene.obey(orders.pop(0)[1], now_ns)
        segment.write(painter.picture(now_ns), now_ns, None)
    segment.close()
    return dealt


class Ear:
    """The controller's door: notes when each word arrived."""

    def __init__(self, data: Path) -> None:
        self.words: list[tuple[Sighted, int]] = []
        self.well: set[str] = set()
        self._data, self._guard = data, Lock()
        self._door = PortServer(door_of(data, TABLE), self._hear)
        self._door.start()

    def close(self) -> None:
        self._door.close()

    def _hear(self, said: Said) -> Told:
        arrived_ns = time.time_ns()
        match said:
            case Watch():
                return Watching(1)
            case Look():
                return Status(TABLE, str(self._data / f"{TABLE}.db"), 1, 1, ())
            case Sighted():
                with self._guard:
                    self.words.append((said, arrived_ns))
            case Health():
                (self.well.add if said.ok else self.well.discard)(said.device)
            case _:
                pass
        return Answer(Outcome.DONE, 1)


def busy(process: "subprocess.Popen[bytes]") -> tuple[float, float]:
    """Seconds of processor so far, and megabytes."""
    fields = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds, int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def share(processes: "list[subprocess.Popen[bytes]]", until: Callable[[], bool]) -> list[float]:
    """Share of one core each took until then."""
    before, began = [busy(process)[0] for process in processes], time.monotonic()
    while not until():
        time.sleep(0.05)
    took = time.monotonic() - began
    return [(busy(process)[0] - was) / took for process, was in zip(processes, before, strict=True)]


def measured(size: Size, folder: Path) -> str:
    """One row of the table."""
    path, calibration = folder / f"{size.name}.mp4", folder / f"{size.name}.json"
    dealt = film(path, size)
    save(view(size.width, size.height), calibration)
    data = folder / size.name
    ear = Ear(data)
    place = f"--data={data} --table={TABLE} --source=file:{path} --rate={size.rate} --jumbo --calibration={calibration}"
    start = [sys.executable, "-m"]
    processes = [
        subprocess.Popen([*start, "vision.watching", *place.split()], stderr=subprocess.DEVNULL),
        subprocess.Popen([*start, "vision.filming", *place.split(), "--gigabytes=1"], stderr=subprocess.DEVNULL),
    ]
    end = time.monotonic() + 90
    while {"camera", "vision", "recorder"} - ear.well and time.monotonic() < end:
        time.sleep(0.05)
    idle = share(processes, lambda: bool(ear.words) or time.monotonic() > end)
    dealing = share(processes, lambda: len(ear.words) >= dealt or "camera" not in ear.well or time.monotonic() > end)
    memory = [busy(process)[1] for process in processes]
    for process in processes:
        process.terminate()
        process.wait(10)
    ear.close()
    return row(size, dealt, ear.words, [*idle, *dealing, *memory])


def row(size: Size, dealt: int, words: list[tuple[Sighted, int]], costs: list[float]) -> str:
    truth = [str(card) for card in PACK[:dealt]]
    late = sorted((arrived_ns - said.since_ns) / 1e6 for said, arrived_ns in words)
    wrong = sum(said.card not in truth for said, _ in words if said.card)
    right = len({said.card for said, _ in words} & set(truth))
    p50, p95, p99 = statistics.median(late), late[int(len(late) * 0.95)], late[int(len(late) * 0.99)]
    eyes, camera, eyes_dealing, camera_dealing, eyes_mb, camera_mb = costs
    return (
        f"| {size.name}, {size.rate} a second | {right} of {dealt}, {wrong} wrong | {p50:.0f} / {p95:.0f} / {p99:.0f} "
        f"| {eyes:.0%} + {camera:.0%} | {eyes_dealing:.0%} + {camera_dealing:.0%} | {eyes_mb:.0f} + {camera_mb:.0f} |"
    )


def main() -> None:
    print("| camera | cards read | at rest to the door p50 / p95 / p99, ms | idle, of a core | dealing | MB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="krupier-bench-") as folder:
        for name in sys.argv[1:] or ["1080p", "4K"]:
            print(measured(SIZES[name], Path(folder)), flush=True)
    load = os.getloadavg()[0]
    print(f"\nCosts are of the eyes and of camera with recorder. {os.cpu_count()} cores, load {load:.1f} at the end.")


if __name__ == "__main__":
    main()
