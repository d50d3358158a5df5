"""Figures of a running table for Prometheus: read from what is shown, so asking costs the table nothing."""

import time
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from table_controller.shell.budgets import disk_used
from table_controller.shell.loop import Loop


class _Figures(Collector):
    def __init__(self, loop: Loop, data: Path) -> None:
        self._loop = loop
        self._data = data

    def collect(self) -> Iterable[Metric]:
        """One reading of everything."""
        status, now = self._loop.shown.status, time.time_ns()
        labels = [status.table]
        yield _gauge("krupier_up", "1 while the record can be written", labels, float(status.down is None))
        yield _gauge("krupier_journal_seq", "the last row on record", labels, status.seq)
        yield _gauge("krupier_state_version", "facts folded into the state", labels, status.version)
        yield _gauge("krupier_inbox_letters", "what waits for the table's thread", labels, self._loop.inbox.waiting)
        yield _gauge("krupier_disk_used_percent", "of the record's disk", labels, disk_used(self._data))
        well = GaugeMetricFamily("krupier_device_ok", "1 while it is well", labels=["table", "device", "detail"])
        age = GaugeMetricFamily("krupier_device_heard_seconds_ago", "age of its last word", labels=["table", "device"])
        for light in status.lights:
            well.add_metric([status.table, light.device, light.detail], float(light.ok))
            if light.heard_ns:
                age.add_metric([status.table, light.device], max(0, now - light.heard_ns) / 1e9)
        yield well
        yield age


def _gauge(name: str, help_text: str, labels: list[str], value: float) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, help_text, labels=["table"])
    gauge.add_metric(labels, value)
    return gauge


def serve_metrics(loop: Loop, data: Path, port: int, address: str) -> None:
    """Give the figures out at an address until the process ends."""
    registry = CollectorRegistry()
    registry.register(_Figures(loop, data))
    start_http_server(port, address, registry)
