"""The numbers: time of a whole edge and strategy, and what the same precision would cost by simulating.

Run it alone with `python -m bench.edge`. A cold start has no compiled code on disk.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from table_controller import houses
from table_controller.analysis.book import Book
from table_controller.analysis.chart import chart_of
from table_controller.analysis.edge import numbers_of
from table_controller.analysis.quick_play import simulate

HOUSE = "classic"
DIGITS = 1e-6
"""First bets: the precision that is asked of a simulation, far coarser than the exact value's."""
ROUNDS = 20_000_000


def edge_and_strategy(*, composition: bool = False) -> float:
    """Processor seconds for one house of six packs, from its rules to edge and chart."""
    book = Book(houses.rules_with(HOUSE, {}), composition=composition)
    begin = time.process_time()
    numbers_of(book)
    chart_of(book)
    return time.process_time() - begin


def whole_command(cache: str) -> float:
    """Processor seconds of `krupier edge classic --json` by itself; with an empty cache nothing is compiled yet."""
    settings = {**os.environ, "NUMBA_CACHE_DIR": cache}
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [str(Path(sys.executable).with_name("krupier")), "edge", HOUSE, "--json"]
    subprocess.run(command, env=settings, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def rounds_a_second() -> float:
    """Rounds of one box, a fresh shoe each, in a processor second."""
    book = Book(houses.rules_with(HOUSE, {}))
    simulate(book, 1000, 1)
    begin = time.process_time()
    simulate(book, ROUNDS, 1)
    return ROUNDS / (time.process_time() - begin)


def main() -> None:
    edge_and_strategy()
    warm = min(edge_and_strategy() for _ in range(5))
    by_cards = min(edge_and_strategy(composition=True) for _ in range(3))
    quick = rounds_a_second()
    rounds = (1.14 / DIGITS) ** 2
    hours, times = rounds / quick / 3600, rounds / quick / warm
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    with tempfile.TemporaryDirectory() as cache:
        cold, again = whole_command(cache), min(whole_command(cache) for _ in range(3))
    print("| what | figure |\n| --- | --- |")
    print(f"| edge and strategy of six packs, warm, one core | {warm:.2f} s |")
    print(f"| the same by the cards of every hand | {by_cards:.2f} s |")
    print(f"| `krupier edge {HOUSE} --json`, a process of its own, compiled code on disk | {again:.2f} s |")
    print(f"| the same with nothing compiled | {cold:.1f} s |")
    print(f"| fast simulator, one box, fresh shoe every round | {quick / 1e6:.1f} million rounds/s a core |")
    print(f"| simulating to a standard error of {DIGITS:.0e} | {hours:.0f} h = {times:,.0f} times |")
    print(f"| memory of this process | {memory} MB |")


if __name__ == "__main__":
    main()
