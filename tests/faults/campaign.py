"""Every fault at every phase of a round; `python -m tests.faults.campaign` writes docs/faults.md."""

import tempfile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import hole_lies, round_of, rules_of
from table_controller.core.events import RoundSettled, RoundVoided
from table_controller.core.table import Phase, TableState
from table_controller.core.upkeep import wants_reader
from table_controller.games import played
from table_controller.journal.keys import make_key
from table_controller.play.felt import FLOOR
from table_controller.port.client import NOBODY
from tests.evening import rows
from tests.faults.faults import FAULTS, Act, Fault
from tests.faults.table import HOLE, NET, FaultyTable

PAGE = Path(__file__).parents[2] / "docs/faults.md"
SECTION = "\n## On the running table\n"
"""Where the part of the page begins that tests/faults/running writes."""
CARDS = {Phase.DEALING: 3}
WORDS = played("blackjack").words


class Outcome(Struct, frozen=True):
    """What the table did while the fault was there, what people see, and how it ended."""

    state: str
    why: str
    ended: str


def at_phase(folder: Path, key: Ed25519PrivateKey, phase: Phase, before: Act) -> FaultyTable:
    """A table that stands in that phase; the pause is one of the players' turns."""
    table = FaultyTable(folder, key)
    before(table)
    if phase is Phase.PAUSED:
        table.until(Phase.PLAYING)
        table.done(said.PauseTable(NOBODY, FLOOR, "somebody asked"))
    else:
        table.until(phase, cards=CARDS.get(phase, 0))
    return table


def run(folder: Path, key: Ed25519PrivateKey, fault: Fault, phase: Phase) -> Outcome:
    """Strike, look, mend, finish the round, and compare with the round nothing happened in."""
    table = at_phase(folder, key, phase, fault.before)
    before = table.state.phase
    fault.strike(table)
    state, why = seen(table, before)
    secret(table)
    if fault.lasting:
        assert fault.lasting in table.state.faults
        assert refused(table) == "device_fault" or table.state.phase is not Phase.IDLE
    fault.mend(table)
    assert not table.hearing.table.down
    table.finish()
    ended = result(table, fault)
    assert not table.state.faults
    table.check_record()
    return Outcome(state, why, ended)


def seen(table: FaultyTable, before: Phase) -> tuple[str, str]:
    """Whether the table holds or goes on, and the code of the reason on every screen."""
    if (down := table.hearing.table.down) is not None:
        return "down", down.partition(":")[0]
    state, why = table.state, [str(one.irregularity) for one in table.state.disputes]
    why += [f"{device} lost" for device in state.faults]
    why += left_undone(state)
    if why and not state.paused:
        return ("asks" if state.disputes else "next round refused"), ", ".join(why)
    if state.paused:
        return ("paused" if before is Phase.PAUSED else "held"), ", ".join(why) or "paused"
    return "goes on", "decks_overdue" if state.upkeep.decks_overdue else ""


def left_undone(state: TableState) -> list[str]:
    """What the house wants done before another round."""
    cut_due = state.shoe is not None and state.shoe.cut_by is None
    reader = wants_reader(state) and not state.upkeep.reader_inspected
    return [*(["cut_due"] if cut_due else []), *(["reader_unchecked"] if reader else [])]


def secret(table: FaultyTable) -> None:
    """Before the reveal the hole card's name is in no byte of the record."""
    if table.hearing.table.down is not None:
        return
    rnd = round_of(table.state)
    if rnd is not None and hole_lies(rules_of(table.state), rnd):
        assert f'"{HOLE}"'.encode() not in table.on_disk()


def refused(table: FaultyTable) -> str:
    """The reason the next round would not open for."""
    return table.ask(said.OpenBets(NOBODY, FLOOR)).reason


def result(table: FaultyTable, fault: Fault) -> str:
    """The round's result by the record: that of a quiet round, or every bet back."""
    told = [event for row in rows(table.path) if (event := WORDS.read(row)) is not None]
    voided = [event for event in told if isinstance(event, RoundVoided)]
    if fault.ends == "void":
        assert table.state.bank.house_net == 0
        assert all(amount == 100 for amount in voided[-1].back.values())
        return "bets back"
    (settled,) = [event for event in told if isinstance(event, RoundSettled)]
    assert not voided
    assert settled.net == NET, settled
    return "; ".join(dict.fromkeys(table.asked)) or "as dealt"


def at_every_phase(key: Ed25519PrivateKey, folder: Path, fault: Fault) -> dict[Phase, Outcome]:
    """One fault, at each phase in which it can strike."""
    found = dict[Phase, Outcome]()
    for phase in fault.phases:
        place = folder / f"{fault.name.replace(' ', '_').replace('/', '_')}-{phase}"
        place.mkdir()
        try:
            found[phase] = run(place, key, fault, phase)
        except AssertionError as wrong:
            raise AssertionError(f"{fault.name} in {phase}: {wrong}") from wrong
    return found


HEAD = """# Faults

Every row of the failure table (`§10`) and of the auditors' checklist (`A`, `E`; some of `B`, `C`) that a table's
controller answers for, struck at every phase of a round in which it can happen. One process, clocks set by hand; the
judge, the record on disk and the translations from boards and eyes are the real ones. Written by
`make campaign-faults`; `tests/faults` compares it with what the table does today.

After each the fault is mended, questions are answered with the house's first remedy, and the round is played to its
end. Its result is that of the same cards without a fault (or every bet back, where the round was void); the record
verifies, replaying it gives the table's state, and before the reveal no byte of it names the hole card.

* **held**: the table pauses until the floor resumes it. **asks**: a question is open and holds what depends on it.
* **next round refused**: the round goes on, no other opens. **down**: nothing is taken, boards keep what they have.
* **goes on**: recorded, and nothing else.

| fault | rows | """


FOOT = """
{runs} runs, none with another result. Rows that are answered elsewhere:

| rows | where |
| --- | --- |
| A3, E1 | the window keeps the last round shown and brings a screen up to date: `tests/dashboard` |
| A6, §10 network | nothing depends on a back office; the record is whole without one |
| A7 | no board hears a word before the self-test is on record: `tests/shell/test_boards.py` |
| A10, §10 power | kill -9 at any moment of the real program: `tests/shell/test_boards.py`, `tests/journal/crash` |
| A12 | every irregularity of docs/irregularities.md has a scenario: `tests/scenarios/irr_*`, `wit_*` |
| A15, A19, A20 | counts of the shoe, burns, the cut card: `tests/scenarios` |
| E3, E8 | boards by their own identity; emulated boards with every fault of a line: `tests/firmware_bridge` |
| A14, A17 | over gaming days and closed tables: `tests/shell/test_days.py`, `tests/core/test_table_life.py` |
| A16 | the eyes tell a foreign back of a drawn table: `tests/vision/test_irregularities.py` |
"""


def line(fault: Fault, found: dict[Phase, Outcome]) -> str:
    """One fault's row of the page."""
    cells = [found[phase].state if phase in found else "" for phase in Phase]
    why = dict.fromkeys(part for outcome in found.values() for part in outcome.why.split(", ") if part)
    ended = dict.fromkeys(part for outcome in found.values() for part in outcome.ended.split("; "))
    ended.pop("as dealt", None)
    return f"| {fault.name} | {fault.rows} | {' | '.join(cells)} | {', '.join(why)} | {', '.join(ended)} |"


def page(key: Ed25519PrivateKey, folder: Path) -> str:
    """The table of all outcomes."""
    lines = [HEAD + " | ".join(Phase) + " | reason shown | questions answered |", "| --- " * (len(Phase) + 4) + "|"]
    lines += [line(fault, at_every_phase(key, folder, fault)) for fault in FAULTS]
    return "\n".join(lines) + "\n" + FOOT.format(runs=sum(len(fault.phases) for fault in FAULTS))


def main() -> None:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        key = make_key(Path(name, "house.key"))
        _, section, running = PAGE.read_text("utf-8").partition(SECTION)
        PAGE.write_text(page(key, Path(name)) + section + running, "utf-8")


if __name__ == "__main__":
    main()
