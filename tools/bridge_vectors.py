"""Writes firmware_bridge/vectors.json: golden frames and golden exchanges, from the Python side.

Run it only when PROTOCOL.md changes; the tests hold both sides to the file as it is.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.framing import wrap
from firmware_bridge.messages import (
    Ack,
    Events,
    Hello,
    HelloRequest,
    Message,
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
    pack,
)
from firmware_bridge.tags import seal, session_key

TARGET = Path(__file__).parents[1] / "firmware_bridge" / "vectors.json"
DEVICE, KEY, NONCE = b"KRUPIER1", bytes(range(16)), bytes(range(0xA0, 0xA8))
BOARD = {"device": DEVICE.hex(), "key": KEY.hex(), "fitted": 767, "boot": 7, "cause": 1, "jumper": False}
LONG_CARD = Record(1, 0, 0x123456789ABC, 0xFFFFFFFF)
EXAMPLES: list[tuple[str, Message]] = [
    ("hello request", HelloRequest(1, 1, NONCE)),
    ("resume", Resume(1, 7, 41)),
    ("acknowledgement full of zeros", Ack(2, 0)),
    ("resend", Resend(3, 256)),
    ("ping", Ping(0xFFFFFFFE, 0xFFFFFFFF)),
    ("outputs", Outputs(5, 65535, 0x80000001, 3)),
    ("self-test", SelfTest(6)),
    ("pair", Pair(KEY, 767)),
    ("hello", Hello(1, 1, 0, 767, 1, 2, DEVICE, 7, 1, NONCE, 7, 42, 43, 40, 0, 1_234_567)),
    ("one event", Events(1, 42, (LONG_CARD,))),
    ("six events", Events(2, 43, tuple(Record(kind, kind * 16 + 1, kind, 0) for kind in range(1, 7)))),
    ("pong", Pong(3, 9, 1 << 47, 65535, 64, 107, 1, 2)),
    ("paired", Paired(DEVICE, 767)),
    ("refused", Refused(1, 1, 1)),
]


class Exchange:
    """Talks to a twin and writes down both sides."""

    def __init__(self, name: str, **board: str | bool | None) -> None:
        self.board_facts: dict[str, Any] = {**BOARD, **board}
        self.name = name
        key = bytes.fromhex(self.board_facts["key"]) if self.board_facts["key"] else None
        eeprom = Eeprom(DEVICE, self.board_facts["fitted"], key, self.board_facts["boot"] - 1)
        self.board = Board(eeprom, jumper=self.board_facts["jumper"])
        self.steps: list[dict[str, Any]] = []
        self.counter = 0

    def key(self, session: int = 1) -> bytes:
        return session_key(self.board.eeprom.working_key, NONCE, DEVICE, self.board.eeprom.boot, session)

    def hear(self, at_us: int, wire: bytes) -> None:
        self.board.feed(wire, at_us)
        said = b""
        while True:
            self.board.tick(at_us)
            if not (more := self.board.outgoing()):
                break
            said += more
        self.steps.append({"at_us": at_us, "hear": wire.hex(), "say": said.hex()})

    def say(self, at_us: int, message: Message, key: bytes | None = None) -> None:
        body = pack(message)
        self.hear(at_us, wrap(seal(key or self.key(), body) if message.TAGGED else body))

    def note(self, at_us: int, kind: int, arg: int, value: int = 0) -> None:
        self.board.feed(b"", at_us)
        self.board.note(kind, arg, value)
        self.steps.append({"at_us": at_us, "note": [kind, arg, value]})

    def reset(self, cause: ResetCause) -> None:
        self.board.reset(cause)
        self.steps.append({"reset": [self.board.eeprom.boot, int(cause)]})

    def start(self, cursor: int = 0) -> None:
        self.say(1000, HelloRequest(1, 1, NONCE))
        self.say(2000, Resume(1, self.board.ring.number, cursor))

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "board": self.board_facts, "steps": self.steps}


def a_whole_session() -> Exchange:
    talk = Exchange("hello, resume, events, acknowledgement, ping, lamps, self-test")
    talk.note(500, 1, 0, 0xFFFFFFFF)
    talk.start()
    talk.note(3000, 2, 0, 2500)
    talk.hear(3100, b"")
    talk.say(4000, Ack(2, 2))
    talk.say(5000, Ping(3, 1))
    talk.say(6000, Outputs(4, 9, 5, 2))
    talk.say(7000, Ping(5, 2))
    talk.say(8000, SelfTest(6))
    talk.say(9000, Resend(7, 3))
    return talk


def refusals() -> Exchange:
    talk = Exchange("replayed, forged, misplaced and damaged frames are counted and nothing else")
    talk.start()
    talk.say(3000, Ping(2, 1))
    talk.say(3100, Ping(2, 1))
    talk.say(3200, Ping(3, 2), key=bytes(16))
    talk.say(3300, Ack(3, 99))
    talk.hear(3400, b"\x05garbage\x00")
    talk.hear(3500, wrap(b"\x01device kinds are not for the board")[:60])
    talk.hear(3600, b"\xff" * 80 + b"\x00")
    talk.say(3700, Ping(4, 3))
    return talk


def versions() -> Exchange:
    talk = Exchange("a host of another version is told which one this is")
    talk.say(1000, HelloRequest(2, 9, NONCE))
    talk.say(2000, HelloRequest(0, 5, NONCE))
    talk.say(3000, HelloRequest(0, 5, NONCE))
    return talk


def pairing_refused() -> Exchange:
    talk = Exchange("no jumper, no pairing", key=None)
    talk.say(1000, Pair(KEY, 3))
    talk.say(2000, HelloRequest(1, 1, NONCE))
    return talk


def pairing() -> Exchange:
    talk = Exchange("pairing with the jumper set", key=None, jumper=True)
    talk.say(1000, Pair(KEY, 3))
    talk.say(2000, HelloRequest(1, 1, NONCE))
    return talk


def silence() -> Exchange:
    talk = Exchange("after two seconds of silence the session is over; unacknowledged events come again")
    talk.note(500, 14, 0)
    talk.start()
    talk.hear(100_000, b"")
    talk.hear(160_000, b"")
    talk.say(200_000, Ping(2, 1))
    talk.hear(2_200_001, b"")
    talk.say(2_300_000, Ping(3, 2))
    talk.say(2_400_000, HelloRequest(1, 1, NONCE))
    talk.say(2_500_000, Resume(1, 7, 1), talk.key(2))
    return talk


def second_host() -> Exchange:
    talk = Exchange("a second host on a running board starts at revision 0 and with its own key")
    talk.start()
    talk.say(3000, Outputs(2, 9, 5, 2))
    talk.say(4000, HelloRequest(1, 1, NONCE))
    talk.say(5000, Ping(3, 1))
    talk.say(6000, Resume(1, 7, 1), talk.key(2))
    talk.say(7000, Ping(4, 2))
    talk.say(8000, Ping(2, 3), talk.key(2))
    return talk


def overflow() -> Exchange:
    talk = Exchange("a full ring counts what it cannot keep and tells it in its place")
    talk.start()
    for number in range(66):
        talk.note(3000 + number, 3, 17, number)
    talk.hear(4000, b"")
    talk.say(5000, Ack(2, 1))
    talk.note(6000, 4, 17)
    talk.say(7000, Ack(3, 64))
    talk.note(8000, 4, 18)
    talk.hear(9000, b"")
    return talk


def warm_reset() -> Exchange:
    talk = Exchange("a reset keeps the ring, its number and the clock's direction")
    talk.note(900_000, 1, 0)
    talk.reset(ResetCause.WATCHDOG)
    talk.start()
    return talk


def main() -> None:
    frames = []
    for name, message in EXAMPLES:
        body = pack(message)
        sealed = seal(KEY, body) if message.TAGGED else body
        fields = {field: value.hex() if isinstance(value, bytes) else value for field, value in asdict(message).items()}
        fields = {**msgspec.to_builtins(fields), "is": type(message).__name__}
        frames.append({"name": name, "message": fields, "body": sealed.hex(), "wire": wrap(sealed).hex()})
    makers = (a_whole_session, refusals, versions, pairing_refused, pairing, silence, second_host, overflow, warm_reset)
    exchanges = [make().as_json() for make in makers]
    text = json.dumps({"key": KEY.hex(), "frames": frames, "exchanges": exchanges}, indent=1)
    TARGET.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
