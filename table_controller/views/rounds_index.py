"""An index of rounds, so that a complaint finds its round: by time, box, amount, question, dealer or player."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.events import Event
from table_controller.core.irregular import Irregularity
from table_controller.core.table import TableState
from table_controller.views.exceptions import KINDS, ExceptionKind
from table_controller.views.incidents import question_of


class Seat(Struct, frozen=True):
    """What a box had in a round, in minor units: the bet laid before the deal, all that was staked, won or lost."""

    player: str | None = None
    bet: int = 0
    stake: int = 0
    net: int = 0


class Entry(Struct, frozen=True):
    """One round. `ended_ns` is when it was cleared or voided, None while its cards lie on the table."""

    number: int
    began_ns: int
    ended_ns: int | None = None
    dealer: str | None = None
    practice: bool = False
    voided: bool = False
    seats: Mapping[int, Seat] = {}
    questions: frozenset[Irregularity] = frozenset()
    exceptions: frozenset[ExceptionKind] = frozenset()

    @property
    def house_net(self) -> int:
        """What the house won by the lines of the round."""
        return -sum(seat.net for seat in self.seats.values())

    @property
    def stake(self) -> int:
        """Everything that was staked."""
        return sum(seat.stake for seat in self.seats.values())


class Index(Struct, frozen=True):
    """The rounds before, the last one (late corrections are its), and who sits where now."""

    past: Mapping[int, Entry] = {}
    last: Entry | None = None
    dealer: str | None = None
    players: Mapping[int, str] = {}

    @property
    def rounds(self) -> Mapping[int, Entry]:
        """Every round by its number."""
        return {**self.past, self.last.number: self.last} if self.last is not None else self.past


class Wanted(Struct, frozen=True):
    """What is known of a round; None is not known. Amounts are a bet, a stake or a result of one box, without sign."""

    since_ns: int | None = None
    until_ns: int | None = None
    box: int | None = None
    least: int | None = None
    most: int | None = None
    question: Irregularity | None = None
    exception: ExceptionKind | None = None
    dealer: str | None = None
    player: str | None = None
    number: int | None = None


initial: Final = Index()


def carried(state: TableState) -> Index:
    """Where a day begins that starts with an open table, or in the middle of a round."""
    index = Index(dealer=state.dealer, players=dict(state.players))
    if not isinstance(state.round, BlackjackRound):
        return index
    index = _opened(index, state.round.number, state.moved_at_ns, practice=state.round.practice)
    for box in state.round.boxes:
        index = _seat(index, box.number, bet=box.main + box.pairs)
    for line in state.round.lines:
        index = _line(index, line, 1)
    return index


def apply(index: Index, event: Event) -> Index:
    """The index after one more fact."""
    kind = KINDS.get(type(event))
    if kind is not None and index.last is not None:
        index = replace(index, last=replace(index.last, exceptions=index.last.exceptions | {kind}))
    match event:
        case fact.DealerSignedOn():
            return replace(index, dealer=event.dealer)
        case fact.BoxTaken():
            kept = {box: player for box, player in index.players.items() if box != event.box}
            return replace(index, players=kept | ({event.box: event.player} if event.player else {}))
        case fact.TableClosed():
            return replace(index, past=index.rounds, last=None, dealer=None, players={})
        case fact.RoundOpened():
            index = _opened(index, event.number, event.cause.at_ns, practice=event.practice)
            for box, amount in event.carried.items():
                index = _seat(index, box, bet=amount)
            return index
        case _:
            return _play(index, event) if index.last is not None else index


def _play(index: Index, event: Event) -> Index:
    match event:
        case fact.BetPlaced():
            return _seat(index, event.box, bet=event.amount)
        case fact.BetCorrected():
            return _seat(index, event.box, bet=event.amount - event.was)
        case bj.BetSettled():
            return _line(index, event.line, 1)
        case bj.BetResettled():
            return _line(_line(index, event.was, -1), event.line, 1)
        case bj.BetReopened():
            return _line(index, event.was, -1)
        case _:
            question = question_of(event)
            return _whole(index, event) if question is None else _asked(index, question)


def _whole(index: Index, event: Event) -> Index:
    here = _here(index)
    match event:
        case fact.BetsTakenBack():
            return replace(
                index, last=replace(here, seats={b: seat for b, seat in here.seats.items() if b != event.box})
            )
        case fact.RoundVoided():
            seats = {box: replace(seat, stake=0, net=0) for box, seat in here.seats.items()}
            return replace(index, last=replace(here, seats=seats, voided=True, ended_ns=event.cause.at_ns))
        case fact.RoundClosed():
            return replace(index, last=replace(here, ended_ns=event.cause.at_ns))
        case _:
            return index


def find(rounds: Iterable[Entry], wanted: Wanted) -> list[Entry]:
    """The rounds that fit everything known, oldest first."""
    return [entry for entry in rounds if _in_time(entry, wanted) and _marked(entry, wanted) and _seated(entry, wanted)]


def _in_time(entry: Entry, wanted: Wanted) -> bool:
    since = wanted.since_ns is None or entry.ended_ns is None or entry.ended_ns >= wanted.since_ns
    return since and (wanted.until_ns is None or entry.began_ns <= wanted.until_ns)


def _marked(entry: Entry, wanted: Wanted) -> bool:
    return (
        (wanted.question is None or wanted.question in entry.questions)
        and (wanted.exception is None or wanted.exception in entry.exceptions)
        and (wanted.dealer is None or wanted.dealer == entry.dealer)
        and (wanted.number is None or wanted.number == entry.number)
    )


def _seated(entry: Entry, wanted: Wanted) -> bool:
    """One and the same box has to fit box, player and amount."""
    asked = (wanted.box, wanted.player, wanted.least, wanted.most)
    return asked == (None,) * 4 or any(
        (wanted.box in (None, box)) and (wanted.player in (None, seat.player)) and _amount(seat, wanted)
        for box, seat in entry.seats.items()
    )


def _amount(seat: Seat, wanted: Wanted) -> bool:
    least, most = wanted.least, wanted.most
    return any(
        (least is None or least <= amount) and (most is None or amount <= most)
        for amount in (seat.bet, seat.stake, abs(seat.net))
    )


def _here(index: Index) -> Entry:
    assert index.last is not None
    return index.last


def _opened(index: Index, number: int, at_ns: int, *, practice: bool) -> Index:
    entry = Entry(number, at_ns, dealer=index.dealer, practice=practice)
    return replace(index, past=index.rounds, last=entry)


def _seat(index: Index, box: int, *, bet: int = 0, stake: int = 0, net: int = 0) -> Index:
    here = _here(index)
    was = here.seats.get(box, Seat(index.players.get(box)))
    seat = Seat(was.player, was.bet + bet, was.stake + stake, was.net + net)
    return replace(index, last=replace(here, seats=dict(sorted({**here.seats, box: seat}.items()))))


def _line(index: Index, line: bj.Line, sign: int) -> Index:
    return _seat(index, line.box, stake=sign * line.stake, net=sign * line.net)


def _asked(index: Index, irregularity: Irregularity) -> Index:
    here = _here(index)
    return replace(index, last=replace(here, questions=here.questions | {irregularity}))
