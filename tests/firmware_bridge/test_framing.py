"""Bytes to frames, however they are cut, glued, damaged or padded with noise."""

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.framing import LONGEST_BODY, LONGEST_WIRE, FrameReader, Garbled, unwrap, wrap

bodies = st.binary(min_size=1, max_size=LONGEST_BODY)


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({place % (len(data) + 1) for place in cuts})
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


@given(bodies)
def test_a_body_comes_back_from_its_wire_form_which_holds_one_zero_at_its_end(body: bytes) -> None:
    wire = wrap(body)
    assert wire.index(0) == len(wire) - 1 <= LONGEST_WIRE
    assert unwrap(wire[:-1]) == body


@given(st.lists(bodies, max_size=5), st.lists(st.integers(0, 10_000), max_size=30))
def test_frames_arrive_the_same_however_the_bytes_are_cut(sent: list[bytes], cuts: list[int]) -> None:
    reader = FrameReader()
    data = b"".join(map(wrap, sent))
    assert [body for part in cut(data, cuts) for body in reader.feed(part)] == sent


@given(bodies, st.lists(st.integers(0, 799), min_size=1, max_size=3, unique=True))
def test_up_to_three_flipped_bits_are_never_taken_for_the_frame_that_was_sent(body: bytes, bits: list[int]) -> None:
    wire = bytearray(wrap(body))
    for bit in bits:
        wire[bit // 8 % (len(wire) - 1)] ^= 1 << bit % 8
    if bytes(wire) != wrap(body):
        assert body not in FrameReader().feed(bytes(wire))


@given(st.binary(max_size=300), bodies)
def test_after_any_garbage_one_delimiter_puts_the_reader_back_in_step(garbage: bytes, body: bytes) -> None:
    assert FrameReader().feed(garbage + b"\0" + wrap(body))[-1] == body


def test_a_frame_that_is_too_long_is_dropped_without_being_stored() -> None:
    reader = FrameReader()
    for _ in range(1000):
        assert reader.feed(b"x" * 1000) == []
    assert [type(found) for found in reader.feed(b"\0" + wrap(b"next"))] == [Garbled, bytes]


def test_half_a_frame_before_a_new_opening_is_forgotten() -> None:
    reader = FrameReader()
    reader.feed(wrap(b"first")[:4])
    reader.reset()
    assert reader.feed(wrap(b"second")) == [b"second"]


def test_an_empty_frame_means_nothing() -> None:
    assert FrameReader().feed(b"\0\0\0") == []


def test_the_check_sum_is_the_published_one() -> None:
    from binascii import crc_hqx

    assert crc_hqx(b"123456789", 0xFFFF) == 0x29B1
