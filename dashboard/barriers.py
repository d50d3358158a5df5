"""What the window itself makes sure of before a table is asked: an opener explained, no seat for an excluded guest."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from dashboard.drawing import now
from dashboard.forms import Form, NotProved
from dashboard.house import House
from dashboard.openers import differs, last_closing
from table_controller.core.people import Person
from table_controller.port.words import Note, Outcome

VARIANCE: Final = "floor.variance"


def opener_explained(house: House, form: Form, fields: Mapping[str, Any]) -> None:
    """A count that is not what the table was closed with goes on record with its reason before the table opens."""
    opener = last_closing(house.settings.data, form.text("table"))
    if opener is None or not differs(opener, fields["chips"]):
        return
    why, by = form.text("why"), fields["by"]
    if not why:
        raise NotProved("variance")
    assert isinstance(by, Person)
    body = {"closed_with": opener.chips, "counted": fields["chips"], "why": why, "by": by, "second": fields["second"]}
    note = Note(f"{by.name}:{form.text('id')}-variance", VARIANCE, msgspec.Raw(msgspec.json.encode(body)))
    if house.gateway(form.text("table")).ask(note).outcome is not Outcome.DONE:
        raise NotProved("no_controller")


def guest_may_play(house: House, _form: Form, fields: Mapping[str, Any]) -> None:
    """Where the house keeps a register, a box is played by a registered guest who is not excluded, or by nobody."""
    player = fields["player"]
    if player is None or not house.settings.guests:
        return
    try:
        allowed = house.guests.may_play(player, now())
    except ValueError:
        raise NotProved("no_such_guest") from None
    if not allowed:
        raise NotProved("guest_excluded")
