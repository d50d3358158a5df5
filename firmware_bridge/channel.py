"""Tags and counters of one session, both directions. PROTOCOL.md, "Tags and keys"."""

from collections.abc import Callable
from enum import Enum

from firmware_bridge.errors import UnreadableFrame
from firmware_bridge.messages import Events, Plain, Pong, pack, unpack
from firmware_bridge.tags import TAG_BYTES, is_genuine, seal

Compose = Callable[[int], Plain]
"""Makes a message out of the counter it shall carry."""


class Verdict(Enum):
    """Why a tagged frame was not taken."""

    FORGED = "forged"
    REPLAYED = "replayed"
    UNKNOWN = "unknown"


class Channel:
    """Seals what we say under a session key and takes only what is genuine and new."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._sent = 0
        self._heard = 0
        self._missing = 0

    def seal(self, compose: Compose) -> bytes:
        """The sealed body of the message that `compose` makes with our next counter."""
        self._sent += 1
        return seal(self._key, pack(compose(self._sent)))

    def is_mine(self, body: bytes) -> bool:
        """Whether the body was sealed under this session's key."""
        return is_genuine(self._key, body)

    def take(self, body: bytes) -> Events | Pong | Verdict:
        """The message of a tagged body, or why it is refused."""
        if not is_genuine(self._key, body):
            return Verdict.FORGED
        try:
            message = unpack(body[:-TAG_BYTES])
        except UnreadableFrame:
            return Verdict.UNKNOWN
        if not isinstance(message, Events | Pong):
            return Verdict.UNKNOWN
        if message.counter <= self._heard:
            return Verdict.REPLAYED
        self._missing = message.counter - self._heard - 1
        self._heard = message.counter
        return message

    def missing_now(self) -> int:
        """Frames the board numbered between the last two we took."""
        return self._missing
