"""A chart on paper: as lines of text, as a picture (SVG) and as a page to print, in three languages."""

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

from table_controller.analysis.chart import UPS, Chart, Later, Rows
from table_controller.analysis.saying import Saying

COLOURS: Final = {"H": "#f6f6f6", "S": "#f4b6a6", "D": "#b9dca4", "R": "#d5c3ea", "P": "#a9cdf0"}
CELL, ROW, LEFT, TOP = 46, 24, 78, 74
STYLE: Final = """
body { font: 11pt/1.35 "DejaVu Sans", "Liberation Sans", Arial, sans-serif; max-width: 190mm; margin: 6mm auto; }
svg { width: 100%; height: auto; max-height: 235mm; } p, li { margin: 0.6mm 0; font-size: 9pt; } ul { margin: 0; }
@page { size: A4; margin: 10mm; } @media print { body { margin: 0; } }
"""


class Heading(NamedTuple):
    """What stands above a chart."""

    rules: str
    decks: int
    edge: float


def as_lines(chart: Chart, head: Heading, say: Saying) -> Iterator[str]:
    """The chart for a screen."""
    yield say("chart", "title", rules=head.rules)
    yield say("chart", "subtitle", decks=head.decks, edge=say.percent(head.edge))
    for name, rows in blocks(chart):
        yield ""
        yield say("chart", name)
        yield f"{'':>7}  " + " ".join(f"{up:>2}" for up in UPS)
        for row, line in rows.items():
            yield f"{row:>7}  " + " ".join(f"{line[up].code:>2}" for up in UPS)
    yield ""
    yield "  ".join(f"{code} {say('chart', code)}" for code in codes(chart)).replace("  ", "; ")
    yield from notes(chart, say)


def blocks(chart: Chart) -> list[tuple[str, Rows]]:
    """The tables of a chart by the name of their title."""
    found = [("hard", chart.hard), ("soft", chart.soft), ("pairs", chart.pairs)]
    return [*found, ("by_cards", chart.by_cards)] if chart.by_cards else found


def codes(chart: Chart) -> list[str]:
    """The codes that occur, in the order of the legend."""
    used = {cell.code for _, rows in blocks(chart) for line in rows.values() for cell in line.values()}
    return [code for code in ("H", "S", "Dh", "Ds", "Rh", "Rs", "P") if code in used]


def notes(chart: Chart, say: Saying) -> Iterator[str]:
    """Insurance, and where later cards change a decision."""
    yield say(
        "chart", "insurance_take" if chart.insurance > 0 else "insurance_never", ev=say.percent(chart.insurance, 1)
    )
    if chart.later:
        yield say("chart", "later")
    for one in together(chart.later):
        hand = say("chart", "hand_soft" if one.soft else "hand_hard", total=one.total)
        key = "later_cards" if one.cards else "later_line"
        yield "  " + say("chart", key, hand=hand, cards=one.cards, up=one.up, code=say("chart", one.code))


def together(later: tuple[Later, ...]) -> list[Later]:
    """Exceptions that differ in the upcard alone as one."""
    ups: dict[tuple[bool, int, int, str], list[str]] = {}
    for one in later:
        ups.setdefault((one.soft, one.total, one.cards, one.code), []).append(one.up)
    return [Later(soft, total, cards, ", ".join(up), code) for (soft, total, cards, code), up in sorted(ups.items())]


def as_svg(chart: Chart, head: Heading, say: Saying) -> str:
    """The chart as a picture that needs nothing beside it."""
    parts, y = list[str](), TOP
    for name, rows in blocks(chart):
        parts.append(_text(8, y - 8, say("chart", name), "bold 15px"))
        parts += [_text(LEFT + CELL * at + CELL / 2, y + 16, up, "bold 14px", "middle") for at, up in enumerate(UPS)]
        for row, line in rows.items():
            y += ROW
            parts.append(_text(LEFT - 8, y + 17, row, "bold 14px", "end"))
            for at, up in enumerate(UPS):
                parts += _cell(LEFT + CELL * at, y, line[up].code)
        y += ROW + 40
    title = _text(8, 22, say("chart", "title", rules=head.rules), "bold 19px")
    under = _text(8, 42, say("chart", "subtitle", decks=head.decks, edge=say.percent(head.edge)), "13px")
    legend = [_text(8, y + 18 * at, f"{code}  {say('chart', code)}", "13px") for at, code in enumerate(codes(chart))]
    width, height = LEFT + CELL * len(UPS) + 8, y + 18 * len(legend) + 8
    inside = "\n".join([title, under, *parts, *legend])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" lang="{say.language}" '
        f'font-family="DejaVu Sans, Liberation Sans, Arial, sans-serif">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n{inside}\n</svg>\n'
    )


def _cell(x: float, y: float, code: str) -> list[str]:
    at = f'x="{x}" y="{y}" width="{CELL}" height="{ROW}"'
    box = f'<rect {at} fill="{COLOURS[code[0]]}" stroke="#777" stroke-width="0.6"/>'
    return [box, _text(x + CELL / 2, y + 17, code, "14px", "middle")]


def _text(x: float, y: float, text: str, font: str, anchor: str = "start") -> str:
    weight, size = ("bold", font.removeprefix("bold ")) if font.startswith("bold ") else ("normal", font)
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def as_html(chart: Chart, head: Heading, say: Saying) -> str:
    """A page to print: the picture, then what it cannot show."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in notes(chart, say))
    title = escape(say("chart", "title", rules=head.rules))
    return (
        f'<!doctype html><html lang="{say.language}"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>\n{as_svg(chart, head, say)}{lines}</body></html>\n"
    )
