"""Everything that can fail at a table, or that a camera or a shoe can catch: how it strikes, how it is mended."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from typing import Final

from msgspec import Struct

from firmware_bridge.events import DealerKey, EventKind
from firmware_bridge.events import Signal as Key
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind, round_of
from table_controller.core.blackjack.words import Action, HolePeeked, HoleTurned, Signal
from table_controller.core.cards import Card
from table_controller.core.table import Phase
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY
from table_controller.port.words import Outcome
from table_controller.shell.budgets import ClockWatch
from table_controller.shell.inbox import Inbox, Letter
from table_controller.shell.loop import OVERFLOW
from tests.faults.in_time import (
    cards_are_changed,
    cards_of_yesterday,
    cut_well,
    day_changes,
    hours_are_over,
    reader_inspected,
    shuffled_again,
)
from tests.faults.on_the_felt import (
    accepted,
    back_of_another,
    card_back,
    card_covered,
    card_face_down,
    card_gone,
    card_reread,
    card_shown_again,
    card_touched,
    card_uncovered,
    card_unreadable,
    card_unseen,
    chips_move,
    cut_card,
    finger,
    moved_to_its_place,
    read_as_before,
    stray_card,
    stray_taken_away,
    two_cards,
    wrong_place,
)
from tests.faults.table import FaultyTable

Act = Callable[[FaultyTable], None]
ROUND: Final = (Phase.DEALING, Phase.INSURANCE, Phase.PEEK, Phase.PLAYING, Phase.DEALER, Phase.SETTLING)
OPEN: Final = tuple(phase for phase in Phase if phase is not Phase.CLOSED)


def nothing(_table: FaultyTable) -> None:
    """There is nothing to mend."""


class Fault(Struct, frozen=True):
    """A row of the campaign. `phases`: those in which it can happen; `lasting`: the device at fault until mended;
    `before`: what the evening begins with.
    """

    name: str
    rows: str
    strike: Act
    mend: Act = nothing
    phases: tuple[Phase, ...] = tuple(Phase)
    lasting: str = ""
    ends: str = "as dealt"
    before: Act = nothing


# -- devices


def ails(device: str, trouble: str) -> Act:
    def strike(table: FaultyTable) -> None:
        table.well[device] = trouble
        table.wait(3)

    return strike


def heals(device: str) -> Act:
    def mend(table: FaultyTable) -> None:
        table.well[device] = ""
        table.wait(0.5)

    return mend


def eyes_die(table: FaultyTable) -> None:
    table.blind = True
    ails("vision", "silent")(table)


def eyes_again(table: FaultyTable) -> None:
    heals("vision")(table)
    table.eyes_anew()
    table.wait(0.25)


def line_cut(table: FaultyTable) -> None:
    """The shoe's line is cut while the dealer gives the card that is due, if one is."""
    table.cut_off = True
    _deal_if_due(table)
    ails("shoe", "silent")(table)


def line_mended(table: FaultyTable) -> None:
    table.line_back()
    heals("shoe")(table)


def shoe_reboots(table: FaultyTable) -> None:
    table.hearing.pause("shoe: started anew")
    table.wait(0.5)


def shoe_loses_power(table: FaultyTable) -> None:
    """What it had not said is lost: the card that lies there has no pulse."""
    table.cut_off = True
    _deal_if_due(table)
    table.unsent.clear()
    table.cut_off = False
    table.hearing.pause("shoe: events lost")
    table.wait(0.5)


def _deal_if_due(table: FaultyTable) -> None:
    rnd = round_of(table.state)
    if table.state.phase is not Phase.PAUSED and rnd is not None and rnd.due.kind is DueKind.CARD:
        table.lay(table.pull(), rnd.due.place, rnd.due.face)


# -- record, power, clock, program


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process may grow."""
    before = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, before)


def disk_fills(table: FaultyTable) -> None:
    """Whatever is said meanwhile is not taken, and the boards keep it."""
    with full_disk():
        told = table.ask(said.PauseTable(NOBODY, FLOOR, "cannot be recorded"))
        assert told.outcome is Outcome.DOWN, told
        table.board("keys", EventKind.KEY_DOWN, DealerKey.CALL_SUPERVISOR)
        assert table.unsent, "the board may not forget what is on no disk"


def disk_again(table: FaultyTable) -> None:
    table.hearing.table.revive(table.clock.at_ns)
    table.line_back()
    table.wait(0.5)


def power_cut(table: FaultyTable) -> None:
    before = table.state
    table.power_cut()
    assert table.state.round == before.round
    assert (table.state.bank, table.state.shoe) == (before.bank, before.shoe)
    assert table.state.upkeep == before.upkeep
    table.eyes_anew()


def power_cut_in_a_fault(table: FaultyTable) -> None:
    ails("camera", "stale")(table)
    table.power_cut()
    table.eyes_anew()
    assert "camera" in table.state.faults


def clock_set_back(table: FaultyTable) -> None:
    watch = ClockWatch(table.clock, 500)
    table.clock.at_ns -= 3_600_000_000_000
    trouble = watch.health()
    assert not trouble.ok
    table.well["clock"] = trouble.detail
    table.wait(1)


def inbox_overflows(table: FaultyTable) -> None:
    inbox = Inbox(places=1)
    assert inbox.put(Letter(lambda: None))
    assert not inbox.put(Letter(lambda: None))
    assert inbox.overflowed()
    table.hearing.pause(OVERFLOW)


def window_dies(table: FaultyTable) -> None:
    """Nobody asks for anything."""
    table.wait(20)


# -- people


def double_tap(table: FaultyTable) -> None:
    """The same tap twice, 80 ms apart: a pause that is lifted only once."""
    if table.state.paused:
        table.done(said.ResumeTable(NOBODY, FLOOR))
    asked = said.PauseTable(NOBODY, FLOOR, "a double tap")
    first = table.ask(asked, tap="one tap")
    version = table.hearing.version
    table.clock.wait(0.08)
    assert table.ask(asked, tap="one tap") == first
    assert table.hearing.version == version


def stale_tap(table: FaultyTable) -> None:
    before = table.hearing.version
    told = table.ask(said.OpenBets(NOBODY, FLOOR), version=before - 1)
    assert told.outcome is Outcome.STALE
    assert table.hearing.version == before


def rules_in_a_round(table: FaultyTable) -> None:
    rules = {**houses.rule_values("golden_wolf"), "soft17": "hit"}
    told = table.ask(said.ChangeRules(NOBODY, FLOOR, rules))
    assert (told.outcome, told.reason) == (Outcome.REFUSED, "round_open")


def out_of_order(table: FaultyTable) -> None:
    """Every word that means nothing here, by people who may say such words."""
    before = round_of(table.state)
    for word in (
        Signal(NOBODY, 7, 0, Action.DOUBLE),
        Signal(NOBODY, 1, 3, Action.SPLIT),
        said.BoxPaid(NOBODY, 5),
        said.TableCleared(NOBODY),
    ):
        table.ask(word)
    if before is None or before.due.kind is not DueKind.PEEK:
        table.ask(HolePeeked(NOBODY, blackjack=True))
    table.button(1, Key.SPLIT)
    assert round_of(table.state) == before


def hole_card_tried(table: FaultyTable) -> None:
    """Somebody turns the hidden card too early."""
    table.ask(HoleTurned(NOBODY, Card.parse("5S")))
    table.wait(0.25)


def supervisor_called(table: FaultyTable) -> None:
    table.key(DealerKey.CALL_SUPERVISOR)
    assert "event.floor_called" in table.kinds()


def round_void(table: FaultyTable) -> None:
    table.done(said.VoidRound(NOBODY, FLOOR, SECOND, "cannot be continued"))
    table.take_away()


DUE = (Phase.DEALING, Phase.DEALER)
FAULTS: Final = (
    Fault("camera silent", "§10 camera; A1 A5 E6; B02", ails("camera", "silent"), heals("camera"), lasting="camera"),
    Fault("picture stale", "§10 camera; A1; B01", ails("camera", "stale"), heals("camera"), lasting="camera"),
    Fault("too dark, glare, moved", "§10 camera; A1; B05", ails("camera", "dark"), heals("camera"), lasting="camera"),
    Fault("vision crashes", "§10 vision; A1", eyes_die, eyes_again, lasting="vision"),
    Fault("recorder fails", "A1 A9 E5; B06", ails("recorder", "disk_full"), heals("recorder"), lasting="recorder"),
    Fault("shoe's line cut", "§10 serial; A5 A6 E4", line_cut, line_mended, lasting="shoe"),
    Fault("shoe reboots", "§10 serial; A7", shoe_reboots, phases=OPEN),
    Fault("shoe loses events", "§10 serial; A9", shoe_loses_power, phases=OPEN),
    Fault("shoe's beam blocked", "A1 A9", ails("shoe", "beam_blocked"), heals("shoe"), lasting="shoe"),
    Fault("disk full, fsync error", "§10 disk; A1 A9", disk_fills, disk_again),
    Fault("disk above 98 %", "A1; C15", ails("disk", "disk_full"), heals("disk"), lasting="disk"),
    Fault("clock set back an hour", "A1; C10", clock_set_back, heals("clock"), lasting="clock"),
    Fault("a program file changed", "A9; C8", ails("files", "changed"), heals("files"), lasting="files"),
    Fault("inbox overflows", "A9", inbox_overflows, phases=OPEN),
    Fault("power cut", "§10 power; A10", power_cut),
    Fault("power cut in a fault", "A8", power_cut_in_a_fault, heals("camera"), lasting="camera"),
    Fault("window crashes", "§10 dashboard; A6", window_dies),
    Fault("double tap on pause", "E2", double_tap, phases=OPEN),
    Fault("stale tap", "E1 E2", stale_tap, phases=OPEN),
    Fault("rules changed in a round", "A2", rules_in_a_round, phases=(Phase.BETTING, *ROUND)),
    Fault("words out of order", "A4", out_of_order, phases=OPEN),
    Fault("hole card turned too early", "A13", hole_card_tried, phases=(Phase.INSURANCE, Phase.PEEK, Phase.PLAYING)),
    Fault("dealer calls the floor", "A12", supervisor_called),
    Fault("round cannot be continued", "A11", round_void, phases=(Phase.BETTING, *ROUND, Phase.PAUSED), ends="void"),
    Fault("finger in the shoe", "E7", finger, phases=OPEN),
    Fault("stray card on the felt", "A4 E7", stray_card, stray_taken_away, phases=OPEN),
    Fault("card drawn and not seen", "E7", card_unseen, card_uncovered, phases=DUE),
    Fault("card cannot be read", "E7", card_unreadable, card_shown_again, phases=DUE),
    Fault("card face down", "A4", card_face_down, card_shown_again, phases=DUE),
    Fault("two cards in one pull", "E7", two_cards, accepted, phases=(Phase.DEALING,)),
    Fault("card on the wrong place", "A4", wrong_place, moved_to_its_place, phases=(Phase.DEALING,)),
    Fault("card gone", "A12", card_gone, card_back, phases=ROUND[1:4]),
    Fault("card covered", "A12", card_covered, card_back, phases=ROUND[1:4]),
    Fault("card touched", "A12", card_touched, phases=ROUND[1:4]),
    Fault("card read differently", "A12 E7", card_reread, read_as_before, phases=ROUND[:4]),
    Fault("chips moved after no more bets", "A12", chips_move, phases=ROUND),
    Fault("cut card in the round", "A18 A20", cut_card, phases=(Phase.BETTING, *ROUND)),
    Fault("card with another back", "A16", back_of_another, phases=ROUND[1:4]),
    Fault("shoe is not cut", "A18", shuffled_again, cut_well, phases=(Phase.IDLE,)),
    Fault("cards too old", "A17", hours_are_over, cards_are_changed, phases=OPEN, before=cards_of_yesterday),
    Fault("reader not inspected today", "A14", day_changes, reader_inspected, phases=OPEN),
)
