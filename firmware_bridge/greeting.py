"""The first half minute of trust: asking who is there, and whether the board that answers is one we may use."""

from collections.abc import Callable

from msgspec import Struct

from firmware_bridge.clock import Sample
from firmware_bridge.errors import UnreadableFrame
from firmware_bridge.heartbeat import Repeat
from firmware_bridge.messages import VERSION, Flags, Hello, HelloRequest, Refused, Why, pack, unpack
from firmware_bridge.outputs import Denied, Refusal
from firmware_bridge.tags import NO_KEY, TAG_BYTES, is_genuine, session_key

MS = 1_000_000
ASK_EVERY = 250 * MS
DENIED_PAUSE = 1_000 * MS
"""A board we may not use is asked again, slowly: somebody may be pulling its jumper."""


class Policy(Struct, frozen=True):
    """Whom to trust. `key_of` gives a board's pairing key or None; `only` is the board this link is meant for."""

    key_of: Callable[[str], bytes | None]
    only: str | None = None
    demo: bool = False


class Welcome(Struct, frozen=True):
    """A genuine hello to our question, the key of the session it offers, and a reading of the board's clock."""

    hello: Hello
    key: bytes
    sample: Sample


class Greeting:
    """Asks with a fresh nonce per attempt. `nonces` makes 8 random bytes."""

    def __init__(self, policy: Policy, nonces: Callable[[], bytes]) -> None:
        self._policy = policy
        self._nonces = nonces
        self._nonce = b""
        self._asking = Repeat(ASK_EVERY)

    def begin(self, now_ns: int) -> None:
        """A new attempt: answers to earlier questions no longer count."""
        self._nonce = self._nonces()
        self._asking.restart(now_ns)

    def question(self, now_ns: int) -> bytes | None:
        """The body to send now, if it is time to ask."""
        return pack(HelloRequest(VERSION, VERSION, self._nonce)) if self._asking.is_due(now_ns) else None

    def waiting(self, now_ns: int) -> int:
        """How long (ns) we have been asking."""
        return now_ns - self._asking.first_ns

    def answer(self, body: bytes, now_ns: int) -> Welcome | Denied | None:
        """What a HELLO or REFUSED means; None if it does not answer our question."""
        answer = self._judge(body, now_ns)
        if isinstance(answer, Denied):
            self._asking.restart(now_ns + DENIED_PAUSE)
        return answer

    def _judge(self, body: bytes, now_ns: int) -> Welcome | Denied | None:
        try:
            message = unpack(body[:-TAG_BYTES] if body[0] == Hello.KIND else body)
        except UnreadableFrame:
            return None
        if isinstance(message, Refused) and message.why == Why.VERSION:
            return Denied(Refusal.WRONG_FIRMWARE, None)
        if not isinstance(message, Hello) or message.nonce != self._nonce:
            return None
        key = examine(message, body, self._policy)
        if isinstance(key, Refusal):
            return Denied(key, message)
        return Welcome(message, key, Sample(self._asking.first_ns, now_ns, message.clock))


def examine(hello: Hello, body: bytes, policy: Policy) -> bytes | Refusal:
    """The session key if the hello in `body` is genuine and welcome, else the reason it is not."""
    device = hello.device.hex()
    if policy.only not in {None, device}:
        return Refusal.OTHER_BOARD
    paired = bool(hello.flags & Flags.PAIRED)
    if not paired and not policy.demo:
        return Refusal.UNPAIRED
    if hello.flags & Flags.JUMPER and not policy.demo:
        return Refusal.JUMPER_SET
    key = policy.key_of(device) if paired else NO_KEY
    if key is None:
        return Refusal.NO_KEY
    derived = session_key(key, hello.nonce, hello.device, hello.boot, hello.session)
    return derived if is_genuine(derived, body) else Refusal.WRONG_KEY
