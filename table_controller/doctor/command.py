"""krupier doctor: the page of green and red, for people, for monitoring, for Prometheus."""

import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Final

import click
import msgspec
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from table_controller.core.house import Language
from table_controller.doctor.examine import examine
from table_controller.doctor.finding import Colour, Finding
from table_controller.doctor.wording import mended, texts, title, told

SIGNS: Final = {Colour.GREEN: "●", Colour.AMBER: "▲", Colour.RED: "✖"}
WIDTH: Final = 22


@click.command()
@click.option("--config", type=click.Path(path_type=Path), help="The table's configuration, table.toml.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--prometheus", is_flag=True, help="The findings as metrics, for a textfile collector.")
@click.option("--lang", type=click.Choice([one.value for one in Language]), default="en", show_default=True)
def doctor(config: Path | None, *, as_json: bool, prometheus: bool, lang: str) -> None:
    """Look at everything a table needs; exit status 1 if anything is red."""
    language, findings = Language(lang), []
    for finding in examine(config):
        findings.append(finding)
        if not as_json and not prometheus:
            _show(finding, language)
    reds = sum(finding.colour is Colour.RED for finding in findings)
    if as_json:
        click.echo(msgspec.json.encode({"ok": not reds, "findings": [_plain(one, language) for one in findings]}))
    elif prometheus:
        click.echo(metrics(findings), nl=False)
    else:
        page = texts(language)["page"]
        if which("krupier") is None:
            click.echo("\n" + page["here"].format(program=Path(sys.executable).with_name("krupier")))
        click.echo("\n" + (page["not_ready"].format(count=reds) if reds else page["ready"]))
    raise SystemExit(1 if reds else 0)


def _show(finding: Finding, language: Language) -> None:
    colours = {Colour.GREEN: "green", Colour.AMBER: "yellow", Colour.RED: "red"}
    sign = click.style(SIGNS[finding.colour], fg=colours[finding.colour])
    click.echo(f"{sign} {title(finding, language):<{WIDTH}} {told(finding, language)}")
    step = mended(finding, language)
    if step:
        click.echo(f"  {'':<{WIDTH}} → {step}")


def _plain(finding: Finding, language: Language) -> dict[str, object]:
    return {
        "check": finding.check,
        "colour": finding.colour,
        "state": finding.state,
        "text": told(finding, language),
        "mend": mended(finding, language),
        "values": finding.values,
    }


def metrics(findings: Sequence[Finding]) -> str:
    """0 green, 1 amber, 2 red, the worst of each check, in the exposition format."""
    registry = CollectorRegistry()
    gauge = Gauge("krupier_doctor", "0 green, 1 amber, 2 red", ["check"], registry=registry)
    order = list(Colour)
    for check in dict.fromkeys(finding.check for finding in findings):
        worst = max(order.index(finding.colour) for finding in findings if finding.check == check)
        gauge.labels(check).set(worst)
    return generate_latest(registry).decode()
