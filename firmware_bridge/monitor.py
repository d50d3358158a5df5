"""Live traffic of one board, readably. It starts a session but acknowledges nothing."""

import time
from collections.abc import Generator
from contextlib import closing

from msgspec import Struct

from firmware_bridge.describe import describe
from firmware_bridge.errors import PortUnusable, UnreadableFrame
from firmware_bridge.events import Cursor, DeviceEvent
from firmware_bridge.framing import FrameReader, Garbled
from firmware_bridge.greeting import Policy
from firmware_bridge.link import turns
from firmware_bridge.messages import TAGGED, Hello, unpack
from firmware_bridge.outputs import Denied, Greeted, Output
from firmware_bridge.session import Session
from firmware_bridge.tags import TAG_BYTES
from firmware_bridge.visit import PATIENCE_S, fresh_nonce

FOREVER_S = 10 * 365 * 24 * 3600.0


class Glimpse(Struct, frozen=True):
    """One turn of the line: what the session made of it, and the bytes in both directions."""

    outputs: list[Output]
    heard: bytes
    said: bytes


def watch(path: str, policy: Policy, seconds: float | None) -> Generator[Glimpse, None, None]:
    """What the board on a port says, for so long or until closed. Raises PortUnusable."""
    session = Session(policy, fresh_nonce)
    session.open(time.monotonic_ns())
    with closing(turns(path, FOREVER_S if seconds is None else seconds)) as visit:
        for write, data in visit:
            now = time.monotonic_ns()
            outputs = [*session.receive(data, now), *session.tick(now)]
            for output in outputs:
                _follow(session, output, path, now)
            said = session.outgoing()
            write(said)
            yield Glimpse(outputs, data, said)
            if session.asking_for(now) > PATIENCE_S * 1e9:
                raise PortUnusable("no_answer", path)


def _follow(session: Session, output: Output, path: str, now_ns: int) -> None:
    """Resume where the board's memory starts, so that nothing counts as taken."""
    if isinstance(output, Greeted):
        session.resume(Cursor(output.hello.ring, output.hello.first - 1), now_ns)
    elif isinstance(output, Denied):
        raise PortUnusable(output.refusal.value, path)


def line_of(output: Output, language: str) -> str:
    """One output of a session as a line."""
    if not isinstance(output, DeviceEvent):
        return _short(output)
    known = output.when
    exactly = f" ±{(known.latest_ns - known.earliest_ns) / 2e6:.1f} ms" if known else ""
    return f"#{output.ring}.{output.seq} {output.at_us / 1e6:.6f} s{exactly}  {describe(output, language)}"


def _short(output: Output) -> str:
    if isinstance(output, Greeted):
        return f"greeted {_hello(output.hello)}"
    if isinstance(output, Garbled):
        return f"garbled ({output.why}) {output.raw.hex()}"
    return repr(output)


def _hello(hello: Hello) -> str:
    kept = f"events {hello.first} to {hello.next - 1} kept"
    return f"{hello.device.hex()} firmware {hello.major}.{hello.minor} boot {hello.boot} ring {hello.ring}, {kept}"


def frames(arrow: str, reader: FrameReader, data: bytes) -> list[str]:
    """Every frame completed by `data`, taken apart; tags are not checked here."""
    return [f"  {arrow} {_frame(body)}" for body in reader.feed(data)]


def _frame(body: bytes | Garbled) -> str:
    if isinstance(body, Garbled):
        return f"garbled ({body.why}) {body.raw.hex()}"
    try:
        return repr(unpack(body[:-TAG_BYTES] if body[0] in TAGGED else body))
    except UnreadableFrame as error:
        return f"{body.hex()} ({error})"
