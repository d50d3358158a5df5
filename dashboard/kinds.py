"""What may be asked of a table through the window: each command with its act, its proof, and how its form is read."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from dashboard.barriers import guest_may_play, opener_explained
from dashboard.decks import checked_today
from dashboard.forms import Form, Unusable, chips, flag, insides, numbers, optional, place, reading, typed_card
from dashboard.house import House, house, table_seen
from dashboard.roles import Act
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack import words as bj
from table_controller.core.stimuli import Stimulus

Fields = Mapping[str, object]


class Kind(NamedTuple):
    """A command of the table: who may give it, what proof it takes, and its fields from a form.

    `second` asks for another person's PIN; `maybe` where only some of its uses need one, which the core knows. `first`
    is what the window itself has to say before: it may refuse (NotProved), or put something on record.
    """

    stimulus: type[Stimulus]
    act: Act
    read: Callable[[Form], Fields]
    pin: bool = False
    second: bool = False
    maybe: bool = False
    first: Callable[[House, Form, Fields], None] | None = None


def _house(form: Form) -> str:
    """One of the rule sets on offer: a name from a form must never become a path."""
    found = house().settings.rule_sets.get(form.text("house"))
    if found is None:
        raise Unusable("house")
    return found


def _opening(form: Form) -> Fields:
    name = _house(form)
    rules, settings, seen = houses.rule_values(name), house().settings, table_seen(form.text("table"))
    checked = checked_today(settings, seen.table, seen.day)
    return {
        "rules": rules,
        "house": houses.house_values(name),
        "chips": chips(form),
        "checked": checked if checked is not None and checked.decks == rules["decks"] else None,
    }


def _limits(form: Form) -> Fields:
    overrides: dict[str, Any] = {
        key: form.money(key) for key in ("min_bet", "max_bet", "bet_step", "budget") if form.text(key)
    }
    return {"rules": {**houses.rule_values(_house(form)), **overrides}}


def _none(_form: Form) -> Fields:
    return {}


def _typed_card(form: Form) -> Fields:
    place_text, _, index = form.text("which").rpartition(":")
    where = form if not place_text else Form({**form.fields, "place": place_text, "index": index})
    return {"place": place(where), "index": where.whole("index"), "card": typed_card(form)}


def _remedy(form: Form) -> Fields:
    return {
        "dispute": form.whole("dispute"),
        "remedy": form.text("remedy"),
        "place": place(form) if form.text("place") else None,
        "card": typed_card(form),
        "boxes": numbers(form, "boxes"),
    }


KINDS: Final[Mapping[str, Kind]] = {
    "open_table": Kind(said.OpenTable, Act.COUNT_TABLE, _opening, pin=True, second=True, first=opener_explained),
    "close_table": Kind(said.CloseTable, Act.COUNT_TABLE, lambda form: {"chips": chips(form)}, pin=True, second=True),
    "change_rules": Kind(said.ChangeRules, Act.RULES, _limits, pin=True),
    "load_shoe": Kind(said.LoadShoe, Act.DEAL, reading(new_cards=flag), maybe=True),
    "cut_shoe": Kind(said.CutShoe, Act.DEAL, lambda form: {"place": place(form), "behind": form.whole("behind")}),
    "inspect_reader": Kind(said.InspectReader, Act.RUN_PIT, _none),
    "count_shoe": Kind(said.CountShoe, Act.RUN_PIT, lambda form: {"inside": insides(form)}),
    "sign_on": Kind(said.SignOn, Act.DEAL, reading(dealer=Form.text)),
    "take_box": Kind(said.TakeBox, Act.DEAL, reading(box=Form.whole, player=Form.maybe), first=guest_may_play),
    "move_money": Kind(
        said.MoveMoney,
        Act.MOVE_MONEY,
        lambda form: {"what": form.text("what"), "chips": chips(form)},
        pin=True,
        maybe=True,
    ),
    "open_bets": Kind(said.OpenBets, Act.DEAL, reading(practice=flag)),
    "place_bet": Kind(
        said.PlaceBet,
        Act.DEAL,
        lambda form: {"box": form.whole("box"), "amount": form.whole("amount"), "side": form.text("side") or "main"},
    ),
    "take_back": Kind(said.TakeBack, Act.DEAL, reading(box=Form.whole)),
    "close_bets": Kind(said.CloseBets, Act.DEAL, _none),
    "correct_bet": Kind(
        said.CorrectBet, Act.CORRECT, reading(box=Form.whole, amount=Form.money), pin=True, second=True
    ),
    "correct_card": Kind(said.CorrectCard, Act.CORRECT, _typed_card, pin=True, second=True),
    "enter_card": Kind(
        said.EnterCard,
        Act.CORRECT,
        lambda form: {"place": place(form), "card": typed_card(form), "reason": form.text("reason")},
        pin=True,
        second=True,
    ),
    "report_payout": Kind(said.ReportPayout, Act.CORRECT, reading(box=Form.whole, paid=Form.money), pin=True),
    "resolve_dispute": Kind(said.ResolveDispute, Act.CORRECT, _remedy, pin=True, maybe=True),
    "void_round": Kind(said.VoidRound, Act.CORRECT, reading(reason=Form.text), pin=True, second=True),
    "pause_table": Kind(said.PauseTable, Act.DEAL, reading(reason=Form.text)),
    "resume_table": Kind(said.ResumeTable, Act.RUN_PIT, _none),
    "box_paid": Kind(said.BoxPaid, Act.DEAL, reading(box=Form.whole)),
    "table_cleared": Kind(said.TableCleared, Act.DEAL, _none),
    "card_burnt": Kind(said.CardBurnt, Act.DEAL, lambda form: {"card": optional(form.text("card"))}),
    "cut_card_seen": Kind(said.CutCardSeen, Act.DEAL, _none),
    "hole_peeked": Kind(bj.HolePeeked, Act.DEAL, reading(blackjack=flag)),
    "signal": Kind(
        bj.Signal,
        Act.DEAL,
        lambda form: {
            "box": form.whole("box"),
            "hand": form.whole("hand"),
            "action": form.text("action"),
            "amount": form.whole("amount") if form.text("amount") else None,
        },
    ),
}
