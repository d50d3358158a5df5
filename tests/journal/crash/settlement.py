"""The work that is killed: seven boxes are settled and paid, each stimulus acknowledged only when it is on disk."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.cards import cards
from table_controller.core.events import Event
from table_controller.core.step import step
from table_controller.core.stimuli import Stimulus
from table_controller.core.table import TableState
from table_controller.journal.keys import load_key, make_key
from table_controller.journal.record import Draft, Moment
from table_controller.journal.sqlite_store import CHECKPOINT_EVERY
from table_controller.play.felt import FLOOR, Felt
from table_controller.shell.recorder import Recorder, open_recorder
from tests.evening import nobody_warns, stand_pat
from tests.journal.crash.tracer import mark

JOURNAL = "T07-2026-11-29.db"
BOXES = tuple(range(1, 8))
# The last stimuli of the round: a player, the dealer three times, seven payments, the clearing.
SETTLEMENT = 12
DEAL = "9S 9H TS 5S AS 8C 7C TD 9D TH 6S KS TC 9C 6H 5D 2C 4H"  # a natural, losses; the dealer draws to 21


@dataclass(slots=True)
class Listening(Felt):
    """A scripted table that remembers what was said at it."""

    heard: list[Stimulus] = field(default_factory=list)

    def say(self, stimulus: Stimulus) -> tuple[Event, ...]:
        self.heard.append(stimulus)
        return Felt.say(self, stimulus)


def script() -> list[Stimulus]:
    """Everything said from the opening of the table to the end of a round of seven boxes."""
    felt = Listening()
    felt.open(houses.rule_values("classic"), houses.house_values("classic"))
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    for box in BOXES:
        felt.command(said.PlaceBet(felt.cause(), FLOOR, box, 2**box * 100))  # no two sums of results are equal
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = iter(cards(DEAL))
    felt.play(stand_pat)
    felt.clear()
    return felt.heard


def states(stimuli: list[Stimulus]) -> list[TableState]:
    """The state before any of these and after each, judged without a record."""
    found = [BLACKJACK.empty]
    for stimulus in stimuli:
        found.append(step(BLACKJACK, found[-1], stimulus).state)
    return found


def clock() -> Moment:
    """A clock that stands: nothing here may depend on it."""
    return Moment(1, 1)


def open_table(folder: Path, key: Ed25519PrivateKey | None = None) -> Recorder:
    """The record of the table in this folder, checked."""
    return open_recorder(folder / JOURNAL, key or load_key(folder / "house.key"), clock, "blackjack", nobody_warns)


def prepare(folder: Path) -> None:
    """A table that has played up to its settlement."""
    recorder = open_table(folder, make_key(folder / "house.key"))
    for stimulus in script()[:-SETTLEMENT]:
        recorder.take(stimulus)
    recorder.leave()


class Plan(NamedTuple):
    """Under the tracer or not, closing the day at the end or not; `hasty` breaks the first law on purpose."""

    traced: bool
    close: bool
    hasty: bool = False


def settle(folder: Path, acknowledge: int, plan: Plan) -> None:
    """Says the whole settlement, as devices do at every start, and tells a descriptor the number of each stimulus."""
    recorder, settlement = open_table(folder), script()[-SETTLEMENT:]
    if plan.traced:
        _write_up_to_a_checkpoint(recorder)
        mark()
    for number, stimulus in enumerate(settlement):
        if plan.hasty:
            os.write(acknowledge, bytes([number]))
        recorder.take(stimulus)
        if not plan.hasty:
            os.write(acknowledge, bytes([number]))
        recorder.tidy()
    if plan.close:
        recorder.close()
    else:
        recorder.leave()


def _write_up_to_a_checkpoint(recorder: Recorder) -> None:
    """So that the settlement falls together with the moment the write-ahead log is copied back."""
    for number in range(CHECKPOINT_EVERY - SETTLEMENT // 2):
        recorder.note([Draft(kind="journal.note", body=b"{}", source="test", source_seq=number)])
