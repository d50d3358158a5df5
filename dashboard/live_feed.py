"""What is asked for by itself: a panel a page missed, a word that somebody is still there, whether the window is."""

from typing import Final

from flask import Blueprint
from flask.typing import ResponseReturnValue

from dashboard.drawing import Wanted
from dashboard.house import house, language, me
from dashboard.pages import Group
from dashboard.roles import Act, guarded, public

bp = Blueprint("live_feed", __name__)
GROUP: Final = Group(bp)


@bp.get("/panel/<table>/<name>")
@guarded(Act.SEE_TABLE)
def panel(table: str, name: str) -> ResponseReturnValue:
    """A panel as it looks now."""
    drawn = house().drawings.draw(Wanted(table, name, me().role, language()))
    return {"panel": f"{table}/{name}", "html": drawn.html, "digest": drawn.digest}


@bp.get("/alive")
@public
def alive() -> ResponseReturnValue:
    """Whether the screens follow the tables; the supervisor asks, and starts a window anew that does not."""
    return "", 204 if house().feed.is_live else 503


@bp.post("/here")
@guarded(Act.OWN_ACCOUNT)
def here() -> ResponseReturnValue:
    """Somebody touches the screen; the idle lock waits."""
    return {"outcome": "done"}
