"""A scripted table whose judge has a pen: every fact is in a journal before anyone learns of it."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core.events import Event
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.journal.record import Moment
from table_controller.play.felt import Felt
from table_controller.replay.opening import Warn
from table_controller.shell.recorder import Recorder, open_recorder

SECOND_NS = 1_000_000_000
SOURCE = "script"


@dataclass
class PlayedClock:
    """A clock that stands until something is said, and then goes on by the seconds it takes."""

    at_ns: int
    mono_ns: int = 0

    def __call__(self) -> Moment:
        return Moment(self.at_ns, self.mono_ns)

    def wait(self, seconds: float) -> None:
        """Both clocks go on."""
        self.at_ns += int(seconds * SECOND_NS)
        self.mono_ns += int(seconds * SECOND_NS)


@dataclass(slots=True, kw_only=True)
class RecordedFelt(Felt):
    """The table, its record, its clock, and the chance that sets its pace."""

    recorder: Recorder
    clock: PlayedClock
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    def cause(self) -> Cause:
        """The next number of this source, a second or two later."""
        self.clock.wait(self.chance.uniform(1.0, 2.6))
        self.seq = self.state.cursors.get(SOURCE, 0) + 1
        return Cause(SOURCE, self.seq, self.clock.at_ns)

    def say(self, stimulus: Stimulus) -> tuple[Event, ...]:
        """One stimulus, judged and recorded."""
        done = self.recorder.take(stimulus)
        self.recorder.tidy()
        self.state = done.state
        self.events.extend(done.events)
        return done.events


def record_felt(path: Path, key: Ed25519PrivateKey, clock: PlayedClock, seed: int, warn: Warn) -> RecordedFelt:
    """A table at a new or continued day; not yet opened for play."""
    recorder = open_recorder(path, key, clock, "blackjack", warn)
    return RecordedFelt(recorder=recorder, clock=clock, state=recorder.state, chance=random.Random(seed))
