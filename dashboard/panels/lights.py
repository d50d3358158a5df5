"""Lights of the table's devices, each with the age of what it says."""

from collections.abc import Mapping
from typing import Final

from dashboard.panels import Fragment, Seen, Viewer, panel
from dashboard.wording import code_text
from table_controller.port.words import Light

SECOND_NS: Final = 1_000_000_000
OLD_SECONDS: Final = 5


@panel("lights")
def lights(seen: Seen, viewer: Viewer) -> Fragment:
    """One light a device; nothing is green that has not been heard lately."""
    told = seen.status.lights if seen.status is not None else ()
    now = seen.status.at_ns if seen.status is not None else 0
    return "panels/lights.html", {
        "lights": [_shown(light, now, seen.live, viewer) for light in told],
        "live": seen.live,
    }


def _shown(light: Light, now: int, live: bool, viewer: Viewer) -> Mapping[str, object]:
    age = max(0, (now - light.heard_ns) // SECOND_NS) if light.heard_ns else None
    fresh = live and age is not None and age < OLD_SECONDS
    return {
        "name": code_text(viewer.say, "device", light.device),
        "state": "off" if not light.ok else "on" if fresh else "old",
        "detail": code_text(viewer.say, "detail", light.detail) if light.detail else "",
        "heard_ns": light.heard_ns,
        "since_ns": light.since_ns,
    }
