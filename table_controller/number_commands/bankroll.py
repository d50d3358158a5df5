"""krupier bankroll: what a house must be able to pay in an evening."""

from collections.abc import Iterator

import click
import msgspec

from table_controller import houses
from table_controller.analysis.bankroll import Evening, Need, need_of
from table_controller.analysis.book import Book
from table_controller.analysis.saying import Saying
from table_controller.core.house import Language
from table_controller.number_commands.asking import JSON, LANGUAGE, MORE, SET, Asked, asked

WHOLE_UNITS = 100
SEED = 1


@click.command()
@click.argument("name")
@MORE
@SET
@JSON
@LANGUAGE
@click.option("--rounds", type=click.IntRange(1, 10_000), default=300, show_default=True, help="Rounds an evening.")
@click.option("--boxes", type=click.IntRange(1, 15), default=3, show_default=True, help="Boxes bet on in every round.")
@click.option("--bet", type=click.IntRange(1), help="The bet on a box, minor units. Default: the house's smallest.")
@click.option("--evenings", type=click.IntRange(1_000, 1_000_000), default=20_000, show_default=True)
def bankroll(
    name: str,
    more: tuple[str, ...],
    changes: tuple[str, ...],
    *,
    as_json: bool,
    lang: str,
    rounds: int,
    boxes: int,
    bet: int | None,
    evenings: int,
) -> None:
    """The worst round, an evening in a thousand, and the chance that the budget is broken tonight."""
    house = asked(name, changes, more)
    evening = Evening(rounds, boxes, bet or house.rules.min_bet or WHOLE_UNITS)
    need = need_of(Book(house.rules), evening, evenings, SEED)
    if as_json:
        told = {"rules": house.name, "set": house.changed, **evening._asdict(), "evenings": evenings, **need._asdict()}
        click.echo(msgspec.json.encode(told))
        return
    say = Saying(Language(lang), str(houses.house_values(name)["currency"]))
    click.echo("\n".join(_as_lines(house, (evening, need), evenings, say)))


def _as_lines(house: Asked, found: tuple[Evening, Need], evenings: int, say: Saying) -> Iterator[str]:
    evening, need = found
    yield say("bankroll", "title", rules=house.title)
    bet = say.money(evening.bet)
    yield "  " + say("bankroll", "assumed", rounds=evening.rounds, boxes=evening.boxes, bet=bet)
    amounts = {"worst": need.worst_round, "expected": need.expected, "spread": need.spread, "need": need.thousandth}
    for key, amount in amounts.items():
        yield f"  {say('bankroll', key)}: {say.money(amount)}"
    if need.broken is None or need.error is None or house.rules.budget is None:
        yield "  " + say("bankroll", "no_budget")
    else:
        budget = say("bankroll", "budget", budget=say.money(house.rules.budget))
        yield f"  {budget}: {say.number(need.broken * 100, 1)} %"
        error = f"{say.number(need.error * 100, 1)} %"
        yield "  " + say("bankroll", "simulated", evenings=evenings, seed=SEED, error=error)
