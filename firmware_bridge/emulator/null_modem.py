"""A session and a board back to back in one process, with a manipulator in each direction and time as a number."""

from collections import deque
from collections.abc import Callable

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.faults import Manipulator
from firmware_bridge.outputs import Output
from firmware_bridge.session import Session

MS = 1_000_000
Line = deque[tuple[int, bytes]]


class NullModem:
    """Moves bytes and time a millisecond at a step. `on_output` is the controller."""

    def __init__(
        self,
        session: Session,
        board: Board,
        on_output: Callable[[Output], None],
        *,
        up: Manipulator,
        down: Manipulator,
    ) -> None:
        self.session, self.board = session, board
        self.up, self.down = up, down
        self.now_ns = 0
        self._on_output = on_output
        self._booted_ns = 0
        self._to_host: Line = deque()
        self._to_board: Line = deque()

    def plug(self) -> None:
        """Open the port; the bytes still on the line are lost."""
        self._to_host.clear()
        self._to_board.clear()
        self.session.open(self.now_ns)

    def restart(self, start: Callable[[], None]) -> None:
        """The board resets or loses power: `start` is the method of the board that does it."""
        self._booted_ns = self.now_ns
        start()

    def step(self) -> None:
        """One millisecond."""
        self.now_ns += MS
        elapsed = (self.now_ns - self._booted_ns) // 1000
        self.board.feed(self._arrived(self._to_board), elapsed)
        self.board.tick(elapsed)
        self._to_host += self.up.carry(self.board.outgoing(), self.now_ns)
        for output in self.session.receive(self._arrived(self._to_host), self.now_ns):
            self._on_output(output)
        for output in self.session.tick(self.now_ns):
            self._on_output(output)
        self._to_board += self.down.carry(self.session.outgoing(), self.now_ns)

    def calm(self) -> None:
        """No more faults from here on; nothing stays held back."""
        self._to_host += self.up.quiet(self.now_ns)
        self._to_board += self.down.quiet(self.now_ns)

    def _arrived(self, line: Line) -> bytes:
        data = b""
        while line and line[0][0] <= self.now_ns:
            data += line.popleft()[1]
        return data
