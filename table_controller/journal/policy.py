"""How long a day must be kept. A policy of the house, Poland's by default; this room only counts."""

from datetime import date

from msgspec import Struct


class Retention(Struct, frozen=True):
    """Whole years counted from the end of the calendar year. Poland, gambling act art. 15b(3): three."""

    years_after_year_end: int = 3

    def keeps_until(self, day: date) -> date:
        """The last day on which the record of `day` must still be there."""
        return date(day.year + self.years_after_year_end, 12, 31)
