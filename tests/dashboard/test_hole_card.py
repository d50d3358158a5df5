"""What is sent to screens is searched for the hole card: every panel, as the socket sends it, before the reveal."""

import re
from itertools import cycle
from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import replace

from dashboard import create_app
from dashboard.drawing import BROKEN, Drawings, Wanted
from dashboard.feed import Feed
from dashboard.panels import FOLDS, PANELS, Seen
from dashboard.settings import Settings
from dashboard.wording import PIPS
from table_controller import houses
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.round import hole_lies, round_of, rules_of
from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.game import evolve
from table_controller.core.house import Language
from table_controller.core.people import Role
from table_controller.core.table import TableState
from table_controller.games import played
from table_controller.journal.record import Record
from tests.views.glimpsed import GlimpsedEvening

ROUNDS, PARTS = 42, 8
AT_NS = 1_795_982_400_000_000_000
HOUSES = [name for name in houses.NAMES if houses.rules_with(name, {}).hole_card]


def sightings_of(card: Card) -> re.Pattern[str]:
    """A card by its name, as printed, or as drawn: its rank, then its suit."""
    rank = "10" if card.rank == "T" else card.rank
    printed, drawn = f"{rank}{PIPS[card.suit]}", rf">{rank}</text><use href=\"#suit-{card.suit}\""
    return re.compile(rf"\b{card.text}\b|{printed}|{drawn}")


class Listened:
    """A window that follows a scripted evening row by row, and everything it would send."""

    def __init__(self, app: Flask, house: str, seed: int) -> None:
        self.words = played("blackjack").words
        self.settings = Settings(data=Path("unused"))
        self.feed = Feed(self.settings.data)
        self.drawings = Drawings(app, self.feed, self.settings)
        views = {name: fold.start(BLACKJACK.empty) for name, fold in FOLDS.items()}
        self.seen = Seen(
            table="T01", journal=Path("T01-2026-11-29.db"), day="2026-11-29", state=BLACKJACK.empty, views=views
        )
        self.readers = cycle([(role, language) for language in Language for role in (Role.PIT_BOSS, Role.DEALER)])
        self.searched, self.drawn = 0, 0
        self.evening = GlimpsedEvening(house, seed, self.hear)

    def hear(self, event: Event, _state: TableState) -> None:
        draft, seq = self.words.judged(event, 1), self.seen.seq + 1
        record = Record(
            seq, AT_NS + seq, seq, draft.kind, draft.version, 1, "judge", None, None, draft.body, b"", b"", b""
        )
        state = evolve(BLACKJACK, self.seen.state, event)
        views = {name: fold.apply(self.seen.views[name], record, event, state) for name, fold in FOLDS.items()}
        self.seen = self.feed.tables["T01"] = replace(self.seen, seq=seq, state=state, views=views, at_ns=AT_NS + seq)
        hole = self.hidden(state)
        if hole is not None:
            self.search(hole)

    def hidden(self, state: TableState) -> Card | None:
        """The hole card while it lies face down and no other card of its name lies open or was told of."""
        rnd, hole = round_of(state), self.evening.felt.hole
        if rnd is None or hole is None or not hole_lies(rules_of(state), rnd):
            return None
        open_cards = {card for box in rnd.boxes for hand in box.hands for card in hand.cards} | set(rnd.dealer)
        return None if hole in open_cards | {self.evening.mislaid} or hole in self.told() else hole

    def told(self) -> set[Card]:
        """Cards that the alerts of the evening name; they were moved long ago."""
        listed = self.seen.views["alerts"].listed
        return {Card.parse(one.detail) for one in listed if one.code == "question" and one.detail}

    def search(self, hole: Card) -> None:
        role, language = next(self.readers)
        sought = sightings_of(hole)
        for name in PANELS:
            html, digest = self.drawings.draw(Wanted("T01", name, role, language))
            assert digest != BROKEN, name
            self.drawn += bool(html)
            self.searched += 1
            found = sought.search(html)
            assert found is None, f"{name}: {hole} in …{html[max(0, found.start() - 80) : found.end() + 40]}…"


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("house", HOUSES)
def test_no_panel_ever_names_the_hole_card_before_the_reveal(house: str, part: int, tmp_path: Path) -> None:
    """In all parts together a thousand rounds."""
    app, rounds, drawn, seed = create_app(Settings(data=tmp_path)), 0, 0, 2000 + 100 * part
    while rounds < ROUNDS:
        listened, seed = Listened(app, house, seed), seed + 1
        evening = listened.evening
        while rounds + evening.felt.state.rounds < ROUNDS and evening.round():
            evening.tell()
        rounds += evening.felt.state.rounds
        drawn += listened.drawn
    assert drawn > 20 * ROUNDS


def test_the_search_finds_a_card_that_is_drawn_and_one_that_is_printed(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path))
    with app.app_context():
        macro = app.jinja_env.get_template("cards.html").module.card  # type: ignore[attr-defined]
    for text in ("TS", "KD", "2C"):
        card = Card.parse(text)
        assert sightings_of(card).search(macro(text))
        assert not sightings_of(Card.parse("3H")).search(macro(text))
    assert sightings_of(Card.parse("TS")).search("10♠, 2♣")
