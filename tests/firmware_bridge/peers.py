"""Three peers behind one face: the Python twin and the real firmware on pseudo-terminals, and a null modem."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Protocol

from firmware_bridge.conversation import Lamps
from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.faults import Faults, Manipulator
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.null_modem import NullModem
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.emulator.relay import Relay
from firmware_bridge.events import Cursor, EventKind
from firmware_bridge.greeting import Policy
from firmware_bridge.link import Link, at_path
from firmware_bridge.session import Session
from firmware_bridge.simulator.process import Simulator
from firmware_bridge.visit import fresh_nonce, pair

from .controller import Controller
from .world import BEAM, CUT_CARD, Action

DEVICE = b"KRUPIER1"
KEY = bytes(range(16))
EVERYTHING = 0x2FF
SPACING_US = 13_000
"""Between two changes of a contact: above the eight samples a board waits for."""


class Peer(Protocol):
    """A board at the far end of a line, and a controller at ours."""

    controller: Controller
    session: Session
    up: Manipulator
    down: Manipulator

    def perform(self, actions: list[Action]) -> None:
        """Let these happen, one after the other."""

    def until(self, condition: Callable[[], bool], seconds: float = 30.0) -> bool:
        """Let time pass until the condition holds; False if it did not in `seconds` of the peer's time."""

    def reset(self) -> None: ...
    def power_cut(self) -> None: ...
    def show(self, lamps: Lamps) -> None: ...
    def self_test(self) -> None: ...
    def catch_up(self) -> None: ...
    def shown(self) -> tuple[int, int]: ...
    def hush(self, seconds: float) -> None:
        """The host says nothing for so long."""

    def calm(self) -> None:
        """No more faults."""


def twin_told(board: Callable[[int, int, int], None], action: Action) -> None:
    """The twin has no contacts: its world tells it the events themselves."""
    for on, (kind, arg) in zip((1, 0), action.told, strict=False):
        leveled = kind in {EventKind.BET_SENSOR, EventKind.CUT_CARD}
        board(kind, arg, on if leveled else 0)


class NullModemPeer:
    """Everything in one thread, time as a number."""

    def __init__(self, seed: int = 1, faults: Faults | None = None, recording: tuple[bytes, ...] = ()) -> None:
        chance = Random(seed)
        self.session = Session(Policy({DEVICE.hex(): KEY}.get), lambda: chance.randbytes(8))
        self.board = Board(Eeprom(DEVICE, EVERYTHING, KEY))
        self.up = Manipulator(faults or Faults(), chance, recording)
        self.down = Manipulator(faults or Faults(), chance, recording)
        self.controller = Controller()
        self.controller.bridge = self
        self.line = NullModem(self.session, self.board, self.controller.hear, up=self.up, down=self.down)
        self.line.plug()
        self.is_hushed = False

    def resume(self, recorded: Cursor | None) -> None:
        for output in self.session.resume(recorded, self.line.now_ns):
            self.controller.hear(output)

    def acknowledge(self, upto: Cursor) -> None:
        self.session.acknowledge(upto)

    def perform(self, actions: list[Action]) -> None:
        for action in actions:
            twin_told(self.board.note, action)
            self.line.step()

    def until(self, condition: Callable[[], bool], seconds: float = 30.0) -> bool:
        for _ in range(int(seconds * 1000)):
            if condition():
                return True
            self.line.step()
        return condition()

    def reset(self) -> None:
        self.line.restart(self.board.reset)

    def power_cut(self) -> None:
        self.line.restart(self.board.power_cut)

    def show(self, lamps: Lamps) -> None:
        self.session.show(lamps)

    def self_test(self) -> None:
        self.session.self_test()

    def catch_up(self) -> None:
        self.controller.catch_up()

    def shown(self) -> tuple[int, int]:
        return self.board.shown

    def hush(self, seconds: float) -> None:
        before, self.down.faults = self.down.faults, Faults(drop=1.0)
        self.until(lambda: False, seconds)
        self.down.faults = before

    def calm(self) -> None:
        self.line.calm()

    def close(self) -> None:
        """Nothing was opened."""


class PtyPeer:
    """A link with its own thread on a pseudo-terminal; what differs between twin and firmware is in the subclasses."""

    def __init__(self, port: PtyPort, key_of: Callable[[str], bytes | None]) -> None:
        self.port = port
        self.up, self.down = port.up, port.down
        self.session = Session(Policy(key_of), fresh_nonce)
        self.controller = Controller()
        self.controller.bridge = self.link = Link(at_path(str(port.path)), self.session, self.controller.hear)
        self._thread = threading.Thread(target=self.link.run, name="link")
        port.start()
        self._thread.start()

    def until(self, condition: Callable[[], bool], seconds: float = 30.0) -> bool:
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.005)
        return True

    def show(self, lamps: Lamps) -> None:
        self.link.show(lamps)

    def self_test(self) -> None:
        self.link.self_test()

    def catch_up(self) -> None:
        self.controller.catch_up()

    def hush(self, seconds: float) -> None:
        before, self.down.faults = self.down.faults, Faults(drop=1.0)
        time.sleep(seconds)
        self.down.faults = before

    def calm(self) -> None:
        self.port.calm()

    def close(self) -> None:
        self.link.stop()
        self._thread.join()
        self.port.close()


class TwinPtyPeer(PtyPeer):
    """The Python twin with the wall clock."""

    def __init__(self, folder: Path, seed: int = 1, faults: Faults | None = None) -> None:
        self.twin = TwinPeer(Board(Eeprom(DEVICE, EVERYTHING, KEY)))
        super().__init__(spoiled_port(self.twin, folder, seed, faults), {DEVICE.hex(): KEY}.get)

    def perform(self, actions: list[Action]) -> None:
        for action in actions:
            twin_told(self.twin.note, action)

    def reset(self) -> None:
        self.twin.restart(self.twin.board.reset)

    def power_cut(self) -> None:
        self.twin.restart(self.twin.board.power_cut)

    def shown(self) -> tuple[int, int]:
        return self.twin.board.shown


class FirmwarePeer(PtyPeer):
    """The ELF that is flashed, in the simulator, behind a relay that can spoil the line."""

    def __init__(self, folder: Path, seed: int = 1, faults: Faults | None = None) -> None:
        self.simulator = Simulator(folder)
        self.simulator.__enter__()
        device, key = pair_simulated(self.simulator)
        self.relay = Relay(self.simulator.port)
        super().__init__(spoiled_port(self.relay, folder, seed, faults), {device: key}.get)

    def perform(self, actions: list[Action]) -> None:
        commands = [contact_command(action.contact, level) for action in actions for level in (1, 0)]
        last = self.simulator.plan((n * SPACING_US, command) for n, command in enumerate(commands))
        while int(self.simulator.do("time")) < last + SPACING_US:
            time.sleep(0.005)

    def reset(self) -> None:
        self.simulator.do("reset external")

    def power_cut(self) -> None:
        self.simulator.do("power-cut")

    def shown(self) -> tuple[int, int]:
        lamps, buzzer = self.simulator.do("lamps").split()
        return int(lamps, 16), int(buzzer)

    def close(self) -> None:
        super().close()
        self.relay.close()
        self.simulator.__exit__()


def contact_command(contact: int, level: int) -> str:
    """The simulator's command that closes or opens a contact."""
    if contact == BEAM:
        return f"beam 0 {level}"
    if contact == CUT_CARD:
        return f"cut {level}"
    return f"input {contact} {level}"


def pair_simulated(simulator: Simulator) -> tuple[str, bytes]:
    """Pair a fresh simulated board as a technician does: jumper, pair, jumper out. Its name and key."""
    simulator.do("jumper 1")
    pairing = pair(str(simulator.port), EVERYTHING)
    simulator.do("jumper 0")
    simulator.do("power-cut")
    return pairing.device, pairing.key


def spoiled_port(peer: TwinPeer | Relay, folder: Path, seed: int, faults: Faults | None) -> PtyPort:
    up, down = (Manipulator(faults or Faults(), Random(seed + way)) for way in (0, 1))
    return PtyPort(peer, folder / "port", up, down)
