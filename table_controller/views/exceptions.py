"""Everything an auditor asks about first: corrections, decisions, voids, refusals, wrong payments, failures, pauses."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core.blackjack import words as bj
from table_controller.core.events import Event


class ExceptionKind(StrEnum):
    """Why it is on the list."""

    CORRECTION = "correction"
    OVERRIDE = "override"
    VOID = "void"
    REFUSAL = "refusal"
    PAYOUT = "payout"
    DEVICE = "device"
    PAUSE = "pause"
    EXPOSURE = "exposure"


KINDS: Final[Mapping[type[Event], ExceptionKind]] = {
    fact.BetCorrected: ExceptionKind.CORRECTION,
    fact.CardCorrected: ExceptionKind.CORRECTION,
    fact.CardEntered: ExceptionKind.CORRECTION,
    fact.PayoutCorrected: ExceptionKind.CORRECTION,
    fact.DisputeResolved: ExceptionKind.OVERRIDE,
    fact.RoundVoided: ExceptionKind.VOID,
    fact.CommandRefused: ExceptionKind.REFUSAL,
    fact.SignalRefused: ExceptionKind.REFUSAL,
    fact.PayoutReported: ExceptionKind.PAYOUT,
    fact.DeviceFailed: ExceptionKind.DEVICE,
    fact.TablePaused: ExceptionKind.PAUSE,
    bj.HoleShown: ExceptionKind.EXPOSURE,
}


class Listed(Struct, frozen=True):
    """One entry: why, in which round (None: between rounds), under which dealer, and the fact itself."""

    kind: ExceptionKind
    round: int | None
    dealer: str | None
    event: Event


class Exceptions(Struct, frozen=True):
    """The list, oldest first."""

    listed: tuple[Listed, ...] = ()
    round: int | None = None
    dealer: str | None = None


initial: Final = Exceptions()


def apply(view: Exceptions, event: Event) -> Exceptions:
    """The list after one more fact."""
    kind = KINDS.get(type(event))
    if kind is not None:
        view = replace(view, listed=(*view.listed, Listed(kind, view.round, view.dealer, event)))
    match event:
        case fact.RoundOpened():
            return replace(view, round=event.number)
        case fact.RoundClosed() | fact.RoundVoided():
            return replace(view, round=None)
        case fact.DealerSignedOn():
            return replace(view, dealer=event.dealer)
        case _:
            return view
