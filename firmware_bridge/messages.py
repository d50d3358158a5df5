"""What the two ends say to each other, as values and as bytes. PROTOCOL.md, "Messages".

A body is the kind, the fields of the message in order (little-endian), and for most kinds an 8-byte tag, which
`tags` adds and checks. `pack` and `unpack` deal with everything but the tag.
"""

from enum import IntEnum, IntFlag
from struct import Struct as Layout
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import astuple

from firmware_bridge.errors import UnreadableFrame

VERSION = 1
EVENTS_PER_FRAME = 6
RING = 64


class Fitted(IntFlag):
    """What is wired to a board; set when it is paired."""

    SHOE = 1
    SECOND_BEAM = 2
    CUT_CARD = 4
    BUTTONS = 8
    DEALER_KEYS = 16
    BET_SENSORS = 32
    SOUND = 64
    LAMPS = 128
    READING_SHOE = 256
    BURN_KEY = 512


class Flags(IntFlag):
    """State of a board that matters before a session starts."""

    PAIRED = 1
    JUMPER = 2


class ResetCause(IntFlag):
    """The bits of the ATmega's MCUSR; none set means the bootloader kept them to itself."""

    POWER_ON = 1
    EXTERNAL = 2
    BROWN_OUT = 4
    WATCHDOG = 8


class Why(IntEnum):
    """Reasons in a REFUSED message."""

    VERSION = 1
    NO_JUMPER = 2


class HelloRequest(Struct, frozen=True):
    KIND: ClassVar[int] = 0x81
    TAGGED: ClassVar[bool] = False
    LAYOUT: ClassVar[Layout] = Layout("<BB8s")
    lowest: int
    highest: int
    nonce: bytes


class Resume(Struct, frozen=True):
    """Start the session: everything up to `cursor` of ring `ring` is safe on the host."""

    KIND: ClassVar[int] = 0x82
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<III")
    counter: int
    ring: int
    cursor: int


class Ack(Struct, frozen=True):
    KIND: ClassVar[int] = 0x83
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<II")
    counter: int
    cursor: int


class Resend(Struct, frozen=True):
    """Send again from event `first` on. Acknowledges nothing."""

    KIND: ClassVar[int] = 0x84
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<II")
    counter: int
    first: int


class Ping(Struct, frozen=True):
    KIND: ClassVar[int] = 0x85
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<II")
    counter: int
    ping: int


class Outputs(Struct, frozen=True):
    """Every lamp and the buzzer as they shall be now: levels, never pulses."""

    KIND: ClassVar[int] = 0x86
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<IHIB")
    counter: int
    revision: int
    lamps: int
    buzzer: int


class SelfTest(Struct, frozen=True):
    KIND: ClassVar[int] = 0x87
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<I")
    counter: int


class Pair(Struct, frozen=True):
    """The new key and what is wired; obeyed only while the pairing jumper is set."""

    KIND: ClassVar[int] = 0x88
    TAGGED: ClassVar[bool] = False
    LAYOUT: ClassVar[Layout] = Layout("<16sH")
    key: bytes
    fitted: int


class Hello(Struct, frozen=True):
    KIND: ClassVar[int] = 0x01
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<BBBHBB8sIH8sIIIIHQ")
    version: int
    major: int
    minor: int
    fitted: int
    flags: int
    reset: int
    device: bytes
    boot: int
    session: int
    nonce: bytes
    ring: int
    first: int
    next: int
    started: int
    lost: int
    clock: int


class Pong(Struct, frozen=True):
    KIND: ClassVar[int] = 0x03
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<IIQHBIHH")
    counter: int
    ping: int
    clock: int
    revision: int
    kept: int
    next: int
    bad: int
    refused: int


class Paired(Struct, frozen=True):
    """The board stored the key: the tag is made with that key itself."""

    KIND: ClassVar[int] = 0x04
    TAGGED: ClassVar[bool] = True
    LAYOUT: ClassVar[Layout] = Layout("<8sH")
    device: bytes
    fitted: int


class Refused(Struct, frozen=True):
    KIND: ClassVar[int] = 0x05
    TAGGED: ClassVar[bool] = False
    LAYOUT: ClassVar[Layout] = Layout("<BBB")
    why: int
    lowest: int
    highest: int


class Record(Struct, frozen=True):
    """One event as the board keeps it: kind, argument, its own clock in microseconds (48 bits), a value."""

    kind: int
    arg: int
    at_us: int
    value: int


class Events(Struct, frozen=True):
    """Consecutive events; the first is number `first`."""

    KIND: ClassVar[int] = 0x02
    TAGGED: ClassVar[bool] = True
    counter: int
    first: int
    records: tuple[Record, ...]


Plain = HelloRequest | Resume | Ack | Resend | Ping | Outputs | SelfTest | Pair | Hello | Pong | Paired | Refused
Message = Plain | Events

_PLAIN: dict[int, type[Plain]] = {
    kind.KIND: kind
    for kind in (HelloRequest, Resume, Ack, Resend, Ping, Outputs, SelfTest, Pair, Hello, Pong, Paired, Refused)
}
TAGGED = {Events.KIND} | {kind.KIND for kind in _PLAIN.values() if kind.TAGGED}
_EVENTS = Layout("<BII")
_RECORD = Layout("<BBIHI")


def pack(message: Message) -> bytes:
    """The body of a message, without its tag."""
    if isinstance(message, Events):
        head = _EVENTS.pack(Events.KIND, message.counter, message.first)
        return head + b"".join(map(_pack_record, message.records))
    return bytes((message.KIND,)) + message.LAYOUT.pack(*astuple(message))


def unpack(body: bytes) -> Message:
    """The message in a body whose tag has been taken off. Raises UnreadableFrame."""
    kind = body[0] if body else -1
    if kind == Events.KIND:
        return _unpack_events(body)
    shape = _PLAIN.get(kind)
    if shape is None:
        raise UnreadableFrame(f"message kind {kind} is not in protocol version {VERSION}")
    if len(body) != 1 + shape.LAYOUT.size:
        raise UnreadableFrame(f"{shape.__name__} has {len(body)} bytes instead of {1 + shape.LAYOUT.size}")
    return shape(*shape.LAYOUT.unpack_from(body, 1))


def _pack_record(record: Record) -> bytes:
    low, high = record.at_us & 0xFFFFFFFF, record.at_us >> 32
    return _RECORD.pack(record.kind, record.arg, low, high, record.value)


def _unpack_events(body: bytes) -> Events:
    count, odd = divmod(len(body) - _EVENTS.size, _RECORD.size)
    if odd or not 1 <= count <= EVENTS_PER_FRAME:
        raise UnreadableFrame(f"Events has {len(body)} bytes, which is not 1 to {EVENTS_PER_FRAME} whole events")
    _, counter, first = _EVENTS.unpack_from(body)
    records = tuple(
        Record(kind, arg, low | high << 32, value)
        for kind, arg, low, high, value in _RECORD.iter_unpack(body[_EVENTS.size :])
    )
    return Events(counter, first, records)
