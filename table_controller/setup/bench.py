"""The technician's bench: one board at a time, its keys pressed and its lamps lit one by one; nothing is recorded."""

import threading
import time
from collections import deque
from typing import Final

from firmware_bridge.conversation import Lamps
from firmware_bridge.describe import describe
from firmware_bridge.events import Cursor, DeviceEvent
from firmware_bridge.greeting import Policy
from firmware_bridge.link import Link, PortTrouble, Report, at_path
from firmware_bridge.outputs import Denied, Greeted, Live
from firmware_bridge.session import Session
from firmware_bridge.visit import fresh_nonce

LAMPS: Final = 32
REMEMBERED: Final = 40
DARK: Final = Lamps(0, 0)


class Bench:
    """One board on trial. Threads may ask; what the board says is kept in words until the next board comes."""

    def __init__(self, path: str, policy: Policy, language: str) -> None:
        self.path = path
        self.state = "no_answer"
        self.heard: deque[str] = deque(maxlen=REMEMBERED)
        self.lit: int | None = None
        self._language = language
        self._began = time.monotonic_ns()
        self._link = Link(at_path(path), Session(policy, fresh_nonce), self._hear)
        self._thread = threading.Thread(target=self._link.run, name="bench", daemon=True)
        self._thread.start()

    def light(self, lamp: int | None) -> None:
        """One lamp alone, or none."""
        self.lit = lamp
        self._link.show(DARK if lamp is None else Lamps(1 << lamp, 0))

    def leave(self) -> None:
        """Lets go of the port, the lamps dark."""
        self.light(None)
        self._link.stop()
        self._thread.join(2)

    def _hear(self, report: Report) -> None:
        match report:
            case Greeted():
                # What the board has kept stays the table's: nothing is acknowledged here.
                self._link.resume(Cursor(report.hello.ring, report.hello.first - 1))
            case Live():
                self.state = "ok"
            case Denied():
                self.state = report.refusal.value
            case PortTrouble():
                self.state = report.check
            case DeviceEvent() if report.when is not None and report.when.latest_ns > self._began:
                self.heard.appendleft(describe(report, self._language))
            case _:
                return
