"""Where one lands: the tables of the house, and the frame of a table's own page."""

from typing import Final

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from dashboard.house import house, me
from dashboard.pages import Group, Item
from dashboard.roles import Act, guarded

bp = Blueprint("home", __name__)
GROUP: Final = Group(bp, (Item("home.tables", "frame.tables", "tables", Act.SEE_TABLE),))


@bp.get("/")
@guarded(Act.SEE_TABLE)
def start() -> ResponseReturnValue:
    """To whatever page comes first for this person."""
    return redirect(url_for("home.tables"))


@bp.get("/tables")
@guarded(Act.SEE_TABLE)
def tables() -> ResponseReturnValue:
    """All tables of the house."""
    return render_template("tables.html", tables=sorted(house().feed.tables), role=me().role)
