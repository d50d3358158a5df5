"""A table's rules as people read them, with the words the printed papers use."""

from zoneinfo import ZoneInfo

from dashboard.house import language
from dashboard.panels import Seen
from table_controller.core.blackjack.rules import RuleSet, values_of
from table_controller.export.wording import Wording


def rules_told(seen: Seen) -> list[tuple[str, str]]:
    """Every rule in force: its name and its value; none while the table is closed."""
    rules, house = seen.state.rules, seen.state.house
    if not isinstance(rules, RuleSet) or house is None:
        return []
    say = Wording(language(), house.currency, ZoneInfo("UTC"))
    return [say.rule(key, value) for key, value in values_of(rules).items()]
