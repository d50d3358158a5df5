"""Between two rounds: what must be in order before bets may be placed."""

from msgspec.structs import replace

from table_controller.core.events import RoundOpened
from table_controller.core.game import Course
from table_controller.core.house import House, OverBudget
from table_controller.core.life import between_rounds
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.rules import Shuffle, TableRules
from table_controller.core.shoe import Shoe
from table_controller.core.stimuli import OpenBets
from table_controller.core.table import TableState, may_refuse_play
from table_controller.core.upkeep import wants_reader


def cannot_open_bets(state: TableState, command: OpenBets) -> Refusal | None:
    """No round opens while anything is present that could change its outcome (25 CFR 547.8(b)(3))."""
    if (early := between_rounds(state)) is not None:
        return early
    assert state.rules is not None
    assert state.house is not None
    refuses = state.house.over_budget is OverBudget.REFUSE and may_refuse_play(state)
    checks = (
        (state.paused, Reason.TABLE_PAUSED, ""),
        (bool(state.faults), Reason.DEVICE_FAULT, ", ".join(state.faults)),
        (bool(state.disputes), Reason.DISPUTE_OPEN, ", ".join(one.irregularity for one in state.disputes)),
        (refuses and not command.practice, Reason.OVER_BUDGET, ""),
        (command.practice and not state.rules.practice, Reason.NO_PRACTICE, ""),
        (any(sight.lies for sight in state.sights), Reason.CARDS_ON_FELT, _left_lying(state)),
        (wants_reader(state) and not state.upkeep.reader_inspected, Reason.READER_UNCHECKED, ""),
    )
    for wrong, reason, detail in checks:
        if wrong:
            return Refusal(reason, detail)
    return _shoe_unready(state.rules, state.house, state.shoe)


def _left_lying(state: TableState) -> str:
    return ", ".join(sorted({str(sight.places[0]) for sight in state.sights if sight.lies}))


def used_up(rules: TableRules, shoe: Shoe) -> bool:
    """Whether the cards must be shuffled before the next round; they lie all over the felt meanwhile."""
    return shoe.condemned or shoe.cut_card_seen or (rules.shuffle is Shuffle.EVERY_ROUND and not shoe.shuffled)


def _shoe_unready(rules: TableRules, house: House, shoe: Shoe | None) -> Refusal | None:
    if shoe is None or shoe.decks != rules.decks:
        return Refusal(Reason.NO_SHOE, f"{rules.decks} packs")
    if shoe.condemned:
        return Refusal(Reason.SHOE_CONDEMNED)
    if used_up(rules, shoe):
        return Refusal(Reason.SHUFFLE_DUE)
    if house.cut_percent is not None and shoe.cut_by is None:
        return Refusal(Reason.CUT_DUE)
    return Refusal(Reason.BURN_DUE, str(shoe.burn_due)) if shoe.burn_due else None


def open_bets(course: Course, command: OpenBets) -> None:
    """The next round, with what stayed on the boxes."""
    carried = {} if command.practice else dict(course.state.carried)
    course.record(RoundOpened(course.cause, course.state.rounds + 1, command.practice, carried))


def opened(state: TableState, event: RoundOpened) -> TableState:
    return replace(state, rounds=event.number)
