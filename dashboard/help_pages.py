"""Help for everybody at the table: the best play of the rules in force, to look at and to print."""

from typing import Final

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from dashboard.house import language, say, table_seen
from dashboard.pages import Group, Item
from dashboard.panels import Seen
from dashboard.roles import Act, guarded
from dashboard.worth import WORTHS, Worth
from table_controller import houses
from table_controller.core.blackjack.rules import RuleSet

bp = Blueprint("help", __name__, url_prefix="/tables/<table>")
GROUP: Final = Group(bp, (Item("help.strategy", "strategy.menu", "help", Act.SEE_TABLE, table=True),))
PATIENCE_S: Final = 5.0


@bp.get("/strategy")
@guarded(Act.SEE_TABLE)
def strategy(table: str) -> ResponseReturnValue:
    """The chart of the table's rules now, or of a house by name."""
    seen, wanted = table_seen(table), request.args.get("rules", "")
    named = wanted if wanted in houses.NAMES else ""
    rules = houses.rules_with(named, {}) if named else seen.state.rules
    values: dict[str, object] = {"houses": houses.NAMES, "named": named, "closed": seen.state.rules is None}
    if isinstance(rules, RuleSet):
        worth = WORTHS.of(rules, PATIENCE_S)
        values |= {"worth": worth} if isinstance(worth, str) else _told(worth, rules, _title(seen, named))
    return render_template("strategy.html", seen=seen, **values)


def _title(seen: Seen, named: str) -> str:
    return say()(f"pit.house_{named}") if named else say()("strategy.of_table", table=seen.table)


def _told(worth: Worth, rules: RuleSet, title: str) -> dict[str, object]:
    """The chart as a picture that needs neither scripts nor styles, and what it cannot show."""
    from table_controller.analysis.chart_paper import Heading, as_svg, notes  # the window runs without `numbers`
    from table_controller.analysis.saying import Saying

    words, edge = Saying(language()), worth.numbers.edge
    side, of = ("player", edge) if edge > 0 else ("house", -edge)
    return {
        "worth": worth,
        "picture": Markup(as_svg(worth.chart, Heading(title, rules.decks, edge), words)),
        "edge": words("edge", side, edge=f"{words.number(of * 100, 3)} %"),
        "favours_player": edge > 0,
        "notes": list(notes(worth.chart, words)),
        "sd": words.number(worth.numbers.sd, 2),
    }
