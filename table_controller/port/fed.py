"""The clock of an evening that is fed again: the controller lets it run and stand, the camera's process reads it.

While it stands the pictures stand too and no board and no person says anything: a computer slower than that of the
evening changes nothing but how long it takes.
"""

from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from table_controller.port.wire import door_of


class Reached(Struct, frozen=True):
    """The evening came to `then_ns` at `now_ns` of this machine's UTC, and goes on from there if it `runs`.

    Once everything was fed, `last_row` is the last row of the new record that the evening led to.
    """

    then_ns: int
    now_ns: int
    runs: bool = False
    last_row: int | None = None

    def now_of(self, then_ns: int) -> int | None:
        """When a moment of then is, by this machine's UTC; None while the evening stands before it."""
        if then_ns > self.then_ns and not self.runs:
            return None
        return self.now_ns + then_ns - self.then_ns


class FedClock:
    """One evening's clock, in a small file where the table's processes meet."""

    def __init__(self, data: Path, table: str) -> None:
        self._file = door_of(data, table).key.with_suffix(".fed")

    def read(self) -> Reached:
        """How it stands; raises OSError where nothing is fed."""
        return msgspec.json.decode(self._file.read_bytes(), type=Reached)

    def begin(self, then_ns: int, now_ns: int) -> None:
        """It stands at the evening's beginning."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._write(Reached(then_ns, now_ns))

    def run(self, now_ns: int) -> None:
        """Go on from where it stands."""
        self._write(replace(self.read(), now_ns=now_ns, runs=True))

    def stand(self, now_ns: int) -> None:
        """Stop where it has come to."""
        reached = self.read()
        self._write(Reached(reached.then_ns + now_ns - reached.now_ns, now_ns))

    def end(self, last_row: int) -> None:
        """Everything was fed, and led to this."""
        self._write(replace(self.read(), last_row=last_row))

    def _write(self, moment: Reached) -> None:
        draft = self._file.with_suffix(".fed.new")
        draft.write_bytes(msgspec.json.encode(moment))
        draft.replace(self._file)
