"""The drawn table as a camera: frames at their rate, orders from a script or over a Unix socket."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec

from vision.calibration import Calibration
from vision.frames import CameraLost, Frame
from vision.rendered.orders import Obeyed, Orders, OrderUnclear, Sight, order_from
from vision.rendered.table import Deck, HouseDeck, Painter, Scene, Shot

RATE: Final = 15
LONGEST_ORDER: Final = 4096


class DrawnCamera:
    """A Device whose picture is drawn; `orders` of a script are carried out at their time."""

    def __init__(self, painter: Painter, scene: Scene, rate: int = RATE, orders: Iterable[Orders] = ()) -> None:
        self._painter, self._scene, self._guard = painter, scene, threading.Lock()
        self._step_ns = 1_000_000_000 // rate
        self._script = sorted(orders, key=lambda order: order.at_ms)
        self._start_ns = self._next_ns = time.time_ns()
        self._settings: dict[str, float] = {}
        self._last: Frame | None = None

    def read(self) -> Frame:
        """The next frame, when it is due; raises CameraLost while the lens is unplugged."""
        self._next_ns = max(self._next_ns + self._step_ns, time.time_ns() - self._step_ns)
        time.sleep(max(0, self._next_ns - time.time_ns()) / 1e9)
        now_ns = time.time_ns()
        with self._guard:
            while self._script and self._script[0].at_ms * 1_000_000 <= now_ns - self._start_ns:
                self._scene.obey(self._script.pop(0), now_ns)
            return self._frame(now_ns)

    def _frame(self, now_ns: int) -> Frame:
        if self._scene.sight is Sight.UNPLUGGED:
            raise CameraLost("drawn table: unplugged by an order")
        if self._scene.sight is not Sight.FROZEN or self._last is None:
            self._last = Frame(self._painter.picture(now_ns), now_ns, now_ns)
        return self._last

    def obey(self, order: Orders) -> Obeyed:
        """Carry out an order now; a refusal says why."""
        with self._guard:
            try:
                return Obeyed(rest_ns=self._scene.obey(order, time.time_ns()))
            except OrderUnclear as error:
                return Obeyed(refused=str(error))

    def set(self, name: str, value: float) -> bool:
        self._settings[name] = value
        return True

    def get(self, name: str) -> float:
        return self._settings.get(name, 0.0)

    def close(self) -> None:
        """The table stays as it is; the next opening finds it so."""


def drawn_camera(
    boxes: int = 7, shot: Shot | None = None, cards: Deck | None = None
) -> tuple[DrawnCamera, Calibration]:
    """A drawn table ready to be looked at, and the calibration its camera would get."""
    scene = Scene(boxes)
    painter = Painter(scene, shot or Shot(), cards or HouseDeck())
    return DrawnCamera(painter, scene), painter.view


class OrderDesk:
    """Takes orders, a JSON line each, over a Unix socket and answers each with a line."""

    def __init__(self, path: Path, obey: Callable[[Orders], Obeyed]) -> None:
        path.unlink(missing_ok=True)
        self._path, self._obey = path, obey
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(str(path))
        path.chmod(0o600)
        self._socket.listen()
        threading.Thread(target=self._serve, name="orders", daemon=True).start()

    def close(self) -> None:
        self._socket.close()
        self._path.unlink(missing_ok=True)

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._listen, args=(caller,), name="orders", daemon=True).start()

    def _listen(self, caller: socket.socket) -> None:
        with caller, caller.makefile("rwb") as lines, contextlib.suppress(OSError):
            while line := lines.readline(LONGEST_ORDER):
                lines.write(msgspec.json.encode(self._answer(line)) + b"\n")
                lines.flush()

    def _answer(self, line: bytes) -> Obeyed:
        try:
            return self._obey(order_from(line))
        except OrderUnclear as error:
            return Obeyed(refused=str(error))


class OrderCaller:
    """The other end: says an order and waits for its answer; raises OSError when nobody answers."""

    def __init__(self, path: Path, timeout_s: float = 5.0) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout_s)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rwb")

    def say(self, order: Orders) -> Obeyed:
        self._lines.write(msgspec.json.encode(order) + b"\n")
        self._lines.flush()
        line = self._lines.readline()
        if not line:
            raise OSError("the drawn table hung up")
        return msgspec.json.decode(line, type=Obeyed)

    def close(self) -> None:
        self._lines.close()
        self._socket.close()
