"""What happens at a table, and the events a board must report for it: the same for every peer."""

from random import Random

from msgspec import Struct

from firmware_bridge.events import DeviceEvent, EventKind

Told = tuple[int, int]
WORLD = set(EventKind) - {EventKind.SELF_TEST, EventKind.FAULT, EventKind.BOOTED}
CUT_CARD = -1
BEAM = -2


class Action(Struct, frozen=True):
    """A contact that closes and opens again, by its number on the board; negative ones are the board's own pins."""

    contact: int

    @property
    def told(self) -> list[Told]:
        """Kind and argument of the events it must make."""
        if self.contact == BEAM:
            return [(EventKind.BEAM_BROKEN, 0), (EventKind.BEAM_CLEARED, 0)]
        if self.contact == CUT_CARD:
            return [(EventKind.CUT_CARD, 0)] * 2
        box, bit = self.contact // 8 + 1, self.contact % 8
        if self.contact == 63:
            return [(EventKind.MANUAL_BURN, 0)]
        if self.contact >= 56:
            return [(EventKind.KEY_DOWN, bit + 1), (EventKind.KEY_UP, bit + 1)]
        if bit == 7:
            return [(EventKind.BET_SENSOR, box)] * 2
        arg = box << 4 | bit + 1
        return [(EventKind.BUTTON_DOWN, arg), (EventKind.BUTTON_UP, arg)]


def card() -> Action:
    """A card leaves the shoe."""
    return Action(BEAM)


def press(box: int, signal: int) -> Action:
    return Action((box - 1) * 8 + signal - 1)


def any_actions(chance: Random, count: int) -> list[Action]:
    return [Action(chance.choice((BEAM, BEAM, CUT_CARD, *range(64)))) for _ in range(count)]


def told(actions: list[Action]) -> list[Told]:
    return [event for action in actions for event in action.told]


def of_the_world(events: list[DeviceEvent]) -> list[Told]:
    """What a bridge reported of the table itself, leaving out what it reported of the board."""
    return [(event.kind, event.arg) for event in events if event.kind in WORLD]
