"""krupier export, report, slip: what leaves the house on paper or in a file."""

import time
from pathlib import Path

import click
import msgspec

from table_controller.core.house import Language
from table_controller.export.day_report import as_json as report_as_json
from table_controller.export.day_report import as_lines, report_on
from table_controller.export.identity import Identity
from table_controller.export.make import Ask
from table_controller.export.make import export as make_bundle
from table_controller.export.slip import slip_page, slip_text
from table_controller.export.wording import Wording
from table_controller.journal.anchors import Anchor, add_anchor
from table_controller.journal.certificate import write_durably
from table_controller.journal.errors import NotKept
from table_controller.journal.keys import load_key
from table_controller.journal.naming import journals
from table_controller.journal.verify import refuse_damaged, verify_file
from table_controller.number_commands.theory import as_json as theory_as_json
from table_controller.number_commands.theory import as_lines as theory_as_lines
from table_controller.record_commands.asking import (
    JSON,
    LANGUAGE,
    PATH,
    ZONE,
    answering,
    day_of,
    doubt,
    key_place,
    new_file,
    warn,
    zone_of,
)


@click.command()
@click.argument("path", type=PATH)
@click.option("--round", "number", type=int, required=True, help="Which round.")
@click.option("--box", type=int, help="For the player of this box: the other boxes are masked.")
@click.option("-o", "--output", type=PATH, required=True, help="The bundle to write, a zip file.")
@click.option("--key", type=PATH, help="The house's key; default: house.key or keys/house.key beside the journal.")
@LANGUAGE
@ZONE
@answering
def export(
    path: Path, *, number: int, box: int | None, output: Path, key: Path | None, lang: str, zone: str | None
) -> None:
    """Write the bundle of a round: report, sealed slice of the journal, rules, key, evidence."""
    new_file(output)
    journal = day_of(path, number)
    refuse_damaged(verify_file(journal))
    ask = Ask(number, box, Language(lang), zone_of(zone, path), time.time_ns(), output.name)
    bundle = make_bundle(journal, ask, load_key(key_place(key, journal)))
    write_durably(output, bundle)
    click.echo(f"{output}: round {number}, {len(bundle)} bytes; check it with: krupier verify {output}")


@click.command()
@click.argument("path", type=PATH)
@LANGUAGE
@ZONE
@JSON
@answering
def report(path: Path, lang: str, zone: str | None, *, as_json: bool) -> None:
    """Figures of a day, or of all days of a folder: rounds, bets, win, drop, hold, exceptions, per dealer."""
    day_of(path)
    days = journals(path) if path.is_dir() else [path]
    found = report_on(days, warn)
    status = doubt(days, as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode({**report_as_json(found), **theory_as_json(found.wagers)}))
    else:
        say = Wording(Language(lang), found.currency, zone_of(zone, path))
        click.echo("\n".join([*as_lines(found, say), "", *theory_as_lines(found.wagers, lang, found.currency)]))
    raise SystemExit(status)


@click.command()
@click.argument("path", type=PATH)
@click.option("-o", "--output", type=PATH, help="Also write a page to print.")
@click.option("--anchors", type=PATH, help="Also add a line to this file, on a stick or a second host.")
@LANGUAGE
@ZONE
@answering
def slip(path: Path, *, output: Path | None, anchors: Path | None, lang: str, zone: str | None) -> None:
    """Print the closing slip of a day: its head and the house's key, as text and as a QR code."""
    if output is not None:
        new_file(output)
    verdict = verify_file(day_of(path))
    refuse_damaged(verdict)
    if not verdict.closed:
        raise NotKept(f"{path}: the day is not closed yet; its slip is printed when it is")
    assert verdict.table is not None
    assert verdict.day is not None
    identity = Identity(verdict.table, verdict.day, str(verdict.head), str(verdict.fingerprint))
    say = Wording(Language(lang), "", zone_of(zone, path))
    if output is not None:
        write_durably(output, slip_page(identity, verdict.records, say))
    if anchors is not None:
        add_anchor(anchors, Anchor(identity.table, identity.day, identity.head, identity.fingerprint))
    click.echo(slip_text(identity, verdict.records, say))
