"""A round told to a person: every fact a sentence, the rules behind it and the line that says them, the table then."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Final, NamedTuple

from msgspec.structs import replace

from dashboard.i18n import texts
from table_controller.clauses import Source, sources_of
from table_controller.core.blackjack.hands import total
from table_controller.core.blackjack.legal import legal
from table_controller.core.blackjack.round import round_of, rules_of
from table_controller.core.blackjack.rules import RuleSet, values_of
from table_controller.core.blackjack.words import (
    Action,
    BetReopened,
    BetResettled,
    BetSettled,
    HandDoubled,
    HandHit,
    HandSplit,
    HandStood,
    HoleRevealed,
    Line,
)
from table_controller.core.events import (
    BetCorrected,
    CardCorrected,
    CardDealt,
    CardLeftShoe,
    CardNamed,
    CommandRefused,
    DeviceFailed,
    DeviceRecovered,
    Disputed,
    DisputeResolved,
    Event,
    PayoutReported,
    PulseDismissed,
    RoundVoided,
    ShoeRanOut,
    SightingClosed,
    SightingKept,
    SightingLost,
    SightingMatched,
    SignalRefused,
)
from table_controller.core.house import Language
from table_controller.core.irregular import Irregularity
from table_controller.core.places import DEALER, Place
from table_controller.core.step import kind_of
from table_controller.core.stimuli import Face
from table_controller.core.table import TableState
from table_controller.export.wording import Wording
from table_controller.replay.course import Moment
from table_controller.views import board
from table_controller.views.board import Board
from table_controller.views.clauses import Clause
from table_controller.views.prompts import Prompt, next_action

MONEY: Final = (BetSettled, BetResettled, BetReopened)
QUOTES: Final = {Language.ENGLISH: "“{}”", Language.POLISH: "„{}”", Language.RUSSIAN: "«{}»"}
WITNESS: Final = (CardLeftShoe, PulseDismissed, SightingKept, SightingMatched, SightingLost, SightingClosed)
TROUBLE: Final = (
    Disputed,
    DisputeResolved,
    ShoeRanOut,
    PayoutReported,
    BetCorrected,
    CardCorrected,
    RoundVoided,
    SignalRefused,
    CommandRefused,
)


class Told(NamedTuple):
    """A rule behind a fact: its name and value in the reader's language, and the document's line where one says it."""

    name: str
    value: str
    source: Source | None
    of_house: bool


class Scene(NamedTuple):
    """One moment for the page: row, time, sentence, what sort it is, the rules behind it, and the table after it."""

    seq: int
    at_ns: int
    kind: str
    sort: str
    text: str
    rules: tuple[Told, ...]
    board: Board
    prompt: Prompt
    after: TableState
    points: int = 0
    soft: bool = False
    legal: tuple[Action, ...] = ()
    by: str = ""


class InWords(Wording):
    """The reader's words for facts; codes inside them, of devices, commands and reasons, in the window's words."""

    def __init__(self, state: TableState, language: Language, zone: tzinfo) -> None:
        super().__init__(language, state.house.currency if state.house is not None else "", zone)

    def event(self, event: Event) -> str:
        """A fact as a sentence."""
        match event:
            case DeviceFailed() | DeviceRecovered():
                return super().event(replace(event, device=self._code("codes.device_", event.device)))
            case CommandRefused():
                command = QUOTES[self.language].format(self._code("alerts.command_", event.command))
                return super().event(replace(event, command=command, reason=self._reason(event.reason)))
            case SignalRefused():
                signal = self._code("desk.act_", event.signal)
                return super().event(replace(event, signal=signal, reason=self._reason(event.reason)))
            case _:
                return super().event(event)

    def _reason(self, reason: str) -> str:
        code, colon, detail = reason.partition(": ")
        return self._code("codes.reason_", code).rstrip(".") + colon + self._code("codes.device_", detail)

    def _code(self, prefix: str, code: str) -> str:
        known = texts(self.language).get(prefix + code)
        return known if isinstance(known, str) and "{" not in known else code


def scenes(moments: Sequence[Moment], say: Wording) -> tuple[Scene, ...]:
    """A round from its first fact to its last."""
    return tuple(_scenes(moments, say))


def _scenes(moments: Sequence[Moment], say: Wording) -> Iterator[Scene]:
    memory = board.carried(moments[0].before, moments[0].at_ns) if moments else board.initial
    for one in moments:
        memory = board.apply(memory, one.event, one.after, one.at_ns)
        yield Scene(
            one.seq,
            one.at_ns,
            kind_of(one.event),
            sort_of(one.event),
            say.event(one.event),
            tuple(_told(clause, one.before, say) for clause in one.clauses),
            board.board(one.after, memory),
            next_action(one.after),
            one.after,
            *_counted(one),
            _allowed(one),
            one.event.cause.by.name if one.event.cause.by is not None else "",
        )


def _counted(one: Moment) -> tuple[int, bool]:
    """What the hand a fact is about counts after it, where a fact is about one."""
    rnd, place = round_of(one.after), _place(one.event)
    return total(rnd.cards_at(place)) if rnd is not None and place is not None else (0, False)


def _place(event: Event) -> Place | None:
    match event:
        case CardDealt() if event.face is Face.DOWN:
            return None
        case CardDealt() | CardNamed() | CardCorrected():
            return event.place
        case HandHit() | HandStood() | HandDoubled() | HandSplit():
            return Place(event.box, event.hand)
        case HoleRevealed():
            return DEALER
        case _:
            return None


def _allowed(one: Moment) -> tuple[Action, ...]:
    """What the player could choose from when he chose."""
    rnd, event = round_of(one.before), one.event
    if rnd is None or not isinstance(event, HandHit | HandStood | HandDoubled | HandSplit):
        return ()
    box, hand = rnd.box(event.box), rnd.hand(Place(event.box, event.hand))
    return legal(rules_of(one.before), box, hand) if box is not None and hand is not None else ()


def lines_of(moments: Sequence[Moment]) -> list[Line]:
    """The ledger as it holds at the end of a round: a line settled again replaces the one it was."""
    begun = round_of(moments[0].before) if moments else None
    lines = list(begun.lines) if begun is not None else []
    for event in (one.event for one in moments):
        if isinstance(event, BetResettled | BetReopened):
            lines.remove(event.was)
        if isinstance(event, BetSettled | BetResettled):
            lines.append(event.line)
    return sorted(lines, key=lambda line: (line.box, line.hand, line.bet))


def sort_of(event: Event) -> str:
    """What a fact is to somebody who looks for the mistake: trouble, money, what a witness said, or play."""
    sorts = {"trouble": TROUBLE, "money": MONEY, "witness": WITNESS}
    return next((sort for sort, facts in sorts.items() if isinstance(event, facts)), "play")


def _told(clause: Clause, state: TableState, say: Wording) -> Told:
    if clause.of_house:
        return _remedies(Irregularity(clause.key.removeprefix("remedies.")), state, say)
    assert isinstance(state.rules, RuleSet)
    values = values_of(state.rules)
    name, value = say.rule(clause.key, values[clause.key])
    return Told(name, value, sources_of(values).get(clause.key), of_house=False)


def _remedies(irregularity: Irregularity, state: TableState, say: Wording) -> Told:
    chosen = state.house.remedies[irregularity] if state.house is not None else ()
    return Told(say.word(irregularity), ", ".join(map(say.word, chosen)), None, of_house=True)
