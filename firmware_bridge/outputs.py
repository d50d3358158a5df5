"""What a session tells its controller. Each is a fact; what to do about it is the controller's business."""

from enum import Enum

from msgspec import Struct

from firmware_bridge.events import DeviceEvent
from firmware_bridge.framing import Garbled
from firmware_bridge.messages import Hello


class Refusal(Enum):
    """Why a board that answered is not used. The value names the entry in checks.py."""

    WRONG_FIRMWARE = "wrong_firmware"
    NO_KEY = "no_key"
    UNPAIRED = "unpaired"
    WRONG_KEY = "wrong_key"
    JUMPER_SET = "jumper_set"
    OTHER_BOARD = "other_board"


class Greeted(Struct, frozen=True):
    """A genuine board answered and waits for `resume`. `rebooted`: it has started anew since we last spoke."""

    device: str
    hello: Hello
    rebooted: bool


class Denied(Struct, frozen=True):
    """A board answered and may not be used."""

    refusal: Refusal
    hello: Hello | None


class Live(Struct, frozen=True):
    """The board took our resume; events follow."""

    device: str


class EventsLost(Struct, frozen=True):
    """Events `first` to `last` of this ring are gone for ever; `last` None: a ring died and nobody knows how many."""

    device: str
    ring: int
    first: int
    last: int | None


class Silent(Struct, frozen=True):
    """Nothing genuine has come for so long that we start over with a new hello."""

    device: str | None


class Suspicious(Struct, frozen=True):
    """A frame that somebody may have put there on purpose; counted in health."""

    why: str
    raw: bytes


Output = DeviceEvent | Greeted | Denied | Live | EventsLost | Silent | Suspicious | Garbled
