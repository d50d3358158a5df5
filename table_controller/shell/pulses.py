"""What the boards report, as the judge hears it: edges of a beam become cards drawn, keys become signals.

The beam tells of every edge; this file judges what went through it. A card too many is asked about and a card too few
is missed for ever, so whatever may have been a card is said to be one; only what the second beam or the reader proves
to be none is said to be nothing.
"""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from firmware_bridge.events import DealerKey, DeviceEvent, EventKind, box_and_signal, rank_and_suit
from firmware_bridge.events import Signal as Key
from table_controller.core import stimuli as said
from table_controller.core.blackjack.phases.playing import meaningless
from table_controller.core.blackjack.round import BlackjackRound, round_of
from table_controller.core.blackjack.words import Action, HolePeeked, Signal
from table_controller.core.cards import PACK, Card
from table_controller.core.people import Person, Role
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause, Pull, Stimulus
from table_controller.core.table import Phase, TableState

DUST_US: Final = 15_000
LONG_US: Final = 180_000
"""A card breaks the beam for 60 to 150 ms (docs/hardware.md); dust for less than this, two cards or a finger longer."""
UNKNOWN_US: Final = 0xFFFF_FFFF

Numbered = Callable[[int], Cause]


class Beam(Struct, frozen=True):
    """The last passage of one beam, by the board's clock; `cleared_us` is 0 while it is broken."""

    broken_us: int
    cleared_us: int = 0


class Mouth(Struct, frozen=True):
    """What is remembered of a shoe's mouth: its beams (0 inside, 1 outside), and what a reader read meanwhile."""

    inner: Beam | None = None
    outer: Beam | None = None
    two_beams: bool = False
    has_beam: bool = False
    read: Card | None = None


class Meanings:
    """The meanings of one board's events, in the order in which it reports them."""

    def __init__(self, *, second_beam: bool = False) -> None:
        self._mouth = Mouth(two_beams=second_beam)

    def __call__(self, state: TableState, event: DeviceEvent, cause: Numbered) -> Sequence[Stimulus]:
        """The stimuli of one event; most are one or none."""
        self._mouth, meant = at_mouth(self._mouth, event, cause)
        return meant if meant is not None else by_key(state, event, cause)


def at_mouth(mouth: Mouth, event: DeviceEvent, cause: Numbered) -> tuple[Mouth, Sequence[Stimulus] | None]:
    """What an event at the shoe's mouth means; None for an event of something else."""
    match event.kind:
        case EventKind.BEAM_BROKEN:
            return _with(mouth, event.arg, Beam(event.at_us)), ()
        case EventKind.BEAM_CLEARED:
            begun = event.at_us - (0 if event.value == UNKNOWN_US else event.value)
            return _passed(_with(mouth, event.arg, Beam(begun, event.at_us)), event, cause)
        case EventKind.CARD_READ:
            return _read(mouth, _card(event.arg), cause)
        case EventKind.CARD_UNREADABLE:
            return _read(mouth, None, cause)
        case EventKind.CARD_EXPOSED:
            return mouth, (said.CardExposed(cause(0), _card(event.arg)),)
        case EventKind.CUT_CARD:
            return mouth, (said.CutCardSeen(cause(0)),) if event.value else ()
        case EventKind.MANUAL_BURN:
            return mouth, (said.CardBurnt(cause(0)),)
        case _:
            return mouth, None


def _with(mouth: Mouth, number: int, beam: Beam) -> Mouth:
    if number == 0:
        return replace(mouth, inner=beam, has_beam=True)
    return replace(mouth, outer=beam, has_beam=True, two_beams=True)


def _passed(mouth: Mouth, event: DeviceEvent, cause: Numbered) -> tuple[Mouth, Sequence[Stimulus]]:
    """A beam is clear again: a card has left, something else moved, or the other beam still has to say."""
    if not mouth.two_beams:
        return replace(mouth, inner=None, read=None), _by_one_beam(mouth, event, cause)
    other = mouth.inner if event.arg else mouth.outer
    if other is not None and not other.cleared_us:
        return mouth, ()
    pull = _direction(mouth)
    if pull is None and other is None and event.arg == 0:
        return mouth, ()  # on its way out; the outer beam will tell
    done = replace(mouth, inner=None, outer=None, read=None)
    if pull is not None:
        return done, (said.NothingDrawn(cause(0), pull),)
    return done, (said.CardDrawn(cause(0), mouth.read, _is_long(event)),)


def _direction(mouth: Mouth) -> Pull | None:
    """What the order of the beams proves: outwards is a card and None; a beam whose word was lost proves nothing."""
    if mouth.inner is None or mouth.outer is None:
        return Pull.FINGER if mouth.inner is None and mouth.outer is not None else None
    if mouth.outer.broken_us < mouth.inner.broken_us:
        return Pull.FINGER
    return Pull.PUSHED_BACK if mouth.outer.cleared_us < mouth.inner.cleared_us else None


def _by_one_beam(mouth: Mouth, event: DeviceEvent, cause: Numbered) -> Sequence[Stimulus]:
    if event.value < DUST_US and mouth.read is None:
        return (said.NothingDrawn(cause(0), Pull.FINGER),)
    return (said.CardDrawn(cause(0), mouth.read, _is_long(event)),)


def _is_long(event: DeviceEvent) -> bool:
    return LONG_US < event.value < UNKNOWN_US


def _read(mouth: Mouth, card: Card | None, cause: Numbered) -> tuple[Mouth, Sequence[Stimulus]]:
    """A reader's word. Beside a beam it names the card in the beam, never one that has passed: that may be hidden."""
    if not mouth.has_beam:
        return mouth, (said.CardDrawn(cause(0), card),)
    passing = any(beam is not None and not beam.cleared_us for beam in (mouth.inner, mouth.outer))
    if not passing:
        return mouth, (said.NothingDrawn(cause(0), Pull.READ_AGAIN),)
    return replace(mouth, read=card), ()


def _card(arg: int) -> Card | None:
    rank, suit = rank_and_suit(arg)
    ranks, suits = "A23456789TJQK", "SHDC"
    if not (1 <= rank <= len(ranks) and 1 <= suit <= len(suits)):
        return None
    return next(card for card in PACK if card.text == ranks[rank - 1] + suits[suit - 1])


def by_key(state: TableState, event: DeviceEvent, cause: Numbered) -> Sequence[Stimulus]:
    """What a key, a sensor or a noise means at this table."""
    match event.kind:
        case EventKind.BUTTON_DOWN:
            return _button(state, event.arg, cause(0))
        case EventKind.KEY_DOWN:
            return _dealers_key(state, event.arg, cause(0))
        case EventKind.BET_SENSOR:
            return (said.CircleChanged(cause(0), event.arg),)
        case EventKind.SOUND:
            return (said.SupervisorCalled(cause(0)),)  # nobody's money moves by a noise; a person listens
        case _:
            return ()


def _button(state: TableState, arg: int, cause: Cause) -> Sequence[Stimulus]:
    """The signal the house gives this key; where it gives it several, the one that means something now."""
    box, key = box_and_signal(arg)
    if key not in set(Key) or state.house is None:
        return ()
    rnd = round_of(state)
    place = rnd.due.place if rnd is not None and rnd.due.place.box == box else Place(box)
    named = [sign for sign, media in state.house.signals.items() if media.get("button") == Key(key).name.lower()]
    meant = [Signal(cause, place.box, place.hand, Action(sign)) for sign in named if sign in set(Action)]
    sensible = [signal for signal in meant if meaningless(state, signal) is None]
    return (sensible or meant)[:1]


def _dealers_key(state: TableState, key: int, cause: Cause) -> Sequence[Stimulus]:
    dealer, rnd = Person(state.dealer or "dealer", Role.DEALER), round_of(state)
    match key:
        case DealerKey.DEAL if rnd is None:
            return (said.OpenBets(cause, dealer),)
        case DealerKey.DEAL if state.phase is Phase.BETTING:
            return (said.CloseBets(cause, dealer),)
        case DealerKey.NO_MORE_BETS:
            return (said.CloseBets(cause, dealer),)
        case DealerKey.PEEK_YES | DealerKey.PEEK_NO:
            return (HolePeeked(cause, key == DealerKey.PEEK_YES),)
        case DealerKey.PAID if rnd is not None:
            return (_paid(rnd, cause),)
        case DealerKey.CALL_SUPERVISOR:
            return (said.SupervisorCalled(cause),)
        case _:
            return ()


def _paid(rnd: BlackjackRound, cause: Cause) -> Stimulus:
    """The next box in order that is decided and not paid; when none is left the cards are cleared."""
    decided = (box.number for box in rnd.boxes if not box.paid and all(hand.settled for hand in box.hands))
    number = next(decided, None)
    return said.TableCleared(cause) if number is None else said.BoxPaid(cause, number)
