"""Cards and chips that do what they should not, or that the eyes see wrongly."""

from typing import Final

from firmware_bridge.events import EventKind
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind
from table_controller.core.irregular import Remedy
from table_controller.core.places import Place
from table_controller.core.stimuli import Face
from table_controller.play.felt import FLOOR
from table_controller.port.client import NOBODY
from tests.faults.table import SHOE, UNREADABLE, FaultyTable

HOUSES_TIME: Final = 5.5


def finger(table: FaultyTable) -> None:
    table.pulse()
    table.wait(HOUSES_TIME)


def stray_card(table: FaultyTable) -> None:
    table.lay("KC", Place(6))
    table.wait(HOUSES_TIME)


def stray_taken_away(table: FaultyTable) -> None:
    stray = next(card for card in table.lying if card.card == "KC")
    table.gone(stray)
    table.lying.remove(stray)
    for one in table.state.disputes:
        table.done(said.ResolveDispute(NOBODY, FLOOR, one.number, Remedy.BURN))


def card_unseen(table: FaultyTable) -> None:
    """The card that is due is drawn and lies under the dealer's hand for too long."""
    while table.round.due.kind is not DueKind.CARD:
        table.advance()
    due = table.round.due
    name, table.blind = table.pull(), True
    table.lay(name, due.place, due.face)
    table.wait(HOUSES_TIME)


def card_uncovered(table: FaultyTable) -> None:
    table.blind = False
    table.see(table.lying[-1])
    table.wait(0.25)


def card_unreadable(table: FaultyTable) -> None:
    """The card that is due lies in the glare of a lamp."""
    while table.round.due.kind is not DueKind.CARD:
        table.advance()
    place = table.round.due.place
    table.spoilt = table.pull()
    table.lay(UNREADABLE, place)
    table.wait(0.5)


def card_face_down(table: FaultyTable) -> None:
    while table.round.due.kind is not DueKind.CARD:
        table.advance()
    place = table.round.due.place
    table.spoilt = table.pull()
    table.lay(table.spoilt, place, Face.DOWN)
    table.wait(0.5)


def card_shown_again(table: FaultyTable) -> None:
    card = table.lying[-1]
    table.gone(card)
    card.card, card.face, card.since_ns = table.spoilt, Face.UP, table.clock.at_ns
    table.see(card)
    table.wait(0.25)


def two_cards(table: FaultyTable) -> None:
    """One pull as long as two cards take; both are laid where the next two are due."""
    table.board("shoe", EventKind.BEAM_BROKEN, 0)
    table.clock.wait(0.28)
    table.board("shoe", EventKind.BEAM_CLEARED, 0, 280_000)
    for name in SHOE[table.pulled : table.pulled + 2]:
        table.lay(name, table.round.due.place, table.round.due.face)
    table.pulled += 2
    table.wait(HOUSES_TIME)


def accepted(table: FaultyTable) -> None:
    (one,) = table.state.disputes
    table.done(said.ResolveDispute(NOBODY, FLOOR, one.number, Remedy.ACCEPT))
    table.wait(0.25)


def wrong_place(table: FaultyTable) -> None:
    due = table.round.due
    table.lay(table.pull(), Place(3 if due.place.box == 1 else 1), Face.UP)
    table.wait(HOUSES_TIME)


def moved_to_its_place(table: FaultyTable) -> None:
    card = table.lying.pop()
    table.gone(card)
    due = table.round.due
    table.lay(card.card, due.place, due.face)


def card_gone(table: FaultyTable) -> None:
    table.gone(table.lying[0])
    table.wait(HOUSES_TIME)


def card_covered(table: FaultyTable) -> None:
    table.gone(table.lying[0], covered=True)
    table.wait(HOUSES_TIME)


def card_back(table: FaultyTable) -> None:
    table.see(table.lying[0])
    table.wait(0.25)


def card_touched(table: FaultyTable) -> None:
    table.wait(7)
    card = table.lying[0]
    table.gone(card)
    card.x, card.since_ns = card.x + 35, table.clock.at_ns
    table.see(card)


def card_reread(table: FaultyTable) -> None:
    card = table.lying[0]
    table.gone(card)
    was, card.card = card.card, "QD"
    table.see(card)
    card.card = was
    table.wait(0.25)


def read_as_before(table: FaultyTable) -> None:
    table.gone(table.lying[0])
    card_back(table)


def chips_move(table: FaultyTable) -> None:
    table.chips_move(3)
    table.wait(HOUSES_TIME)


def cut_card(table: FaultyTable) -> None:
    table.board("shoe", EventKind.CUT_CARD, 0, 1)
    table.wait(0.25)
    assert "event.cut_card_misplaced" in table.kinds(), "far more cards lie behind it than was said"


def back_of_another(table: FaultyTable) -> None:
    """The hole card is taken up, and what lies there then has a red back."""
    hole = next(card for card in table.lying if card.face is Face.DOWN)
    table.gone(hole)
    hole.back = "red"
    table.see(hole)
    table.wait(0.25)
    assert table.state.shoe is not None
    assert table.state.shoe.condemned
