"""Complaints through the door: the table's thread takes them down, the caller's own checks and freezes the round."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core.irregular import MAY_RESOLVE
from table_controller.journal.complaints import complaint_bundle
from table_controller.journal.errors import JournalError, NotAllowed, NotKept
from table_controller.journal.naming import is_day, journal_path, table_and_day
from table_controller.journal.writer import Clock
from table_controller.port.footage import cameras_of, footage_of, hold, video_folder
from table_controller.port.words import Answer, Complain, Conclude, Outcome
from table_controller.replay.opening import load
from table_controller.replay.walk import rows_of_round
from table_controller.shell.complaints import Heard, Lock, check, close_complaint, freeze, take_down
from table_controller.shell.recorder import Recorder

LOCKS: Final = frozenset(lock.value for lock in Lock)
Take = Callable[[Complain], Answer]


def hear_complaint(said: Complain, at: tuple[Path, str], key: Ed25519PrivateKey, take: Take, clock: Clock) -> Answer:
    """Checks that there is such a round and box, has it taken down, and freezes the round; for the caller's thread.

    `at` is the folder of the records and the table.
    Said again after an answer was lost, it freezes what was not frozen yet and takes nothing down twice.
    """
    if said.lock not in LOCKS or not is_day(said.day) or not said.reason.strip():
        return Answer(Outcome.UNREADABLE, 0, detail="a complaint has a day, a reason and a lock")
    if said.by.role not in MAY_RESOLVE:
        return Answer(Outcome.REFUSED, 0, "role")
    heard = _heard(said, journal_path(*at, said.day))
    try:
        check(heard, clock().at_ns, key)
        answer = take(said)
        number = int(answer.detail) if answer.outcome is Outcome.DONE else None
        if number is not None and not complaint_bundle(heard.journal, said.round, number).exists():
            _hold_video(heard, number)
            freeze(heard, number, clock().at_ns, key)
    except JournalError as missing:
        return Answer(Outcome.REFUSED, 0, "not_kept", str(missing))
    return answer


def take_complaint(recorder: Recorder, said: Complain) -> Answer:
    """Recorded and locked by the table's thread; the answer's detail is the complaint's number."""
    table, _ = table_and_day(recorder.day.path)
    heard = _heard(said, journal_path(recorder.day.path.parent, table, said.day))
    number = take_down(recorder, heard, Lock(said.lock))
    return Answer(Outcome.DONE, recorder.state.version, detail=str(number))


def conclude(recorder: Recorder, said: Conclude) -> Answer:
    """The decision about a complaint; its lock falls."""
    try:
        close_complaint(recorder, said.number, said.by, said.decision)
    except NotAllowed as why:
        return Answer(Outcome.REFUSED, recorder.state.version, "role", str(why))
    except NotKept as why:
        return Answer(Outcome.REFUSED, recorder.state.version, "not_kept", str(why))
    return Answer(Outcome.DONE, recorder.state.version)


def _hold_video(heard: Heard, number: int) -> None:
    """The video of the round stays, whatever the budget says; the segment that runs on is held with it."""
    table, _ = table_and_day(heard.journal)
    day = load(heard.journal, lambda _: None)
    rows = rows_of_round(day, heard.round)
    data = heard.journal.parent
    first, last = day.rows[rows.start - 1].at_ns, day.rows[rows.stop - 2].at_ns
    for folder in (video_folder(data, table, camera) for camera in cameras_of(data, table)):
        hold(folder, footage_of(folder).between(first, last), f"complaint {number}")


def _heard(said: Complain, journal: Path) -> Heard:
    return Heard(journal, said.round, said.box, said.reason, said.by)
