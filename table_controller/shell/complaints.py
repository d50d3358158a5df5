"""A complaint freezes the round's evidence, locks what the house's policy says, and needs a named person to end it."""

from datetime import UTC
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core.house import Language
from table_controller.core.irregular import MAY_RESOLVE
from table_controller.core.people import Person
from table_controller.core.stimuli import Cause, DeviceBack, DeviceLost, PauseTable, Stimulus
from table_controller.export.make import Ask, export
from table_controller.journal.certificate import write_durably
from table_controller.journal.complaints import (
    Closed,
    Complaint,
    complaint_bundle,
    complaint_closed,
    complaint_opened,
    complaints_of,
)
from table_controller.journal.errors import NotAllowed, NotKept
from table_controller.journal.naming import table_and_day
from table_controller.journal.retention import Hold, place_hold
from table_controller.shell.recorder import Recorder

SOURCE = "complaints"


class Lock(StrEnum):
    """What stops while a complaint is open: nothing, the next round, or the whole table."""

    NONE = "none"
    NEXT_ROUND = "next_round"
    TABLE = "table"


class Heard(NamedTuple):
    """What is said about a round of a day (its journal), and who takes it down."""

    journal: Path
    round: int
    box: int
    reason: str
    by: Person


def open_complaint(recorder: Recorder, heard: Heard, lock: Lock, key: Ed25519PrivateKey) -> Path:
    """Take it down, hold the day against purging, lock, and freeze the round in a bundle; returns the bundle.

    Raises NotKept, and records nothing, if there is no such round or box.
    """
    check(heard, recorder.now().at_ns, key)
    number = take_down(recorder, heard, lock)
    return freeze(heard, number, recorder.now().at_ns, key)


def check(heard: Heard, at_ns: int, key: Ed25519PrivateKey) -> None:
    """Raises NotKept if there is no such round or box, KeyUnusable if the record is not of this house."""
    export(heard.journal, _ask(heard, at_ns)._replace(box=heard.box), key)


def take_down(recorder: Recorder, heard: Heard, lock: Lock) -> int:
    """Record it, hold the day, lock; returns the complaint's number."""
    number = complaints_of(recorder.day.path).last + 1
    table, day = table_and_day(heard.journal)
    complaint = Complaint(number, day, heard.round, heard.box, heard.reason, heard.by.name)
    hold = Hold(table, day, f"complaint {number}", heard.by.name)
    today = table_and_day(recorder.day.path)[1]
    recorder.note([complaint_opened(complaint, today), place_hold(hold)], seal=True)
    for stimulus in _locks(recorder, number, lock, heard):
        recorder.take(stimulus)
    return number


def freeze(heard: Heard, number: int, at_ns: int, key: Ed25519PrivateKey) -> Path:
    """The whole round in a bundle beside the record, whatever becomes of the record's other files."""
    bundle = complaint_bundle(heard.journal, heard.round, number)
    bundle.parent.mkdir(exist_ok=True)
    write_durably(bundle, export(heard.journal, _ask(heard, at_ns)._replace(bundle=bundle.name), key))
    return bundle


def _ask(heard: Heard, at_ns: int) -> Ask:
    return Ask(heard.round, None, Language.ENGLISH, UTC, at_ns)


def close_complaint(recorder: Recorder, number: int, by: Person, decision: str) -> None:
    """The decision, and who made it; the next round may open. A paused table waits for the floor to resume it.

    The hold on the day stays until somebody lifts it. Raises NotAllowed without a name, a role and a decision.
    """
    if by.role not in MAY_RESOLVE or not by.name.strip() or not decision.strip():
        raise NotAllowed(f"a complaint is closed by name, with a decision, by one of: {', '.join(sorted(MAY_RESOLVE))}")
    if number not in {one.number for one in complaints_of(recorder.day.path).standing}:
        raise NotKept(f"complaint {number} is not open")
    recorder.note([complaint_closed(Closed(number, by.name, decision))], seal=True)
    if _fault(number) in recorder.state.faults:
        recorder.take(DeviceBack(_cause(recorder), _fault(number)))


def _locks(recorder: Recorder, number: int, lock: Lock, heard: Heard) -> list[Stimulus]:
    """To the judge an open complaint is one more thing without which no round may open."""
    wanted: list[Stimulus] = []
    if lock is not Lock.NONE:
        wanted.append(DeviceLost(_cause(recorder), _fault(number)))
    if lock is Lock.TABLE and recorder.state.rules is not None and not recorder.state.paused:
        wanted.append(PauseTable(_cause(recorder, 1), heard.by, _fault(number)))
    return wanted


def _cause(recorder: Recorder, ahead: int = 0) -> Cause:
    return Cause(SOURCE, recorder.state.cursors.get(SOURCE, -1) + 1 + ahead, recorder.now().at_ns)


def _fault(number: int) -> str:
    return f"complaint {number}"
