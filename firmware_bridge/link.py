"""One board on one serial port: find it, open it, keep it. The only file that imports serial.

The thread that calls `run` owns port and session; everybody else asks through `resume`, `acknowledge`, `show`.
"""

import errno
import os
import select
import stat
import termios
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial

import serial
from msgspec import Struct
from serial.tools import list_ports

from firmware_bridge.conversation import Lamps
from firmware_bridge.errors import KeysUnreadable, NotNow, PortUnusable
from firmware_bridge.events import Cursor
from firmware_bridge.outputs import Denied, Greeted, Output, Refusal
from firmware_bridge.session import Session
from firmware_bridge.tape import Tape, Way, no_tape

BAUD = 115_200
TURN_S = 0.02
NO_ANSWER_NS = 5_000_000_000
BACKOFF_S = (0.2, 0.4, 0.8, 1.5)
WRITE_TIMEOUT_S = 1.0
READ_SIZE = 4096


class Adapter(Struct, frozen=True):
    """A serial adapter: where it is now, and what stays the same when its name changes."""

    path: str
    identity: str
    description: str = ""


class LinkUp(Struct, frozen=True):
    """The port is open; a greeting should follow."""

    path: str


class LinkDown(Struct, frozen=True):
    """The port has gone, in the middle of things."""

    path: str
    reason: str


class PortTrouble(Struct, frozen=True):
    """The port cannot be used at present; `check` is an entry of texts.py. Said once per change."""

    check: str
    path: str


class AskedInVain(Struct, frozen=True):
    """A request came when the session could no longer do it, usually because the link had just gone."""

    reason: str


class LinkEnded(Struct, frozen=True):
    """`run` has returned; not `expected` means it died of an error, which its thread reports."""

    expected: bool


Report = Output | LinkUp | LinkDown | PortTrouble | AskedInVain | LinkEnded
Find = Callable[[], Adapter | None]
Hear = Callable[[Report], None]
Now = Callable[[], int]
Request = Callable[[], list[Output] | None]


def usb_adapters() -> list[Adapter]:
    """The USB serial adapters plugged in now. Identity is the serial number, or the socket where there is none."""
    return [
        Adapter(port.device, f"{port.vid:04x}:{port.pid:04x}:{port.serial_number or port.location}", port.description)
        for port in list_ports.comports()
        if port.vid is not None
    ]


def find_by(identity: str, adapters: Callable[[], list[Adapter]] = usb_adapters) -> Find:
    """Finds the adapter with this identity wherever it is, and no other."""
    return lambda: next((adapter for adapter in adapters() if adapter.identity == identity), None)


def at_path(path: str) -> Find:
    """For a port given by hand: the path itself is the identity."""
    return lambda: Adapter(path, path) if os.path.exists(path) else None


def open_port(path: str) -> serial.Serial:
    """The port, exclusively ours, without old input. Raises PortUnusable; never creates a file."""
    try:
        if not stat.S_ISCHR(os.stat(path).st_mode):
            raise PortUnusable("not_a_port", path)
        port = serial.Serial(path, BAUD, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
        port.reset_input_buffer()
    except OSError as error:
        raise PortUnusable(_check_of(error), path) from error
    except termios.error as error:
        raise PortUnusable("gone", path) from error
    return port


def turns(path: str, seconds: float) -> Generator[tuple[Callable[[bytes], object], bytes], None, None]:
    """Open a port for a short talk: every 20 ms or sooner, how to write and what has come. Raises PortUnusable."""
    until = time.monotonic() + seconds
    with open_port(path) as port:
        while time.monotonic() < until:
            ready, _, _ = select.select([port.fileno()], [], [], TURN_S)
            yield partial(write_all, port), read_ready(port) if ready else b""


def read_ready(port: serial.Serial) -> bytes:
    """What has arrived on a port that is ready. Raises PortUnusable when it has been pulled."""
    try:
        # pyserial's own read would ask the kernel twice more whether there is anything.
        data = os.read(port.fileno(), READ_SIZE)
    except OSError as error:
        raise PortUnusable("gone", str(port.port)) from error
    if not data:
        raise PortUnusable("gone", str(port.port))
    return data


def write_all(port: serial.Serial, data: bytes) -> None:
    """Write it all. Raises PortUnusable when the port is pulled or takes nothing for WRITE_TIMEOUT_S."""
    try:
        written = _write_some(port.fileno(), data)
        if written < len(data):
            port.write(data[written:])
    except OSError as error:
        raise PortUnusable("gone", str(port.port)) from error


def _write_some(fd: int, data: bytes) -> int:
    """Nearly always all of it, at half the cost of pyserial's write."""
    try:
        return os.write(fd, data)
    except BlockingIOError:
        return 0


def _check_of(error: OSError) -> str:
    if error.errno in {errno.EACCES, errno.EPERM}:
        return "permission"
    if error.errno in {errno.EBUSY, errno.EAGAIN}:
        return "busy"
    if error.errno in {errno.ENOENT, errno.ENXIO, errno.ENODEV}:
        return "gone"
    # pyserial reports a failed lock without a number of its own.
    return "busy" if isinstance(error.__context__, BlockingIOError) or "lock" in str(error) else "io_error"


class Link:
    """Keeps one board connected. `report` is called from the thread that runs `run`, with everything in order."""

    def __init__(
        self, find: Find, session: Session, report: Hear, now: Now = time.monotonic_ns, tape: Tape = no_tape
    ) -> None:
        self.session = session
        self._find = find
        self._report = report
        self._now = now
        self._tape = tape
        self._requests: deque[Request] = deque()
        self._trouble: str | None = None
        self._failures = 0
        self._stopping = False
        self._wake_out, self._wake_in = -1, -1
        self._waking = threading.Lock()
        self._owner = 0

    def resume(self, recorded: Cursor | None) -> None:
        """Answer a greeting: events up to `recorded` are on record."""
        self._ask(lambda: self.session.resume(recorded, self._now()))

    def acknowledge(self, upto: Cursor) -> None:
        """Events up to this one are on disk."""
        self._ask(lambda: self.session.acknowledge(upto))

    def show(self, lamps: Lamps) -> None:
        self._ask(lambda: self.session.show(lamps))

    def self_test(self) -> None:
        self._ask(self.session.self_test)

    def stop(self) -> None:
        """Make `run` return soon."""
        self._stopping = True
        self._wake()

    def run(self) -> None:
        """Find, open, serve, and again, until `stop`."""
        self._owner = threading.get_ident()
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_in, False)
        try:
            while not self._stopping:
                self._attempt()
        finally:
            with self._waking:
                os.close(self._wake_out)
                os.close(self._wake_in)
                self._wake_out, self._wake_in = -1, -1
            self._report(LinkEnded(self._stopping))

    def _ask(self, request: Request) -> None:
        self._requests.append(request)
        self._wake()

    def _wake(self) -> None:
        if threading.get_ident() == self._owner:
            return
        with self._waking, suppress(BlockingIOError):  # a full pipe wakes as well
            if self._wake_in >= 0:
                os.write(self._wake_in, b"!")

    def _attempt(self) -> None:
        adapter = self._find()
        if adapter is None:
            self._fail("not_found", "")
            return
        try:
            port = open_port(adapter.path)
        except PortUnusable as unusable:
            self._fail(unusable.check, adapter.path)
            return
        with port:
            self._report(LinkUp(adapter.path))
            opened = self._now()
            self._tape(Way.OPENED, opened, b"")
            self.session.open(opened)
            try:
                self._serve(port, adapter.path)
            except PortUnusable as unusable:
                # Only what the port did: an error of the controller's own must not pass for a pulled plug.
                self._report(LinkDown(adapter.path, str(unusable.__cause__ or unusable)))
            except KeysUnreadable:
                self._fail("keys_unreadable", adapter.path)
            finally:
                self._tape(Way.CLOSED, self._now(), b"")
                self.session.close()
        self._pause(BACKOFF_S[0])

    def _serve(self, port: serial.Serial, path: str) -> None:
        fd = port.fileno()
        while not self._stopping:
            ready, _, _ = select.select([fd, self._wake_out], [], [], TURN_S)
            if self._wake_out in ready:
                os.read(self._wake_out, 4096)
            self._do_requests()
            data, now = read_ready(port) if fd in ready else b"", self._now()
            if data:
                self._tape(Way.HEARD, now, data)
            strange = self._pass_on(self.session.receive(data, now), path)
            self._do_requests()
            self._pass_on(self.session.tick(now), path)
            if answer := self.session.outgoing():
                self._tape(Way.SAID, now, answer)
                write_all(port, answer)
            if self.session.asking_for(now) > NO_ANSWER_NS:
                self._fail("no_answer", path)
                return
            if strange:
                self._fail(Refusal.OTHER_BOARD.value, path)  # ours may have come back under another name
                return

    def _do_requests(self) -> None:
        while self._requests:
            try:
                for output in self._requests.popleft()() or ():
                    self._report(output)
            except NotNow as refusal:
                self._report(AskedInVain(str(refusal)))

    def _pass_on(self, outputs: list[Output], path: str) -> bool:
        """Report them; whether one of them says that this is somebody else's board."""
        for output in outputs:
            if isinstance(output, Greeted):
                self._failures, self._trouble = 0, None
            elif isinstance(output, Denied):
                self._say_trouble(output.refusal.value, path)
            self._report(output)
        return any(isinstance(output, Denied) and output.refusal is Refusal.OTHER_BOARD for output in outputs)

    def _fail(self, check: str, path: str) -> None:
        self._say_trouble(check, path)
        delay = BACKOFF_S[min(self._failures, len(BACKOFF_S) - 1)]
        self._failures += 1
        self._pause(delay)

    def _say_trouble(self, check: str, path: str) -> None:
        if check != self._trouble:
            self._trouble = check
            self._report(PortTrouble(check, path))

    def _pause(self, seconds: float) -> None:
        """Sleep, but wake at once for `stop`; requests wait."""
        until = time.monotonic() + seconds
        while not self._stopping and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 0.05))
