"""What a house wants done again in time is left undone, and how it is done at last."""

from firmware_bridge.events import EventKind
from table_controller.core import stimuli as said
from table_controller.core.places import Place
from table_controller.play.felt import DEALER_ROLE, FLOOR
from table_controller.port.client import NOBODY
from tests.faults.table import HOURS, FaultyTable


def cards_of_yesterday(table: FaultyTable) -> None:
    """The cards lie in the shoe since yesterday; their hours are over within the minute."""
    table.advance()
    table.clock.wait(HOURS * 3600 - 40)
    table.wait(0.25)


def hours_are_over(table: FaultyTable) -> None:
    while not table.state.upkeep.decks_overdue:
        table.wait(0.25)
    kinds = table.kinds()
    assert "event.decks_due" in kinds[: kinds.index("event.decks_overdue")], "the pit is told before"


def cards_are_changed(table: FaultyTable) -> None:
    """The shoe is played to its end; then the same cards are refused, and new ones have two names."""
    table.finish()
    table.board("shoe", EventKind.CUT_CARD, 0, 1)
    assert table.ask(said.OpenBets(NOBODY, FLOOR)).reason == "shuffle_due"
    assert table.ask(said.LoadShoe(NOBODY, FLOOR)).reason == "decks_old"
    assert table.ask(said.LoadShoe(NOBODY, FLOOR, True)).reason == "second_person"
    table.new_cards()


def day_changes(table: FaultyTable) -> None:
    table.day_begins("2026-11-30")


def reader_inspected(table: FaultyTable) -> None:
    """Between rounds, by the floor."""
    if table.state.round is not None:
        table.finish()
    assert table.ask(said.OpenBets(NOBODY, FLOOR)).reason == "reader_unchecked"
    assert table.ask(said.InspectReader(NOBODY, DEALER_ROLE)).reason == "role"
    table.done(said.InspectReader(NOBODY, FLOOR))


def shuffled_again(table: FaultyTable) -> None:
    table.done(said.LoadShoe(NOBODY, FLOOR))


def cut_well(table: FaultyTable) -> None:
    """Nine cards from an end are too few; ten are enough."""
    assert table.ask(said.OpenBets(NOBODY, FLOOR)).reason == "cut_due"
    for behind in (9, 6 * 52 - 9):
        assert table.ask(said.CutShoe(NOBODY, FLOOR, Place(3), behind)).reason == "cut_depth"
    table.done(said.CutShoe(NOBODY, FLOOR, Place(3), 10))
