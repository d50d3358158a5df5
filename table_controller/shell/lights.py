"""Who has been heard from and how they are: every device and process has its light."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from table_controller.journal.record import Moment
from table_controller.port.words import Health, Light

NOT_HEARD: Final = "not_heard"
SILENT_AFTER_NS: Final = 2_000_000_000


class Lights:
    """`tuple(lights)` may be taken by any thread; only the table's own thread changes them.

    `expected` are the devices without which no round may open, each with the time in ns it may be silent. How long that
    is goes by the monotonic clock: a wall clock that is set makes nobody silent, and hides nobody's silence.
    """

    def __init__(self, expected: Mapping[str, int], now_ns: int) -> None:
        self._expected = dict(expected)
        self._looked: dict[str, int] = {}
        self._heard_mono_ns: dict[str, int] = {}
        self._lights: Mapping[str, Light] = {
            name: Light(name, ok=False, detail=NOT_HEARD, since_ns=now_ns) for name in expected
        }

    @property
    def shown(self) -> tuple[Light, ...]:
        """All lights as they are now."""
        return tuple(self._lights.values())

    @property
    def looked_ns(self) -> int:
        """How far the eyes have come with their pictures, of several the hindmost; 0 while they do not say."""
        return min(self._looked.values(), default=0)

    def hear(self, health: Health, now: Moment) -> None:
        """A report, taken now whatever the sender's clock says."""
        self._heard_mono_ns[health.device] = now.mono_ns
        if health.looked_ns:
            self._looked[health.device] = health.looked_ns
        was = self._lights.get(health.device)
        changed = was is None or (was.ok, was.detail) != (health.ok, health.detail)
        since = now.at_ns if was is None or changed else was.since_ns
        self._set(Light(health.device, health.ok, health.detail, since, now.at_ns))

    def grow_old(self, now: Moment) -> None:
        """Those expected who have been silent for too long are no longer well."""
        for name, within_ns in self._expected.items():
            light = self._lights[name]
            if light.ok and now.mono_ns - self._heard_mono_ns[name] > within_ns:
                self._set(replace(light, ok=False, detail=NOT_HEARD, since_ns=now.at_ns))

    def detail_of(self, device: str) -> str:
        """What is wrong with it, in its own code."""
        light = self._lights.get(device)
        return light.detail if light is not None else ""

    def faulty(self) -> frozenset[str]:
        """Those that are not well."""
        return frozenset(light.device for light in self._lights.values() if not light.ok)

    def well(self) -> frozenset[str]:
        """Those that are."""
        return frozenset(light.device for light in self._lights.values() if light.ok)

    def _set(self, light: Light) -> None:
        self._lights = {**self._lights, light.device: light}


def expected(names: Iterable[str], within_ns: int = SILENT_AFTER_NS) -> dict[str, int]:
    """These devices, each to be heard within that time."""
    return dict.fromkeys(names, within_ns)
