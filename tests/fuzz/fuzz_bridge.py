"""Atheris on the host's side: whatever comes over the wire, the session neither raises nor delivers what was not sent.

The first byte chooses: 0 raw bytes before the greeting, 1 raw bytes in a live session, 2 bodies wrapped as frames,
3 bodies sealed with the session's own key, which is what a board gone mad could say.
"""

import sys

import atheris

with atheris.instrument_imports():
    from firmware_bridge.emulator.device import Board
    from firmware_bridge.emulator.memory import Eeprom
    from firmware_bridge.events import DeviceEvent
    from firmware_bridge.framing import LONGEST_BODY, wrap
    from firmware_bridge.greeting import Policy
    from firmware_bridge.outputs import Greeted, Output
    from firmware_bridge.session import Session
    from firmware_bridge.tags import seal, session_key

DEVICE, KEY, NONCE = b"KRUPIER1", bytes(range(16)), bytes(8)
MS = 1_000_000


def live_session() -> tuple[Session, Board]:
    session = Session(Policy({DEVICE.hex(): KEY}.get), lambda: NONCE)
    board = Board(Eeprom(DEVICE, 0x2FF, KEY))
    session.open(0)
    for step in range(1, 8):
        outputs = session.tick(step * MS)
        board.feed(session.outgoing(), step * 1000)
        board.tick(step * 1000)
        outputs += session.receive(board.outgoing(), step * MS)
        if any(isinstance(output, Greeted) for output in outputs):
            session.resume(None, step * MS)
    return session, board


def check(outputs: list[Output], seen: list[int], *, may_deliver: bool) -> None:
    for output in outputs:
        if isinstance(output, DeviceEvent):
            assert may_deliver, "an event out of bytes that were not sealed"
            assert output.seq == (seen[-1] + 1 if seen else 2), "an event out of order"
            seen.append(output.seq)


def test_one_input(data: bytes) -> None:
    if len(data) < 2:
        return
    mode, data = data[0] % 4, data[1:]
    session, board = live_session()
    if mode == 0:
        session.open(9 * MS)
    key = session_key(KEY, NONCE, DEVICE, board.eeprom.boot, 1)
    seen: list[int] = []
    now = 10 * MS
    for at in range(0, len(data), 64):
        part = data[at : at + 64]
        if mode == 2:
            part = wrap(part)
        elif mode == 3:
            part = wrap(seal(key, part[: LONGEST_BODY - 8]))
        now += part[0] % 64 * 10 * MS
        check(session.receive(part, now), seen, may_deliver=mode == 3)
        check(session.tick(now), seen, may_deliver=False)
        board.feed(session.outgoing(), now // 1000)


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
