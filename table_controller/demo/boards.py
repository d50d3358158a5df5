"""The demo's boards: real pseudo-terminals, the real protocol, a twin of the firmware at the far end."""

from pathlib import Path
from typing import Final, NamedTuple

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.events import DealerKey, EventKind, Signal
from firmware_bridge.messages import Fitted
from table_controller.shell.boards import MOST_FROM_ONE

SHOE, KEYS = "shoe", "keys"
CARD_US: Final = 90_000
FINGER_US: Final = 120_000
BETWEEN_US: Final = 900_000


class Said(NamedTuple):
    """What a board will have said once this number of its source is on record."""

    source: str
    number: int


class DemoBoards:
    """A shoe with two beams (or one), and the keys and lamps of the table.

    `folder` is where their ports appear; `boots` how often they have been started before.
    """

    def __init__(self, folder: Path, boots: int = 0, beams: int = 2) -> None:
        self._beams = range(beams)
        parts = {
            SHOE: Fitted.SHOE | Fitted.SECOND_BEAM | Fitted.CUT_CARD,
            KEYS: Fitted.BUTTONS | Fitted.DEALER_KEYS | Fitted.LAMPS,
        }
        self.twins = {
            name: TwinPeer(Board(Eeprom(bytes([*range(7), at]), int(fitted), boot=boots)))
            for at, (name, fitted) in enumerate(parts.items())
        }
        self.ports = {name: PtyPort(twin, folder / name) for name, twin in self.twins.items()}

    def start(self) -> None:
        """Plug them in."""
        for port in self.ports.values():
            port.start()

    def close(self) -> None:
        """Pull them out."""
        for port in self.ports.values():
            port.close()

    def pull(self) -> Said:
        """A card leaves the shoe: through the inner beam, then the outer."""
        for beam in self._beams:
            self._note(SHOE, EventKind.BEAM_BROKEN, beam, BETWEEN_US)
        return [self._note(SHOE, EventKind.BEAM_CLEARED, beam, CARD_US) for beam in self._beams][-1]

    def finger(self) -> Said:
        """A finger at the shoe's mouth: only the outer beam sees it."""
        self._note(SHOE, EventKind.BEAM_BROKEN, 1, BETWEEN_US)
        return self._note(SHOE, EventKind.BEAM_CLEARED, 1, FINGER_US)

    def cut_card(self) -> Said:
        """The cut card comes to the mouth and is taken out."""
        shown = self._note(SHOE, EventKind.CUT_CARD, 0, 1)
        self._note(SHOE, EventKind.CUT_CARD, 0, 0)
        return shown

    def press(self, box: int, key: Signal) -> Said:
        """A player's key, pressed and let go."""
        pressed = self._note(KEYS, EventKind.BUTTON_DOWN, box << 4 | key)
        self._note(KEYS, EventKind.BUTTON_UP, box << 4 | key)
        return pressed

    def key(self, key: DealerKey) -> Said:
        """A key of the dealer, pressed and let go."""
        pressed = self._note(KEYS, EventKind.KEY_DOWN, key)
        self._note(KEYS, EventKind.KEY_UP, key)
        return pressed

    def _note(self, name: str, kind: EventKind, arg: int, value: int = 0) -> Said:
        ring = self.twins[name].board.ring
        self.twins[name].note(kind, arg, value)
        return Said(name, ((ring.number << 32) | (ring.next - 1)) * MOST_FROM_ONE)
