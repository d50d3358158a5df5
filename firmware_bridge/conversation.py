"""A session under way: genuine frames in, events and acknowledgements out. No I/O. PROTOCOL.md, "A session"."""

from collections.abc import Callable

from msgspec import Struct

from firmware_bridge.channel import Channel, Compose, Verdict
from firmware_bridge.clock import Sample
from firmware_bridge.errors import NotNow
from firmware_bridge.events import DeviceEvent
from firmware_bridge.health import Health
from firmware_bridge.heartbeat import Pings, Repeat
from firmware_bridge.intake import Intake
from firmware_bridge.messages import Ack, Events, Hello, Outputs, Ping, Pong, Resend, Resume, SelfTest
from firmware_bridge.outputs import Output, Suspicious
from firmware_bridge.timeline import Timeline

MS = 1_000_000
PING_EVERY = 250 * MS
RESEND_EVERY = 50 * MS
ACK_EVERY = 20 * MS
MANY = 16
"""Events whose acknowledgement does not wait: a quarter of what a board can keep."""


class Lamps(Struct, frozen=True):
    """Wanted levels: 32 lamps and the buzzer."""

    lamps: int
    buzzer: int


class Wanted:
    """The levels the controller wants, with a revision that the board repeats when it shows them."""

    def __init__(self) -> None:
        self.lamps: Lamps | None = None
        self.revision = 0

    def change(self, lamps: Lamps) -> None:
        self.lamps = lamps
        self.revision = self.revision % 0xFFFF + 1


class Conversation:
    """Everything that is said under one session key."""

    def __init__(self, hello: Hello, key: bytes, shared: "Shared") -> None:
        self.channel = Channel(key)
        self.ring = hello.ring
        self.acked = 0
        self.heard_ns = 0
        self.device = hello.device.hex()
        self._shared = shared
        self._intake = Intake(0)
        self._resumed_ns: int | None = None
        self._ack_due, self._ack_said = False, 0
        self._pinging, self._resending, self._acking = Repeat(PING_EVERY), Repeat(RESEND_EVERY), Repeat(ACK_EVERY)
        self._pings = Pings()

    def start(self, cursor: int) -> None:
        """Events up to `cursor` are the controller's already."""
        self._intake, self.acked = Intake(cursor), cursor

    def say_resume(self, now_ns: int) -> None:
        if self._resumed_ns is None:
            self._resumed_ns = now_ns
        self._say(lambda counter: Resume(counter, self.ring, self.acked))

    def say_ping(self, now_ns: int) -> None:
        """A heartbeat, if one is due."""
        if self._pinging.is_due(now_ns):
            ping = self._pings.number(now_ns)
            self._say(lambda counter: Ping(counter, ping))

    def say_self_test(self) -> None:
        self._say(SelfTest)

    def acknowledge(self, seq: int) -> None:
        if seq > self._intake.taken:
            raise NotNow(f"event {seq} has not been delivered; the last one was {self._intake.taken}")
        self.acked = max(self.acked, seq)
        self._ack_due = True

    def say_ack(self, now_ns: int) -> None:
        """What has been acknowledged since the last time, in one frame: now if that is much, else after a little."""
        if not self._ack_due or (self.acked - self._ack_said < MANY and not self._acking.is_due(now_ns)):
            return
        self._ack_due, self._ack_said = False, self.acked
        self._say(lambda counter: Ack(counter, self.acked))

    def say_lamps(self) -> None:
        """The wanted levels, if the controller has said any."""
        wanted = self._shared.wanted
        if (lamps := wanted.lamps) is not None:
            self._say(lambda counter: Outputs(counter, wanted.revision, lamps.lamps, lamps.buzzer))

    def take(self, body: bytes, now_ns: int) -> list[Output]:
        """What a tagged frame of this session tells us."""
        message = self.channel.take(body)
        match message:
            case Events():
                self._hear(now_ns)
                return self._events(message, now_ns)
            case Pong():
                self._hear(now_ns)
                self._pong(message, now_ns)
                return []
            case Verdict.FORGED:
                self._shared.health.forged += 1
                return [Suspicious("forged", body)]
            case Verdict.REPLAYED:
                self._shared.health.replayed += 1
                return [Suspicious("replayed", body)]
        self._shared.health.unknown += 1
        return []

    def _hear(self, now_ns: int) -> None:
        self.heard_ns = now_ns
        self._shared.health.frames += 1
        self._shared.health.missing += self.channel.missing_now()

    def _events(self, events: Events, now_ns: int) -> list[Output]:
        if self._intake.leaves_gap(events):
            if self._resending.is_due(now_ns):
                self._shared.health.gaps += 1
                self._say(lambda counter: Resend(counter, self._intake.taken + 1))
            return []
        first, fresh = self._intake.fresh(events)
        self._shared.health.repeated += len(events.records) - len(fresh)
        self._shared.health.events += len(fresh)
        if not fresh:
            self._ack_due = True
        when = self._shared.timeline.when
        return [
            DeviceEvent(self.device, self.ring, seq, r.kind, r.arg, r.value, r.at_us, when(seq, r.at_us, now_ns))
            for seq, r in enumerate(fresh, first)
        ]

    def _pong(self, pong: Pong, now_ns: int) -> None:
        if pong.ping == 0 and self._resumed_ns is not None:
            self._shared.timeline.learn(Sample(self._resumed_ns, now_ns, pong.clock))
        elif sample := self._pings.answered(pong.ping, pong.clock, now_ns):
            self._shared.timeline.learn(sample)
            self._shared.health.round_trip_ns = now_ns - sample.sent_ns
        self._shared.health.device_bad = pong.bad
        self._shared.health.device_refused = pong.refused
        self._shared.health.kept = pong.kept
        if pong.revision != self._shared.wanted.revision:
            self.say_lamps()

    def _say(self, compose: Compose) -> None:
        self._shared.write(self.channel.seal(compose))


class Shared(Struct):
    """What outlives one conversation."""

    write: Callable[[bytes], None]
    health: Health
    timeline: Timeline
    wanted: Wanted
