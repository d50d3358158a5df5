"""Messages to bytes and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import UnreadableFrame
from firmware_bridge.framing import LONGEST_BODY
from firmware_bridge.messages import EVENTS_PER_FRAME, Events, Outputs, Pong, Record, pack, unpack
from firmware_bridge.tags import TAG_BYTES, session_key, tag

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
u64 = st.integers(0, 2**64 - 1)
records = st.builds(Record, u8, u8, st.integers(0, 2**48 - 1), u32)


@given(st.builds(Events, u32, u32, st.lists(records, min_size=1, max_size=EVENTS_PER_FRAME).map(tuple)))
def test_events_survive_the_wire(events: Events) -> None:
    assert unpack(pack(events)) == events
    assert len(pack(events)) + TAG_BYTES <= LONGEST_BODY


@given(st.builds(Outputs, u32, u16, u32, u8) | st.builds(Pong, u32, u32, u64, u16, u8, u32, u16, u16))
def test_messages_survive_the_wire(message: Outputs | Pong) -> None:
    assert unpack(pack(message)) == message


@given(st.binary(max_size=LONGEST_BODY))
def test_any_bytes_are_a_message_or_unreadable(body: bytes) -> None:
    try:
        message = unpack(body)
    except UnreadableFrame:
        return
    assert pack(message) == body


@pytest.mark.parametrize("body", [b"", b"\x7f", b"\x83\x01", b"\x02" + bytes(8), b"\x02" + bytes(8 + 7 * 12)])
def test_a_wrong_length_or_kind_is_named(body: bytes) -> None:
    with pytest.raises(UnreadableFrame, match=r"kind|bytes"):
        unpack(body)


def test_the_tag_is_siphash_as_published() -> None:
    assert tag(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5.to_bytes(8, "little")


def test_every_part_of_a_hello_changes_the_session_key() -> None:
    plain = session_key(bytes(16), bytes(8), bytes(8), 0, 0)
    others = [
        session_key(b"\1" + bytes(15), bytes(8), bytes(8), 0, 0),
        session_key(bytes(16), b"\1" + bytes(7), bytes(8), 0, 0),
        session_key(bytes(16), bytes(8), b"\1" + bytes(7), 0, 0),
        session_key(bytes(16), bytes(8), bytes(8), 1, 0),
        session_key(bytes(16), bytes(8), bytes(8), 0, 1),
    ]
    assert len({plain, *others}) == 6
