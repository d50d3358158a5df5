"""What the window needs to know before it starts; everything has a safe default but the folder of the record."""

from datetime import tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from msgspec import Struct

from table_controller.core.house import Language


class Settings(Struct, frozen=True, kw_only=True):
    """The house's window: `data` is the folder the tables keep their record in.

    `https` says that tablets come over TLS (cookies are then never sent without it); `proxies` counts the reverse
    proxies in front, whose word about the tablet's address is taken if they speak from `proxy_addresses`.
    """

    data: Path
    zone: str = "Europe/Warsaw"
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
    def zone_info(self) -> tzinfo:
        """The venue's time zone."""
        return ZoneInfo(self.zone)
