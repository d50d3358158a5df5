"""What the window needs to know before it starts; everything has a safe default but the folder of the record."""

from collections.abc import Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from table_controller import houses
from table_controller.core.house import Language

OWN_RULES: Final = "own"


class Settings(Struct, frozen=True, kw_only=True):
    """The house's window: `data` is the folder the tables keep their record in.

    `https` says that tablets come over TLS (cookies are then never sent without it); `proxies` counts the reverse
    proxies in front, whose word about the tablet's address is taken if they speak from `proxy_addresses`. `rules` is
    the rule set a table is opened with unless another is tapped: a house by name, or a file of the house's own.
    """

    data: Path
    zone: str = "Europe/Warsaw"
    day_begins: int = 6
    rules: str = houses.NAMES[0]
    language: Language = Language.POLISH
    https: bool = False
    proxies: int = 0
    proxy_addresses: tuple[str, ...] = ("127.0.0.1", "::1")
    idle_minutes: int = 10
    session_hours: int = 12
    tries: int = 3
    lock_minutes: int = 15
    sockets: int = 120
    stalled_seconds: int = 30
    limits: bool = True
    guests: bool = True

    @property
    def people(self) -> Path:
        """The file of accounts, sessions and devices."""
        return self.data / "people.db"

    @property
    def rule_sets(self) -> Mapping[str, str]:
        """What a table may be opened with, by the name a form says: never a path, which only the settings know."""
        known = dict(zip(houses.NAMES, houses.NAMES, strict=True))
        return known if self.rules in known else {OWN_RULES: self.rules, **known}

    @property
    def usual_rules(self) -> str:
        """Which of them is meant where nobody tapped another."""
        return self.rules if self.rules in houses.NAMES else OWN_RULES

    @property
    def zone_info(self) -> tzinfo:
        """The venue's time zone."""
        return ZoneInfo(self.zone)
