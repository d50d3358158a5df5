"""Holds and purges asked for through the door: recorded by the table's own thread."""

from datetime import UTC, datetime
from typing import Final

from table_controller.core.people import Role
from table_controller.journal.errors import NotAllowed
from table_controller.journal.naming import table_and_day
from table_controller.journal.policy import Retention
from table_controller.journal.retention import Hold, holds_of, lift_hold, place_hold, purge
from table_controller.port.words import Answer, HoldDay, LetGo, Outcome
from table_controller.shell.recorder import Recorder

MAY_KEEP: Final = frozenset({Role.PIT_BOSS, Role.SURVEILLANCE, Role.ADMINISTRATOR, Role.TECHNICIAN})
MOST_YEARS: Final = 1000
NS: Final = 1_000_000_000


def keeping(recorder: Recorder, said: HoldDay | LetGo) -> Answer:
    """What became of it."""
    if said.by.role not in MAY_KEEP:
        return Answer(Outcome.REFUSED, recorder.state.version, "role")
    try:
        detail = _hold(recorder, said) if isinstance(said, HoldDay) else _let_go(recorder, said)
    except NotAllowed as why:
        return Answer(Outcome.REFUSED, recorder.state.version, "not_allowed", str(why))
    return Answer(Outcome.DONE, recorder.state.version, detail=detail)


def _hold(recorder: Recorder, said: HoldDay) -> str:
    if not said.lift:
        table, _ = table_and_day(recorder.day.path)
        recorder.note([place_hold(Hold(table, said.day, said.reason, said.by.name))], seal=True)
        return ""
    standing = [one for one in holds_of(recorder.day.path).standing if one.day == said.day]
    if not standing:
        raise NotAllowed(f"{said.day} is under no hold")
    recorder.note([lift_hold(one, said.by.name) for one in standing], seal=True)
    return ""


def _let_go(recorder: Recorder, said: LetGo) -> str:
    if recorder.state.round is not None:
        raise NotAllowed("a round is on the table; days are let go between two rounds")
    if not 0 <= said.years <= MOST_YEARS:
        raise NotAllowed(f"{said.years} years cannot be counted")
    today = datetime.fromtimestamp(recorder.now().at_ns / NS, UTC).date()
    return " ".join(purge(recorder.day, Retention(said.years), today))
