"""A round as a paper: what happened, who was paid what, under which rules, and how to check it."""

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import NamedTuple

from table_controller.core.blackjack.hands import total
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.blackjack.words import BetKind, BetSettled, Line
from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.places import DEALER, Place
from table_controller.export import paper
from table_controller.export.identity import Identity, grouped
from table_controller.export.wording import Wording


class RoundPaper(NamedTuple):
    """Everything the paper shows. `events` (seq, time, fact) and `files` are those the reader may see."""

    number: int
    box: int | None
    identity: Identity
    closed: bool
    records: int
    rows: tuple[int, int]
    events: tuple[tuple[int, int, Event], ...]
    settled: BlackjackRound | None
    rules: Mapping[str, object]
    rules_hash: str
    files: Mapping[str, str]
    made_at_ns: int
    bundle: str


def round_report(it: RoundPaper, say: Wording) -> bytes:
    """The page."""
    title = say.label("title", number=it.number, table=it.identity.table)
    whose = say.label("one_box", box=it.box) if it.box else say.label("all_boxes")
    parts = [
        paper.heading(title, 1),
        paper.paragraph(say.label("subtitle", day=it.identity.day)),
        paper.paragraph(whose),
        *_ledger(it, say),
        *_cards(it, say),
        *_course(it, say),
        *_evidence(it, say),
        *_proof(it, say),
        *_rules(it, say),
    ]
    return paper.page(say.language.value, title, parts)


def _lines(it: RoundPaper) -> list[Line]:
    if it.settled is not None:
        return [line for line in it.settled.lines if it.box in (None, line.box)]
    return [event.line for _, _, event in it.events if isinstance(event, BetSettled)]


def _ledger(it: RoundPaper, say: Wording) -> Iterator[str]:
    titles = [say.label(key) for key in ("box", "hand", "bet", "stake", "result", "net", "back", "carried")]
    rows = [
        (
            str(line.box),
            str(line.hand + 1) if line.bet is BetKind.MAIN else "",
            say.word(line.bet),
            say.money(line.stake),
            say.word(line.result),
            say.signed(line.net),
            say.money(line.back),
            say.money(line.carried) if line.carried else "",
        )
        for line in sorted(_lines(it), key=lambda line: (line.box, line.hand))
    ]
    yield paper.heading(say.label("ledger"))
    yield paper.table(titles, rows, frozenset({3, 5, 6, 7}))


def _cards(it: RoundPaper, say: Wording) -> Iterator[str]:
    if it.settled is None:
        return
    rows = [_hand(say, DEALER, it.settled.dealer)]
    for box in it.settled.boxes:
        if it.box in (None, box.number):
            rows += [_hand(say, Place(box.number, number), hand.cards) for number, hand in enumerate(box.hands)]
    yield paper.heading(say.label("cards"))
    yield paper.table(["", say.label("cards"), say.label("total")], rows, frozenset({2}))


def _hand(say: Wording, place: Place, cards: tuple[Card | None, ...]) -> tuple[str, str, str]:
    return say.place(place), "  ".join(map(say.card, cards)), str(total(cards)[0])


def _course(it: RoundPaper, say: Wording) -> Iterator[str]:
    yield paper.heading(say.label("course"))
    rows = [(say.moment(at_ns), say.event(event), str(seq)) for seq, at_ns, event in it.events]
    yield paper.table([say.label("time"), say.label("event"), say.label("row")], rows, frozenset({2}))


def _evidence(it: RoundPaper, say: Wording) -> Iterator[str]:
    yield paper.heading(say.label("pictures"))
    if it.files:
        yield paper.table([], [(name, grouped(digest)) for name, digest in it.files.items()])
    else:
        yield paper.paragraph(say.label("no_pictures"))


def _proof(it: RoundPaper, say: Wording) -> Iterator[str]:
    first, last = it.rows
    yield paper.heading(say.label("proof"))
    yield paper.paragraph(say.label("proof_text", first=first, last=last, records=it.records))
    head, key = f"--head {it.identity.head}", f"--fingerprint {it.identity.fingerprint}"
    yield paper.command(f"krupier verify {quote(it.bundle)}", head, key)
    yield paper.paragraph(say.label("proof_strangers"))
    yield paper.proof(it.identity.qr_text(), identity_lines(it.identity, say, closed=it.closed))
    yield paper.paragraph(f"{say.label('page_made')}: {say.moment(it.made_at_ns, date=True)}")


def identity_lines(identity: Identity, say: Wording, *, closed: bool) -> Iterator[str]:
    """Head and fingerprint for eyes that compare."""
    yield paper.paragraph(say.label("head" if closed else "head_open"))
    yield paper.code(grouped(identity.head))
    yield paper.paragraph(say.label("fingerprint"))
    yield paper.code(grouped(identity.fingerprint))


def _rules(it: RoundPaper, say: Wording) -> Iterator[str]:
    yield paper.heading(say.label("rules"))
    yield paper.paragraph(f"{say.label('rules_are')}:")
    yield paper.code(grouped(it.rules_hash))
    yield paper.table([], [say.rule(key, value) for key, value in it.rules.items()])
