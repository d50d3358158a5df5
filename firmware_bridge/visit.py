"""Short visits to a board for the technician: who is there, and pairing. Each opens the port and closes it again."""

import secrets
import time
from contextlib import closing

from msgspec import Struct

from firmware_bridge.errors import PortUnusable, UnreadableFrame
from firmware_bridge.framing import FrameReader, Garbled, wrap
from firmware_bridge.greeting import Policy
from firmware_bridge.link import turns
from firmware_bridge.messages import Hello, Message, Pair, Paired, Refused, Why, pack, unpack
from firmware_bridge.outputs import Denied, Greeted
from firmware_bridge.session import Session
from firmware_bridge.tags import KEY_BYTES, NONCE_BYTES, TAG_BYTES, is_genuine

PATIENCE_S = 5.0
PAIR_EVERY_S = 0.25


class Visit(Struct, frozen=True):
    """What was found on a port; `check` is an entry of texts.py, "ok" if the board may be used."""

    path: str
    check: str
    hello: Hello | None = None


class Pairing(Struct, frozen=True):
    """The board's name and its new key."""

    device: str
    key: bytes


def fresh_nonce() -> bytes:
    return secrets.token_bytes(NONCE_BYTES)


def look(path: str, policy: Policy) -> Visit:
    """Ask the board on a port who it is. Starts no session: the board goes on keeping its events."""
    try:
        return _look(path, policy)
    except PortUnusable as unusable:
        return Visit(path, unusable.check)


def pair(path: str, fitted: int) -> Pairing:
    """Give the board on a port a new key. Raises PortUnusable with what is in the way."""
    key = secrets.token_bytes(KEY_BYTES)
    reader = FrameReader()
    due = 0.0
    with closing(turns(path, PATIENCE_S)) as visit:
        for write, data in visit:
            for body in reader.feed(data):
                answer = _pairing_answer(body, key)
                if isinstance(answer, Paired):
                    return Pairing(answer.device.hex(), key)
                if isinstance(answer, Refused):
                    raise PortUnusable("no_jumper" if answer.why == Why.NO_JUMPER else "wrong_firmware", path)
            if time.monotonic() >= due:
                due = time.monotonic() + PAIR_EVERY_S
                write(wrap(pack(Pair(key, fitted))))
    raise PortUnusable("no_answer", path)


def _look(path: str, policy: Policy) -> Visit:
    session = Session(policy, fresh_nonce)
    session.open(time.monotonic_ns())
    with closing(turns(path, PATIENCE_S)) as visit:
        for write, data in visit:
            now = time.monotonic_ns()
            for output in [*session.receive(data, now), *session.tick(now)]:
                if isinstance(output, Greeted):
                    return Visit(path, "ok", output.hello)
                if isinstance(output, Denied):
                    return Visit(path, output.refusal.value, output.hello)
            write(session.outgoing())
    return Visit(path, "no_answer")


def _pairing_answer(body: bytes | Garbled, key: bytes) -> Message | None:
    if isinstance(body, Garbled):
        return None
    sealed = body[0] == Paired.KIND
    if sealed and not is_genuine(key, body):
        return None
    try:
        return unpack(body[:-TAG_BYTES] if sealed else body)
    except UnreadableFrame:
        return None
