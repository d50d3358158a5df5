"""A seeded evening on the core alone, told as it happens: `krupier demo --tell`."""

from pathlib import Path
from typing import NoReturn

import click
import msgspec

from table_controller.commands import usable
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.words import BetSettled
from table_controller.core.events import Event, RoundSettled
from table_controller.core.house import Language
from table_controller.core.step import replay
from table_controller.core.table import TableState
from table_controller.houses import house_values, rule_values
from table_controller.play.evening import Evening, asked_for_help
from table_controller.play.kept import end_of_evening, evening_table
from table_controller.play.narrate import Narrator


def tell_evening(name: str, *, rounds: int, seed: int, lang: str, data: Path | None, headless: bool) -> NoReturn:
    """Play it and tell every round, or only one JSON line at the end; exits with 1 if its replay is another."""
    with usable():
        rule_values(name)
    narrator = Narrator(Language(lang), str(house_values(name)["currency"]))

    def hear(event: Event, state: TableState) -> None:
        told = None if headless else narrator.tell(event, state)
        if told is not None:
            click.echo(told)

    recorded = evening_table(data, seed) if data is not None else None
    evening = Evening(name, seed, hear, recorded)
    played = sum(1 for _ in range(rounds) if evening.round())
    felt = evening.felt
    journal = end_of_evening(recorded) if recorded is not None else None
    same = replay(BLACKJACK, felt.events) == felt.state
    help_asked = asked_for_help(felt.events)
    if headless:
        counted = {"rounds": played, "journal": journal, "wrong_cards": evening.wrong_cards}
        click.echo(msgspec.json.encode({**counted, "asked_for_help": help_asked, **_money(felt.events)}))
    else:
        house_net = sum(event.house_net for event in felt.events if isinstance(event, RoundSettled))
        words = {"players": narrator.signed(-house_net), "house": narrator.signed(house_net)}
        if journal is not None:
            click.echo(f"\n{journal}")
        if played < rounds:
            click.echo("\n" + narrator.say("over_budget"))
        click.echo("\n" + narrator.say("summary", rounds=played, help=help_asked, **words))
    raise SystemExit(0 if same else 1)


def _money(events: list[Event]) -> dict[str, int]:
    lines = [event.line for event in events if isinstance(event, BetSettled)]
    return {
        "money_in": sum(line.stake for line in lines),
        "money_out": sum(line.back + line.carried for line in lines),
    }
