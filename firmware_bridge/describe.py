"""An event in words, for `krupier monitor` and logs."""

from firmware_bridge.events import DealerKey, DeviceEvent, EventKind, Fault, Signal, box_and_signal
from firmware_bridge.messages import Fitted
from firmware_bridge.texts import text


def describe(event: DeviceEvent, language: str) -> str:
    """One line without a time. Signals and keys keep their protocol names in every language."""
    if event.kind not in set(EventKind):
        return text("unknown_event", language, kind=event.kind, arg=event.arg, value=event.value)
    kind = EventKind(event.kind)
    box, signal = box_and_signal(event.arg)
    blanks = {
        "arg": _named(Fault, event.arg) if kind is EventKind.FAULT else event.arg,
        "value": event.value,
        "ms": event.value // 1000,
        "box": box,
        "signal": _named(Signal, signal),
        "key": _named(DealerKey, event.arg),
    }
    return text(kind.name.lower(), language, **blanks)


def fitted_words(fitted: int) -> str:
    """What is wired to a board, as `devices pair --fitted` takes it."""
    return ",".join(str(part.name).lower() for part in Fitted if fitted & part) or "-"


def _named(names: type[Signal] | type[DealerKey] | type[Fault], number: int) -> str:
    return names(number).name.lower() if number in set(names) else str(number)
