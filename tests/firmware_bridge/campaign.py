"""The long run: random worlds over spoiled lines until so many frames have passed. Resumable; see docs/benchmarks.md.

    python -m tests.firmware_bridge.campaign --state build/campaign.jsonl [--null-modem N] [--twin N] [--firmware N]

Each chunk has its own seed and writes one line to the state file; a broken run goes on behind the last line.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from firmware_bridge.emulator.faults import Faults
from firmware_bridge.greeting import Policy
from firmware_bridge.outputs import Greeted
from firmware_bridge.session import Session

from .peers import DEVICE, KEY, FirmwarePeer, NullModemPeer, TwinPtyPeer
from .world import any_actions, told

RATES = (0.01, 0.03, 0.1)
CHUNKS = {"null modem": 10_000, "twin": 2_000, "firmware": 2_000}
BATCH = 10
PATIENCE_S = 120.0
AnyPeer = NullModemPeer | TwinPtyPeer | FirmwarePeer


class LawBrokenError(AssertionError):
    """An event was lost, doubled, invented or reordered, or a fault was not counted."""


def run_chunk(peer: AnyPeer, seed: int, frames: int, *, disturbed: bool) -> dict[str, Any]:
    """Let a random world happen until `frames` have passed; raises LawBrokenError. What happened, as figures."""
    chance, performed = Random(seed), list[tuple[int, int]]()
    peer.until(lambda: peer.controller.lives() > 0, PATIENCE_S)
    while peer.up.frames + peer.down.frames < frames:
        if disturbed and chance.random() < 0.05:
            disturb(peer, chance)
        actions = any_actions(chance, chance.randint(1, BATCH))
        peer.perform(actions)
        performed += told(actions)
        settle(peer, performed, seed)
    peer.calm()
    compare(peer, performed, seed)
    return figures(peer, seed, len(performed))


def disturb(peer: AnyPeer, chance: Random) -> None:
    """A reset of the board; in one process also a host that dies and starts again with nothing but its record."""
    if isinstance(peer, NullModemPeer) and chance.random() < 0.5:
        counted = peer.session.health
        peer.session = peer.line.session = Session(Policy({DEVICE.hex(): KEY}.get), lambda: chance.randbytes(8))
        peer.session.health.lost_events = counted.lost_events
        peer.line.plug()
        return
    lives = peer.controller.lives()
    peer.reset()
    if isinstance(peer, FirmwarePeer):  # a contact that closes and opens while the chip starts is seen by nobody
        peer.until(lambda: peer.controller.lives() > lives, PATIENCE_S)


def settle(peer: AnyPeer, performed: list[tuple[int, int]], seed: int) -> None:
    """Wait until everything has arrived and the board says it is acknowledged."""
    if not peer.until(lambda: len(peer.controller.world) >= len(performed), PATIENCE_S):
        compare(peer, performed, seed)
    peer.session.health.kept = -1
    if not peer.until(lambda: peer.session.health.kept == 0, PATIENCE_S):
        raise LawBrokenError(f"seed {seed}: the board keeps {peer.session.health.kept} events for ever")


def compare(peer: AnyPeer, performed: list[tuple[int, int]], seed: int) -> None:
    got = peer.controller.world
    for at, (want, have) in enumerate(zip(performed, got, strict=False)):
        if want != have:
            raise LawBrokenError(f"seed {seed}: event {at} is {have} instead of {want}")
    if len(got) != len(performed):
        raise LawBrokenError(f"seed {seed}: {len(got)} events instead of {len(performed)}")
    if not peer.controller.numbers_are_consecutive() or peer.controller.losses:
        raise LawBrokenError(f"seed {seed}: numbers jump, or losses were told: {peer.controller.losses}")


def figures(peer: AnyPeer, seed: int, events: int) -> dict[str, Any]:
    did = peer.up.counts + peer.down.counts
    return {"seed": seed, "frames": peer.up.frames + peer.down.frames, "events": events, "did": dict(did)}


def every_frame_is_accounted_for(peer: NullModemPeer, seed: int) -> None:
    """In an undisturbed chunk the books balance exactly: what came in is what was sent, less and plus the faults."""
    peer.until(lambda: False, 2.0)
    health, up, said = peer.session.health, peer.up, peer.board.frames_said
    hellos = sum(isinstance(report, Greeted) for report in peer.controller.reports)
    if hellos == 1 and health.frames + health.missing != said:
        raise LawBrokenError(f"seed {seed}: {health.frames} taken, {health.missing} missing, {said} said")
    arrived = up.frames - up.counts["drop"] + up.counts["double"] + up.counts["splice"]
    whole = health.frames + health.replayed + health.forged + health.stale + health.unknown + hellos
    if not 0 <= whole - (arrived - up.counts["spoiled"]) <= health.forged:
        raise LawBrokenError(f"seed {seed}: {arrived} arrived, {up.counts['spoiled']} spoiled, but {whole} were whole")
    if health.garbled < up.counts["spoiled"] - health.forged:
        raise LawBrokenError(f"seed {seed}: {up.counts['spoiled']} spoiled but {health.garbled} garbled")


def make(kind: str, seed: int, folder: Path) -> AnyPeer:
    faults = Faults.of_each(RATES[seed % len(RATES)], stall_ms=200)
    match kind:
        case "null modem":
            return NullModemPeer(seed, faults)
        case "twin":
            return TwinPtyPeer(folder, seed, faults)
        case _:
            return FirmwarePeer(folder, seed, faults)


def chunk(kind: str, seed: int, frames: int) -> dict[str, Any]:
    """One chunk on a fresh peer; every second one with resets."""
    disturbed = seed % 2 == 1
    with tempfile.TemporaryDirectory() as folder:
        peer = make(kind, seed, Path(folder))
        try:
            result = run_chunk(peer, seed, frames, disturbed=disturbed)
            if isinstance(peer, NullModemPeer) and not disturbed:
                every_frame_is_accounted_for(peer, seed)
        finally:
            peer.close()
    return {"peer": kind, **result}


def done(state: Path, kind: str) -> list[dict[str, Any]]:
    lines = state.read_text("utf-8").splitlines() if state.exists() else []
    return [entry for entry in map(json.loads, lines) if entry["peer"] == kind]


def run(state: Path, kind: str, frames: int) -> None:
    finished = done(state, kind)
    passed, seed = sum(entry["frames"] for entry in finished), len(finished)
    while passed < frames:
        entry = chunk(kind, seed, min(CHUNKS[kind], frames))
        with state.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
        passed, seed = passed + entry["frames"], seed + 1
        sys.stderr.write(f"{kind}: {passed} of {frames} frames\n")


def summary(state: Path) -> list[str]:
    lines = []
    for kind in CHUNKS:
        entries = done(state, kind)
        did: Counter[str] = sum((Counter(entry["did"]) for entry in entries), Counter())
        frames, events = (sum(entry[name] for entry in entries) for name in ("frames", "events"))
        faults = ", ".join(f"{name} {count}" for name, count in sorted(did.items()) if name != "spoiled")
        lines.append(f"{kind}: {frames} frames, {events} events, none lost, doubled, invented or reordered; {faults}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="The bridge's long run.")
    parser.add_argument("--state", type=Path, required=True)
    for kind, frames in (("null-modem", 1_000_000), ("twin", 20_000), ("firmware", 20_000)):
        parser.add_argument(f"--{kind}", type=int, default=frames, metavar="FRAMES")
    wanted = parser.parse_args()
    wanted.state.parent.mkdir(parents=True, exist_ok=True)
    run(wanted.state, "null modem", wanted.null_modem)
    run(wanted.state, "twin", wanted.twin)
    run(wanted.state, "firmware", wanted.firmware)
    sys.stdout.write("\n".join(summary(wanted.state)) + "\n")


if __name__ == "__main__":
    main()
