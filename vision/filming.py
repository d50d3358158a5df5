"""The camera process: owns the device, shares its newest frame with the eyes, records it, shows it to the window.

`python -m vision.filming --data DIR --table T01 --source rendered:`
"""

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from vision.agreed import Agreed
from vision.camera import Camera
from vision.door import FedClock, Stop, TableDoor, live_place, orders_place, run_folder, video_folder
from vision.exchange import FrameWriter, board_of
from vision.films import Fed
from vision.frames import Device, Frame
from vision.geometry import Image
from vision.health import Condition
from vision.live import LiveDesk, Mask
from vision.recording import Place, Recorder, segments_of
from vision.rendered.source import OrderDesk
from vision.table_options import table_options
from vision.table_view import SourceUnknown, Table, lock_of, opener_of

CAMERA, RECORDER = "camera", "recorder"
TURN_S: Final = 0.25
GIGABYTE: Final = 1_000_000_000
HUNG, UNLOCKED = "hung", "unlocked"
HUNG_NS: Final = 3_000_000_000
MINUTE_NS: Final = 60_000_000_000


class Recording:
    """The recorder with a thread of its own: a slow disk costs recorded frames, which are counted, and nothing else."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder, self._waiting = recorder, threading.Condition()
        self._next: Frame | None = None
        self._stop, self.dropped = False, 0
        self._taken_ns = self._told_ns = time.time_ns()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str | None:
        """Why nothing is kept; a write that does not return is one reason."""
        waits = self._next is not None and time.time_ns() - self._taken_ns > HUNG_NS
        return HUNG if waits else self._recorder.trouble

    def put(self, frame: Frame) -> None:
        """Keep this frame; one that is still waiting is dropped, counted, and told of once a minute."""
        with self._waiting:
            self.dropped += self._next is not None
            self._next = frame
            self._waiting.notify()

    def close(self) -> None:
        with self._waiting:
            self._stop = True
            self._waiting.notify()
        self._thread.join(4.0)

    def _run(self) -> None:
        while True:
            with self._waiting:
                self._waiting.wait_for(lambda: self._stop or self._next is not None)
                frame, self._next = self._next, None
            if frame is None:
                break
            self._recorder.take(frame.image, frame.at_ns or time.time_ns(), frame.coded)
            self._taken_ns = time.time_ns()
            if self.dropped and self._taken_ns - self._told_ns > MINUTE_NS:
                self._told_ns = self._taken_ns
                say(f"{self.dropped} frames were not recorded: disk or processor is too slow")
                self.dropped = 0
        self._recorder.close()


class Filming:
    """Hands every trusted frame to the eyes, the recorder and the window."""

    def __init__(self, board: Path, mask: Mask | None, door: TableDoor) -> None:
        self._board, self._mask, self._door = board, mask, door
        self._writer: FrameWriter | None = None
        self._size: tuple[int, int] = (0, 0)
        self._newest: Frame | None = None
        self.recording: Recording | None = None

    def take(self, frame: Frame) -> None:
        """Called by the camera's thread."""
        at_ns = frame.at_ns or time.time_ns()
        height, width = frame.image.shape[:2]
        if self._writer is None or self._size != (width, height):
            self._writer, self._size = FrameWriter(self._board, width, height), (width, height)
        self._writer.put(frame.image, at_ns)
        self._newest = replace(frame, at_ns=at_ns)
        if self.recording is not None:
            self.recording.put(self._newest)

    def shown(self, camera: Camera) -> Image | None:
        """What the window may see: nothing old, nothing that is veiled, and nothing without knowing what is."""
        frame, heed = self._newest, self._door.heed
        if frame is None or self._mask is None or camera.condition() is not Condition.READY:
            return None
        return self._mask.over(frame.image, heed.veiled, heed.hole)

    def close(self) -> None:
        if self.recording is not None:
            self.recording.close()
        if self._writer is not None:
            self._writer.close()


def trouble_of(camera: Camera) -> str | None:
    """The camera's condition as a code."""
    condition = camera.condition()
    if condition is Condition.STARTING and camera.complaint() is not None:
        return UNLOCKED
    return None if condition is Condition.READY else condition.value


def mask_of(table: Table) -> Mask | None:
    """What hides the hole card in the live picture; None where nobody calibrated. Raises OSError, ValueError."""
    calibration = table.calibrated()
    return None if calibration is None else Mask(calibration, table.zones)


def fed_again(data: Path, table: Table, video: Path) -> Callable[[], Device]:
    """Opens the recorded evening in place of the camera."""
    clock, segments = FedClock(data, table.name), segments_of(video)
    return lambda: Fed(segments, clock.read, table.rate)


def film(data: Path, table: Table, gigabytes: float, ready: Callable[[], None]) -> None:
    """Run until SIGTERM or SIGINT. Raises SourceUnknown, Recalibrated."""
    stop, run = Stop(), run_folder(data, table.name)
    run.mkdir(mode=0o700, parents=True, exist_ok=True)
    opener, drawn = opener_of(table) if table.fed is None else (fed_again(data, table, table.fed), None)
    desk = OrderDesk(orders_place(data, table.name, table.number), drawn.obey) if drawn is not None else None
    agreed, door = Agreed(table), TableDoor(data, table.name)
    filming = Filming(board_of(run, table.camera_name), mask_of(table), door)
    if gigabytes > 0:
        place = Place(video_folder(data, table.name, table.number), round(gigabytes * GIGABYTE))
        filming.recording = Recording(Recorder(place, table.rate, door.recorded, say))
    camera = Camera(opener, lock_of(table), time.monotonic_ns, filming.take)
    live = LiveDesk(live_place(data, table.name, table.number), lambda: filming.shown(camera))
    door.start()
    camera.start()
    ready()
    try:
        while not stop.wait(TURN_S):
            agreed.hold()
            door.well(table.device(CAMERA), trouble_of(camera) if table.fed is None else None)
            if filming.recording is not None:
                door.well(table.device(RECORDER), filming.recording.trouble)
    finally:
        live.close()
        camera.close()
        filming.close()
        door.close()
        if desk is not None:
            desk.close()


def say(text: str) -> None:
    """A line for whoever looks after the process."""
    click.echo(f"krupier: {text}", err=True)


@click.command()
@table_options
@click.option("--gigabytes", default=0.0, show_default=True, help="Room for recordings; 0 records nothing.")
def main(data: Path, table: Table, gigabytes: float) -> None:
    """Run a table's camera until it is told to stop."""
    try:
        film(data, table, gigabytes, lambda: say(f"{table.name}: camera process is up"))
    except (SourceUnknown, OSError, ValueError) as error:
        say(str(error))
        sys.exit(2)


if __name__ == "__main__":
    main()
