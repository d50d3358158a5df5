"""The host's side of one board's link: bytes and time in, facts and bytes out. No I/O. PROTOCOL.md, "A session".

ASKING   a hello request goes out four times a second     → GREETED when a genuine hello comes
GREETED  waits for the controller to reconcile            → RESUMING when it calls `resume`
RESUMING the cursor goes out until the board answers      → LIVE at the first genuine frame
LIVE     events, acknowledgements, heartbeats             → ASKING when the board falls silent
Every state but GREETED, which is the controller's, ends by itself within five seconds.
"""

from collections.abc import Callable
from enum import Enum

from firmware_bridge.conversation import Conversation, Lamps, Shared, Wanted
from firmware_bridge.errors import NotNow
from firmware_bridge.events import Cursor
from firmware_bridge.framing import FrameReader, Garbled, wrap
from firmware_bridge.greeting import Greeting, Policy
from firmware_bridge.health import Health
from firmware_bridge.heartbeat import Repeat
from firmware_bridge.messages import TAGGED, Hello, Refused
from firmware_bridge.outputs import Denied, EventsLost, Greeted, Live, Output, Refusal, Silent
from firmware_bridge.tags import TAG_BYTES
from firmware_bridge.timeline import Timeline

MS = 1_000_000
RESUME_EVERY = 200 * MS
RESUME_FOR = 3_000 * MS
SILENT_AFTER = 1_500 * MS


class Phase(Enum):
    CLOSED = "closed"
    ASKING = "asking"
    GREETED = "greeted"
    RESUMING = "resuming"
    LIVE = "live"


class Session:
    """One board on one port. Feed it `receive` and `tick`, write what `outgoing` returns. Outputs come once."""

    def __init__(self, policy: Policy, nonces: Callable[[], bytes]) -> None:
        self.phase = Phase.CLOSED
        self.health = Health()
        self._greeting = Greeting(policy, nonces)
        self._reader = FrameReader()
        self._out = bytearray()
        self._shared = Shared(self._write, self.health, Timeline(), Wanted())
        self._resuming = Repeat(RESUME_EVERY)
        self._hello: Hello | None = None
        self._talk: Conversation | None = None
        self._former: Conversation | None = None

    def open(self, now_ns: int) -> None:
        """The port has just been opened: whatever was half said is void."""
        self._reader.reset()
        self._out.clear()
        self._ask(now_ns)

    def close(self) -> None:
        """The port is gone. Nothing is said until the next `open`."""
        self._out.clear()
        self.phase = Phase.CLOSED

    def outgoing(self) -> bytes:
        """Bytes to write now; each is given out once."""
        data, self._out = bytes(self._out), bytearray()
        return data

    def receive(self, data: bytes, now_ns: int) -> list[Output]:
        """Facts in bytes just read."""
        found: list[Output] = []
        for body in self._reader.feed(data):
            if isinstance(body, Garbled):
                self.health.garbled += 1
                found.append(body)
            else:
                found += self._frame(body, now_ns)
        return found

    def tick(self, now_ns: int) -> list[Output]:
        """What the passing of time brings; call at least every 50 ms."""
        talk = self._talk
        if self.phase is Phase.ASKING:
            if question := self._greeting.question(now_ns):
                self._write(question)
        elif self.phase is Phase.RESUMING and talk:
            if now_ns - self._resuming.first_ns > RESUME_FOR:
                return self._fall_silent(now_ns)
            if self._resuming.is_due(now_ns):
                talk.say_resume(now_ns)
        elif self.phase is Phase.LIVE and talk:
            if now_ns - talk.heard_ns > SILENT_AFTER:
                return self._fall_silent(now_ns)
            talk.say_ping(now_ns)
            talk.say_ack(now_ns)
        return []

    def asking_for(self, now_ns: int) -> int:
        """How long (ns) we have been asking without an answer; 0 in other phases."""
        return self._greeting.waiting(now_ns) if self.phase is Phase.ASKING else 0

    def resume(self, recorded: Cursor | None, now_ns: int) -> list[Output]:
        """Start the session behind what the controller has on record of this board (None: nothing ever)."""
        if self.phase is not Phase.GREETED or self._hello is None or self._talk is None:
            raise NotNow(f"resume answers a greeting; the session is {self.phase.value}")
        hello = self._hello
        cursor = recorded.seq if recorded and recorded.ring == hello.ring else 0
        if cursor >= hello.next:
            raise NotNow(f"event {cursor} is not in ring {hello.ring}, whose next event is {hello.next}")
        taken = max(cursor, hello.first - 1)
        self._talk.start(taken)
        self.phase = Phase.RESUMING
        self._resuming.restart(now_ns)
        self.health.lost_events += taken - cursor
        return [*losses(hello, recorded, taken)]

    def acknowledge(self, upto: Cursor) -> None:
        """Everything up to here is safely recorded. Void while the link is down, and for a ring that has died."""
        if self.phase is Phase.LIVE and self._talk and self._talk.ring == upto.ring:
            self._talk.acknowledge(upto.seq)

    def show(self, lamps: Lamps) -> None:
        """Bring lamps and buzzer to these levels, now and after every reconnection."""
        self._shared.wanted.change(lamps)
        if self.phase is Phase.LIVE and self._talk:
            self._talk.say_lamps()

    def self_test(self) -> None:
        """Ask for a SELF_TEST event. Raises NotNow unless the session is live."""
        if self.phase is not Phase.LIVE or self._talk is None:
            raise NotNow(f"a self-test needs a live session; this one is {self.phase.value}")
        self._talk.say_self_test()

    def _frame(self, body: bytes, now_ns: int) -> list[Output]:
        kind = body[0]
        if kind in {Hello.KIND, Refused.KIND} and self.phase is Phase.ASKING:
            return self._greet(body, now_ns)
        if kind in TAGGED and kind != Hello.KIND and len(body) > TAG_BYTES:
            return self._tagged(body, now_ns)
        return self._discard(stale=kind == Hello.KIND)

    def _tagged(self, body: bytes, now_ns: int) -> list[Output]:
        """A frame of the running session, one left over from the session before, or a forgery."""
        if self.phase not in {Phase.RESUMING, Phase.LIVE} or self._talk is None:
            return self._discard(stale=True)
        if self._former and self._former.channel.is_mine(body):
            return self._discard(stale=True)
        found = self._talk.take(body, now_ns)
        if self.phase is Phase.RESUMING and self._talk.heard_ns:
            self.phase, self._former = Phase.LIVE, None
            self._talk.say_lamps()
            return [Live(self._talk.device), *found]
        return found

    def _greet(self, body: bytes, now_ns: int) -> list[Output]:
        answer = self._greeting.answer(body, now_ns)
        if answer is None:
            return self._discard(stale=True)
        if isinstance(answer, Denied):
            self.health.forged += answer.refusal is Refusal.WRONG_KEY
            return [answer]
        hello = answer.hello
        rebooted = bool(self._hello and self._hello.boot != hello.boot)
        self.health.reboots += rebooted
        self._former, self._talk = self._talk, Conversation(hello, answer.key, self._shared)
        self._hello, self.phase = hello, Phase.GREETED
        self._shared.timeline.begin(hello.boot, hello.started)
        self._shared.timeline.learn(answer.sample)
        return [Greeted(hello.device.hex(), hello, rebooted)]

    def _discard(self, *, stale: bool) -> list[Output]:
        self.health.stale += stale
        self.health.unknown += not stale
        return []

    def _ask(self, now_ns: int) -> None:
        self._greeting.begin(now_ns)
        self.phase = Phase.ASKING

    def _fall_silent(self, now_ns: int) -> list[Output]:
        self.health.silences += 1
        self._ask(now_ns)
        return [Silent(self._hello.device.hex() if self._hello else None)]

    def _write(self, body: bytes) -> None:
        self._out += wrap(body)


def losses(hello: Hello, recorded: Cursor | None, taken: int) -> list[EventsLost]:
    """What is missing between the controller's record and the oldest event the board still has."""
    device, lost, known = hello.device.hex(), list[EventsLost](), 0
    if recorded and recorded.ring == hello.ring:
        known = recorded.seq
    elif recorded:
        lost.append(EventsLost(device, recorded.ring, recorded.seq + 1, None))
    if known < taken:
        lost.append(EventsLost(device, hello.ring, known + 1, taken))
    return lost
