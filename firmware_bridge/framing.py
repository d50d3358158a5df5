"""Bytes to frames and back: COBS, a CRC-16 and a zero byte at the end. No I/O.

PROTOCOL.md, "Frames". A zero byte never occurs inside a frame, so one good delimiter ends any amount of garbage.
"""

from binascii import crc_hqx

from cobs import cobs
from msgspec import Struct

LONGEST_BODY = 96
LONGEST_WIRE = LONGEST_BODY + 3
"""Encoded bytes before the delimiter: body, CRC, one COBS overhead byte (body and CRC stay under 254)."""
CRC_SEED = 0xFFFF


class Garbled(Struct, frozen=True):
    """Bytes between two delimiters that are no frame, kept for the log (at most the first LONGEST_WIRE)."""

    raw: bytes
    why: str


def wrap(body: bytes) -> bytes:
    """The wire form of a body, delimiter included."""
    assert 0 < len(body) <= LONGEST_BODY
    checked = body + crc_hqx(body, CRC_SEED).to_bytes(2, "little")
    return bytes(cobs.encode(checked)) + b"\0"


def unwrap(wire: bytes) -> bytes | Garbled:
    """The body of one frame, given its wire form without the delimiter."""
    if len(wire) > LONGEST_WIRE:
        return Garbled(wire[:LONGEST_WIRE], "too long")
    try:
        checked = bytes(cobs.decode(wire))
    except cobs.DecodeError:
        return Garbled(wire, "not COBS")
    if len(checked) < 3:
        return Garbled(wire, "too short")
    if crc_hqx(checked[:-2], CRC_SEED) != int.from_bytes(checked[-2:], "little"):
        return Garbled(wire, "wrong CRC")
    return checked[:-2]


class FrameReader:
    """Collects bytes in any portions and yields whole bodies; holds back at most LONGEST_WIRE + 1 bytes."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes | Garbled]:
        """Every frame that `data` completes, in order. Empty frames (a lone delimiter) are nothing."""
        *whole, rest = (self._rest + data).split(b"\0")
        # One byte above the bound is enough to know, when the delimiter comes, that the frame was too long.
        self._rest = rest[: LONGEST_WIRE + 1]
        return [unwrap(wire) for wire in whole if wire]

    def reset(self) -> None:
        """Forget an unfinished frame: what follows comes from another opening of the port."""
        self._rest = b""
