"""The Python twin of a board: the same conversation as the firmware, with time as data. No I/O."""

from firmware_bridge.emulator.memory import MOST, Eeprom, Ring
from firmware_bridge.errors import UnreadableFrame
from firmware_bridge.events import EventKind
from firmware_bridge.framing import FrameReader, Garbled, wrap
from firmware_bridge.messages import (
    EVENTS_PER_FRAME,
    RING,
    TAGGED,
    VERSION,
    Ack,
    Events,
    Flags,
    Hello,
    HelloRequest,
    Outputs,
    Pair,
    Paired,
    Ping,
    Pong,
    Record,
    Refused,
    Resend,
    ResetCause,
    Resume,
    SelfTest,
    Why,
    pack,
    unpack,
)
from firmware_bridge.tags import TAG_BYTES, is_genuine, seal, session_key

FIRMWARE = (1, 0)
LONGEST_BODY_TO_DEVICE = 40
FIRST_HOST_KIND = 0x80
MS = 1000
RESEND_AFTER = 150 * MS
SILENT_AFTER = 2000 * MS
SAFE_LAMPS = 1 << 31


class Side:
    """A session key with the two counters that belong to it."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.heard = 0
        self.sent = 0


class Board:
    """One powered board. All times are its own microseconds; `reset` and `power_cut` start it anew."""

    def __init__(self, eeprom: Eeprom, *, jumper: bool = False) -> None:
        self.eeprom = eeprom
        self.jumper = jumper
        self._ring: Ring | None = None
        self.reset(ResetCause.POWER_ON)

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Start over with the ring as it lies in RAM."""
        self.eeprom.boot += 1
        self.cause = cause
        self.ring = self._ring = self._ring or Ring(self.eeprom.boot)
        self._base_us, self._now = self.ring.newest_us, 0
        self._reader = FrameReader()
        self._out = bytearray()
        self._nonce, self._session = b"", 0
        self._candidate: Side | None = None
        self._side: Side | None = None
        self._heard_us = self._progress_us = 0
        self.bad = self.refused = 0
        self.revision, self.lamps, self.buzzer = 0, SAFE_LAMPS, 0
        self._sent = self.ring.first - 1
        self.started = self.ring.next
        self.note(EventKind.BOOTED, cause, self.eeprom.boot)

    def power_cut(self, cause: ResetCause = ResetCause.POWER_ON) -> None:
        """Lose the RAM, then start over."""
        self._ring = None
        self.reset(cause)

    # The world

    def note(self, kind: int, arg: int, value: int = 0) -> None:
        """Something happened now."""
        self.ring.append(Record(kind, arg, self.clock, value))

    @property
    def clock(self) -> int:
        return self._base_us + self._now

    @property
    def shown(self) -> tuple[int, int]:
        """Lamps and buzzer as they are now."""
        if self._side is None or len(self.ring.records) >= RING:
            return SAFE_LAMPS, 0
        return self.lamps, self.buzzer

    @property
    def frames_said(self) -> int:
        """Numbered frames of the running session."""
        return self._side.sent if self._side else 0

    # The wire

    def feed(self, data: bytes, elapsed_us: int) -> None:
        """Bytes from the host; `elapsed_us` since this boot."""
        self._now = elapsed_us
        for body in self._reader.feed(data):
            if isinstance(body, Garbled) or len(body) > LONGEST_BODY_TO_DEVICE:
                self.bad = min(self.bad + 1, MOST)
            else:
                self._frame(body)

    def tick(self, elapsed_us: int) -> None:
        """Time passes: resend, fall silent, send what is new."""
        self._now = elapsed_us
        if self._side is None:
            return
        if self.clock - self._heard_us > SILENT_AFTER:
            self._end()
            return
        if self._sent >= self.ring.first and self.clock - self._progress_us > RESEND_AFTER:
            self._sent, self._progress_us = self.ring.first - 1, self.clock
        self._sent = max(self._sent, self.ring.first - 1)
        if self._sent < self.ring.next - 1 and not self._out:
            self._say_events(self._side)

    def outgoing(self) -> bytes:
        """Bytes for the host; each is given out once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _frame(self, body: bytes) -> None:
        sealed = body[0] in TAGGED
        if body[0] < FIRST_HOST_KIND:
            self.bad = min(self.bad + 1, MOST)
            return
        try:
            message = unpack(body[:-TAG_BYTES] if sealed else body)
        except UnreadableFrame:
            self.bad = min(self.bad + 1, MOST)
            return
        match message:
            case HelloRequest():
                self._hello(message)
            case Pair():
                self._pair(message)
            case Resume() if self._is_candidate(body):
                self._resume(message)
            case Resume() | Ack() | Resend() | Ping() | Outputs() | SelfTest() if self._is_genuine(
                body, message.counter
            ):
                self._obey(message)
            case _:
                self.refused = min(self.refused + 1, MOST)

    def _hello(self, request: HelloRequest) -> None:
        if not request.lowest <= VERSION <= request.highest:
            self._write(pack(Refused(Why.VERSION, VERSION, VERSION)))
            return
        if request.nonce != self._nonce or self._candidate is None:
            self._nonce, self._session = request.nonce, (self._session + 1) & MOST
            self._candidate = Side(self._derive())
        flags = (Flags.PAIRED if self.eeprom.key else 0) | (Flags.JUMPER if self.jumper else 0)
        hello = Hello(
            VERSION, *FIRMWARE, self.eeprom.fitted, flags, self.cause, self.eeprom.device, self.eeprom.boot,
            self._session, self._nonce, self.ring.number, self.ring.first, self.ring.next, self.started,
            self.ring.lost, self.clock,
        )  # fmt: skip
        self._write(seal(self._candidate.key, pack(hello)))

    def _derive(self) -> bytes:
        eeprom = self.eeprom
        return session_key(eeprom.working_key, self._nonce, eeprom.device, eeprom.boot, self._session)

    def _pair(self, pair: Pair) -> None:
        if not self.jumper:
            self._write(pack(Refused(Why.NO_JUMPER, VERSION, VERSION)))
            return
        self.eeprom.key, self.eeprom.fitted = pair.key, pair.fitted
        self._candidate = None
        self._end()
        self._write(seal(pair.key, pack(Paired(self.eeprom.device, pair.fitted))))

    def _is_candidate(self, body: bytes) -> bool:
        return self._candidate is not None and is_genuine(self._candidate.key, body)

    def _resume(self, resume: Resume) -> None:
        if resume.ring != self.ring.number or resume.cursor >= self.ring.next:
            self.refused = min(self.refused + 1, MOST)
            return
        self._side, self._candidate, self._nonce = self._candidate, None, b""
        assert self._side is not None
        self._side.heard = resume.counter
        self._sent = 0
        self._obey(resume)

    def _is_genuine(self, body: bytes, counter: int) -> bool:
        if self._side is None or not is_genuine(self._side.key, body) or counter <= self._side.heard:
            return False
        self._side.heard = counter
        return True

    def _obey(self, message: Resume | Ack | Resend | Ping | Outputs | SelfTest) -> None:
        self._heard_us = self.clock
        match message:
            case Resume():
                self._forget(message.cursor)
                self._say_pong(0)
            case Ack():
                self._forget(message.cursor)
            case Resend():
                self._sent = min(self._sent, max(message.first, self.ring.first) - 1)
            case Ping():
                self._say_pong(message.ping)
            case Outputs():
                self.revision, self.lamps, self.buzzer = message.revision, message.lamps, message.buzzer
            case SelfTest():
                self.note(EventKind.SELF_TEST, 0)

    def _forget(self, cursor: int) -> None:
        if cursor >= self.ring.next:
            self.refused = min(self.refused + 1, MOST)
        elif cursor >= self.ring.first:
            self.ring.forget(cursor, self.clock)
            self._progress_us = self.clock

    def _say_events(self, side: Side) -> None:
        first = self._sent + 1
        at = first - self.ring.first
        records = tuple(self.ring.records[at : at + EVENTS_PER_FRAME])
        if self._sent == self.ring.first - 1:
            self._progress_us = self.clock
        self._sent += len(records)
        side.sent += 1
        self._write(seal(side.key, pack(Events(side.sent, first, records))))

    def _say_pong(self, ping: int) -> None:
        assert self._side is not None
        self._side.sent += 1
        pong = Pong(
            self._side.sent, ping, self.clock, self.revision, len(self.ring.records), self.ring.next, self.bad,
            self.refused,
        )  # fmt: skip
        self._write(seal(self._side.key, pack(pong)))

    def _end(self) -> None:
        self._side = None
        self.revision, self.lamps, self.buzzer = 0, SAFE_LAMPS, 0

    def _write(self, body: bytes) -> None:
        self._out += wrap(body)
