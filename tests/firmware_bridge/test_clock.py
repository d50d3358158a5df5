"""A board's clock is off by up to half a per cent; what we say of its events is true all the same."""

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.clock import DRIFT, ClockMap, Sample, Span

SECOND = 1_000_000_000
drifts = st.floats(-DRIFT, DRIFT)
delays = st.integers(0, 20_000_000)


def device_us(host_ns: int, drift: float, started_ns: int) -> int:
    return int((host_ns - started_ns) * (1 + drift) / 1000)


@given(
    drifts,
    st.integers(-(10**12), 10**12),
    st.lists(st.tuples(st.integers(1, 600 * SECOND), delays, delays), min_size=1, max_size=20),
    st.integers(0, 600 * SECOND),
)
def test_the_true_time_of_an_event_always_lies_in_its_span(
    drift: float, started: int, exchanges: list[tuple[int, int, int]], event_after: int
) -> None:
    clock, now = ClockMap(), started
    for pause, there, back in exchanges:
        now += pause
        clock.learn(Sample(now, now + there + back, device_us(now + there, drift, started)))
        now += there + back
    happened = started + event_after
    span = clock.span(device_us(happened, drift, started), max(now, happened))
    assert span is not None
    assert span.earliest_ns <= happened <= span.latest_ns


def test_after_a_minute_of_pings_the_span_is_not_much_wider_than_a_round_trip() -> None:
    clock = ClockMap()
    for tick in range(240):
        now = tick * SECOND // 4
        clock.learn(Sample(now, now + 4_000_000, device_us(now + 2_000_000, 0.003, 0)))
    span = clock.span(device_us(60 * SECOND, 0.003, 0), 61 * SECOND)
    assert span is not None
    assert span.latest_ns - span.earliest_ns < 8_000_000


def test_overlapping_spans_have_no_order_and_say_so() -> None:
    assert Span(0, 10).before(Span(5, 15)) is None
    assert Span(0, 4).before(Span(5, 15)) is True
    assert Span(20, 21).before(Span(5, 15)) is False


def test_no_event_is_placed_after_the_moment_it_arrived() -> None:
    clock = ClockMap()
    clock.learn(Sample(0, 10 * SECOND, 0))
    span = clock.span(1_000_000, 2 * SECOND)
    assert span is not None
    assert span.latest_ns == 2 * SECOND


def test_a_clock_that_was_never_read_maps_nothing() -> None:
    assert ClockMap().span(5, 5) is None


def test_a_board_whose_clock_jumps_starts_over() -> None:
    clock = ClockMap()
    clock.learn(Sample(0, 1000, 0))
    clock.learn(Sample(SECOND, SECOND + 1000, 500_000_000))
    span = clock.span(500_000_000, 2 * SECOND)
    assert span is not None
    assert SECOND - 10_000 <= span.earliest_ns <= span.latest_ns <= SECOND + 10_000
