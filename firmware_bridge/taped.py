"""A board's line played from tape to a real session: what the board said is judged as then, tags and all.

The session lives by the recorded clock and asks with the nonces of then, which the tape has in what the host said. What
it would say now goes nowhere. PROTOCOL.md, "A session".
"""

import threading
from collections.abc import Iterator, Sequence

from firmware_bridge.errors import UnreadableFrame
from firmware_bridge.events import Cursor
from firmware_bridge.framing import FrameReader, Garbled
from firmware_bridge.greeting import Policy
from firmware_bridge.link import Hear, Link, LinkDown, LinkEnded, LinkUp
from firmware_bridge.messages import HelloRequest, Message, Resume, unpack
from firmware_bridge.outputs import Live
from firmware_bridge.session import Phase, Session
from firmware_bridge.tags import TAG_BYTES
from firmware_bridge.tape import Passed, Way

TAPE = "tape"
RECONCILED_S = 5.0
LOOK_AGAIN_S = 0.005


class TapedLink(Link):
    """Whoever has the tape calls `play` for one stretch after the other, in a thread of its own."""

    def __init__(self, policy: Policy, tape: Sequence[Passed], report: Hear) -> None:
        self._at_ns = 0
        self._said = list(_said_on(tape))
        self._ended = threading.Event()
        super().__init__(lambda: None, Session(policy, self._nonce_of_then), report, lambda: self._at_ns)

    def run(self) -> None:
        """There is nothing to find and to open; it lasts until `stop`."""
        self._ended.wait()
        self._report(LinkEnded(expected=True))

    def stop(self) -> None:
        self._stopping = True
        self._ended.set()

    def resume(self, recorded: Cursor | None) -> None:
        """A controller that has nothing of this board goes on where the one of then did."""
        super().resume(recorded or self._cursor_of_then())

    def play(self, passed: Passed) -> None:
        """The session gets to know what passed then; its reports come before this returns."""
        at_ns = self._at_ns = passed.at_ns
        match passed.way:
            case Way.OPENED:
                self._report(LinkUp(TAPE))
                self.session.open(at_ns)
            case Way.HEARD:
                self._do_requests()
                self._pass_on(self.session.receive(passed.data, at_ns), TAPE)
            case Way.SAID:
                self._wait_for_the_controller()
                self._pass_on(self.session.tick(at_ns), TAPE)
            case Way.CLOSED:
                self.session.close()
                self._report(LinkDown(TAPE, "the line was closed"))
        self.session.outgoing()

    def stand_still(self) -> None:
        """The tape stands: a board that was there is still there."""
        if self.session.phase is Phase.LIVE:
            self._report(Live(TAPE))

    def _wait_for_the_controller(self) -> None:
        """In the evening of then the host went on to speak only after its controller had compared its record."""
        for _ in range(round(RECONCILED_S / LOOK_AGAIN_S)):
            self._do_requests()
            if self.session.phase is not Phase.GREETED or self._ended.wait(LOOK_AGAIN_S):
                return

    def _nonce_of_then(self) -> bytes:
        asked = (said for at_ns, said in self._said if at_ns >= self._at_ns and isinstance(said, HelloRequest))
        return next(asked, HelloRequest(0, 0, bytes(8))).nonce

    def _cursor_of_then(self) -> Cursor | None:
        resumed = (said for at_ns, said in self._said if at_ns >= self._at_ns and isinstance(said, Resume))
        return next((Cursor(said.ring, said.cursor) for said in resumed), None)


def _said_on(tape: Sequence[Passed]) -> Iterator[tuple[int, Message]]:
    """The questions and resumptions of the host."""
    reader = FrameReader()
    for passed in tape:
        for body in reader.feed(passed.data) if passed.way is Way.SAID else ():
            message = _read(body)
            if isinstance(message, HelloRequest | Resume):
                yield passed.at_ns, message


def _read(body: bytes | Garbled) -> Message | None:
    if isinstance(body, Garbled):
        return None
    try:
        return unpack(body[:-TAG_BYTES] if body[0] == Resume.KIND else body)
    except UnreadableFrame:
        return None
