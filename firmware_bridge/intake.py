"""Which of the arriving events are new: each number once, in order, no gaps."""

from firmware_bridge.messages import Events, Record


class Intake:
    """Numbers events taken from one ring; starts behind what the controller has recorded."""

    def __init__(self, taken: int) -> None:
        self.taken = taken
        self.repeated = 0

    def leaves_gap(self, events: Events) -> bool:
        """Whether something between the last event taken and these has not arrived."""
        return events.first > self.taken + 1

    def fresh(self, events: Events) -> tuple[int, tuple[Record, ...]]:
        """Number of the first new event, and the new events. Only for frames that leave no gap."""
        known = min(self.taken + 1 - events.first, len(events.records))
        self.repeated += known
        new = events.records[known:]
        first = events.first + known
        self.taken += len(new)
        return first, new
