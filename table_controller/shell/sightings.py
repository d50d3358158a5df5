"""What the eyes see, as the judge hears it: a slot of the felt becomes a place at the table."""

from table_controller.core.blackjack.round import DueKind, round_of
from table_controller.core.cards import Card
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import CardSeen, Cause, CutCardSeen, Face, Stimulus
from table_controller.core.table import TableState
from table_controller.port.words import Sighted, Watching

BOX = "box"


def stimuli_of(state: TableState, seen: Sighted) -> list[Stimulus]:
    """What a sighting means: nothing outside the places where cards may lie."""
    place = place_of(state, seen.slot)
    if place is None:
        return []
    face = Face.DOWN if seen.face_down else Face.UP
    card = Card.parse(seen.card) if seen.card is not None and not seen.face_down else None
    cause = Cause(seen.source, seen.number, seen.at_ns)
    return [CutCardSeen(cause, place) if seen.card == "cut" else CardSeen(cause, place, card, face)]


def place_of(state: TableState, slot: str) -> Place | None:
    """The hand a card in this slot belongs to: the one that waits, else the box's first."""
    if slot == "dealer":
        return DEALER
    number = slot.removeprefix(BOX)
    if not slot.startswith(BOX) or not number.isdecimal():
        return None
    rnd = round_of(state)
    if rnd is not None and rnd.due.place.box == int(number):
        return rnd.due.place
    return Place(int(number))


def watching_of(state: TableState) -> Watching:
    """Which slots are due a card and which must not be looked at."""
    rnd = round_of(state)
    if rnd is None:
        return Watching(None, version=state.version)
    due = rnd.due
    waits = due.kind in (DueKind.CARD, DueKind.SHOW, DueKind.REVEAL)
    slot = "dealer" if due.place == DEALER else f"{BOX}{due.place.box}"
    return Watching(rnd.number, (slot,) if waits else (), version=state.version)
