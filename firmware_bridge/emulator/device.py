"""The Python twin of a board: the same conversation as the firmware, with time as data. No I/O."""

from firmware_bridge.emulator.memory import MOST, Eeprom, Ring
from firmware_bridge.emulator.side import Side
from firmware_bridge.errors import UnreadableFrame
from firmware_bridge.events import EventKind
from firmware_bridge.framing import FrameReader, Garbled, wrap
from firmware_bridge.messages import (
    RING,
    TAGGED,
    VERSION,
    Ack,
    Flags,
    Hello,
    HelloRequest,
    Outputs,
    Pair,
    Paired,
    Ping,
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
SILENT_AFTER_US = 2_000_000
SAFE_LAMPS = 1 << 31


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
        self.bad = self.refused = 0
        self._end()
        self.started = self.ring.next
        self.note(EventKind.BOOTED, cause, self.eeprom.boot)

    def power_cut(self, cause: ResetCause = ResetCause.POWER_ON) -> None:
        """Lose the RAM, then start over."""
        self._ring = None
        self.reset(cause)

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
        return self._side.said if self._side else 0

    def feed(self, data: bytes, elapsed_us: int) -> None:
        """Bytes from the host; `elapsed_us` since this boot."""
        self._now = elapsed_us
        for body in self._reader.feed(data):
            if isinstance(body, Garbled) or len(body) > LONGEST_BODY_TO_DEVICE or not self._frame(body):
                self.bad += 1

    def tick(self, elapsed_us: int) -> None:
        """Time passes: resend, fall silent, send what is new."""
        self._now = elapsed_us
        if self._side and self.clock - self._side.heard_us > SILENT_AFTER_US:
            self._end()
        if self._side and not self._out and (events := self._side.next_events(self.clock)):
            self._write(events)

    def outgoing(self) -> bytes:
        """Bytes for the host; each is given out once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _frame(self, body: bytes) -> bool:
        """Obey or refuse a frame; False if it is no message to a board."""
        sealed = body[0] in TAGGED
        try:
            message = unpack(body[:-TAG_BYTES] if sealed else body)
        except UnreadableFrame:
            return False
        match message:
            case HelloRequest():
                self._hello(message)
            case Pair():
                self._pair(message)
            case Resume() if self._candidate and is_genuine(self._candidate.key, body):
                self._resume(message, self._candidate)
            case Resume() | Ack() | Resend() | Ping() | Outputs() | SelfTest():
                if self._side and self._side.is_next(body, message.counter):
                    self._obey(message, self._side)
                else:
                    self.refused += 1
            case _:
                return False
        return True

    def _hello(self, request: HelloRequest) -> None:
        if not request.lowest <= VERSION <= request.highest:
            self._write(pack(Refused(Why.VERSION, VERSION, VERSION)))
            return
        if request.nonce != self._nonce or self._candidate is None:
            self._nonce, self._session = request.nonce, (self._session + 1) & MOST
            memory = self.eeprom
            key = session_key(memory.working_key, self._nonce, memory.device, memory.boot, self._session)
            self._candidate = Side(key, self.ring)
        flags = (Flags.PAIRED if self.eeprom.key else 0) | (Flags.JUMPER if self.jumper else 0)
        hello = Hello(
            VERSION, *FIRMWARE, self.eeprom.fitted, flags, self.cause, self.eeprom.device, self.eeprom.boot,
            self._session, self._nonce, self.ring.number, self.ring.first, self.ring.next, self.started,
            self.ring.lost, self.clock,
        )  # fmt: skip
        self._write(seal(self._candidate.key, pack(hello)))

    def _pair(self, pair: Pair) -> None:
        if not self.jumper:
            self._write(pack(Refused(Why.NO_JUMPER, VERSION, VERSION)))
            return
        self.eeprom.key, self.eeprom.fitted = pair.key, pair.fitted
        self._candidate = None
        self._end()
        self._write(seal(pair.key, pack(Paired(self.eeprom.device, pair.fitted))))

    def _resume(self, resume: Resume, candidate: Side) -> None:
        if resume.ring != self.ring.number or resume.cursor >= self.ring.next:
            self.refused += 1
            return
        self._side, self._candidate = candidate, None
        self.revision = 0  # another host may count its revisions from one again
        candidate.heard = resume.counter
        self._obey(resume, candidate)

    def _obey(self, message: Resume | Ack | Resend | Ping | Outputs | SelfTest, side: Side) -> None:
        side.heard_us = self.clock
        match message:
            case Resume() | Ack():
                self.refused += not side.forget(message.cursor, self.clock)
            case Resend():
                side.go_back(message.first)
            case Outputs():
                self.revision, self.lamps, self.buzzer = message.revision, message.lamps, message.buzzer
            case SelfTest():
                self.note(EventKind.SELF_TEST, 0)
        if isinstance(message, Resume | Ping):
            ping = message.ping if isinstance(message, Ping) else 0
            self._write(side.pong(ping, self.clock, self.revision, (self.bad, self.refused)))

    def _end(self) -> None:
        self._side = None
        self.revision, self.lamps, self.buzzer = 0, SAFE_LAMPS, 0

    def _write(self, body: bytes) -> None:
        self._out += wrap(body)
