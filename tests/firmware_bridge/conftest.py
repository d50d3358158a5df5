"""Fixtures: the three peers."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.emulator.faults import Faults
from firmware_bridge.simulator.process import FIRMWARE, PROGRAM

from .peers import FirmwarePeer, NullModemPeer, Peer, TwinPtyPeer

MakePeer = Callable[..., Peer]


@pytest.fixture
def simulator_ready() -> None:
    """Leaves the test out, saying so, when firmware or simulator could not be built; in CI that is a failure."""
    missing = [str(path.name) for path in (FIRMWARE, PROGRAM) if not path.exists()]
    if not missing:
        return
    reason = f"{' and '.join(missing)} not built: run `make board` (it needs gcc-avr and simavr)"
    if os.environ.get("KRUPIER_NEEDS_BOARD"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(params=["null modem", "twin on a pty", "firmware in simavr"])
def make_peer(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakePeer]:
    """Makes one peer of each kind in turn; faults may be given."""
    made: list[NullModemPeer | TwinPtyPeer | FirmwarePeer] = []
    if request.param == "firmware in simavr":
        request.getfixturevalue("simulator_ready")

    def make(seed: int = 1, faults: Faults | None = None) -> Peer:
        peer: NullModemPeer | TwinPtyPeer | FirmwarePeer
        match request.param:
            case "null modem":
                peer = NullModemPeer(seed, faults)
            case "twin on a pty":
                peer = TwinPtyPeer(tmp_path, seed, faults)
            case _:
                peer = FirmwarePeer(tmp_path, seed, faults)
        made.append(peer)
        return peer

    yield make
    for peer in made:
        peer.close()
