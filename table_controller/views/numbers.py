"""Numbers without gaps: rounds, slips of every kind, questions. What is missing is named."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core.events import Event
from table_controller.core.table import TableState

ROUND, QUESTION = "round", "question"


class Gap(Struct, frozen=True):
    """After number `after` of a kind came `found`."""

    what: str
    after: int
    found: int


class Numbers(Struct, frozen=True):
    """The last number of every kind, and the gaps so far. An open round that is followed by another was never ended."""

    last: Mapping[str, int] = {}
    gaps: tuple[Gap, ...] = ()
    unended: tuple[int, ...] = ()
    open_round: int | None = None


initial: Final = Numbers()


def carried(state: TableState) -> Numbers:
    """Where a day begins that goes on from another."""
    last = {ROUND: state.rounds, QUESTION: state.disputed, **state.bank.slips}
    return Numbers(last, open_round=state.round.number if state.round else None)


def apply(view: Numbers, event: Event) -> Numbers:
    """The numbers after one more fact."""
    match event:
        case fact.TableOpened():  # slips are numbered anew with every opening count
            kept = {what: view.last[what] for what in (ROUND, QUESTION) if what in view.last}
            return replace(view, last=kept)
        case fact.RoundOpened():
            unended = view.unended if view.open_round is None else (*view.unended, view.open_round)
            return replace(_next(view, ROUND, event.number), unended=unended, open_round=event.number)
        case fact.RoundClosed() | fact.RoundVoided():
            return replace(view, open_round=None)
        case fact.MoneyMoved():
            return _next(view, event.what.value, event.number)
        case fact.Disputed() | fact.ShoeRanOut() | fact.PayoutReported():
            return _next(view, QUESTION, event.dispute)
        case _:
            return view


def _next(view: Numbers, what: str, number: int) -> Numbers:
    before = view.last.get(what, 0)
    gaps = view.gaps if number == before + 1 else (*view.gaps, Gap(what, before, number))
    return replace(view, last={**view.last, what: number}, gaps=gaps)
