"""What a screen says of a table: the next action, a hand, the whole felt for those who cannot see the picture."""

from collections.abc import Mapping
from typing import Final

from dashboard.i18n import Speech
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.cards import Card, Suit
from table_controller.core.places import DEALER, Place
from table_controller.views.board import BACK, UNREAD, Board, HandShown
from table_controller.views.prompts import Prompt

PIPS: Final[Mapping[Suit, str]] = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
NAMED: Final[Mapping[str, str]] = {"fault": "device", "supervisor": "irregularity", "bet_wrong": "reason"}
"""Which kind of code a prompt's `what` is."""


def prompt_line(say: Speech, prompt: Prompt) -> str:
    """The next action in one short line."""
    code = prompt.code
    if code == "supervisor" and prompt.place is not None:
        code = "supervisor_at"
    kind = NAMED.get(prompt.code, "irregularity")
    return say(
        f"prompts.{code}",
        n=prompt.number,
        place=place(say, prompt.place),
        box=prompt.place.box if prompt.place is not None else 0,
        amount=say.amount(prompt.amount),
        other=say.amount(prompt.other),
        what=code_text(say, kind, prompt.what),
    )


def place(say: Speech, where: Place | None) -> str:
    """Where a card lies; the first hand of a box goes by the box alone."""
    if where is None or where == DEALER:
        return say("prompts.dealer")
    if where.hand == 0:
        return say("prompts.box", box=where.box)
    return say("prompts.hand", box=where.box, hand=where.hand + 1)


def card(say: Speech, text: str) -> str:
    """A card as printed; one nobody may name, or nobody could read, is said to be so."""
    if text in (BACK, UNREAD):
        return say("board.hidden" if text == BACK else "board.unread")
    known = Card.parse(text)
    return f"{'10' if known.rank == 'T' else known.rank}{PIPS[known.suit]}"


def points(say: Speech, hand: HandShown) -> str:
    """What a hand counts."""
    if hand.natural:
        return say("board.blackjack")
    if hand.points > 21:
        return f"{hand.points}, {say('board.bust')}"
    return say("board.soft", points=hand.points) if hand.soft and hand.points < 21 else str(hand.points)


def count(say: Speech, hand: HandShown) -> str:
    """What a hand counts, as short as it goes: a soft 17 is 7/17."""
    if hand.natural:
        return say("board.blackjack_short")
    soft = hand.soft and 11 < hand.points < 21
    return f"{hand.points - 10}/{hand.points}" if soft else str(hand.points)


def summary(say: Speech, board: Board) -> str:
    """The felt in a sentence."""
    dealt = [box for box in board.boxes if any(hand.cards for hand in box.hands)]
    if not dealt and not board.dealer.cards:
        return say("board.summary_idle")
    boxes = [
        say("board.box_summary", box=box.number, cards=_cards(say, hand), points=points(say, hand))
        for box in dealt
        for hand in box.hands
    ]
    dealer = f"{_cards(say, board.dealer)}, {points(say, board.dealer)}" if board.dealer.cards else "–"
    return say("board.summary", round=board.round, boxes="; ".join(boxes), dealer=dealer)


def _cards(say: Speech, hand: HandShown) -> str:
    return " ".join(card(say, text) for text in hand.cards)


def lettering(say: Speech, rules: RuleSet | None) -> str:
    """What is printed on the cloth, from the rules in force."""
    if rules is None:
        return ""
    over, under = rules.bj_pays
    printed = [say("board.pays", numerator=over, denominator=under)]
    if rules.insurance:
        over, under = rules.insurance_pays
        printed.append(say("board.insurance_pays", numerator=over, denominator=under))
    return " · ".join(printed).upper()


def code_text(say: Speech, kind: str, code: object) -> str:
    """The text of a code of a kind (device, irregularity, reason); one that has none is shown as it is."""
    key = f"{kind}_{code}"
    found = say.code("codes", key)
    return str(code) if found == key else found
