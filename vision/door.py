"""The eyes' way to the table's controller: what they say through its door, and what it tells them to heed."""

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from table_controller.port.client import Door, DoorClosed
from table_controller.port.fed import FedClock
from table_controller.port.footage import video_folder
from table_controller.port.picture import live_place
from table_controller.port.stopping import Stop
from table_controller.port.wire import camera_name, device_of, door_of, orders_place
from table_controller.port.words import (
    Answer,
    Chips,
    Gone,
    Health,
    Kept,
    Look,
    Outcome,
    Sighted,
    Status,
    Watch,
    Watching,
)
from vision.pipeline import Heed
from vision.recording import Recorded
from vision.sighting import Back, Changed, Doubt, Left, Said, Sighting, Spot

EYES: Final = "eyes"
ASK_AGAIN_S, SAY_AGAIN_S = 0.04, 0.25
# What was told longer ago than this is not relied on: the dealer's slot is not looked at until it is told again.
OLD_S: Final = 1.0
BLIND: Final = Heed(veiled=("dealer",))
Spoken = Sighted | Gone | Chips | Kept

__all__ = [
    "BLIND",
    "FedClock",
    "Spokesman",
    "Stop",
    "TableDoor",
    "camera_name",
    "device_of",
    "evidence_folder",
    "live_place",
    "orders_place",
    "run_folder",
    "video_folder",
]


def run_folder(data: Path, table: str) -> Path:
    """Where the table's processes meet."""
    return door_of(data, table).address.parent


def evidence_folder(journal: Path, number: int | None) -> Path:
    """Where the pictures of a round lie, beside its journal; those from between the rounds with number 0."""
    return journal.parent / "evidence" / journal.stem / f"round-{number or 0}"


class TableDoor:
    """Asks the controller over and over what to heed, and says what it is given until it was answered."""

    def __init__(self, data: Path, table: str) -> None:
        self._asking, self._saying = Door(data, table, patience_s=1), Door(data, table, patience_s=5)
        self._queue: queue.Queue[Spoken] = queue.Queue()
        self._stop = threading.Event()
        self._watching: tuple[float, Watching] | None = None
        self._status: Status | None = None
        self._health: dict[str, Health] = {}
        self._speaking = threading.Thread(target=self._say, name="door_say", daemon=True)

    def start(self) -> None:
        self._speaking.start()
        threading.Thread(target=self._ask, name="door_ask", daemon=True).start()

    def close(self) -> None:
        self._stop.set()

    @property
    def heed(self) -> Heed:
        """What the controller says now; blind to the dealer's slot while it says nothing."""
        told = self._watching
        if told is None or time.monotonic() - told[0] > OLD_S:
            return BLIND
        say = told[1]
        return Heed(say.due, say.veiled, say.backs, say.hole, say.after_ns)

    @property
    def round(self) -> int | None:
        told = self._watching
        return None if told is None else told[1].round

    @property
    def journal(self) -> Path | None:
        """The day's file."""
        return None if self._status is None or not self._status.journal else Path(self._status.journal)

    def recorded(self) -> Recorded:
        """Where the record stands."""
        status = self._status
        return Recorded() if status is None else Recorded(Path(status.journal).name, status.seq, self.round)

    def say(self, spoken: Spoken) -> None:
        """Say this, after everything that was said before; it is said again until it was heard."""
        self._queue.put(spoken)

    def kept(self, name: str, box: int | None) -> None:
        """A picture was written for the running round; it goes on record."""
        self.say(Kept(name, name, self.round or 0, box))

    def well(self, device: str, trouble: str | None, looked_ns: int = 0) -> None:
        """How a device or process is; told over and over by the door's own thread only while it is renewed here.

        All that is to be said of pictures taken until `looked_ns` was heard.
        """
        self._health[device] = Health(device, trouble is None, trouble or "", time.time_ns(), looked_ns)

    @property
    def unsaid(self) -> int:
        """How much waits to be heard."""
        return self._queue.unfinished_tasks

    def _ask(self) -> None:
        """Ends with the thread that speaks: eyes that cannot say what they see must not be called well."""
        turn = 0
        while not self._stop.wait(ASK_AGAIN_S) and self._speaking.is_alive():
            try:
                self._ask_once(turn)
            except DoorClosed:
                self._stop.wait(SAY_AGAIN_S)
            turn += 1
        self._asking.close()

    def _ask_once(self, turn: int) -> None:
        told = self._asking.look(Watch())
        if isinstance(told, Watching):
            self._watching = (time.monotonic(), told)
        if turn % 5 == 0:
            told = self._asking.look(Look())
            self._status = told if isinstance(told, Status) else self._status
        for device in list(self._health):
            health = self._health.pop(device, None)
            if health is not None:
                self._asking.say(health)

    def _say(self) -> None:
        while not self._stop.is_set():
            try:
                spoken = self._queue.get(timeout=0.2)
            except queue.Empty:
                continue
            while not self._heard(spoken) and not self._stop.wait(SAY_AGAIN_S):
                pass
            self._queue.task_done()
        self._saying.close()

    def _heard(self, spoken: Spoken) -> bool:
        """A word that was refused or not understood was heard; one said to a table that is down was not."""
        try:
            told = self._saying.say(spoken)
        except DoorClosed:
            return False
        return isinstance(told, Answer) and told.outcome is not Outcome.DOWN


class Spokesman:
    """Puts what the pipeline says into the door's words, as eyes that opened when this process began.

    Eyes that open anew have another name: what the ones before them saw is theirs no more.
    """

    def __init__(self, say: Callable[[Spoken], None], first: int | None = None, eyes: str = EYES) -> None:
        self._say = say
        self._number = time.time_ns() // 1_000_000 if first is None else first
        self._source = f"{eyes}-{self._number}"
        self._numbers: dict[tuple[str, float, float], int] = {}

    def next_number(self) -> int:
        """The number the next word will have: the pictures that show it are named after it."""
        return self._number + 1

    def tell(self, said: Said, pictures: tuple[str | None, str | None] = (None, None)) -> None:
        """Say one thing; `pictures` are the files that show it (before and after, where something changed)."""
        self._number += 1
        match said:
            case Sighting():
                down = said.card is Back.BACK
                card = None if down else str(said.card)
                how = (said.back, said.confidence, pictures[1])
                self._sighted(said.spot, card, said.since_ns, said.at_ns, (down, *how))
            case Doubt():
                self._sighted(said.spot, None, said.since_ns, said.at_ns, (False, "", 0.0, pictures[1]))
            case Left():
                was = self._numbers.pop(_key(said.spot), None)
                if was is not None:
                    self._say(
                        Gone(source=self._source, number=self._number, was=was, at_ns=said.at_ns, covered=said.covered)
                    )
            case Changed():
                box = int(said.slot.removeprefix("circle"))
                self._say(
                    Chips(
                        source=self._source,
                        number=self._number,
                        box=box,
                        at_ns=said.at_ns,
                        before=pictures[0],
                        after=pictures[1],
                    )
                )

    def _gone(self, was: int, at_ns: int, *, covered: bool = False) -> None:
        self._say(Gone(source=self._source, number=self._number, was=was, at_ns=at_ns, covered=covered))

    def _sighted(
        self, spot: Spot, card: str | None, since_ns: int, at_ns: int, rest: tuple[bool, str, float, str | None]
    ) -> None:
        if (was := self._numbers.pop(_key(spot), None)) is not None:  # another card was laid where that one lay
            self._gone(was, at_ns)
            self._number += 1
        self._numbers[_key(spot)] = self._number
        down, back, confidence, evidence = rest
        self._say(
            Sighted(
                source=self._source,
                number=self._number,
                slot=spot.slot,
                x=round(spot.x, 1),
                y=round(spot.y, 1),
                card=card,
                face_down=down,
                confidence=round(confidence, 4),
                since_ns=since_ns,
                at_ns=at_ns,
                evidence=evidence,
                back=back,
            )
        )


def _key(spot: Spot) -> tuple[str, float, float]:
    return spot.slot, spot.x, spot.y
