"""A manipulator for one direction of a line: spoils frames on their way, and counts what it did."""

from collections import Counter, deque
from random import Random

from msgspec import Struct

MS = 1_000_000
REMEMBERED = 400


class Faults(Struct, frozen=True):
    """Probability of each fault per frame; `stall_ms` is the longest hold-up."""

    drop: float = 0.0
    double: float = 0.0
    split: float = 0.0
    reorder: float = 0.0
    flip: float = 0.0
    stall: float = 0.0
    splice: float = 0.0
    stall_ms: int = 300

    @classmethod
    def of_each(cls, rate: float, stall_ms: int = 300) -> "Faults":
        """Every fault at the same rate."""
        return cls(rate, rate, rate, rate, rate, rate, rate, stall_ms)


class Manipulator:
    """One direction. Frames go in as bytes, pieces come out with the time (ns) at which they arrive.

    A line keeps its order: what is behind a stalled frame waits too. `recording` holds frames of another session.
    """

    def __init__(self, faults: Faults, chance: Random, recording: tuple[bytes, ...] = ()) -> None:
        self.faults = faults
        self.counts: Counter[str] = Counter()
        self.frames = 0
        self.remembered: deque[bytes] = deque(recording, maxlen=REMEMBERED)
        self._chance = chance
        self._rest = b""
        self._held: bytes | None = None
        self._clear_ns = 0

    def carry(self, data: bytes, now_ns: int) -> list[tuple[int, bytes]]:
        """Pieces of what was just written, with their arrival times, in order."""
        *whole, self._rest = (self._rest + data).split(b"\0")
        pieces: list[tuple[int, bytes]] = []
        for frame in whole:
            self.frames += 1
            for wire in self._spoil(frame + b"\0"):
                pieces += self._deliver(wire, now_ns)
        return pieces

    def quiet(self, now_ns: int) -> list[tuple[int, bytes]]:
        """Do no more harm; hand out a frame still held back."""
        self.faults = Faults()
        held, self._held = self._held, None
        return self._deliver(held, now_ns) if held else []

    def _happens(self, fault: str) -> bool:
        rate: float = getattr(self.faults, fault)
        if not rate or self._chance.random() >= rate:
            return False
        self.counts[fault] += 1
        return True

    def _spoil(self, wire: bytes) -> list[bytes]:
        """The frames that go on instead of this one."""
        before = [self._chance.choice(self.remembered)] if self.remembered and self._happens("splice") else []
        self.remembered.append(wire)
        if self._happens("drop"):
            return before
        copies = [wire, wire] if self._happens("double") else [wire]
        if self._happens("flip"):
            copies = [self._flip(copy) for copy in copies]
            self.counts["spoiled"] += len(copies)
        if self._held is None and self._happens("reorder"):
            self._held = b"".join(copies)
            return before
        held, self._held = self._held, None
        return [*before, *copies, *([held] if held else [])]

    def _flip(self, wire: bytes) -> bytes:
        """One to three bits before the delimiter."""
        spoiled = bytearray(wire)
        for bit in self._chance.sample(range(8 * (len(wire) - 1)), self._chance.randint(1, 3)):
            spoiled[bit // 8] ^= 1 << bit % 8
        return bytes(spoiled)

    def _deliver(self, wire: bytes, now_ns: int) -> list[tuple[int, bytes]]:
        self._clear_ns = max(self._clear_ns, now_ns)
        if self._happens("stall"):
            self._clear_ns += self._chance.randint(1, self.faults.stall_ms) * MS
        if len(wire) > 2 and self._happens("split"):
            cut = self._chance.randint(1, len(wire) - 1)
            first = (self._clear_ns, wire[:cut])
            self._clear_ns += self._chance.randint(1, 30) * MS
            return [first, (self._clear_ns, wire[cut:])]
        return [(self._clear_ns, wire)]
