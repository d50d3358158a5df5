"""Two witnesses, one judge: what the camera sees is matched with what left the shoe and with what is due.

A sighting that cannot be understood yet waits for its pulse, its turn, or an earlier card; when the house's time is
over it is a question. Nothing is guessed, and waiting makes nothing easier. Which card is which is settled by count: a
card seen anew where one of that name was lost is that card again, not another.
"""

from math import hypot
from typing import Final

from table_controller.core import backs
from table_controller.core.cards import Card
from table_controller.core.disputes import answer_itself, dispute, has_open
from table_controller.core.events import (
    CardDealt,
    FloorCalled,
    ObservationNoted,
    PulseTaken,
    SightingClosed,
    SightingKept,
    SightingLost,
    SightingMatched,
)
from table_controller.core.game import Coming, Course
from table_controller.core.house import Witness
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.life import NS
from table_controller.core.places import Place
from table_controller.core.reasons import Reason
from table_controller.core.rounds import used_up
from table_controller.core.stimuli import (
    CardGone,
    CardSeen,
    CardSighted,
    Face,
    NothingDrawn,
    SupervisorCalled,
    Tick,
)
from table_controller.core.table import Phase, Sight, TableState, blocking

SAME_SPOT: Final = 12
"""Millimetres within which an index seen again is the same index (that of the eyes, vision/steady.py)."""
CARD: Final = 60
"""Millimetres from the middle of a card within which its own index lies; a card beside it lies farther off."""

ANSWERED_BY_SEEING: Final = frozenset(
    {Irregularity.CARD_GONE, Irregularity.CARD_COVERED, Irregularity.READ_DIFFERENTLY}
)


def sighted(course: Course, seen: CardSighted) -> None:
    """Keep what the camera sees; `reconcile` finds out which card it is."""
    state = course.state
    if state.rules is None or state.shoe is None:
        course.record(ObservationNoted(seen.cause, "card_sighted", Reason.TABLE_CLOSED))
    elif state.round is None and used_up(state.rules, state.shoe):
        course.record(ObservationNoted(seen.cause, "card_sighted", Reason.SHUFFLE_DUE))
    else:
        where = (seen.since_ns, seen.x, seen.y)
        course.record(SightingKept(seen.cause, seen.places, seen.card, seen.face, *where))
        backs.seen(course, seen)


def gone(course: Course, seen: CardGone) -> None:
    """What was sighted lies there no more, or is covered."""
    sight = _find(course.state, seen.cause.source, seen.was)
    if sight is None or (sight.lost_ns and sight.covered is seen.covered):
        course.record(ObservationNoted(seen.cause, "card_gone", Reason.NOTHING_TO_DO))
    else:
        course.record(SightingLost(seen.cause, sight.eyes, sight.number, seen.covered))


def nothing_drawn(course: Course, seen: NothingDrawn) -> None:
    """A finger, or a card pushed back: counted, and without consequence."""
    course.record(ObservationNoted(seen.cause, f"shoe_{seen.pull}", Reason.NOTHING_TO_DO))


def called(course: Course, seen: SupervisorCalled) -> None:
    """Somebody of the floor is wanted."""
    course.record(FloorCalled(seen.cause))


def reconcile(course: Course) -> None:
    """Understand every sighting that can be understood as the table stands now."""
    while any(_understood(course, sight) for sight in course.state.sights if sight.lies and sight.place is None):
        course.game.follow(course)


def tick(course: Course, clock: Tick) -> None:
    """The house's time is over for sightings nobody understood and for cards seen no more."""
    state = course.state
    if state.house is None or state.shoe is None or state.phase is Phase.PAUSED:
        return
    before = clock.seen_until_ns - state.house.timers.card_seconds * NS
    for sight in state.sights:
        overdue = sight.heard_ns < before or _pulse_overdue(course, sight, before)
        if sight.waits and sight.lies and overdue and blocking(course.state) is None:
            _ask(course, sight)
            reconcile(course)
        elif sight.place is not None and 0 < sight.lost_ns < before and not course.game.taken(state, sight.place):
            _miss(course, sight, sight.place)


def _pulse_overdue(course: Course, sight: Sight, before: int) -> bool:
    """Whether a pulse is looked for too long while this card waits, which left the shoe with it."""
    drawn = course.state.shoe.drawn if course.state.shoe is not None else ()
    return bool(drawn) and drawn[0].at_ns < before and _is_what_left(course, sight)


def _is_what_left(course: Course, sight: Sight) -> bool:
    """Whether this card was laid after the first pulse looked for, every pulse has a card, and none lies where due."""
    state, coming = course.state, course.game.coming(course.state)
    drawn = state.shoe.drawn if state.shoe is not None else ()
    laid = [one for one in state.sights if drawn and one.waits and one.lies and one.since_ns >= drawn[0].at_ns]
    as_due = coming is not None and any(coming.place in one.places for one in laid)
    return sight in laid and len(laid) >= len(drawn) and not as_due


def _find(state: TableState, eyes: str, number: int) -> Sight | None:
    return next((sight for sight in state.sights if (sight.eyes, sight.number) == (eyes, number)), None)


def _understood(course: Course, sight: Sight) -> bool:
    known = _known(course, sight)
    if known is not None:
        _recognise(course, sight, *known)
        return True
    if not sight.waits:
        return _pulse_came(course, sight)
    if _shown_again(course, sight):
        return True
    other = _other_name(course, sight)
    if other is not None:
        _match(course, sight, *other)
        if sight.card is not None or sight.face is Face.DOWN:
            dispute(course, Irregularity.READ_DIFFERENTLY, other[0], sight.card)
        return True
    return _laid(course, sight) or _found_elsewhere(course, sight)


def _known(course: Course, sight: Sight) -> tuple[Place, int] | None:
    """The recorded card that this is, seen again: of that name, in that box, and not in sight elsewhere."""
    state = course.state
    here = [
        (place, index)
        for place, cards in course.game.cards(state).items()
        if place.box in _boxes(sight)
        for index, card in enumerate(cards)
        if _may_be(state, sight, place, index, card)
    ]
    return min(here, key=lambda one: (one[0] not in sight.places, _away(state, sight, *one)), default=None)


def _boxes(sight: Sight) -> set[int]:
    return {place.box for place in sight.places}


def _may_be(state: TableState, sight: Sight, place: Place, index: int, card: Card | None) -> bool:
    before = _seen_as(state, place, index)
    if card is None:
        return sight.card is None and before is not None and not before.lies and before.face is sight.face
    turned = before is not None and before.face is Face.DOWN
    return sight.card == card and sight.face is Face.UP and (before is None or turned or not before.lies)


def _seen_as(state: TableState, place: Place, index: int) -> Sight | None:
    return next((sight for sight in state.sights if (sight.place, sight.index) == (place, index)), None)


def _away(state: TableState, sight: Sight, place: Place, index: int) -> float:
    before = _seen_as(state, place, index)
    return hypot(before.x - sight.x, before.y - sight.y) if before is not None else 0.0


def _recognise(course: Course, sight: Sight, place: Place, index: int) -> None:
    """It is that card; one that moved while nobody had reason to move it was touched (Golden Wolf l.14 forbids it)."""
    moved = _away(course.state, sight, place, index) > SAME_SPOT
    touched = moved and not _handled(course, sight, place)
    _match(course, sight, place, index)
    for one in course.state.disputes:
        if one.irregularity in ANSWERED_BY_SEEING and one.place == place:
            answer_itself(course, one, Remedy.SHOWN_AGAIN)
    if touched:
        dispute(course, Irregularity.CARDS_TOUCHED, place, sight.card)


def _handled(course: Course, sight: Sight, place: Place) -> bool:
    """Whether the dealer had reason to move these cards: his own, paid ones, a hand just dealt to."""
    state = course.state
    if state.house is None or course.game.taken(state, place) or course.game.handled(state, place):
        return True
    since = sight.since_ns - state.house.timers.card_seconds * NS
    asked = state.round is not None and state.round.asked_box == place.box and state.round.asked_ns >= since
    others = (one for one in state.sights if one.place is not None and one.place.box == place.box)
    return asked or any(one.since_ns >= since and one.lies for one in others)


def _match(course: Course, sight: Sight, place: Place, index: int, pulse_ns: int = 0) -> None:
    course.record(SightingMatched(course.cause, sight.eyes, sight.number, place, index, pulse_ns))


def _shown_again(course: Course, sight: Sight) -> bool:
    """A card that could not be read was lost from sight and lies there readable now: it has been re-presented."""
    if sight.card is None or sight.face is Face.DOWN or course.state.phase is Phase.PAUSED:
        return False
    for before in course.state.sights:
        if before.place is None or before.lies or before.place.box not in _boxes(sight):
            continue
        if course.game.show_again(course, CardSeen(course.cause, before.place, sight.card), before.index):
            _settle(course, sight, len(course.events))
            return True
    return False


def _other_name(course: Course, sight: Sight) -> tuple[Place, int] | None:
    """A recorded card that was seen on this very spot under another name."""
    cards = course.game.cards(course.state)
    for before in course.state.sights:
        if before.place is None or before.lies or before.place.box not in _boxes(sight):
            continue
        recorded = cards.get(before.place, ())[before.index : before.index + 1]
        if recorded and recorded[0] is not None and hypot(before.x - sight.x, before.y - sight.y) <= SAME_SPOT:
            return before.place, before.index
    return None


def _laid(course: Course, sight: Sight) -> bool:
    """It is the card that comes next, if place, pulse, time and order say so."""
    coming = course.game.coming(course.state)
    if coming is None or coming.place not in sight.places or course.state.phase is Phase.PAUSED:
        return False
    if (coming.both and sight.face is not coming.face) or not _may_come(course.state, sight, coming):
        return False
    question, card = blocking(course.state), CardSeen(course.cause, coming.place, sight.card, sight.face)
    if question is not None and not course.game.answers(course.state, card, question):
        if question.irregularity is not Irregularity.DRAWN_NOT_SEEN or not coming.drawn:
            return False
        answer_itself(course, question, Remedy.ANSWERED)
    _take_pulse(course, sight, coming)
    _judge(course, sight, coming.place)
    return True


def _found_elsewhere(course: Course, sight: Sight) -> bool:
    """The card that is asked about as not seen lies there: from now on the question is what it does there."""
    question = blocking(course.state)
    if question is None or question.irregularity is not Irregularity.DRAWN_NOT_SEEN:
        return False
    if course.state.phase is Phase.PAUSED or not _is_what_left(course, sight):
        return False
    answer_itself(course, question, Remedy.ANSWERED)
    _ask(course, sight)
    return True


def _may_come(state: TableState, sight: Sight, coming: Coming) -> bool:
    """A new card in time; or one turned up where it lay, not beside a card whose back is still in sight."""
    if coming.drawn:
        return _in_time(state, sight)
    backs = [one for one in state.sights if one.place == coming.place and one.lies and one.face is Face.DOWN]
    return all(hypot(back.x - sight.x, back.y - sight.y) <= CARD for back in backs)


def _take_pulse(course: Course, sight: Sight, coming: Coming) -> None:
    pulse = _pulse_of(course.state, sight) if coming.drawn else None
    if pulse:
        course.record(PulseTaken(course.cause, pulse))


def _in_time(state: TableState, sight: Sight) -> bool:
    """Seen at rest only after it was asked for, and after its own pulse where a shoe tells."""
    assert state.shoe is not None
    if state.round is not None and sight.since_ns < state.round.asked_ns:
        return False
    return not _shoe_tells(state) or _pulse_of(state, sight) is not None


def _pulse_of(state: TableState, sight: Sight) -> int | None:
    """Which of the pulses is this card's: the one that names it, else the oldest, if it came before the card lay."""
    assert state.shoe is not None
    drawn = state.shoe.drawn
    if not drawn:
        return None
    early = [at for at, pulse in enumerate(drawn) if pulse.at_ns <= sight.since_ns]
    named = [at for at in early if drawn[at].card == sight.card is not None]
    if named:
        return named[-1]
    nameless = all(pulse.card is None for pulse in drawn)
    return 0 if 0 in early or (nameless and _swapped(state, sight, drawn[0].at_ns)) else None


def _swapped(state: TableState, sight: Sight, pulse_ns: int) -> bool:
    """Whether, though this card lay before that pulse, all cards have a pulse before them: two of them changed places.

    The second card of a hand may be read before the first, and take the first one's pulse.
    """
    seen = [one for one in state.sights if one.pulse_ns]
    pulses, laid = sorted([pulse_ns, *(one.pulse_ns for one in seen)]), [sight.since_ns, *(one.laid_ns for one in seen)]
    return all(rest >= pulse for rest, pulse in zip(sorted(laid), pulses, strict=True))


def _shoe_tells(state: TableState) -> bool:
    return state.house is not None and Witness.SHOE in state.house.witnesses


def _judge(course: Course, sight: Sight, place: Place) -> None:
    already, drawn = len(course.events), course.state.shoe.drawn if course.state.shoe is not None else ()
    course.game.judges[CardSeen](course, CardSeen(course.cause, place, sight.card, sight.face))
    _settle(course, sight, already, drawn[0].at_ns if drawn else 0)
    course.game.follow(course)


def _settle(course: Course, sight: Sight, already: int, pulse_ns: int = 0) -> None:
    """Note what became of a sighting that was judged: a card now, or a question."""
    dealt = next((event for event in course.events[already:] if isinstance(event, CardDealt)), None)
    if dealt is not None:
        index = len(course.game.cards(course.state)[dealt.place]) - 1
        _match(course, sight, dealt.place, index, pulse_ns)
    elif (known := _known(course, sight)) is not None:
        _match(course, sight, *known)
    else:
        course.record(SightingClosed(course.cause, sight.eyes, sight.number))


def _pulse_came(course: Course, sight: Sight) -> bool:
    """The pulse of a card already asked about came late: the question answers itself."""
    state, coming = course.state, course.game.coming(course.state)
    if coming is None or coming.place not in sight.places or not _in_time(state, sight) or not _shoe_tells(state):
        return False
    for one in state.disputes:
        undrawn = one.irregularity in (Irregularity.SEEN_NOT_DRAWN, Irregularity.TWO_CARDS)
        if undrawn and (one.place, one.card) == (coming.place, sight.card):
            answer_itself(course, one, Remedy.ANSWERED)
            if blocking(course.state) is None:
                _take_pulse(course, sight, coming)
                _judge(course, sight, coming.place)
                return True
    return False


def _ask(course: Course, sight: Sight) -> None:
    """Nobody understood it in time: say what exactly is wrong with it."""
    state, place = course.state, sight.places[0]
    coming = course.game.coming(state)
    if len(sight.places) > 1:
        _question(course, sight, Irregularity.UNCLEAR_HAND)
    elif coming is not None and coming.place == place and not _may_come(state, sight, coming):
        _question(course, sight, _why_not(state, sight, coming))
    else:
        _judge(course, sight, place)


def _why_not(state: TableState, sight: Sight, coming: Coming) -> Irregularity:
    """What is wrong with a card that lies where one is due."""
    assert state.shoe is not None
    early = state.round is not None and sight.since_ns < state.round.asked_ns
    if early or not coming.drawn:
        return Irregularity.HOLE_EXPOSED if coming.face is Face.DOWN else Irregularity.CARD_NOT_DUE
    return Irregularity.TWO_CARDS if state.shoe.long_pull else Irregularity.SEEN_NOT_DRAWN


def _question(course: Course, sight: Sight, irregularity: Irregularity) -> None:
    dispute(course, irregularity, sight.places[0], sight.card)
    course.record(SightingClosed(course.cause, sight.eyes, sight.number))


def _miss(course: Course, sight: Sight, place: Place) -> None:
    """A recorded card has been out of sight for too long; one that was to be turned lies there and cannot be read."""
    coming = course.game.coming(course.state)
    if coming is not None and coming.turned and coming.place == place and sight.face is Face.DOWN:
        if blocking(course.state) is None:
            course.game.judges[CardSeen](course, CardSeen(course.cause, place, None))
            course.record(SightingClosed(course.cause, sight.eyes, sight.number))
        return
    card = course.game.cards(course.state).get(place, ())[sight.index : sight.index + 1]
    irregularity = Irregularity.CARD_COVERED if sight.covered else Irregularity.CARD_GONE
    if not has_open(course.state, irregularity, place):
        dispute(course, irregularity, place, card[0] if card else None)
    course.record(SightingClosed(course.cause, sight.eyes, sight.number))
