"""Bookkeeping of sightings: kept, matched with a card, lost, asked about, left over from a round that is gone."""

from typing import Final

from msgspec.structs import replace

from table_controller.core.events import SightingClosed, SightingKept, SightingLost, SightingMatched
from table_controller.core.table import Sight, TableState

DIGITS: Final = "0123456789"


def kept(state: TableState, event: SightingKept) -> TableState:
    """One more; new eyes take over from the old ones, whose sightings they will say again.

    Eyes at another camera of the table go on beside these.
    """
    eyes, number = event.cause.source, event.cause.seq
    others = tuple(
        _handed_over(sight, eyes) for sight in state.sights if _goes_on(sight, eyes) or sight.place is not None
    )
    times = (_in_order(state, event), event.cause.at_ns)
    new = Sight(eyes, number, event.places, event.card, event.face, *times, event.x, event.y)
    return replace(state, sights=(*others, new))


def _in_order(state: TableState, event: SightingKept) -> int:
    """Since when it lay. If the clock was set back, what was heard before it came before it (order, not time)."""
    drawn = state.shoe.drawn if state.shoe is not None else ()
    asked_ns = state.round.asked_ns if state.round is not None else 0
    latest = max(asked_ns, *(pulse.at_ns for pulse in drawn), 0)
    return event.since_ns if event.cause.at_ns >= latest else max(event.since_ns, latest)


def _handed_over(sight: Sight, eyes: str) -> Sight:
    return sight if _goes_on(sight, eyes) else replace(sight, watched=False)


def _goes_on(sight: Sight, eyes: str) -> bool:
    """Whether it is still watched when these eyes say something: it is theirs, or that of eyes at another camera.

    Eyes are named after their camera, and numbered anew at every start.
    """
    return sight.eyes == eyes or _camera(sight.eyes) != _camera(eyes)


def _camera(eyes: str) -> str:
    named, number, _ = eyes.partition("-")
    return named if number else named.rstrip(DIGITS)


def matched(state: TableState, event: SightingMatched) -> TableState:
    """What that card was seen as before gives way; when it was drawn and laid stays known."""
    where = (event.place, event.index)
    before = next((sight for sight in state.sights if (sight.place, sight.index) == where), None)
    others = [sight for sight in state.sights if (sight.place, sight.index) != where or _is(sight, event)]
    return replace(
        state, sights=tuple(_as_card(sight, event, before) if _is(sight, event) else sight for sight in others)
    )


def _as_card(sight: Sight, event: SightingMatched, before: Sight | None) -> Sight:
    pulse_ns, laid_ns = (event.pulse_ns, sight.since_ns) if before is None else (before.pulse_ns, before.laid_ns)
    card = replace(sight, place=event.place, index=event.index, asked=False)
    return replace(card, pulse_ns=pulse_ns, laid_ns=laid_ns)


def lost(state: TableState, event: SightingLost) -> TableState:
    """A card seen no more is remembered where it was; what was no card is forgotten."""
    at_ns = max(1, event.cause.at_ns)
    return replace(
        state,
        sights=tuple(
            replace(sight, lost_ns=at_ns, covered=event.covered, watched=True) if _is(sight, event) else sight
            for sight in state.sights
            if not _is(sight, event) or sight.place is not None
        ),
    )


def closed(state: TableState, event: SightingClosed) -> TableState:
    """One that waited is waited for no more; a card that was missed is looked for no more."""
    return replace(
        state,
        sights=tuple(
            replace(sight, asked=True) if _is(sight, event) else sight
            for sight in state.sights
            if not _is(sight, event) or sight.place is None
        ),
    )


def left_over(sights: tuple[Sight, ...]) -> tuple[Sight, ...]:
    """What still lies on the felt when a round is over; it belongs to no hand."""
    return tuple(replace(sight, place=None, index=0, asked=True) for sight in sights if sight.lies)


def split(sights: tuple[Sight, ...], box: int, hand: int) -> tuple[Sight, ...]:
    """A hand was split: its second card begins the hand behind it, and those behind move up."""
    return tuple(_split(sight, box, hand) for sight in sights)


def _split(sight: Sight, box: int, hand: int) -> Sight:
    place = sight.place
    if place is None or place.box != box or place.hand < hand or (place.hand == hand and sight.index == 0):
        return sight
    index = 0 if place.hand == hand else sight.index
    return replace(sight, place=replace(place, hand=place.hand + 1), index=index)


def _is(sight: Sight, event: SightingMatched | SightingLost | SightingClosed) -> bool:
    return (sight.eyes, sight.number) == (event.eyes, event.sighting)
