"""Long runs beside the exact edge: `make campaign-numbers`. One line a game, in the form of docs/numbers.md.

The fast simulator plays a fresh shoe every round, the core plays the very same rules card by card with every fact.
"""

import sys
from itertools import islice

import numpy as np

from table_controller.analysis.book import Book
from table_controller.analysis.edge import numbers_of
from table_controller.analysis.quick_play import simulate
from tests.analysis.core_play import CoreTable, shoes
from tests.analysis.variants import GAMES, rules_of

SEED = 2026


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(fast_rounds: int, core_rounds: int) -> int:
    """Prints the table; returns how many games lie three standard errors or more apart."""
    apart = 0
    say("| game | exact edge, % | fast simulator, % | z | core, % | z |")
    say("| --- | --- | --- | --- | --- | --- |")
    for game in GAMES:
        book = Book(rules_of(game))
        exact, fast = numbers_of(book).edge, simulate(book, fast_rounds, SEED)
        table = CoreTable(book, 1)
        nets = np.array([table.play(shoe)[0] for shoe in islice(shoes(book.rules, SEED), core_rounds)])
        error = float(nets.std()) / core_rounds**0.5
        z = ((fast.mean - exact) / fast.stderr, (float(nets.mean()) - exact) / error)
        apart += max(map(abs, z)) >= 3
        told = [f"{100 * exact:+.4f}", f"{100 * fast.mean:+.4f} ± {100 * fast.stderr:.4f}", f"{z[0]:+.2f}"]
        told += [f"{100 * float(nets.mean()):+.2f} ± {100 * error:.2f}", f"{z[1]:+.2f}"]
        say(f"| {game.replace('_', ' ')} | {' | '.join(told)} |")
    return apart


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)
