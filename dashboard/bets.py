"""Bets from the dealer's screen: a chip added to a box, and one tap for "all as before".

Each tap becomes one or several commands at the table's door. Their ids follow from the tap's own, so that a tap heard
twice lays nothing twice; each names the state the one before it led to, so that nobody else's tap comes in between.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from dashboard.commands import TAP, told, written
from dashboard.forms import Form, Unusable
from dashboard.house import house, me, table_seen
from dashboard.kinds import KINDS
from dashboard.pages import Group
from dashboard.panels import Seen
from dashboard.panels.table import BOARD
from dashboard.roles import Act, guarded
from table_controller.core.blackjack.phases.betting import bet_faults
from table_controller.core.blackjack.round import Box, round_of, rules_of
from table_controller.core.stimuli import Side
from table_controller.core.table import Phase
from table_controller.port.words import Answer, Ask, Outcome
from table_controller.views import board

bp = Blueprint("bets", __name__)
GROUP: Final = Group(bp)


class Tap(NamedTuple):
    """One command of a tap: its kind and the fields of its form."""

    kind: str
    fields: Mapping[str, str]


@bp.post("/tables/<table>/bets/lay")
@guarded(Act.DEAL)
def lay(table: str) -> ResponseReturnValue:
    """A chip more on a box; no chip takes everything back."""
    seen, form = table_seen(table), Form(request.form)
    try:
        box, amount, side = form.whole("box"), form.whole("amount"), Side(form.text("side") or Side.MAIN)
    except (Unusable, ValueError) as field:
        return told(Answer(Outcome.UNREADABLE, 0, "field", str(field)))
    refusal = _refused(seen, box, amount, side)
    return told(refusal or _tapped(seen, list(_laying(seen, box, amount, side))))


@bp.post("/tables/<table>/bets/as_before")
@guarded(Act.DEAL)
def as_before(table: str) -> ResponseReturnValue:
    """Every box that is empty now and had a bet in the last round gets the same bet again."""
    seen = table_seen(table)
    taps = list(_as_before(seen))
    if not taps:
        return told(Answer(Outcome.REFUSED, seen.state.version, "nothing_to_do"))
    return told(_tapped(seen, taps))


def _box(seen: Seen, number: int) -> Box:
    rnd = round_of(seen.state)
    return (rnd.box(number) if rnd is not None else None) or Box(number)


def _refused(seen: Seen, number: int, amount: int, side: Side) -> Answer | None:
    """What would be refused after the old bet was taken back is refused before."""
    box = _box(seen, number)
    laid_anew = box.main > box.carried or box.pairs
    if not amount or not laid_anew or seen.state.phase is not Phase.BETTING:
        return None
    main, pairs = (box.main + amount, box.pairs) if side is Side.MAIN else (box.main, box.pairs + amount)
    faults = bet_faults(rules_of(seen.state), main, pairs)
    return Answer(Outcome.REFUSED, seen.state.version, str(faults[0])) if faults else None


def _laying(seen: Seen, number: int, amount: int, side: Side) -> Iterator[Tap]:
    box, at = _box(seen, number), str(number)
    if not amount:
        yield Tap("take_back", {"box": at})
        return
    main, pairs = box.main - box.carried, box.pairs
    if side is Side.PAIRS and not pairs:
        yield _bet(number, amount, side)
        return
    if side is Side.MAIN and not main:
        yield _bet(number, amount, side)
        return
    yield Tap("take_back", {"box": at})
    main, pairs = (box.main + amount, pairs) if side is Side.MAIN else (box.main, pairs + amount)
    yield _bet(number, main, Side.MAIN)
    if pairs:
        yield _bet(number, pairs, Side.PAIRS)


def _bet(box: int, amount: int, side: Side) -> Tap:
    return Tap("place_bet", {"box": str(box), "amount": str(amount), "side": side.value})


def _as_before(seen: Seen) -> Iterator[Tap]:
    memory: board.Memory = seen.views.get(BOARD, board.initial)
    for bet in memory.bets:
        if _box(seen, bet.box).main:
            continue
        yield _bet(bet.box, bet.main, Side.MAIN)
        if bet.pairs:
            yield _bet(bet.box, bet.pairs, Side.PAIRS)


def _tapped(seen: Seen, taps: list[Tap]) -> Answer:
    """Says one after the other, until one is not taken."""
    form = Form(request.form)
    try:
        tap, version = form.text("id"), form.whole("version")
    except Unusable as field:
        return Answer(Outcome.UNREADABLE, 0, "field", str(field))
    if not TAP.fullmatch(tap):
        return Answer(Outcome.UNREADABLE, 0, "field", "id")
    gateway, answer = house().gateway(seen.table), Answer(Outcome.REFUSED, version, "nothing_to_do")
    for number, one in enumerate(taps):
        kind = KINDS[one.kind]
        said = written(kind, Form(one.fields), me().person, None)
        answer = gateway.ask(Ask(f"{me().name}:{tap}:{number}", version, said, me().person))
        if answer.outcome is not Outcome.DONE:
            return answer
        version = answer.version
    return answer
