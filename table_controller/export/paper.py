"""Small pieces of HTML: everything that comes from the record is escaped here and nowhere else."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

import segno


def page(language: str, title: str, parts: Iterable[str]) -> bytes:
    """A whole page that needs nothing beside it: style inside, no script, no network."""
    style = files(__package__).joinpath("report.css").read_text("utf-8")
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{style}</style>'
    body = "\n".join(parts)
    return f'<!doctype html><html lang="{language}"><head>{head}</head><body>\n{body}\n</body></html>\n'.encode()


def heading(text: str, level: int = 2) -> str:
    """A heading."""
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str) -> str:
    """A paragraph."""
    return f"<p>{escape(text)}</p>"


def code(text: str) -> str:
    """Something to be typed or compared letter by letter."""
    return f"<p><code>{escape(text)}</code></p>"


def command(*parts: str) -> str:
    """A command to be typed; it breaks between its parts alone, in a way a shell reads as one line."""
    lines = " \\\n  ".join(parts)
    return f"<pre>{escape(lines)}</pre>"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], numbers: frozenset[int] = frozenset()) -> str:
    """A table; columns of these positions hold numbers."""

    def line(tag: str, row: Sequence[str]) -> str:
        cells = (_cell(tag, text, number=at in numbers) for at, text in enumerate(row))
        return f"<tr>{''.join(cells)}</tr>"

    head = f"<thead>{line('th', titles)}</thead>" if titles else ""
    body = "".join(line("td", row) for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"


def _cell(tag: str, text: str, *, number: bool) -> str:
    start = f"{tag} class=number" if number else tag
    return f"<{start}>{escape(text)}</{tag}>"


def proof(text: str, parts: Iterable[str]) -> str:
    """A QR code of the text beside what it says."""
    picture = segno.make(text, error="m", micro=False).svg_inline(border=2, omitsize=True)
    return f'<div class="proof">{picture}<div>{"".join(parts)}</div></div>'
