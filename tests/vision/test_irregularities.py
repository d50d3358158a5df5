"""What a camera or a shoe can detect of the irregularities is detected in a rendered clip, under its name."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind
from table_controller.core.blackjack.words import Action, HolePeeked, Signal
from table_controller.core.cards import Card
from table_controller.core.codec import ENCODER
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import DEALER, Place
from table_controller.core.upkeep_words import BackForeign
from table_controller.play.felt import FLOOR, SECOND
from tests.vision.watched import WatchedTable
from vision.geometry import Image
from vision.rendered import paint
from vision.rendered.orders import Chips, Lay, Reach, Shift, Take, Turn
from vision.rendered.places import place
from vision.rendered.table import HouseDeck

DEALT = "TS 9H 5S 6D 8C 7D"
"""Box 1 has sixteen, box 3 seventeen, the dealer a five beside his hidden seven."""


def dealing(table: WatchedTable) -> None:
    table.bets()


def playing(table: WatchedTable) -> None:
    table.bets()
    table.deal(DEALT)


def stand(table: WatchedTable, box: int) -> None:
    table.felt.say(Signal(table.cause("keys"), box, 0, Action.STAND))


# -- dealt to the wrong place


def to_the_neighbour(table: WatchedTable) -> None:
    dealing(table)
    table.lay("box3", "TS")
    table.wait()


def to_the_neighbour_after_the_houses_time(table: WatchedTable) -> None:
    """The dealer is slow: he is asked for his card before it lies, and then it lies elsewhere."""
    dealing(table)
    table.pulse()
    table.wait()
    table.lay("box3", "TS", pulse=False)


def to_an_empty_box(table: WatchedTable) -> None:
    dealing(table)
    table.lay("box5", "TS")
    table.wait()


def past_the_dealer(table: WatchedTable) -> None:
    dealing(table)
    table.deal("TS 9H")
    table.lay("box1", "6D")
    table.wait()


def without_a_signal(table: WatchedTable) -> None:
    playing(table)
    table.lay("box1", "4D")
    table.wait()


def before_the_check(table: WatchedTable) -> None:
    table.bets()
    table.deal("TS 9H TD 6D 8C 7D")
    assert table.felt.round.due.kind is DueKind.PEEK
    table.lay("box1", "4D")
    table.wait()


def past_his_total(table: WatchedTable) -> None:
    playing(table)
    for box in (1, 3):
        stand(table, box)
    table.felt.say(said.CardSeen(table.felt.cause(), DEALER, Card.parse("7D")))
    table.deal("6S")
    assert table.felt.round.due.kind is DueKind.PAY
    table.lay("dealer", "2C")
    table.wait()


def outside_a_round(table: WatchedTable) -> None:
    table.lay("box2", "KC", pulse=False)
    table.wait()


def between_two_hands(table: WatchedTable) -> None:
    """No card is due to either of them."""
    table.bets()
    table.lay("box1", "8S")
    table.deal("9H 5S")
    table.lay("box1", "8D")
    table.deal("8C 7D")
    table.felt.say(Signal(table.cause("keys"), 1, 0, Action.SPLIT))
    table.do(Shift(slot="box1", order=1, to_slot="box1", to_hand=1))
    while table.felt.round.due.kind is DueKind.CARD:
        table.deal("2C")
    one, other = place("box1", 0, 0), place("box1", 0, 1)
    table.do(Lay(slot="box1", card="4D", hand=2, to=((one.x + other.x) / 2, (one.y + other.y) / 2, one.turn)))
    table.wait()


# -- what the two witnesses say


def drawn_while_none_is_due(table: WatchedTable) -> None:
    playing(table)
    table.pulse()


def drawn_and_nowhere(table: WatchedTable) -> None:
    dealing(table)
    table.pulse()
    table.watch(5)
    table.wait()


def laid_without_a_pulse(table: WatchedTable) -> None:
    dealing(table)
    table.lay("box1", "TS", pulse=False)
    table.wait()


def two_in_one_pull(table: WatchedTable) -> None:
    dealing(table)
    table.pulse(long=True)
    table.do(Lay(slot="box1", card="TS"))
    table.do(Lay(slot="box3", card="9H"))
    table.wait()


def shoe_and_eyes_differ(table: WatchedTable) -> None:
    dealing(table)
    table.pulse("TH")
    table.lay("box1", "TS", pulse=False)


def more_than_the_shoe_holds(table: WatchedTable) -> None:
    dealing(table)
    table.lay("box1", "TS")
    table.lay("box3", "TS")


def face_down_for_a_player(table: WatchedTable) -> None:
    dealing(table)
    table.lay("box1", "TS", face_down=True)
    table.wait()


# -- the hole card


def before_the_hole_card(table: WatchedTable, up: str) -> None:
    table.bets()
    table.deal("TS 9H")
    table.lay("dealer", up)
    table.deal("6D 8C")


def hole_card_turned_and_not_to_be_read(table: WatchedTable) -> None:
    before_the_hole_card(table, "7D")
    table.lay("dealer", "5S", face_down=True)
    for box in (1, 3):
        stand(table, box)
    table.do(Turn(slot="dealer", order=1, card="5S"))
    table.watch_until(lambda: bool(table.asked()))


def the_check_contradicted(table: WatchedTable) -> None:
    before_the_hole_card(table, "TD")
    table.lay("dealer", "AS", face_down=True)
    table.felt.say(HolePeeked(table.felt.cause(), blackjack=False))
    for box in (1, 3):
        stand(table, box)
    table.do(Turn(slot="dealer", order=1, card="AS"))


# -- what lies there already


def first_card(table: WatchedTable) -> None:
    table.bets()
    table.lay("box1", "TS")
    table.deal("9H 5S 6D 8C 7D")


def taken_away(table: WatchedTable) -> None:
    first_card(table)
    table.do(Take(slot="box1"))
    table.wait()


def under_a_sleeve(table: WatchedTable) -> None:
    first_card(table)
    table.do(Reach(slot="box1", ms=20_000))
    table.watch_until(lambda: any(sight.covered for sight in table.felt.state.sights))
    table.wait()


def pushed_about(table: WatchedTable) -> None:
    first_card(table)
    table.wait(8)
    there = place("box1", 0)
    table.do(Shift(slot="box1", order=0, to=(there.x + 35, there.y + 5, there.turn)))


def another_in_its_place(table: WatchedTable) -> None:
    first_card(table)
    table.wait(8)
    at = table.evening.scene.cards[0].rest
    table.do(Take(slot="box1"), Lay(slot="box1", card="QD", to=(at.x, at.y, at.turn), slide_ms=0))


def chips_after_no_more_bets(table: WatchedTable) -> None:
    table.do(Chips(slot="circle3", count=3))
    first_card(table)
    table.do(Chips(slot="circle3", count=6))
    table.wait()


class Smudged:
    """A deck in which one card's print is smudged: an index is there, and nobody can tell which."""

    def __init__(self, smudged: str) -> None:
        self._plain, self._smudged = HouseDeck(), Card.parse(smudged)

    def picture(self, card: Card | None) -> paint.Picture:
        plain = self._plain.picture(card)
        if card != self._smudged:
            return plain
        image: Image = np.asarray(cv2.GaussianBlur(plain.image, (0, 0), 16), np.uint8)
        return paint.Picture(image, plain.alpha, plain.width, plain.height)


def cannot_be_read(table: WatchedTable) -> None:
    dealing(table)
    table.lay("box1", "5S")
    table.watch_until(lambda: bool(table.asked()), 60)


Q = Irregularity
CLIPS: list[tuple[Callable[[WatchedTable], None], Irregularity, str]] = [
    (drawn_while_none_is_due, Q.DRAWN_IN_ERROR, "2"),
    (without_a_signal, Q.CARD_NOT_DUE, "3"),
    (past_his_total, Q.DEALER_OVERDREW, "4"),
    (past_the_dealer, Q.DEALER_CARD_MISSED, "5"),
    (to_the_neighbour, Q.WRONG_PLACE, "6, 7, 10"),
    (to_the_neighbour_after_the_houses_time, Q.WRONG_PLACE, "6, 7, 10"),
    (to_an_empty_box, Q.BOX_WITHOUT_BET, "8, 9"),
    (between_two_hands, Q.UNCLEAR_HAND, "10"),
    (face_down_for_a_player, Q.FACE_DOWN, "11"),
    (before_the_check, Q.PEEK_MISSED, "13"),
    (the_check_contradicted, Q.PEEK_CONTRADICTED, "13"),
    (more_than_the_shoe_holds, Q.IMPOSSIBLE_CARD, "19"),
    (outside_a_round, Q.OUTSIDE_ROUND, "23"),
    (chips_after_no_more_bets, Q.PAST_POSTING, "23"),
    (taken_away, Q.CARD_GONE, "24"),
    (under_a_sleeve, Q.CARD_COVERED, "24"),
    (pushed_about, Q.CARDS_TOUCHED, "24"),
    (another_in_its_place, Q.READ_DIFFERENTLY, "33"),
    (cannot_be_read, Q.UNREADABLE, "33"),
    (hole_card_turned_and_not_to_be_read, Q.UNREADABLE, "33"),
    (drawn_and_nowhere, Q.DRAWN_NOT_SEEN, "34"),
    (laid_without_a_pulse, Q.SEEN_NOT_DRAWN, "34"),
    (shoe_and_eyes_differ, Q.WITNESSES_DISAGREE, "34"),
    (two_in_one_pull, Q.TWO_CARDS, "3, 34"),
]
"""What happens on the felt, the question it must lead to, and the row of docs/irregularities.md."""

WITHOUT_SHOE = {without_a_signal, before_the_check, past_his_total, between_two_hands}
"""Where a shoe tells, its pulse alone is a question: a card drawn while none is due."""


@pytest.mark.parametrize(("happens", "irregularity", "row"), CLIPS, ids=lambda one: getattr(one, "__name__", None))
def test_what_goes_wrong_on_the_felt_is_asked_about_by_its_name(
    happens: Callable[[WatchedTable], None], irregularity: Irregularity, row: str
) -> None:
    del row
    decks = 1 if irregularity is Q.IMPOSSIBLE_CARD else 6
    deck = Smudged("5S") if irregularity is Q.UNREADABLE else None
    table = WatchedTable(shoe=happens not in WITHOUT_SHOE, decks=decks, cards=deck)
    happens(table)
    assert [one for one, _ in table.asked()][-1:] == [irregularity]
    late = {Q.DRAWN_NOT_SEEN} if happens is to_the_neighbour_after_the_houses_time else set()
    assert {one for one, _ in table.asked()} - {irregularity} == late


def test_a_hole_card_nobody_can_read_is_shown_again_or_typed_by_two() -> None:
    table = WatchedTable(cards=Smudged("5S"))
    hole_card_turned_and_not_to_be_read(table)
    (question,) = table.felt.state.disputes
    assert (question.irregularity, question.place) == (Q.UNREADABLE, DEALER)
    assert table.felt.round.due.kind is DueKind.REVEAL
    typed = said.ResolveDispute(
        table.felt.cause(), FLOOR, question.number, Remedy.TYPE_CARD, SECOND, card=Card.parse("5S")
    )
    table.felt.command(typed)
    assert table.felt.round.revealed
    assert not table.felt.state.disputes


def test_a_hole_card_laid_face_up_is_asked_about_and_its_name_is_not_told() -> None:
    table = WatchedTable()
    before_the_hole_card(table, "7D")
    table.lay("dealer", "5S")
    table.wait()
    assert table.asked() == [(Q.DRAWN_NOT_SEEN, None)]
    assert not any(b'"5S"' in ENCODER.encode(event) for event in table.felt.events)


class TwoBacks:
    """A blue deck, and a red one where `red` says so."""

    def __init__(self) -> None:
        self._deck, self.red = HouseDeck(), False

    def picture(self, card: Card | None) -> paint.Picture:
        blue = self._deck.picture(card)
        if card is not None or not self.red:
            return blue
        hsv = cv2.cvtColor(blue.image, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + 70) % 180
        image: Image = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)
        return paint.Picture(image, blue.alpha, blue.width, blue.height)


@pytest.mark.parametrize(("red", "wanted"), [(True, [(Q.FOREIGN_BACK, DEALER)]), (False, [])])
def test_a_hole_card_with_another_back_than_the_last_one_is_asked_about(
    red: bool, wanted: list[tuple[Irregularity, Place]]
) -> None:
    cards = TwoBacks()
    table = WatchedTable(cards=cards, back_check=True)
    for cards.red in (False, red):
        before_the_hole_card(table, "7D")
        table.lay("dealer", "5S", face_down=True)
        if not table.felt.state.disputes:
            table.felt.command(said.VoidRound(table.felt.cause(), FLOOR, SECOND, "the next one"))
            table.do(Take())
    assert table.asked() == wanted
    assert table.felt.state.upkeep.back == "blue"
    told = [(one.colour, one.usual) for one in table.felt.events if isinstance(one, BackForeign)]
    assert told == [("red", "blue")] * len(wanted)


def test_every_irregularity_a_camera_or_a_shoe_can_detect_has_a_clip() -> None:
    elsewhere = {
        Q.HOLE_EXPOSED,  # nobody looks at the hole card before its turn: the test above
        Q.FOREIGN_BACK,  # two rounds, from two decks: the test above
        Q.SHOE_EMPTY,  # nothing is to be seen: the count of the shoe says so
        Q.CUT_CARD_DEALT,  # the shoe's own witness; these eyes know no cut card
        Q.CENSUS_DIFFERS,  # a count by people
        Q.COURSE_CHANGED,  # a correction by people
        Q.WRONG_PAYOUT,  # told by people
        Q.PLAYER_ABSENT,  # nothing is to be seen: the clock says so
    }
    assert {one for _, one, _ in CLIPS} | elsewhere == set(Irregularity)
