"""Who said it: SipHash-2-4 tags and the keys of one session. PROTOCOL.md, "Tags and keys"."""

from hmac import compare_digest

from siphashc import siphash

TAG_BYTES = 8
KEY_BYTES = 16
NONCE_BYTES = 8
NO_KEY = bytes(KEY_BYTES)
"""What an unpaired board uses, so that its frames have the same form. It proves nothing."""


def tag(key: bytes, data: bytes) -> bytes:
    """The 8-byte tag of `data` under a 16-byte key."""
    return siphash(key, data).to_bytes(TAG_BYTES, "little")


def seal(key: bytes, body: bytes) -> bytes:
    """`body` with its tag behind it."""
    return body + tag(key, body)


def is_genuine(key: bytes, sealed: bytes) -> bool:
    """Whether the last 8 bytes are the tag of the rest."""
    return compare_digest(tag(key, sealed[:-TAG_BYTES]), sealed[-TAG_BYTES:])


def session_key(key: bytes, nonce: bytes, device: bytes, boot: int, session: int) -> bytes:
    """The key of one session: the host's fresh nonce and the board's counters make it unrepeatable."""
    context = nonce + device + boot.to_bytes(4, "little") + session.to_bytes(2, "little")
    return tag(key, b"\x00" + context) + tag(key, b"\x01" + context)
