"""How a command is told to a running table: through its door, as a person at a screen would."""

import uuid
from pathlib import Path
from typing import Final

from table_controller.journal.errors import NotAllowed
from table_controller.journal.naming import table_and_day
from table_controller.port.client import Door, DoorClosed
from table_controller.port.words import Answer, Complain, Conclude, HoldDay, LetGo, Look, Outcome
from table_controller.record_commands.asking import day_of

PATIENCE_S: Final = 60.0


def door_of(path: Path) -> Door | None:
    """The door of the table whose record this is, if its controller is running."""
    journal = day_of(path)
    door = Door(journal.absolute().parent, table_and_day(journal)[0], PATIENCE_S)
    try:
        door.look(Look())
    except (DoorClosed, OSError):
        return None
    return door


def new_id() -> str:
    """A name for what is said, so that it acts once."""
    return uuid.uuid4().hex


def through(door: Door, said: Complain | Conclude | HoldDay | LetGo) -> Answer:
    """The table's answer; raises NotAllowed with its reason if it did not do it."""
    answer = door.ask(said)
    if answer.outcome is not Outcome.DONE:
        raise NotAllowed(f"the table did not take it: {answer.detail or answer.reason or answer.outcome}")
    return answer
