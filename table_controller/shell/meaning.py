"""What the events of the boards mean to the judge, one by one."""

from collections.abc import Callable
from typing import Final

from firmware_bridge.events import DealerKey, DeviceEvent, EventKind, box_and_signal, rank_and_suit
from firmware_bridge.events import Signal as Key
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind, round_of
from table_controller.core.blackjack.words import Action, HolePeeked, Signal
from table_controller.core.cards import PACK, Card
from table_controller.core.people import Person, Role
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.core.table import TableState

SHORTEST_CARD_US: Final = 30_000
LONGEST_CARD_US: Final = 600_000
"""A card passes the beam in this time; a finger rests longer, dust shorter."""

ACTIONS: Final = {
    Key.HIT: Action.HIT,
    Key.STAND: Action.STAND,
    Key.DOUBLE: Action.DOUBLE,
    Key.SPLIT: Action.SPLIT,
    Key.SURRENDER: Action.SURRENDER,
    Key.INSURANCE: Action.INSURE,
    Key.EVEN_MONEY: Action.EVEN_MONEY,
}

Numbered = Callable[[int], Cause]


def meaning(state: TableState, event: DeviceEvent, cause: Numbered) -> list[Stimulus]:
    """The stimuli of one event, in order; most events are one or none."""
    match event.kind:
        case EventKind.BEAM_CLEARED if event.arg == 0 and SHORTEST_CARD_US <= event.value <= LONGEST_CARD_US:
            return [said.CardDrawn(cause(0))]
        case EventKind.CARD_READ:
            return [said.CardDrawn(cause(0), _card(event.arg))]
        case EventKind.CARD_EXPOSED:
            return [said.CardExposed(cause(0), _card(event.arg))]
        case EventKind.CUT_CARD if event.value:
            return [said.CutCardSeen(cause(0))]
        case EventKind.MANUAL_BURN:
            return [said.CardBurnt(cause(0))]
        case EventKind.BUTTON_DOWN:
            return _button(state, event.arg, cause(0))
        case EventKind.KEY_DOWN:
            return _dealer_key(state, event.arg, cause)
        case _:
            return []


def _card(arg: int) -> Card | None:
    rank, suit = rank_and_suit(arg)
    ranks, suits = "A23456789TJQK", "SHDC"
    if not (1 <= rank <= len(ranks) and 1 <= suit <= len(suits)):
        return None
    text = ranks[rank - 1] + suits[suit - 1]
    return next(card for card in PACK if card.text == text)


def _button(state: TableState, arg: int, cause: Cause) -> list[Stimulus]:
    box, key = box_and_signal(arg)
    rnd = round_of(state)
    if key not in set(Key):
        return []
    action, place = ACTIONS[Key(key)], Place(box)
    if rnd is not None and rnd.due.place.box == box:
        place = rnd.due.place
        if rnd.due.kind is DueKind.ANSWER and action is Action.STAND:
            owner = rnd.box(box)
            natural = owner is not None and owner.hands[0].natural
            action = Action.NO_EVEN_MONEY if natural else Action.NO_INSURANCE
    return [Signal(cause, place.box, place.hand, action)]


def _dealer_key(state: TableState, key: int, cause: Numbered) -> list[Stimulus]:
    dealer, rnd = Person(state.dealer or "dealer", Role.DEALER), round_of(state)
    match key:
        case DealerKey.NO_MORE_BETS:
            return [said.CloseBets(cause(0), dealer)]
        case DealerKey.PEEK_YES | DealerKey.PEEK_NO:
            return [HolePeeked(cause(0), key == DealerKey.PEEK_YES)]
        case DealerKey.PAID if rnd is not None:
            unpaid = [box.number for box in rnd.boxes if not box.paid]
            return [said.BoxPaid(cause(0), unpaid[0])] if unpaid else [said.TableCleared(cause(0))]
        case DealerKey.CALL_SUPERVISOR:
            return [said.PauseTable(cause(0), dealer, "the dealer called the supervisor")]
        case _:
            return []
