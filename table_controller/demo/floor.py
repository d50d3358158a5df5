"""The people of the demo at their screens: what they ask for goes through the door, made from the state they see."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from table_controller.core.stimuli import Command, Stimulus
from table_controller.core.table import TableState
from table_controller.play.felt import CannotPlay
from table_controller.port.client import Door, ask_for
from table_controller.port.words import Answer, Outcome

PATIENCE_S: Final = 20.0
LOOK_AGAIN_S: Final = 0.001


class Passing(NamedTuple):
    """How time goes by while somebody waits: `now` in seconds, and what a pause of so many seconds is."""

    now: Callable[[], float]
    pause: Callable[[float], None]


REAL_TIME: Final = Passing(time.monotonic, time.sleep)


class Screen:
    """What everybody at the table sees and can ask for. `look` gives the state as it is now, `passing` their time."""

    def __init__(
        self,
        door: Door,
        look: Callable[[], TableState],
        pause_s: float = LOOK_AGAIN_S,
        passing: Passing = REAL_TIME,
    ) -> None:
        self._door = door
        self._look = look
        self._pause = pause_s
        self._passing = passing
        self._taps = 0

    @property
    def state(self) -> TableState:
        """As it is now."""
        return self._look()

    def ask(self, stimulus: Stimulus) -> Answer:
        """Ask until the screen was up to date; raises CannotPlay while the table is down for too long."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            self._taps += 1
            answer = self._door.ask(ask_for(stimulus, f"demo-{self._taps}", self.state.version))
            if answer.outcome in (Outcome.DONE, Outcome.REFUSED):
                return answer
            if answer.outcome is Outcome.UNREADABLE:
                raise CannotPlay(answer.detail)
            time.sleep(self._pause)
        raise CannotPlay(f"the table does not answer: {answer.outcome} {answer.detail}")

    def command(self, command: Command) -> None:
        """A command that has to be taken; raises CannotPlay with the reason of its refusal."""
        answer = self.ask(command)
        if answer.outcome is Outcome.REFUSED:
            raise CannotPlay(f"{type(command).__name__}: {answer.reason} {answer.detail}")

    def wait(self, until: Callable[[TableState], bool], seconds: float = PATIENCE_S) -> bool:
        """Whether the table came to be like that in time."""
        end = self._passing.now() + seconds
        while not until(self.state):
            if self._passing.now() > end:
                return False
            self._passing.pause(self._pause)
        return True
