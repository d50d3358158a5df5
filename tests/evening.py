"""A seeded evening at a recorded table: rounds, slips, a relief, a correction, a void, a complaint about a payout."""

import random
from collections.abc import Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import values_of
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import PACK, Card
from table_controller.core.people import Person, Role
from table_controller.core.rules import Shuffle
from table_controller.core.stimuli import Moved, Side
from table_controller.journal.record import Record
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.verify import journal_records
from table_controller.play.felt import FLOOR, SECOND, Point
from table_controller.play.recorded import PlayedClock, RecordedFelt, record_felt

EIGHT_IN_THE_EVENING = 1_795_982_400_000_000_000  # 2026-11-29 20:00 UTC


class EveningClock(PlayedClock):
    """Starts at eight in the evening."""

    def __init__(self) -> None:
        super().__init__(EIGHT_IN_THE_EVENING)


def nobody_warns(text: str) -> None:
    """For days on which nothing may be passed over."""
    raise AssertionError(text)


def open_felt(path: Path, key: Ed25519PrivateKey, clock: PlayedClock, seed: int = 1) -> RecordedFelt:
    """A table at a new or continued day; not yet opened for play."""
    return record_felt(path, key, clock, seed, nobody_warns)


def open_house(felt: RecordedFelt, house: str = "classic", overrides: dict[str, object] | None = None) -> None:
    """The float is counted, the shoe filled, a dealer signs on, three players sit down."""
    rules = values_of(houses.rules_with(house, overrides or {}))
    chips = dict.fromkeys(chips_of(house), 40)
    felt.command(said.OpenTable(felt.cause(), FLOOR, SECOND, rules, houses.house_values(house), chips))
    felt.load()
    felt.command(said.SignOn(felt.cause(), FLOOR, "dealer-1"))
    for box, player in ((1, "player-a"), (3, "player-b"), (5, "player-c")):
        felt.command(said.TakeBox(felt.cause(), FLOOR, box, player))


def chips_of(house: str) -> list[int]:
    """The denominations of a house."""
    chips = houses.house_values(house)["denominations"]
    assert isinstance(chips, list)
    return chips


def play_round(
    felt: RecordedFelt, boxes: tuple[int, ...] = (1, 3, 5), stake: int = 300, deal: tuple[Card, ...] = ()
) -> None:
    """One round from the bets to the cleared table; with `deal` these cards and everybody stands, else by chance."""
    if deal:
        felt.cards = iter(deal)
    elif shuffle_is_due(felt):
        felt.load()
        felt.cards = shuffled(felt)
    burn_what_is_due(felt)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    for box in boxes:
        felt.command(said.PlaceBet(felt.cause(), FLOOR, box, stake, Side.MAIN))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.play(stand_pat if deal else lambda point: decide(felt.chance, point))
    felt.clear()


def shuffle_is_due(felt: RecordedFelt) -> bool:
    """Before the first round, with few cards left, and where the house shuffles every time."""
    shoe, rules = felt.state.shoe, felt.state.rules
    assert shoe is not None
    assert rules is not None
    return shoe.shuffled or shoe.cards_left < 80 or rules.shuffle is Shuffle.EVERY_ROUND


def burn_what_is_due(felt: RecordedFelt) -> None:
    """Cards the house wants burned before the round."""
    while felt.state.shoe is not None and felt.state.shoe.burn_due:
        felt.say(said.CardBurnt(felt.cause(), next(felt.cards)))


def shuffled(felt: RecordedFelt) -> Iterator[Card]:
    """The cards of a whole shoe in the order they will leave it."""
    assert felt.state.rules is not None
    cards = list(PACK) * felt.state.rules.decks
    felt.chance.shuffle(cards)
    return iter(cards)


def stand_pat(point: Point) -> tuple[Action, int | None]:
    """A player who wants no cards and no insurance."""
    return next(action for action in (Action.STAND, *point.legal[::-1]) if action in point.legal), None


def decide(chance: random.Random, point: Point) -> tuple[Action, int | None]:
    """A player who knows what is legal and nothing else; he seldom gives up."""
    legal = [action for action in point.legal if action is not Action.SURRENDER or chance.random() < 0.1]
    action = chance.choice(legal)
    return action, point.limit if action is Action.INSURE else None


def move_money(felt: RecordedFelt, what: Moved, chip: int, number: int) -> None:
    """A slip, signed by two."""
    felt.command(said.MoveMoney(felt.cause(), FLOOR, what, {chip: number}, SECOND))


def play_evening(felt: RecordedFelt, rounds: int) -> None:
    """Rounds with what an evening brings between them."""
    chip = chips_of("classic")[0]
    for number in range(1, rounds + 1):
        play_round(felt)
        if number % 10 == 0:
            move_money(felt, Moved.DROP, chip, 50)
            felt.say(said.OpenBets(felt.cause(), Person("tech", Role.TECHNICIAN)))
            felt.say(said.VoidRound(felt.cause(), FLOOR, SECOND, "fire alarm"))
        if number % 15 == 0:
            move_money(felt, Moved.FILL, chip, 20)
            felt.command(said.SignOn(felt.cause(), FLOOR, f"dealer-{number // 15 % 3 + 1}"))


def rows(path: Path) -> list[Record]:
    """All rows of a journal."""
    reader = open_reader(path)
    found = list(journal_records(reader))
    reader.close()
    return found
