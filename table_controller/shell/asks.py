"""What people ask for through the door becomes a stimulus of the floor, once for every tap."""

from collections import OrderedDict
from typing import Final

import msgspec

from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import HolePeeked, HoleTurned, Signal
from table_controller.core.stimuli import Command, Stimulus
from table_controller.core.table import TableState
from table_controller.games import PlayedGame
from table_controller.port.words import Answer, Ask, Outcome

FLOOR: Final = "floor"
REMEMBERED: Final = 1000
FOR_PEOPLE: Final = (
    Command,
    said.BoxPaid,
    said.TableCleared,
    said.CardBurnt,
    said.CutCardSeen,
    HolePeeked,
    HoleTurned,
    Signal,
)


class Answered:
    """The last answers by the tap's own id: a tap heard twice gets the first one again."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    def of(self, tap: str) -> Answer | None:
        """The answer this tap got."""
        return self._answers.get(tap)

    def keep(self, tap: str, answer: Answer) -> Answer:
        """Remember an answer that stands; while the table is down nothing was decided, so the tap may come again."""
        if answer.outcome not in (Outcome.DOWN, Outcome.UNREADABLE):
            self._answers[tap] = answer
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        return answer


def is_stale(ask: Ask, stimulus: Stimulus, state: TableState) -> bool:
    """Whether the screen showed another state than there is. Stopping the table is right in any state."""
    return ask.version != state.version and not isinstance(stimulus, said.PauseTable)


def stimulus_of(game: PlayedGame, ask: Ask, state: TableState, at_ns: int) -> Stimulus:
    """What is asked for, by the floor's next number; raises ValueError for anything people may not say here."""
    try:
        plain = msgspec.json.decode(ask.said)
        if not isinstance(plain, dict) or "cause" in plain:
            raise ValueError("what is asked for is an object without a cause")
        cause = said.Cause(FLOOR, state.cursors.get(FLOOR, -1) + 1, at_ns, ask.by)
        stimulus = game.codec.stimulus(msgspec.json.encode({**plain, "cause": cause}))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not isinstance(stimulus, FOR_PEOPLE):
        raise ValueError(f"{plain.get('kind')} is not for people to say")
    return stimulus
