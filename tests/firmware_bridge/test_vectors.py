"""Golden frames and exchanges: Python and C++ both produce and accept every one."""

import json
import shutil
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_bridge import messages
from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.framing import unwrap, wrap
from firmware_bridge.messages import Message, ResetCause, pack, unpack
from firmware_bridge.tags import TAG_BYTES, is_genuine, seal

from .cpp import TALK, Cpp

Vector = dict[str, Any]
VECTORS: Vector = json.loads((Path(messages.__file__).parent / "vectors.json").read_text("utf-8"))
KEY = bytes.fromhex(VECTORS["key"])
FRAMES = [pytest.param(frame, id=frame["name"]) for frame in VECTORS["frames"]]
EXCHANGES = [pytest.param(exchange, id=exchange["name"]) for exchange in VECTORS["exchanges"]]


@pytest.fixture(scope="module")
def cpp() -> Iterator[Cpp]:
    if not TALK.exists():
        pytest.fail(f"{TALK.name} is not built: run `make board`") if shutil.which("g++") else pytest.skip("needs g++")
    side = Cpp()
    yield side
    side.close()


def message_of(frame: Vector) -> Message:
    fields = dict(frame["message"])
    shape: type[Message] = getattr(messages, fields.pop("is"))
    for name in {"nonce", "key", "device"} & set(fields):
        fields[name] = b64encode(bytes.fromhex(fields[name])).decode()  # as msgspec writes bytes
    return msgspec.convert(fields, shape)


@pytest.mark.parametrize("frame", FRAMES)
def test_python_produces_the_golden_frame(frame: Vector) -> None:
    message = message_of(frame)
    body = seal(KEY, pack(message)) if message.TAGGED else pack(message)
    assert body.hex() == frame["body"]
    assert wrap(body).hex() == frame["wire"]


@pytest.mark.parametrize("frame", FRAMES)
def test_python_accepts_the_golden_frame(frame: Vector) -> None:
    body = unwrap(bytes.fromhex(frame["wire"])[:-1])
    assert isinstance(body, bytes)
    message = message_of(frame)
    assert is_genuine(KEY, body) == message.TAGGED
    assert unpack(body[:-TAG_BYTES] if message.TAGGED else body) == message


@pytest.mark.parametrize("frame", FRAMES)
def test_the_firmware_produces_the_golden_frame(frame: Vector, cpp: Cpp) -> None:
    body = frame["body"]
    assert cpp.ask(f"wrap {body}") == frame["wire"]
    if message_of(frame).TAGGED:
        plain, tag = body[: -2 * TAG_BYTES], body[-2 * TAG_BYTES :]
        assert cpp.ask(f"tag {KEY.hex()} {plain}") == tag


@pytest.mark.parametrize("frame", FRAMES)
def test_the_firmware_accepts_golden_frames_for_it_and_bounds_all_others(frame: Vector, cpp: Cpp) -> None:
    expected = frame["body"] if len(frame["body"]) <= 2 * 40 else "garbage"
    assert cpp.ask(f"unwrap {frame['wire']}") == expected


@pytest.mark.parametrize("exchange", EXCHANGES)
def test_the_twin_answers_the_golden_exchange(exchange: Vector) -> None:
    facts = exchange["board"]
    key = bytes.fromhex(facts["key"]) if facts["key"] else None
    eeprom = Eeprom(bytes.fromhex(facts["device"]), facts["fitted"], key, facts["boot"] - 1)
    board = Board(eeprom, jumper=facts["jumper"])
    for step in exchange["steps"]:
        if "reset" in step:
            board.reset(ResetCause(step["reset"][1]))
        elif "note" in step:
            board.feed(b"", step["at_us"])
            board.note(*step["note"])
        else:
            assert twin_says(board, step).hex() == step["say"], step


def twin_says(board: Board, step: Vector) -> bytes:
    board.feed(bytes.fromhex(step["hear"]), step["at_us"])
    said = b""
    while True:
        board.tick(step["at_us"])
        if not (more := board.outgoing()):
            return said
        said += more


@pytest.mark.parametrize("exchange", EXCHANGES)
def test_the_firmware_answers_the_golden_exchange(exchange: Vector, cpp: Cpp) -> None:
    board = exchange["board"]
    start = f"{board['device']} {board['key'] or '-'} {board['fitted']} {board['boot']} {board['cause']}"
    cpp.ask(f"board {start} {int(board['jumper'])}")
    for step in exchange["steps"]:
        if "reset" in step:
            cpp.ask("reset {} {}".format(*step["reset"]))
            continue
        cpp.ask(f"at {step['at_us']}")
        if "note" in step:
            cpp.ask("note {} {} {}".format(*step["note"]))
        else:
            assert cpp.ask(f"hear {step['hear'] or '-'}") == step["say"], step
