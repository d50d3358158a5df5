"""The closing slip: the day's head and the house's key leave the machine on paper."""

import io

import segno

from table_controller.export import paper
from table_controller.export.identity import Identity, grouped
from table_controller.export.round_report import identity_lines
from table_controller.export.wording import Wording


def slip_text(identity: Identity, records: int, say: Wording) -> str:
    """For a terminal or a receipt printer: text and a QR code made of blocks."""
    picture = io.StringIO()
    segno.make(identity.qr_text(), error="m", micro=False).terminal(picture, compact=True, border=2)
    lines = [
        say.label("title", "slip", table=identity.table, day=identity.day),
        say.label("records", "slip", records=records),
        "",
        say.label("head"),
        grouped(identity.head),
        say.label("fingerprint"),
        grouped(identity.fingerprint),
        "",
        identity.qr_text(),
        picture.getvalue().rstrip("\n"),
        say.label("keep", "slip"),
    ]
    return "\n".join(lines)


def slip_page(identity: Identity, records: int, say: Wording) -> bytes:
    """For a page printer."""
    title = say.label("title", "slip", table=identity.table, day=identity.day)
    parts = [
        paper.heading(title, 1),
        paper.paragraph(say.label("records", "slip", records=records)),
        paper.proof(identity.qr_text(), identity_lines(identity, say, closed=True)),
        paper.paragraph(say.label("keep", "slip")),
    ]
    return paper.page(say.language.value, title, parts)
