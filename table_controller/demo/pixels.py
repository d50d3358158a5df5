"""The drawn felt and the table's own eyes in one process: frames are drawn on demand, by the table's clock."""

import time
from pathlib import Path

from table_controller.demo.eyes import AGAIN_MM, Spot
from table_controller.play.felt import CannotPlay
from table_controller.play.recorded import SECOND_NS, PlayedClock
from table_controller.port.client import Door
from table_controller.port.words import Kept, Look, Outcome, Status, Watch, Watching
from vision import weights
from vision.door import BLIND, Spoken
from vision.exchange import Shared
from vision.pipeline import Heed, View
from vision.reader import shipped
from vision.rendered.orders import Lay, Orders, OrderUnclear, Shift, Take, Turn
from vision.rendered.places import place
from vision.table_view import Table, scene_of
from vision.watching import STARTING, Eyes

IDLE_S, LONGEST_LOOK_S = 0.01, 4.0
TRIES, PAUSE_S = 100, 0.05


class PlainDoor:
    """The eyes' way to a controller that is waited for: what is said was heard when `say` returns."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.round: int | None = None
        self.heed: Heed = BLIND
        told = door.look(Look())
        self.journal: Path | None = Path(told.journal) if isinstance(told, Status) else None

    def ask(self) -> Heed:
        """What the controller says now."""
        told = self._door.look(Watch())
        assert isinstance(told, Watching)
        self.round = told.round
        self.heed = Heed(told.due, told.veiled, told.backs, told.hole, told.after_ns)
        return self.heed

    def say(self, spoken: Spoken) -> None:
        """Until it is answered, as the eyes do."""
        for _ in range(TRIES):
            answer = self._door.ask(spoken)
            if answer.outcome is not Outcome.DOWN:
                return
            time.sleep(PAUSE_S)
        raise CannotPlay(f"the table does not take what is seen: {answer.detail}")

    def kept(self, name: str, box: int | None) -> None:
        """A picture was written; it goes on record."""
        self.say(Kept(name, name, self.round or 0, box))


class PixelFelt:
    """A felt that is looked at frame by frame; time in which nothing is to be seen is skipped."""

    def __init__(self, door: Door, clock: PlayedClock, table: Table) -> None:
        sight = table.calibrated()
        assert sight is not None
        self._table, self._clock, self._door = table, clock, PlainDoor(door)
        self._scene, self._painter = scene_of(table)
        self._eyes = Eyes(shipped(weights.find()), View(sight, table.zones, table.index), self._door)
        self._frames, self._rest_ns = 0, 0
        self._counts: dict[Spot, int] = {}
        while self._see() == STARTING:
            pass

    @property
    def now_s(self) -> float:
        """The table's time."""
        return self._clock.at_ns / SECOND_NS

    def take_time(self, seconds: float) -> None:
        """Seconds pass; when the eyes have seen all there is, nothing is drawn until somebody acts again."""
        until = self._clock.at_ns + int(seconds * SECOND_NS)
        drawn_until = min(until, self._clock.at_ns + int(LONGEST_LOOK_S * SECOND_NS))
        while self._clock.at_ns < drawn_until and self._is_busy():
            self._see()
        self._clock.wait(max(0, until - self._clock.at_ns) / SECOND_NS)

    def let_pass(self, _seconds: float) -> None:
        """A frame, or a moment in which only boards and the table's own threads do something."""
        if self._is_busy():
            self._see()
        else:
            time.sleep(IDLE_S / 2)
            self._clock.wait(IDLE_S)

    def lay(self, spot: Spot, card: str, *, face_down: bool = False, readable: bool = True) -> None:  # noqa: ARG002
        """Slide the next card of a hand to its place; what can be read of it is for the eyes to say."""
        self._obey(Lay(slot=spot.slot, hand=spot.hand, card=None if face_down else card, face_down=face_down))
        self._counts[spot] = self.count(spot) + 1

    def turn(self, spot: Spot, order: int, card: str) -> None:
        """Only now is the card named, so that no picture could have shown it before."""
        self._obey(Turn(slot=spot.slot, hand=spot.hand, order=order, card=card))

    def shift(self, spot: Spot, order: int, to: Spot) -> None:
        """Move a card to the next place of another hand."""
        self._obey(Shift(slot=spot.slot, hand=spot.hand, order=order, to_slot=to.slot, to_hand=to.hand))
        self._counts[spot] -= 1
        self._counts[to] = self.count(to) + 1

    def show_again(self, spot: Spot, order: int) -> None:
        """Lay it a little further."""
        at = place(spot.slot, order, spot.hand, self._table.boxes)
        self._obey(Shift(slot=spot.slot, hand=spot.hand, order=order, to=(at.x + AGAIN_MM, at.y, at.turn)))

    def clear(self) -> None:
        """Take every card away."""
        self._obey(Take())
        self._counts.clear()

    def count(self, spot: Spot) -> int:
        """How many cards lie there."""
        return self._counts.get(spot, 0)

    def _obey(self, order: Orders) -> None:
        """What was ordered begins with the next frame."""
        try:
            self._rest_ns = max(self._clock.at_ns + 1, self._scene.obey(order, self._clock.at_ns))
        except OrderUnclear as refused:
            raise CannotPlay(str(refused)) from None

    def _is_busy(self) -> bool:
        """Something moves, came to rest since the last frame, or is still being read as the table heeds things now:
        a slot that was veiled when the last frame was seen may be due a moment later."""
        return self._rest_ns > 0 or self._eyes.reading(self._door.ask())

    def _see(self) -> str | None:
        """One frame of the camera's rate later."""
        self._clock.wait(1 / self._table.rate)
        now, self._frames = self._clock.at_ns, self._frames + 1
        self._door.ask()
        trouble = self._eyes.see(Shared(self._painter.picture(now), now, self._frames))
        self._rest_ns = self._rest_ns if self._rest_ns > now else 0
        if trouble not in (None, STARTING):
            raise CannotPlay(f"the picture is not fit to be read: {trouble}")
        return trouble
