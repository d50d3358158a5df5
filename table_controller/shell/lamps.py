"""What the table's lamps and buzzer should show now, as levels worked out from the state and nothing else."""

from typing import Final

from firmware_bridge.conversation import Lamps
from table_controller.core.blackjack.round import BlackjackRound, DueKind, round_of
from table_controller.core.table import Phase, TableState, blocking

# Bits as in firmware_bridge/PROTOCOL.md, section 7.
TURN, QUESTION, LOCKED = 0, 7, 14
NO_MORE_BETS, DEAL, PEEK, REVEAL, PAY, SUPERVISOR, SHOE_STOP, PAUSE = range(24, 32)
SILENT, STEADY, SLOW, FAST = range(4)
BOXES_WITH_LAMPS: Final = 7

DOWN: Final = Lamps(1 << PAUSE | 1 << SHOE_STOP, SLOW)
"""While nothing can be recorded nothing may move."""

_DEALER: Final = {
    DueKind.CARD: DEAL,
    DueKind.SHOW: SUPERVISOR,
    DueKind.PEEK: PEEK,
    DueKind.REVEAL: REVEAL,
    DueKind.PAY: PAY,
}


def lamps_of(state: TableState) -> Lamps:
    """The levels that go with a state."""
    if state.phase is Phase.PAUSED:
        return Lamps(1 << PAUSE | 1 << SHOE_STOP | (1 << SUPERVISOR if state.disputes else 0), SLOW)
    rnd = round_of(state)
    lit = 0 if rnd is None else _round_lamps(rnd)
    if state.disputes:
        lit |= 1 << SUPERVISOR
    if blocking(state) is not None or not _may_draw(state, rnd):
        lit |= 1 << SHOE_STOP
    return Lamps(lit, FAST if state.disputes else SILENT)


def _round_lamps(rnd: BlackjackRound) -> int:
    due, lit = rnd.due, 0
    if rnd.closed:
        lit |= 1 << NO_MORE_BETS
        lit |= sum(1 << LOCKED + box.number - 1 for box in rnd.boxes if box.number <= BOXES_WITH_LAMPS)
    if due.kind in _DEALER:
        lit |= 1 << _DEALER[due.kind]
    if due.kind in (DueKind.SIGNAL, DueKind.ANSWER, DueKind.ACCEPT) and 0 < due.place.box <= BOXES_WITH_LAMPS:
        lit |= 1 << (TURN if due.kind is DueKind.SIGNAL else QUESTION) + due.place.box - 1
    return lit


def _may_draw(state: TableState, rnd: BlackjackRound | None) -> bool:
    if rnd is None:
        return state.shoe is not None and state.shoe.burn_due > 0
    return rnd.due.kind is DueKind.CARD or not rnd.closed
