"""A drawn table looked at by the shipped eyes, whose words the real judge hears; the shoe's pulses by hand."""

from collections.abc import Callable

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.cards import Card
from table_controller.core.events import Disputed
from table_controller.core.irregular import Irregularity
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause, Face
from table_controller.play.felt import FLOOR, Felt
from table_controller.port.words import Kept
from table_controller.shell.translate import stimuli_of, watching_of
from tests.vision.seeing import Evening
from vision.door import Spoken, Spokesman
from vision.pipeline import Heed
from vision.rendered.orders import Lay, Orders
from vision.rendered.table import Deck

SECOND_NS = 1_000_000_000
TICK_FRAMES = 4
HOUSES_TIME_S = 5.5


class WatchedTable:
    """Golden Wolf, bets on boxes 1 and 3; `deal` tells the judge by word of mouth, all else he has from the eyes."""

    def __init__(self, *, shoe: bool = True, decks: int = 6, cards: Deck | None = None, **wants: object) -> None:
        self.felt, self.evening = Felt(), Evening(cards=cards)
        self._spokesman, self._numbers = Spokesman(self._hear, first=0), {"shoe": 0, "clock": 0, "keys": 0}
        rules, witnesses = {**houses.rule_values("golden_wolf"), "decks": decks}, ["camera", *(["shoe"] * shoe)]
        self.felt.open(rules, {**houses.house_values("golden_wolf"), "witnesses": witnesses, **wants})

    def bets(self) -> None:
        for command in (
            said.OpenBets(self.felt.cause(), FLOOR),
            *(said.PlaceBet(self.felt.cause(), FLOOR, box, 100) for box in (1, 3)),
            said.CloseBets(self.felt.cause(), FLOOR),
        ):
            self.felt.command(command)

    def cause(self, source: str) -> Cause:
        self._numbers[source] += 1
        return Cause(source, self._numbers[source], self.evening.now_ns)

    def pulse(self, card: str | None = None, *, long: bool = False) -> None:
        """A card leaves the shoe, which reads it if it can."""
        self.felt.say(said.CardDrawn(self.cause("shoe"), None if card is None else Card.parse(card), long))

    def deal(self, cards: str) -> None:
        """The next cards, in order; what is due face down stays so."""
        for word in cards.split():
            self.pulse()
            due = self.felt.round.due
            known = None if due.face is Face.DOWN else Card.parse(word)
            self.felt.say(said.CardSeen(self.felt.cause(), due.place, known, due.face))

    def lay(self, slot: str, card: str, *, face_down: bool = False, pulse: bool = True) -> None:
        """Pulled and laid; the eyes have time to see it."""
        if pulse:
            self.pulse()
        self.do(Lay(slot=slot, card=card, face_down=face_down))

    def do(self, *orders: Orders, frames: int = 20) -> None:
        """The dealer does this, and the eyes look on."""
        for order in orders:
            self.evening.scene.obey(order, self.evening.now_ns)
        self.watch(frames)

    def watch(self, frames: int) -> None:
        """So many frames, what is said of them, and the clock."""
        for frame in range(frames):
            told = watching_of(self.felt.state)
            heed = Heed(told.due, told.veiled, told.backs, told.hole, told.after_ns)
            for one in self.evening.watch(1, heed):
                self._spokesman.tell(one)
            if frame % TICK_FRAMES == 0:
                self.felt.say(said.Tick(self.cause("clock")))

    def wait(self, seconds: float = HOUSES_TIME_S) -> None:
        """Nothing moves; only time goes by."""
        for _ in range(round(seconds * 2)):
            self.evening.now_ns += SECOND_NS // 2
            self.felt.say(said.Tick(self.cause("clock")))

    def watch_until(self, true: Callable[[], bool], frames: int = 150) -> None:
        for _ in range(frames):
            if true():
                return
            self.watch(1)
            self.felt.say(said.Tick(self.cause("clock")))
        raise AssertionError(f"not seen: {self.felt.state.disputes}, {self.felt.state.sights}")

    def asked(self) -> list[tuple[Irregularity, Place | None]]:
        """Every question so far."""
        return [(one.irregularity, one.place) for one in self.felt.events if isinstance(one, Disputed)]

    def _hear(self, spoken: Spoken) -> None:
        assert not isinstance(spoken, Kept)
        for stimulus in stimuli_of(self.felt.state, spoken):
            self.felt.say(stimulus)
