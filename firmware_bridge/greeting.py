"""Whether the board that answered is one we may use."""

from collections.abc import Callable

from msgspec import Struct

from firmware_bridge.messages import Flags, Hello
from firmware_bridge.outputs import Refusal
from firmware_bridge.tags import NO_KEY, is_genuine, session_key


class Policy(Struct, frozen=True):
    """Whom to trust. `key_of` gives a board's pairing key or None; `only` is the board this link is meant for."""

    key_of: Callable[[str], bytes | None]
    only: str | None = None
    demo: bool = False


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
