"""`python -m tests.faults.running --state FILE`: every fault of the running table, going on where it was broken off.

The result goes into docs/faults.md, below the campaign in one process. `--only WORD` strikes those whose name has it.
"""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec
from msgspec import Struct

from table_controller.core.events import RoundSettled
from table_controller.core.table import Phase
from tests.faults.campaign import PAGE, SECTION
from tests.faults.running.faults import FAULTS, HELD, Fault
from tests.faults.running.table import RunningTable, Stuck, eventually
from tests.faults.table import NET

CARDS = {Phase.DEALING: 3}
READ_S = 6.0


class Outcome(Struct, frozen=True):
    """What the table did, what people read, and how the round ended; `wrong` is why it was not as it should be."""

    fault: str
    phase: str
    did: str = ""
    dealer: str = ""
    pit: str = ""
    asked: str = ""
    ended: str = ""
    seconds: int = 0
    wrong: str = ""


def stands(table: RunningTable) -> str:
    """What the table does, as the door and the record tell it."""
    status, state = table.status(), table.state
    if status is None or status.down is not None:
        return "down"
    if state.paused:
        return HELD
    return "next round refused" if state.faults else "goes on"


def strike(table: RunningTable, fault: Fault, phase: Phase) -> Outcome:
    """Reach the phase, strike, look, mend, finish the round, and compare it with the round nothing happened in."""
    table.until(phase, cards=CARDS.get(phase, 0))
    disputed, began_ns, before, began = table.state.disputed, table.now_ns(), table.dealer_reads(), time.monotonic()
    fault.strike(table)
    began_ns = min(began_ns, table.now_ns())
    eventually(lambda: stands(table) == fault.does, f"the table {fault.does} (it {stands(table)})", 60)
    until = time.monotonic() + READ_S
    while time.monotonic() < until and (table.dealer_reads() == before or not table.pit_reads(began_ns)):
        time.sleep(0.2)
    dealer, pit = table.dealer_reads(), table.pit_reads(began_ns)
    fault.mend(table)
    table.finish()
    ended = table.ended()
    table.check_record()
    if not isinstance(ended, RoundSettled) or ended.net != NET:
        raise Stuck(f"the round ended otherwise: {ended}")
    asked = ", ".join(dict.fromkeys(table.asked(disputed)))
    seconds = round(time.monotonic() - began)
    return Outcome(fault.name, phase, fault.does, dealer, pit, asked, "as dealt", seconds)


class Evening:
    """One table after another: a table goes on from fault to fault until something is not as it should be."""

    def __init__(self) -> None:
        self._kind: tuple[bool, bool, bool] | None = None
        self._folder: TemporaryDirectory[str] | None = None
        self._table: RunningTable | None = None

    def strike(self, fault: Fault, phase: Phase) -> Outcome:
        """What came of it; the next fault gets a new table where this one is no longer good."""
        try:
            return strike(self._of(fault), fault, phase)
        except Exception as wrong:  # noqa: BLE001 - the others are struck all the same
            self.end()
            return Outcome(fault.name, phase, wrong=f"{type(wrong).__name__}: {wrong}"[:300])

    def end(self) -> None:
        """Switch the table off."""
        if self._table is not None:
            self._table.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._kind = self._table = self._folder = None

    def _of(self, fault: Fault) -> RunningTable:
        kind = (fault.camera, fault.clock, fault.copied)
        if self._table is None or self._kind != kind:
            self.end()
            self._kind, self._folder = kind, TemporaryDirectory(prefix="krupier-fault-", ignore_cleanup_errors=True)
            folder = Path(self._folder.name)
            self._table = RunningTable(folder, camera=fault.camera, clock=fault.clock, copied=fault.copied)
        return self._table


HEAD = """
`krupier run` with the supervisor, the controller and the window as real processes (camera and eyes too where the
column says so), boards on real pseudo-terminals, a dealer who does what is due. Struck from outside: signals, plugs,
spoilt files, limits on files, a wall clock that is set. Written by `make campaign-running`, which goes on where it was
broken off. After each the fault is mended, the floor resumes, and the round is played to its end: the same cards come
to the same result, the record verifies, and replaying it gives the table as it is. Where no camera runs, a script says
at the controller's door what the eyes would say.

| fault | rows | camera | phase | table | dealer reads | pit reads | asked meanwhile | round ended |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def section(found: dict[tuple[str, str], Outcome]) -> str:
    """What docs/faults.md says of these."""
    lines = []
    for fault in FAULTS:
        for phase in fault.phases:
            one = found.get((fault.name, phase))
            if one is None or one.wrong:
                continue
            eyes = "yes" if fault.camera else ""
            told = f"{one.did} | {one.dealer} | {one.pit} | {one.asked} | {one.ended}"
            lines.append(f"| {fault.name} | {fault.rows} | {eyes} | {phase} | {told} |")
    wrong = [f"- {one.fault}, {one.phase}: {one.wrong}" for one in found.values() if one.wrong]
    foot = f"\n{len(lines)} combinations as their rows demand, {len(wrong)} not.\n"
    return SECTION + HEAD + "\n".join(lines) + "\n" + foot + ("\n" + "\n".join(wrong) + "\n" if wrong else "")


def kept(state: Path) -> dict[tuple[str, str], Outcome]:
    """What was played before; the last word on each counts."""
    told = [msgspec.json.decode(line, type=Outcome) for line in state.read_text("utf-8").splitlines()]
    return {(one.fault, one.phase): one for one in told}


def write(found: dict[tuple[str, str], Outcome]) -> None:
    PAGE.write_text(PAGE.read_text("utf-8").partition(SECTION)[0] + section(found), "utf-8")


@click.command()
@click.option("--state", type=click.Path(path_type=Path), required=True, help="What was played, a line each.")
@click.option("--only", multiple=True, default=("",), help="Those whose name has this word; may be said again.")
def main(state: Path, only: tuple[str, ...]) -> None:
    """Play what is not played yet, or did not go as it should."""
    state.parent.mkdir(parents=True, exist_ok=True)
    state.touch()
    found = kept(state)
    wanted = [(fault, phase) for fault in FAULTS for phase in fault.phases if any(word in fault.name for word in only)]
    evening = Evening()
    for at, (fault, phase) in enumerate(wanted, 1):
        before = found.get((fault.name, phase))
        if before is not None and not before.wrong:
            continue
        one = found[fault.name, phase] = evening.strike(fault, phase)
        with state.open("ab") as file:
            file.write(msgspec.json.encode(one) + b"\n")
        click.echo(f"{at} of {len(wanted)}: {one.fault}, {one.phase}: {one.wrong or one.did} ({one.seconds} s)")
        write(found)
    evening.end()
    write(found)


if __name__ == "__main__":
    main()
