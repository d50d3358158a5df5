"""What rule sets are worth: best play and edge, worked out once each by a process of its own and kept.

Nobody who draws the table waits for it, and it takes no time from the window's threads: a page may wait a few seconds.
"""

import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from table_controller.core.blackjack.rules import RuleSet, read_rules, values_of
from table_controller.leash import tie
from table_controller.views.wagers import Wagered, rules_key

if TYPE_CHECKING:
    from table_controller.analysis.chart import Chart
    from table_controller.analysis.edge import Numbers
    from table_controller.analysis.theory import Theory

WORKING, MISSING = "working", "missing"
GIVES_WAY: Final = 10


class Worth(NamedTuple):
    """One rule set: its chart of best play, its edge and what goes with it."""

    chart: "Chart"
    numbers: "Numbers"


def worked_out(key: str) -> Worth:
    """The worth of the rules with this key; takes a second or so. Raises ModuleNotFoundError without `numbers`."""
    from table_controller.analysis.book import Book  # the window runs without the extra `numbers`
    from table_controller.analysis.chart import chart_of
    from table_controller.analysis.edge import numbers_of

    book = Book(read_rules(msgspec.json.decode(key)))
    return Worth(chart_of(book), numbers_of(book))


def _key(rules: RuleSet) -> str:
    return rules_key(values_of(rules))


class Worths:
    """Every rule set anybody asked about. WORKING while it is worked out, MISSING without the extra `numbers`."""

    def __init__(self) -> None:
        self._known: dict[str, Worth | str] = {}
        self._changed = threading.Condition()

    def of(self, rules: RuleSet, patience_s: float = 0.0) -> Worth | str:
        """The worth of these rules, WORKING or MISSING."""
        return self._of(_key(rules), patience_s)

    def theory(self, wagered: Wagered, patience_s: float = 0.0) -> "Theory | str":
        """Theoretical against actual win of these wagers, WORKING or MISSING."""
        until = time.monotonic() + patience_s
        keys = {_key(read_rules(msgspec.json.decode(said))) for said in wagered.under}
        found = {key: self._of(key, until - time.monotonic()) for key in keys}
        told = next((one for one in found.values() if isinstance(one, str)), None)
        if told is not None:
            return told
        try:
            from table_controller.analysis.theory import theoretical
        except ModuleNotFoundError:
            return MISSING
        known = {key: one.numbers for key, one in found.items() if isinstance(one, Worth)}
        return theoretical(wagered.under, lambda rules: known[_key(rules)])

    def _of(self, key: str, patience_s: float) -> Worth | str:
        with self._changed:
            if key not in self._known:
                self._known[key] = WORKING
                threading.Thread(target=self._work, args=(key,), name="worth", daemon=True).start()
            self._changed.wait_for(lambda: self._known[key] != WORKING, max(0.0, patience_s))
            return self._known[key]

    def _work(self, key: str) -> None:
        made: Worth | str = MISSING
        try:
            with suppress(ModuleNotFoundError), _elsewhere() as process:
                made = process.submit(worked_out, key).result()
        finally:  # whatever else went wrong, nobody waits for it for ever
            with self._changed:
                self._known[key] = made
                self._changed.notify_all()


def _elsewhere() -> ProcessPoolExecutor:
    """One process, made afresh: it ends with its work, or with this one."""
    return ProcessPoolExecutor(1, get_context("spawn"), _begin, (os.getpid(),))


def _begin(parent: int) -> None:
    """It gives way to everything at the table; of a window that is killed it would else wait for work for ever."""
    tie(parent)
    os.nice(GIVES_WAY)


WORTHS: Final = Worths()
"""One for the process: what a rule set is worth is the same for every house and reader."""
