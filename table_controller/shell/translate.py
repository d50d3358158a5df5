"""What the eyes say, as the judge hears it: slots and millimetres become places at the table, and back."""

from collections.abc import Sequence
from typing import Final

from table_controller.core.blackjack.round import BlackjackRound, Due, DueKind, hole_lies, round_of, rules_of
from table_controller.core.cards import Card
from table_controller.core.house import Witness
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import CardGone, CardSighted, Cause, CircleChanged, CutCardSeen, Face, Stimulus
from table_controller.core.table import TableState, blocking
from table_controller.port.words import Chips, Gone, Sighted, Watching
from vision.clusters import Ambiguous, Cluster, Placed, home

DEALERS_SLOT: Final = "dealer"
CUT_CARD: Final = "cut"
WATCHED: Final = (DueKind.CARD, DueKind.SHOW, DueKind.REVEAL)


def stimuli_of(state: TableState, seen: Sighted | Gone | Chips) -> Sequence[Stimulus]:
    """What the eyes' word means to the judge: nothing, outside the places where cards may lie.

    Raises ValueError for a card or a slot that does not exist.
    """
    cause = Cause(seen.source, seen.number, seen.at_ns)
    match seen:
        case Gone():
            return [CardGone(cause, seen.was, seen.covered)]
        case Chips():
            return [CircleChanged(cause, seen.box, seen.before, seen.after)]
        case Sighted():
            return _card(state, seen, cause)


def _card(state: TableState, seen: Sighted, cause: Cause) -> Sequence[Stimulus]:
    places = places_of(state, seen)
    if not places:
        return []
    if seen.card == CUT_CARD:
        return [CutCardSeen(cause, places[0])]
    card = Card.parse(seen.card) if seen.card is not None and not seen.face_down else None
    face = Face.DOWN if seen.face_down else Face.UP
    where = {"x": round(seen.x), "y": round(seen.y), "confidence": round(seen.confidence * 1000)}
    return [CardSighted(cause, places, card, face, seen.since_ns, **where, evidence=seen.evidence, back=seen.back)]


def places_of(state: TableState, seen: Sighted) -> tuple[Place, ...]:
    """The hand a card in this slot belongs to, or all it may belong to; none where no cards are dealt."""
    if seen.slot == DEALERS_SLOT:
        return (DEALER,)
    number = seen.slot.removeprefix("box").removeprefix("circle")
    if not number.isdecimal():
        return ()
    rnd = round_of(state)
    box = rnd.box(int(number)) if rnd is not None else None
    hands = len(box.hands) if box is not None else 0
    own = tuple(Place(int(number), at) for at in range(max(1, hands)))
    touched = _touched(state, Placed(seen.x, seen.y))
    if not touched:
        return own
    if any(place.box != int(number) for place in touched):  # a long hand that reaches into the next box
        return tuple(dict.fromkeys((*own, *touched)))
    return touched


def _touched(state: TableState, card: Placed) -> tuple[Place, ...]:
    """The hand whose cards this one touches, both where it touches two equally; the order of dealing says the rest."""
    rnd = round_of(state)
    hands = (Place(box.number, at) for box in (rnd.boxes if rnd else ()) for at in range(len(box.hands)))
    lying = {str(place): _lying(state, place) for place in hands}
    found = home(card, [Cluster(name, cards) for name, cards in lying.items() if cards])
    match found:
        case None:
            return ()
        case Ambiguous():
            return tuple(Place.parse(str(cluster.zone)) for cluster in found.either)
        case Cluster():
            return (Place.parse(str(found.zone)),)


def _lying(state: TableState, place: Place) -> tuple[Placed, ...]:
    return tuple(Placed(sight.x, sight.y) for sight in state.sights if sight.place == place)


def watching_of(state: TableState, now_ns: int | None = None) -> Watching:
    """What the eyes may look for now, and what not; after the clock was set back nothing waits for the old time."""
    rnd = round_of(state)
    if rnd is None:
        return Watching(None, version=state.version)
    due = rnd.due
    slot = DEALERS_SLOT if due.place == DEALER else f"box{due.place.box}"
    secret = hole_lies(rules_of(state), rnd) and not _may_look(state, rnd)
    return Watching(
        rnd.number,
        due=(slot,) if due.kind in WATCHED else (),
        veiled=(DEALERS_SLOT,) if secret else (),
        backs=(slot,) if due.kind is DueKind.CARD and due.face is Face.DOWN else (),
        hole=None if secret else _hole(state, rnd),
        after_ns=_after(state, rnd) if now_ns is None else min(now_ns, _after(state, rnd)),
        version=state.version,
    )


def _may_look(state: TableState, rnd: BlackjackRound) -> bool:
    """Whether the dealer's place must be watched though the hole card lies there."""
    if blocking(state) is not None or state.paused:
        return False
    return rnd.due.kind is DueKind.REVEAL or rnd.due in (Due(DueKind.CARD), Due(DueKind.SHOW))


def _hole(state: TableState, rnd: BlackjackRound) -> tuple[int, int] | None:
    """Where the hole card lies, while nobody may read it and another card of the dealer's is looked for."""
    if not hole_lies(rules_of(state), rnd) or rnd.due.kind is DueKind.REVEAL:
        return None
    lying = (sight for sight in state.sights if sight.place == DEALER and sight.face is Face.DOWN)
    return next(((sight.x, sight.y) for sight in lying), None)


def _after(state: TableState, rnd: BlackjackRound) -> int:
    """Before this no card that is due can have lain at rest: its signal, and its pulse where a shoe tells."""
    if state.house is None or state.shoe is None or Witness.SHOE not in state.house.witnesses:
        return rnd.asked_ns
    return max(rnd.asked_ns, *(drawn.at_ns for drawn in state.shoe.drawn[:1]), 0)
