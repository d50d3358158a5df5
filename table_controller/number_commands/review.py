"""krupier review: people's play in finished shoes, as evidence for a person; off unless asked for by name."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import click
import msgspec

from table_controller import houses
from table_controller.analysis.book import Book
from table_controller.analysis.review import Decision, Player, Review, Spread, both, by_person, review_of, spreads
from table_controller.analysis.saying import Saying
from table_controller.commands import fail
from table_controller.core.events import Event, TableOpened
from table_controller.core.game import evolve
from table_controller.core.house import Language
from table_controller.core.table import TableState
from table_controller.journal.naming import journals
from table_controller.journal.verify import refuse_damaged, verify_file
from table_controller.record_commands.asking import JSON, LANGUAGE, PATH, answering, day_of, warn
from table_controller.replay.opening import load

DEAREST = 5
ASK = "this looks at people's play and is off by default; ask for --deviations, --spread or both"


@click.command()
@click.argument("path", type=PATH)
@click.option("--deviations", is_flag=True, help="Decisions that leave the strategy, by player and by dealer.")
@click.option("--spread", is_flag=True, help="First bets against the Hi-Lo count.")
@LANGUAGE
@JSON
@answering
def review(path: Path, *, deviations: bool, spread: bool, lang: str, as_json: bool) -> None:
    """Look at people's play in the finished shoes of a journal, or of a folder of them; with the legal caution."""
    if not (deviations or spread):
        fail(ASK)
    day_of(path)
    found, currency = _reviewed(journals(path) if path.is_dir() else [path])
    players = by_person(found.decisions, lambda one: one.who) if deviations else []
    dealers = by_person(found.decisions, _dealer) if deviations else []
    bets = spreads(found.wagers) if spread else []
    say = Saying(Language(lang), currency)
    if as_json:
        counted = {"shoes": found.shoes, "rounds": found.rounds, "decisions": len(found.decisions)}
        people = {"players": list(map(_told, players)), "dealers": list(map(_told, dealers))}
        told = {**counted, **people, "spread": [one._asdict() for one in bets], "caution": say("review", "caution")}
        click.echo(msgspec.json.encode(told))
        return
    lines = [*_head(found, say), *_people(players, dealers, say), *_spreads(bets, say)]
    click.echo("\n".join([*lines, "", say("review", "caution")]))


def _told(one: Player) -> dict[str, object]:
    kinds = []
    for kind in one.deviations:
        pair, soft, points = kind.hand
        kinds.append({**kind._asdict(), "hand": {"pair": pair, "soft": soft, "total": points}})
    return {**one._asdict(), "deviations": kinds}


def _dealer(one: Decision) -> str:
    return one.dealer


def _reviewed(days: list[Path]) -> tuple[Review, str]:
    book_of, found, currency = lru_cache(Book), Review(), ""
    for day in days:
        verdict = verify_file(day)
        refuse_damaged(verdict)
        steps = list(_steps(day))
        opened = [event for _, event in steps if isinstance(event, TableOpened)]
        currency = str(opened[-1].house["currency"]) if opened else currency
        part = review_of(steps, book_of, ended=verdict.closed)
        found = both(found, part)
    return found, currency or str(houses.house_values("classic")["currency"])


def _steps(path: Path) -> Iterator[tuple[TableState, Event]]:
    day = load(path, warn)
    state = day.start
    for event in map(day.said, day.rows):
        if isinstance(event, Event):
            yield state, event
            state = evolve(day.game.game, state, event)


def _head(found: Review, say: Saying) -> Iterator[str]:
    yield say("review", "title")
    yield say("review", "shoes", shoes=found.shoes, decisions=len(found.decisions), rounds=found.rounds)
    if not found.shoes:
        yield say("review", "none_finished")


def _people(players: list[Player], dealers: list[Player], say: Saying) -> Iterator[str]:
    if players:
        yield ""
        yield say("review", "deviations")
    for one in players:
        yield from _person(one, _named(one.who, say), say)
    for one in dealers:
        yield from _person(one, say("review", "dealer", dealer=one.who), say)


def _named(who: str, say: Saying) -> str:
    return say("review", "box", box=who) if who.isdecimal() else who


def _person(one: Player, who: str, say: Saying) -> Iterator[str]:
    each = one.cost / one.wrong if one.wrong else 0.0
    share = f"{say.number(100 * one.wrong / one.decisions, 1)} %"
    cost = {"cost": say.number(one.cost, 2), "each": say.number(each, 3)}
    yield "  " + say("review", "line", who=who, wrong=one.wrong, decisions=one.decisions, share=share, **cost)
    for kind in one.deviations[:DEAREST]:
        pair, soft, points = kind.hand
        name = "hand_soft" if soft else "hand_hard"
        hand = f"{points // 2},{points // 2}" if pair and not soft else say("chart", name, total=points)
        did, wanted = (say("review", action) for action in (kind.did, kind.wanted))
        up, cost_told = "A" if kind.up == 1 else kind.up, say.number(kind.cost, 2)
        told = {"hand": hand, "up": up, "did": did, "wanted": wanted, "times": kind.times, "cost": cost_told}
        yield "    " + say("review", "against", **told)


def _spreads(bets: list[Spread], say: Saying) -> Iterator[str]:
    if bets:
        yield ""
        yield say("review", "spread")
    for one in bets:
        who, low, high = _named(one.who, say), say.money(one.low), say.money(one.high)
        if one.correlation is None:
            yield "  " + say("review", "spread_none", who=who, rounds=one.rounds)
        else:
            told = {"rounds": one.rounds, "correlation": say.number(one.correlation, 2), "low": low, "high": high}
            yield "  " + say("review", "spread_line", who=who, **told)
