"""The house's strategies, worked out beside the table: whoever asks for one gets it or nothing, and never waits."""

import threading
from collections.abc import Callable
from typing import Final

from table_controller.core.blackjack.rules import RuleSet, values_of
from table_controller.shell.stand_in import Strategy
from table_controller.views.wagers import rules_key

UPCARDS: Final = 10
MISSING: Final = "absent players' hands go to the floor: {error}; pip install 'krupier[numbers]'"


def worked_out(rules: RuleSet) -> Strategy:
    """The whole strategy of a rule set; takes a second or so, much longer where nothing is compiled yet.

    Raises ModuleNotFoundError without the extra `numbers`.
    """
    from table_controller.analysis.book import Book  # the table runs without the extra `numbers`

    book = Book(rules)
    for up in range(UPCARDS):
        book.under(up)
    return book


class Books:
    """One strategy for each rule set, made by a thread of its own the first time it is asked for."""

    def __init__(self, warn: Callable[[str], None], make: Callable[[RuleSet], Strategy] = worked_out) -> None:
        self._warn = warn
        self._make = make
        self._made: dict[str, Strategy | None] = {}
        self._last: tuple[RuleSet, str] | None = None

    def of(self, rules: RuleSet) -> Strategy | None:
        """The strategy of these rules; None while it is being made, and for ever where it cannot be."""
        if self._last is None or self._last[0] is not rules:
            self._last = rules, rules_key(values_of(rules))
        key = self._last[1]
        if key not in self._made:
            self._made[key] = None
            threading.Thread(target=self._work, args=(key, rules), name="strategy", daemon=True).start()
        return self._made[key]

    def _work(self, key: str, rules: RuleSet) -> None:
        try:
            self._made[key] = self._make(rules)
        except ModuleNotFoundError as error:
            self._warn(MISSING.format(error=error))
