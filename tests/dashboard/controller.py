"""A small controller for the window's tests: a real judge with a real pen behind a real socket, and no devices."""

import threading
import time
from contextlib import closing
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from typing import Any

import msgspec

from table_controller.core.events import CommandRefused, SignalRefused
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.games import played
from table_controller.journal.keys import load_key
from table_controller.journal.record import Draft
from table_controller.play.recorded import RecordedFelt
from table_controller.port.wire import door_of, make_door_key, make_private
from table_controller.port.words import (
    Answer,
    Ask,
    Complain,
    Conclude,
    Kept,
    Light,
    Look,
    Note,
    Outcome,
    Said,
    Status,
    Told,
)
from table_controller.shell.grievances import conclude, hear_complaint, take_complaint


class SmallController(threading.Thread):
    """Answers Ask and Look for one table until it is stopped; `silent` answers nobody."""

    def __init__(self, data: Path, felt: RecordedFelt) -> None:
        super().__init__(daemon=True)
        self.felt = felt
        self.silent = False
        self.asked: list[Ask] = []
        self._answers: dict[str, Answer] = {}
        place = door_of(data, self.table)
        key = make_door_key(place)
        make_private(place.address.parent)
        self._listener = Listener(str(place.address), "AF_UNIX", authkey=key)
        self._ended = False

    @property
    def table(self) -> str:
        return self.felt.recorder.day.path.name.split("-")[0]

    def run(self) -> None:
        while not self._ended:
            try:
                door = self._listener.accept()
            except (OSError, EOFError, AuthenticationError):
                continue
            threading.Thread(target=self._talk, args=(door,), daemon=True).start()

    def _talk(self, door: Connection) -> None:
        with closing(door):
            try:
                told = self.answer(msgspec.json.decode(door.recv_bytes(), type=Said))
                if not self.silent:
                    door.send_bytes(msgspec.json.encode(told))
            except (OSError, EOFError):
                return

    def answer(self, said: Any) -> Told:
        match said:
            case Look():
                return self._status()
            case Ask():
                self.asked.append(said)
                if said.id not in self._answers:
                    self._answers[said.id] = self._judged(said)
                return self._answers[said.id]
            case Note() | Kept():
                body = bytes(said.body) if isinstance(said, Note) else b"{}"
                what = said.what if isinstance(said, Note) else "floor.kept"
                self.felt.recorder.note([Draft(kind=what, body=body, round=said.round, source="floor")])
                return Answer(Outcome.DONE, self.felt.state.version)
            case Complain():
                return self._complaint(said)
            case Conclude():
                return self._after(conclude(self.felt.recorder, said))
            case _:
                return Answer(Outcome.UNREADABLE, self.felt.state.version)

    def _complaint(self, said: Complain) -> Answer:
        recorder = self.felt.recorder
        data = recorder.day.path.parent
        key = load_key(data / "keys" / "house.key")
        take = self._answers.get(said.id)

        def once(said: Complain) -> Answer:
            return take or self._answers.setdefault(said.id, self._after(take_complaint(recorder, said)))

        return hear_complaint(said, (data, self.table), key, once, recorder.now)

    def _after(self, answer: Answer) -> Answer:
        self.felt.state = self.felt.recorder.state
        return answer

    def _judged(self, ask: Ask) -> Answer:
        state = self.felt.state
        if ask.version != state.version:
            return Answer(Outcome.STALE, state.version)
        body = msgspec.json.decode(bytes(ask.said), type=dict[str, Any])
        body["cause"] = Cause("floor", state.cursors.get("floor", 0) + 1, time.time_ns(), ask.by)
        said: Stimulus = played("blackjack").codec.stimulus(msgspec.json.encode(body))
        events = self.felt.say(said)
        refused = next((event for event in events if isinstance(event, CommandRefused | SignalRefused)), None)
        if refused is None:
            return Answer(Outcome.DONE, self.felt.state.version)
        reason, _, detail = refused.reason.partition(": ")
        return Answer(Outcome.REFUSED, self.felt.state.version, reason, detail)

    def _status(self) -> Status:
        now = time.time_ns()
        names = ("camera", "shoe", "recorder", "journal", "clock")
        lights = tuple(Light(name, name not in self.felt.state.faults, "", now - 10**12, now) for name in names)
        record = self.felt.recorder
        return Status(
            self.table, str(record.day.path), record.day.writer.head.seq, self.felt.state.version, lights, at_ns=now
        )

    def stop(self) -> None:
        self._ended = True
        self._listener.close()
