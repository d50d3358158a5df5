"""The phases: only the listed arrows are taken, and each of them is."""

from itertools import pairwise

from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.transitions import ARROWS, BACK, PAUSES
from table_controller.core.game import evolve
from table_controller.core.table import Phase
from tests.scenario import SCENARIOS, play


def arrows_of_the_scenarios() -> set[tuple[Phase, Phase]]:
    taken = set()
    for path in SCENARIOS.glob("*.round"):
        state = BLACKJACK.empty
        phases = [state.phase]
        for event in play(path).felt.events:
            state = evolve(BLACKJACK, state, event)
            phases.append(state.phase)
        taken |= {(before, after) for before, after in pairwise(phases) if before is not after}
    return taken


def test_the_scenarios_take_every_listed_arrow_and_no_other() -> None:
    assert arrows_of_the_scenarios() == ARROWS | BACK | PAUSES
