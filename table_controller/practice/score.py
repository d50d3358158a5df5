"""The score card: which planted mistakes were caught, how fast and how they were put right; what else went wrong."""

from collections.abc import Iterator
from statistics import median
from typing import Final

import msgspec
from msgspec import Struct

from table_controller.core import events as fact
from table_controller.core.events import Event
from table_controller.core.game import evolve
from table_controller.core.irregular import Remedy
from table_controller.core.table import TableState
from table_controller.practice.mistakes import CALLED, CAUGHT_AS, PLANTED, Called, Mistake, Planted
from table_controller.replay.opening import Recorded

SECOND_NS = 1_000_000_000
NOTES: Final[dict[str, type[Planted] | type[Called]]] = {PLANTED: Planted, CALLED: Called}


class Line(Struct, kw_only=True):
    """One planted mistake. `first_choice`: the house's own first remedy; a wrong payment is called, not remedied."""

    round: int
    mistake: Mistake
    box: int
    dispute: int | None = None
    remedy: Remedy | None = None
    first_choice: bool | None = None
    by: str | None = None
    asked_at_ns: int = 0
    seconds: float | None = None

    @property
    def noticed(self) -> bool:
        """Whether it came before the supervisor."""
        return self.dispute is not None or self.by is not None


class ScoreCard(Struct):
    """A day's practice rounds; `slips` are questions nobody planned, `refused` what the table would not take."""

    rounds: int = 0
    dealers: dict[str, int] = {}
    lines: list[Line] = []
    slips: dict[str, int] = {}
    refused: int = 0

    @property
    def caught(self) -> int:
        """How many planted mistakes came before the supervisor."""
        return sum(line.noticed for line in self.lines)

    @property
    def typical_seconds(self) -> float | None:
        """From the question to its remedy, the middle one of all."""
        taken = [line.seconds for line in self.lines if line.seconds is not None]
        return median(taken) if taken else None


def score(day: Recorded) -> ScoreCard:
    """The score card of a recorded day; rounds for money are not in it."""
    card = ScoreCard()
    for state, said, at_ns in _practice(day):
        match said:
            case Planted():
                card.lines.append(Line(round=said.round, mistake=said.mistake, box=said.box, asked_at_ns=at_ns))
            case Called():
                _called(card, said, at_ns)
            case _:
                _take(card, state, said)
    return card


def _practice(day: Recorded) -> Iterator[tuple[TableState, Event | Planted | Called, int]]:
    """What happened in practice rounds, each with the state before it and its time."""
    state, practice = day.start, day.start.round is not None and day.start.round.practice
    for row in day.rows:
        if row.kind in NOTES:
            yield state, msgspec.json.decode(row.body, type=NOTES[row.kind]), row.at_ns
        said = day.said(row)
        if not isinstance(said, Event):
            continue
        if isinstance(said, fact.RoundOpened):
            practice = said.practice
        if practice:
            yield state, said, row.at_ns
        state = evolve(day.game.game, state, said)


def _take(card: ScoreCard, state: TableState, said: Event) -> None:
    match said:
        case fact.RoundOpened():
            card.rounds += 1
            card.dealers[state.dealer or ""] = card.dealers.get(state.dealer or "", 0) + 1
        case fact.Disputed():
            _asked(card, state, said)
        case fact.DisputeResolved():
            _answered(card, state, said)
        case fact.CommandRefused() | fact.SignalRefused():
            card.refused += 1
        case _:
            return


def _called(card: ScoreCard, said: Called, at_ns: int) -> None:
    wrong = (one for one in card.lines if one.mistake is Mistake.WRONG_PAYOUT and not one.noticed)
    line = next((one for one in wrong if (one.round, one.box) == (said.round, said.box)), None)
    if line is not None:
        line.by, line.seconds = said.by, (at_ns - line.asked_at_ns) / SECOND_NS


def _asked(card: ScoreCard, state: TableState, said: fact.Disputed) -> None:
    number = state.round.number if state.round is not None else 0
    open_lines = [line for line in card.lines if line.round == number and line.dispute is None]
    line = next((one for one in open_lines if said.irregularity in CAUGHT_AS[one.mistake]), None)
    if line is None:
        card.slips[said.irregularity] = card.slips.get(said.irregularity, 0) + 1
        return
    line.dispute, line.asked_at_ns = said.dispute, said.cause.at_ns


def _answered(card: ScoreCard, state: TableState, said: fact.DisputeResolved) -> None:
    line = next((one for one in card.lines if one.dispute == said.dispute), None)
    if line is None:
        return
    choices = state.house.remedies.get(said.irregularity, ()) if state.house is not None else ()
    line.remedy = said.remedy
    line.first_choice = said.remedy == choices[0] if choices else None
    line.by = said.by.name if said.by is not None else None
    line.seconds = (said.cause.at_ns - line.asked_at_ns) / SECOND_NS
