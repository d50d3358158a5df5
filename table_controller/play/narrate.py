"""Tells what happens at a table as a person would follow it, in the house's language."""

import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any, Final

from table_controller.core import events as core
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.hands import total
from table_controller.core.blackjack.round import BlackjackRound, hole_index, round_of, rules_of
from table_controller.core.cards import Card, Suit
from table_controller.core.events import Event
from table_controller.core.house import Language
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Face, Side
from table_controller.core.table import TableState
from table_controller.money import MINUS, written

SYMBOLS: Final = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


def texts(language: Language) -> dict[str, Any]:
    """The phrases of a language."""
    folder = resources.files("table_controller.play") / "texts"
    return tomllib.loads((folder / f"{language}.toml").read_text("utf-8"))


class Narrator:
    """Turns a fact and the state after it into a line, or into nothing."""

    def __init__(self, language: Language, currency: str) -> None:
        self.texts, self.language, self.currency = texts(language), language, currency
        self.tells: dict[type[Event], Callable[[Any, TableState], str]] = {
            core.ShoeLoaded: lambda _event, _state: "\n" + self.texts["shuffle"],
            core.RoundOpened: self.round,
            core.BetPlaced: self.bet,
            core.BetsClosed: lambda event, _state: self.say("no_more_bets", money=self.money(event.exposure)),
            core.CardDealt: self.card,
            core.CardNamed: self.named,
            core.CutCardShown: lambda _event, _state: self.texts["cut_card"],
            core.Disputed: self.disputed,
            core.DisputeResolved: self.resolved,
            core.RoundSettled: lambda event, _state: self.say("house", money=self.signed(event.house_net)),
            bj.InsuranceTaken: lambda event, _state: self.say("insured", box=event.box, money=self.money(event.amount)),
            bj.OfferDeclined: lambda event, _state: self.say("not_insured", box=event.box),
            bj.HoleChecked: lambda event, _state: self.texts["peek_yes" if event.blackjack else "peek_no"],
            bj.HoleRevealed: self.revealed,
            bj.HandHit: self.moved("hit"),
            bj.HandStood: self.moved("stand"),
            bj.HandDoubled: self.moved("double"),
            bj.HandSplit: self.moved("split"),
            bj.BetSettled: self.settled,
        }

    def tell(self, event: Event, state: TableState) -> str | None:
        """The line for a fact, given the state after it."""
        told = self.tells.get(type(event))
        return told(event, state) if told is not None else None

    def say(self, phrase: str, **words: object) -> str:
        """A phrase with its words filled in."""
        text: str = self.texts[phrase]
        return text.format(**words)

    def money(self, amount: int) -> str:
        """Minor units as people write them."""
        return written(abs(amount), self.currency, self.language)

    def signed(self, amount: int) -> str:
        """The same with its sign."""
        return f"{MINUS if amount < 0 else '+'}{self.money(amount)}"

    def place(self, place: Place, rnd: BlackjackRound | None) -> str:
        """Where, in words; a hand is numbered only where a box has several."""
        if place == DEALER:
            return str(self.texts["dealer"])
        box = rnd.box(place.box) if rnd is not None else None
        several = box is not None and len(box.hands) > 1
        return self.say("box_hand" if several else "box", box=place.box, hand=place.hand + 1)

    def hand(self, cards: tuple[Card | None, ...]) -> str:
        """A hand's cards and total."""
        points, soft = total(cards)
        shown = " ".join(_symbol(card) if card is not None else "▒" for card in cards)
        count = self.say("soft", total=points) if soft and points < 21 else str(points)
        return shown if None in cards else f"{shown}  ({count})"

    def lies(self, rnd: BlackjackRound | None, place: Place) -> str:
        """What lies at a place now."""
        return self.hand(rnd.cards_at(place)) if rnd is not None else ""

    def round(self, event: core.RoundOpened, _state: TableState) -> str:
        lines = [self.say("practice" if event.practice else "round", number=event.number)]
        lines += [self.say("carried", box=box, money=self.money(stake)) for box, stake in event.carried.items()]
        return "\n" + "\n".join(lines)

    def bet(self, event: core.BetPlaced, _state: TableState) -> str:
        return self.say("bet" if event.side is Side.MAIN else "pairs", box=event.box, money=self.money(event.amount))

    def card(self, event: core.CardDealt, state: TableState) -> str:
        rnd = round_of(state)
        where = self.place(event.place, rnd)
        if event.card is None:
            return self.say("face_down" if event.face is Face.DOWN else "unread", place=where)
        return self.say(
            "card",
            place=where,
            card=_symbol(event.card),
            hand=self.hand(rnd.cards_at(event.place) if rnd is not None else ()),
        )

    def named(self, event: core.CardNamed, state: TableState) -> str:
        rnd = round_of(state)
        lies = self.lies(rnd, event.place)
        return self.say("shown_again", place=self.place(event.place, rnd), card=_symbol(event.card), hand=lies)

    def revealed(self, event: bj.HoleRevealed, state: TableState) -> str:
        rnd = round_of(state)
        assert rnd is not None
        assert rnd.dealer[hole_index(rules_of(state))] == event.card
        return self.say("reveal", card=_symbol(event.card), hand=self.hand(rnd.dealer))

    def moved(self, phrase: str) -> Callable[[Any, TableState], str]:
        def tell(event: bj.HandHit, state: TableState) -> str:
            return self.say(phrase, place=self.place(Place(event.box, event.hand), round_of(state)))

        return tell

    def settled(self, event: bj.BetSettled, state: TableState) -> str:
        line = event.line
        special = f"{line.bet}_{line.result}"
        result = self.texts["result"].get(special) or self.texts["result"][line.result]
        where = self.place(Place(line.box, line.hand), round_of(state))
        return self.say("settled", place=where, result=result, money=self.signed(line.net))

    def disputed(self, event: core.Disputed, state: TableState) -> str:
        what = self.texts["irregularity"].get(event.irregularity, event.irregularity)
        return self.say("disputed", what=what, place=self.place(event.place or DEALER, round_of(state)))

    def resolved(self, event: core.DisputeResolved, _state: TableState) -> str:
        return self.say("resolved", remedy=self.texts["remedy"].get(event.remedy, event.remedy))


def _symbol(card: Card) -> str:
    return f"{'10' if card.rank == 'T' else card.rank}{SYMBOLS[card.suit]}"
