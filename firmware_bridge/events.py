"""The physical events a board reports, and the little that can be read out of one. PROTOCOL.md, "Events"."""

from enum import IntEnum

from msgspec import Struct

from firmware_bridge.clock import Span

BOXES = 7


class EventKind(IntEnum):
    """What happened. A board reports edges and durations; whether it was a card, the controller judges."""

    BEAM_BROKEN = 1
    BEAM_CLEARED = 2
    BUTTON_DOWN = 3
    BUTTON_UP = 4
    KEY_DOWN = 5
    KEY_UP = 6
    BET_SENSOR = 7
    CUT_CARD = 8
    SOUND = 9
    CARD_READ = 10
    CARD_UNREADABLE = 11
    CARD_EXPOSED = 12
    SHOE_IDENTITY = 13
    MANUAL_BURN = 14
    SELF_TEST = 15
    FAULT = 16
    BOOTED = 17


class Signal(IntEnum):
    """The keys of a player's box."""

    HIT = 1
    STAND = 2
    DOUBLE = 3
    SPLIT = 4
    SURRENDER = 5
    INSURANCE = 6
    EVEN_MONEY = 7


class DealerKey(IntEnum):
    DEAL = 1
    NO_MORE_BETS = 2
    PEEK_YES = 3
    PEEK_NO = 4
    REVEAL = 5
    PAID = 6
    CALL_SUPERVISOR = 7


class Fault(IntEnum):
    """Argument of a FAULT event; its value is a count or the number of the input concerned."""

    EVENTS_LOST = 1
    BEAM_NOISY = 2
    BEAM_BLOCKED = 3
    INPUT_STUCK = 4
    RECORD_DAMAGED = 5
    EEPROM_WORN = 6


class Cursor(Struct, frozen=True):
    """The last event of a board that is on record: its ring and number."""

    ring: int
    seq: int


class DeviceEvent(Struct, frozen=True):
    """One event, once. (device, ring, seq) is its identity for ever; `when` is host time, if it can be known."""

    device: str
    ring: int
    seq: int
    kind: int
    arg: int
    value: int
    at_us: int
    when: Span | None

    @property
    def cursor(self) -> Cursor:
        """Where a record that ends with this event stands."""
        return Cursor(self.ring, self.seq)


def box_and_signal(arg: int) -> tuple[int, int]:
    """Box (from 1) and signal of a button's argument."""
    return arg >> 4, arg & 15


def rank_and_suit(arg: int) -> tuple[int, int]:
    """Rank (1 ace to 13 king) and suit (1 spades, 2 hearts, 3 diamonds, 4 clubs) as a reading shoe states them."""
    return arg & 15, arg >> 4
