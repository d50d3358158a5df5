"""krupier verify: is this journal, folder or bundle what was written?"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec.structs import replace

from table_controller.commands import fail
from table_controller.export.bundle import verify_bundle
from table_controller.journal.anchors import Anchors, contradiction, missing, read_anchors
from table_controller.journal.errors import NotKept
from table_controller.journal.folder import FolderVerdict, purged_heads, verify_folder
from table_controller.journal.naming import journals
from table_controller.journal.verify import Verdict, verify_file
from table_controller.record_commands.asking import JSON, PATH, answering, warn

HEX_64: Final = re.compile(r"[0-9a-f]{64}")
AnyVerdict = Verdict | FolderVerdict


@click.command()
@click.argument("path", type=PATH)
@click.option("--fingerprint", help="The house's key as printed on a closing slip: 64 hex digits, blanks allowed.")
@click.option("--head", help="The day's head as printed on its closing slip: 64 hex digits, blanks allowed.")
@click.option("--anchors", type=PATH, help="A file of heads kept elsewhere; see krupier slip --anchors.")
@JSON
@answering
def verify(path: Path, fingerprint: str | None, head: str | None, anchors: Path | None, *, as_json: bool) -> None:
    """Check a journal, a folder of journals or a bundle, without a network.

    A key inside the file proves nothing to a stranger: compare with what left the house, by --fingerprint and --head.
    """
    verdict = _against(_verify(path), _hex(fingerprint, "--fingerprint"), _hex(head, "--head"))
    if anchors is not None:
        verdict = _against_anchors(path, verdict, read_anchors(anchors))
    if as_json:
        click.echo(msgspec.json.encode(verdict))
    else:
        compared = any(one is not None for one in (fingerprint, head, anchors))
        for line in _lines(path, verdict, compared=compared):
            click.echo(line)
    raise SystemExit(0 if verdict.ok else 1)


def _verify(path: Path) -> AnyVerdict:
    if not path.exists():
        raise NotKept(f"{path}: no such file; name a journal, a folder of journals or a bundle")
    if path.is_dir():
        return verify_folder(path)
    with path.open("rb") as file:
        is_zip = file.read(2) == b"PK" or path.suffix == ".zip"
    return verify_bundle(path) if is_zip else verify_file(path)


def _hex(text: str | None, option: str) -> str | None:
    if text is None:
        return None
    plain = "".join(text.split()).replace(":", "").lower()
    if not HEX_64.fullmatch(plain):
        fail(f"{option}: {len(plain)} characters; write the 64 hex digits of the closing slip")
    return plain


def _against(verdict: AnyVerdict, fingerprint: str | None, head: str | None) -> AnyVerdict:
    if not verdict.ok:
        return verdict
    days = _days(verdict)
    if fingerprint is not None and any(day.fingerprint != fingerprint for day in days):
        return replace(verdict, ok=False, reason="sealed with another key than the house's")
    if head is not None and all(day.head != head for day in days):
        still_open = "; the day was still open when this was made" if not days[-1].closed else ""
        return replace(verdict, ok=False, reason=f"the head is not the one that left the house{still_open}")
    return verdict


def _against_anchors(path: Path, verdict: AnyVerdict, anchors: Anchors) -> AnyVerdict:
    if anchors.torn:
        warn(f"{anchors.torn} line of the anchors was cut short by a crash and says nothing")
    if not verdict.ok:
        return verdict
    wrong = next((found for day in _days(verdict) if (found := contradiction(anchors, day))), None)
    if wrong is None and path.is_dir():
        wrong = missing(anchors, _days(verdict), set(purged_heads(journals(path))))
    return replace(verdict, ok=False, reason=wrong) if wrong else verdict


def _days(verdict: AnyVerdict) -> tuple[Verdict, ...]:
    return verdict.days if isinstance(verdict, FolderVerdict) else (verdict,)


def _lines(path: Path, verdict: AnyVerdict, *, compared: bool) -> Iterator[str]:
    for day in _days(verdict):
        if day.records:
            yield f"{Path(day.path).name}: {day.records} records, sealed to {day.sealed}, {_open_or_closed(day)}"
            yield f"  head        {day.head}"
            yield f"  fingerprint {day.fingerprint}"
    if not verdict.ok:
        bad = f", first bad record {verdict.first_bad}" if verdict.first_bad is not None else ""
        yield f"{path}: NOT GOOD: {verdict.reason}{bad}"
    elif compared:
        yield f"{path}: good"
    else:
        yield f"{path}: consistent in itself; compared with nothing from outside the house (--head, --fingerprint)"


def _open_or_closed(day: Verdict) -> str:
    return "closed" if day.closed else "open"
