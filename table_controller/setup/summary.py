"""A house's rules in plain words, so that whoever sets up a table knows what he chooses."""

from datetime import UTC

from table_controller.core.blackjack.rules import values_of
from table_controller.core.house import Language
from table_controller.export.wording import Wording
from table_controller.houses import house_values, rules_with


def summary(name: str, language: Language) -> list[tuple[str, str]]:
    """Every rule of a house by name and value as people write it; raises NoSuchHouse, Unusable or OSError."""
    currency = str(house_values(name)["currency"])
    wording = Wording(language, currency, UTC)
    return [wording.rule(key, value) for key, value in values_of(rules_with(name, {})).items()]
