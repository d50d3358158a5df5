"""What was bet under which rules, in the sums that theoretical win needs; practice and void rounds are not in it."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.blackjack.rules import RuleSet, values_of
from table_controller.core.blackjack.words import BetKind
from table_controller.core.events import Event
from table_controller.core.table import TableState


class Wagers(Struct, frozen=True):
    """First bets in minor units: their number, sum, sum of squares, and sum of products of two in the same round.

    `pairs` and `insurance` are the side bets' sums, then their sums of squares; `house_net` is what all brought.
    """

    bets: int = 0
    first: int = 0
    squares: int = 0
    products: int = 0
    pairs: int = 0
    insurance: int = 0
    pairs_squares: int = 0
    insurance_squares: int = 0
    house_net: int = 0


class Wagered(Struct, frozen=True):
    """Wagers by rule set (its values as JSON), and the round that is being played."""

    under: Mapping[str, Wagers] = {}
    rules: str = ""
    practice: bool = False
    lines: tuple[bj.Line, ...] = ()
    added: Mapping[int, int] = {}


initial: Final = Wagered()


def rules_key(values: Mapping[str, Any]) -> str:
    """A rule set's values as text; the same for the same rules."""
    return msgspec.json.encode(values, order="deterministic").decode()


def carried(state: TableState) -> Wagered:
    """Where a day begins that goes on from another, in the middle of a round maybe."""
    view = Wagered(rules=rules_key(values_of(state.rules))) if isinstance(state.rules, RuleSet) else initial
    if not isinstance(state.round, BlackjackRound):
        return view
    lines, boxes = state.round.lines, state.round.boxes
    open_stakes = {box.number: sum(hand.stake for hand in box.hands) - box.main for box in boxes if box.hands}
    return replace(view, practice=state.round.practice, lines=lines, added=open_stakes)


def apply(view: Wagered, event: Event) -> Wagered:
    """The wagers after one more fact."""
    match event:
        case fact.TableOpened() | fact.RulesChanged():
            return replace(view, rules=rules_key(event.rules))
        case fact.RoundOpened():
            return replace(view, practice=event.practice, lines=(), added={})
        case bj.HandDoubled() | bj.HandSplit():
            return replace(view, added={**view.added, event.box: view.added.get(event.box, 0) + event.added})
        case bj.BetSettled():
            return replace(view, lines=(*view.lines, event.line))
        case bj.BetResettled():
            return replace(view, lines=(*(line for line in view.lines if line != event.was), event.line))
        case bj.BetReopened():
            return replace(view, lines=tuple(line for line in view.lines if line != event.was))
        case fact.RoundVoided():
            return replace(view, lines=(), added={})
        case fact.RoundClosed():
            return _closed(view)
        case _:
            return view


def _closed(view: Wagered) -> Wagered:
    if view.practice or not view.lines:
        return replace(view, lines=(), added={})
    so_far = view.under.get(view.rules, Wagers())
    return replace(view, lines=(), added={}, under={**view.under, view.rules: _more(so_far, view)})


def _more(so_far: Wagers, view: Wagered) -> Wagers:
    stakes: dict[int, int] = {}
    for line in view.lines:
        if line.bet is BetKind.MAIN:
            stakes[line.box] = stakes.get(line.box, 0) + line.stake
    first = [stake - view.added.get(box, 0) for box, stake in stakes.items()]
    squares = sum(bet * bet for bet in first)
    pairs = [line.stake for line in view.lines if line.bet is BetKind.PAIRS]
    insurance = [line.stake for line in view.lines if line.bet is BetKind.INSURANCE]
    return Wagers(
        so_far.bets + len(first),
        so_far.first + sum(first),
        so_far.squares + squares,
        so_far.products + sum(first) ** 2 - squares,
        so_far.pairs + sum(pairs),
        so_far.insurance + sum(insurance),
        so_far.pairs_squares + sum(bet * bet for bet in pairs),
        so_far.insurance_squares + sum(bet * bet for bet in insurance),
        so_far.house_net - sum(line.net for line in view.lines),
    )
