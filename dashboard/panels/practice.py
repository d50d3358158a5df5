"""Practice: what the dealer is to do wrong, on the dealer's screen alone; the supervisor's call of a wrong payment."""

from typing import NamedTuple

from dashboard.panels import Fragment, Seen, Viewer, fold, panel
from dashboard.roles import Act
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import round_of
from table_controller.core.people import Person, Role
from table_controller.core.step import why_not
from table_controller.core.stimuli import Cause
from table_controller.core.table import TableState
from table_controller.games import GAMES
from table_controller.journal.record import Record
from table_controller.practice import lesson
from table_controller.practice.lesson import Lesson, to_do_wrong
from table_controller.practice.telling import practice_texts

LESSON = "lesson"


def _noted(view: Lesson, record: Record, _said: object, _state: TableState) -> Lesson:
    return lesson.noted(view, record.kind, bytes(record.body))


fold(LESSON, lambda _state: lesson.initial, _noted)


def lesson_of(seen: Seen) -> Lesson:
    """The day's lesson of a table."""
    view: Lesson = seen.views.get(LESSON, lesson.initial)
    return view


class Wrong(NamedTuple):
    """A mistake to make now, in words; `noted` once it is on record."""

    round: int
    text: str
    noted: bool


def wrong_on_purpose(seen: Seen, viewer: Viewer) -> Wrong | None:
    """What a dealer is to do wrong now; nobody else is told, for it is theirs to find."""
    view = lesson_of(seen)
    found = to_do_wrong(view, seen.state) if viewer.role is Role.DEALER else None
    if found is None:
        return None
    text = practice_texts(viewer.say.language)["do"][found.mistake]
    return Wrong(
        found.round, text.format(box=found.box, paid=viewer.say.money(found.paid)), found.round in view.planted
    )


@panel("wrong_payment", Act.RUN_PIT)
def wrong_payment(seen: Seen, _viewer: Viewer) -> Fragment:
    """In a practice round: the boxes, to be tapped when one was paid wrongly."""
    rnd = round_of(seen.state)
    shown = rnd if rnd is not None and rnd.practice and rnd.closed else None
    called = lesson_of(seen).called.get(shown.number, ()) if shown is not None else ()
    return "panels/wrong_payment.html", {"round": shown, "called": called}


@panel("practice_round", Act.RUN_PIT)
def practice_round(seen: Seen, viewer: Viewer) -> Fragment:
    """The plan in force, and the button that opens a practice round or says why not."""
    opening = said.OpenBets(Cause("floor", 0), Person("somebody", viewer.role), practice=True)
    refusal = why_not(next(iter(GAMES.values())).game, seen.state, opening)
    rnd = seen.state.round
    values = {
        "plan": lesson_of(seen).plan,
        "refused": refusal.reason if refusal is not None else "",
        "running": rnd.number if rnd is not None and rnd.practice else None,
    }
    return "panels/practice_round.html", values
