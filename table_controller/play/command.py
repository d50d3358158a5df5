"""The command demo: a seeded evening on the core, told as it happens."""

import click
import msgspec

from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.words import BetSettled
from table_controller.core.events import Event, RoundSettled
from table_controller.core.house import Language
from table_controller.core.step import replay
from table_controller.core.table import TableState
from table_controller.houses import NAMES, house_values
from table_controller.play.evening import Evening, asked_for_help
from table_controller.play.narrate import Narrator


@click.command()
@click.option("--rules", "name", type=click.Choice(NAMES), default="golden_wolf", help="Whose rules.")
@click.option("--rounds", type=click.IntRange(1), default=12, show_default=True)
@click.option("--seed", type=int, default=7, show_default=True, help="The same seed plays the same evening.")
@click.option("--lang", type=click.Choice([one.value for one in Language]), default="en", show_default=True)
@click.option("--headless", is_flag=True, help="Nothing but one JSON line at the end.")
def demo(name: str, rounds: int, seed: int, lang: str, headless: bool) -> None:
    """Play a seeded evening on the core and tell every round."""
    narrator = Narrator(Language(lang), str(house_values(name)["currency"]))

    def hear(event: Event, state: TableState) -> None:
        told = None if headless else narrator.tell(event, state)
        if told is not None:
            click.echo(told)

    evening = Evening(name, seed, hear)
    played = sum(1 for _ in range(rounds) if evening.round())
    felt = evening.felt
    same = replay(BLACKJACK, felt.events) == felt.state
    lines = [event.line for event in felt.events if isinstance(event, BetSettled)]
    help_asked = asked_for_help(felt.events)
    if headless:
        paid = {
            "money_in": sum(line.stake for line in lines),
            "money_out": sum(line.back + line.carried for line in lines),
        }
        told = {
            "rounds": played,
            "journal": None,
            "wrong_cards": evening.wrong_cards,
            "asked_for_help": help_asked,
            **paid,
        }
        click.echo(msgspec.json.encode(told))
    else:
        house_net = sum(event.house_net for event in felt.events if isinstance(event, RoundSettled))
        words = {"players": narrator.signed(-house_net), "house": narrator.signed(house_net)}
        click.echo("\n" + narrator.say("summary", rounds=played, help=help_asked, **words))
    raise SystemExit(0 if same else 1)
