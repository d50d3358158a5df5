"""Full seven-box rounds a second: our event core beside two public packages, the same policy, on one process.

Policy everywhere: hit below 17, else stand. blackjack21 is fed the very same cards; jackblack shuffles its own shoe.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator

import blackjack21
import jackblack

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.hands import total
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import PACK, Card
from table_controller.play.felt import FLOOR, Felt, Point

ROUNDS, REPEATS, BOXES = 600, 5, 7


def shoes(seed: int) -> Iterator[list[Card]]:
    """A freshly shuffled six-pack shoe for every round."""
    chance = random.Random(seed)
    shoe = list(PACK * 6)
    while True:
        chance.shuffle(shoe)
        yield shoe[:120]


def below_17(point: Point) -> tuple[Action, int | None]:
    """Hit below 17; no insurance."""
    if point.stage == "insurance":
        return Action.NO_INSURANCE, None
    return (Action.HIT if total(point.hand.cards)[0] < 17 else Action.STAND), None


def our_rounds(cards: list[list[Card]]) -> tuple[int, int]:
    """Play one round a shoe through the real core; hands dealt and events produced."""
    felt = Felt()
    felt.open(houses.rule_values("golden_wolf"), houses.house_values("golden_wolf"))
    for shoe in cards:
        felt.load()
        felt.command(said.OpenBets(felt.cause(), FLOOR))
        for box in range(1, BOXES + 1):
            felt.command(said.PlaceBet(felt.cause(), FLOOR, box, 100))
        felt.command(said.CloseBets(felt.cause(), FLOOR))
        felt.cards = iter(shoe)
        felt.play(below_17)
        felt.clear()
    return len(cards) * BOXES, len(felt.events)


class Given:
    """The same cards as a card source of blackjack21."""

    def __init__(self, cards: list[list[Card]]) -> None:
        names = {"A": "A", "T": "10", "J": "J", "Q": "Q", "K": "K"}
        values = {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10}
        self.shoes = [
            [
                blackjack21.Card(
                    "Spades", names.get(card.rank, str(card.rank)), values.get(card.rank) or int(card.rank)
                )
                for card in reversed(shoe)
            ]
            for shoe in cards
        ]
        self.at = 0

    def draw_card(self) -> blackjack21.Card:
        return self.shoes[self.at].pop()

    def __len__(self) -> int:
        return len(self.shoes[self.at])


def their_rounds(source: Given) -> None:
    """The same rounds on blackjack21."""
    table = blackjack21.Table([(f"p{box}", 100) for box in range(BOXES)], source)
    for at in range(len(source.shoes)):
        source.at = at
        table.start_game()
        while (hand := table.current_hand) is not None:
            if hand.total < 17:
                table.hit()
            else:
                table.stand()


def simulated_rounds(rounds: int) -> None:
    """The same number of rounds in jackblack's simulator."""
    players = [jackblack.Player(f"p{box}", chips=10**9, strategy=jackblack.Simple17()) for box in range(BOXES)]
    jackblack.Simulation(players, deck=jackblack.Deck(num_decks=6, shuffle=True)).run(rounds)


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    source = shoes(1)
    cards = [next(source) for _ in range(ROUNDS)]
    our_rounds(cards[:50])
    taken: dict[str, list[float]] = {"krupier": [], "blackjack21": [], "jackblack": []}
    for _ in range(REPEATS):
        given = Given(cards)
        taken["krupier"].append(seconds(lambda: our_rounds(cards)))
        taken["blackjack21"].append(seconds(lambda given=given: their_rounds(given)))  # type: ignore[misc]
        taken["jackblack"].append(seconds(lambda: simulated_rounds(ROUNDS)))
    ours = statistics.median(taken["krupier"])
    hands, events = our_rounds(cards)
    print(f"core: {ROUNDS} rounds of {BOXES} boxes, {events / ROUNDS:.0f} events a round, median of {REPEATS} runs")
    for name, runs in taken.items():
        median = statistics.median(runs)
        rate, each = ROUNDS / median, median / hands * 1e6
        print(f"  {name:<12} {rate:8.0f} rounds/s  {each:6.1f} us a hand  ours : theirs {ours / median:5.2f}")


if __name__ == "__main__":
    main()
