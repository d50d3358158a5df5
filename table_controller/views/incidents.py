"""What went wrong, counted by kind: at the table, under each dealer, at each device."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core.blackjack import words as bj
from table_controller.core.events import Event
from table_controller.core.irregular import Irregularity
from table_controller.core.table import TableState


class Slip(StrEnum):
    """Errors that are no question to the floor."""

    BET_CORRECTED = "bet_corrected"
    CARD_CORRECTED = "card_corrected"
    ROUND_VOIDED = "round_voided"
    HOLE_SHOWN = "hole_shown"


Kind = Irregularity | Slip
Counts = Mapping[Kind, int]


class Incidents(Struct, frozen=True):
    """Counts of everything; of what happened under each dealer; of each device's failures."""

    kinds: Counts = {}
    dealers: Mapping[str, Counts] = {}
    devices: Mapping[str, int] = {}
    dealer: str | None = None


initial: Final = Incidents()
SLIPS: Final[Mapping[type[Event], Slip]] = {
    fact.BetCorrected: Slip.BET_CORRECTED,
    fact.CardCorrected: Slip.CARD_CORRECTED,
    fact.RoundVoided: Slip.ROUND_VOIDED,
    bj.HoleShown: Slip.HOLE_SHOWN,
}


def carried(state: TableState) -> Incidents:
    """Where a day begins that starts with an open table."""
    return Incidents(dealer=state.dealer)


def apply(view: Incidents, event: Event) -> Incidents:
    """The counts after one more fact."""
    match event:
        case fact.DealerSignedOn():
            return replace(view, dealer=event.dealer)
        case fact.TableClosed():
            return replace(view, dealer=None)
        case fact.DeviceFailed():
            return replace(view, devices={**view.devices, event.device: view.devices.get(event.device, 0) + 1})
        case _:
            kind = question_of(event) or SLIPS.get(type(event))
            return view if kind is None else _counted(view, kind)


def question_of(event: Event) -> Irregularity | None:
    """Which question a fact puts to the floor, if it puts one."""
    match event:
        case fact.Disputed():
            return event.irregularity
        case fact.ShoeRanOut():
            return Irregularity.SHOE_EMPTY
        case fact.PayoutReported():
            return Irregularity.WRONG_PAYOUT
        case _:
            return None


def _counted(view: Incidents, kind: Kind) -> Incidents:
    view = replace(view, kinds=_one_more(view.kinds, kind))
    if view.dealer is None:
        return view
    return replace(view, dealers={**view.dealers, view.dealer: _one_more(view.dealers.get(view.dealer, {}), kind)})


def _one_more(counts: Counts, kind: Kind) -> Counts:
    return {**counts, kind: counts.get(kind, 0) + 1}
