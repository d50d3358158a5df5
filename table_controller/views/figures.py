"""A day in figures, for the house and for each dealer: rounds, bets, win, drop, hold, pace, errors."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.events import Event
from table_controller.core.stimuli import Moved
from table_controller.core.table import TableState

HOUR_NS: Final = 3_600_000_000_000
ERRORS: Final = (fact.Disputed, fact.BetCorrected, fact.CardCorrected, fact.PayoutReported, bj.HoleShown)


class Tally(Struct, frozen=True):
    """What was played, in minor units and nanoseconds; practice rounds are not in it."""

    rounds: int = 0
    handle: int = 0
    house_net: int = 0
    errors: int = 0
    active_ns: int = 0

    @property
    def rounds_per_hour(self) -> float | None:
        """Pauses do not count."""
        return self.rounds * HOUR_NS / self.active_ns if self.active_ns else None

    @property
    def errors_per_1000_rounds(self) -> float | None:
        """Questions, corrections, wrong payments, voids and cards shown too early."""
        return self.errors * 1000 / self.rounds if self.rounds else None


class Figures(Struct, frozen=True):
    """The house's tally and each dealer's, and the money that crossed the table outside the rounds."""

    house: Tally = Tally()
    dealers: Mapping[str, Tally] = {}
    moved: Mapping[str, int] = {}
    opening: int | None = None
    win_by_count: int | None = None
    counted_until: int = 0
    dealer: str | None = None
    practice: bool = False
    round_open: bool = False
    paused: bool = False
    at_ns: int = 0
    in_round: Tally = Tally()

    @property
    def win(self) -> int:
        """By the counts of every closing, and by the rounds played since the last."""
        return (self.win_by_count or 0) + self.house.house_net - self.counted_until

    @property
    def drop(self) -> int:
        """Cash and slips that went into the drop box."""
        return self.moved.get(Moved.DROP.value, 0)

    @property
    def hold(self) -> float | None:
        """Win as a part of the drop."""
        return self.win / self.drop if self.drop else None


initial: Final = Figures()


def carried(state: TableState) -> Figures:
    """Where a day begins that starts with an open table, or in the middle of a round, which counts where it ends."""
    opening = state.bank.opening if state.rules else None
    view = Figures(dealer=state.dealer, paused=state.paused, opening=opening)
    if not isinstance(state.round, BlackjackRound):
        return view
    view = _opened(view, practice=state.round.practice)
    for line in state.round.lines:
        view = _line(view, line, 1)
    return _booked(view, Tally(house_net=-state.round.let_stand))


def apply(view: Figures, event: Event) -> Figures:
    """The figures after one more fact."""
    view = _time_passes(view, event)
    match event:
        case fact.TableOpened():
            return replace(view, opening=sum(chip * number for chip, number in event.chips.items()))
        case fact.TableClosed():
            counted = (view.win_by_count or 0) + event.win
            return replace(view, win_by_count=counted, counted_until=view.house.house_net, at_ns=0, dealer=None)
        case fact.TablePaused() | fact.TableResumed():
            return replace(view, paused=isinstance(event, fact.TablePaused))
        case fact.DealerSignedOn():
            return replace(view, dealer=event.dealer)
        case fact.MoneyMoved():
            what = event.what.value
            return replace(view, moved={**view.moved, what: view.moved.get(what, 0) + event.amount})
        case _:
            return _play(view, event)


def _play(view: Figures, event: Event) -> Figures:
    match event:
        case fact.RoundOpened():
            return _opened(view, practice=event.practice)
        case bj.BetSettled():
            return _line(view, event.line, 1)
        case bj.BetResettled():
            return _line(_line(view, event.was, -1), event.line, 1)
        case bj.BetReopened():
            return _line(view, event.was, -1)
        case fact.PayoutCorrected() if event.stands:
            return _booked(view, Tally(house_net=-event.difference))
        case fact.RoundVoided():
            return replace(_add(view, Tally(errors=1)), in_round=Tally(), round_open=False)
        case fact.RoundClosed():
            return replace(_add(view, view.in_round), in_round=Tally(), round_open=False)
        case _ if isinstance(event, ERRORS):
            return _add(view, Tally(errors=1))
        case _:
            return view


def _opened(view: Figures, *, practice: bool) -> Figures:
    return replace(view, practice=practice, round_open=True, in_round=Tally(rounds=0 if practice else 1))


def _booked(view: Figures, more: Tally) -> Figures:
    """Into the open round, so that a void takes it back, or straight into the books."""
    return replace(view, in_round=_sum(view.in_round, more)) if view.round_open else _add(view, more)


def _line(view: Figures, line: bj.Line, sign: int) -> Figures:
    if view.practice:
        return view
    here = view.in_round
    return replace(
        view,
        in_round=replace(here, handle=here.handle + sign * line.stake, house_net=here.house_net - sign * line.net),
    )


def _time_passes(view: Figures, event: Event) -> Figures:
    now = event.cause.at_ns
    if not view.at_ns or view.paused or now <= view.at_ns:
        return replace(view, at_ns=max(now, view.at_ns))
    return replace(_add(view, Tally(active_ns=now - view.at_ns)), at_ns=now)


def _add(view: Figures, more: Tally) -> Figures:
    dealers = view.dealers
    if view.dealer is not None:
        dealers = {**dealers, view.dealer: _sum(dealers.get(view.dealer, Tally()), more)}
    return replace(view, house=_sum(view.house, more), dealers=dealers)


def _sum(one: Tally, other: Tally) -> Tally:
    return Tally(*(getattr(one, name) + getattr(other, name) for name in Tally.__struct_fields__))
