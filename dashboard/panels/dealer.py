"""The dealer's screen: the next action large, and only the buttons that mean something now."""

from typing import Final, NamedTuple

from dashboard import wording
from dashboard.felt_picture import chips
from dashboard.i18n import Speech
from dashboard.panels import Fragment, Seen, Viewer, panel
from dashboard.panels.pit import counts_hours, cut_due
from dashboard.panels.practice import wrong_on_purpose
from dashboard.panels.table import BOARD, board_of
from dashboard.roles import Act
from table_controller.core.blackjack.legal import insurance_limit
from table_controller.core.blackjack.round import BlackjackRound, round_of, rules_of
from table_controller.core.blackjack.words import Line
from table_controller.core.house import House
from table_controller.core.places import Place
from table_controller.core.rules import TableRules
from table_controller.core.table import Dispute, TableState
from table_controller.views import board
from table_controller.views.board import Board, Memory
from table_controller.views.payments import Payment, pay_list
from table_controller.views.prompts import Prompt, answers, waiting_questions

MOST_CHIPS_SHOWN: Final = 8
PAYING: Final = frozenset({"pay", "pay_take", "take", "push", "stays", "nothing", "clear"})


class Chip(NamedTuple):
    """A chip button: its place in the house's list, and its value."""

    place: int
    value: int


@panel("dealer", Act.DEAL)
def dealer(seen: Seen, viewer: Viewer) -> Fragment:
    """Everything a dealer needs, and nothing a dealer may not do."""
    state, prompt, shown = seen.state, seen.prompt, board_of(seen)
    memory: Memory = seen.views.get(BOARD, board.initial)
    rnd, house = round_of(state), state.house
    return "panels/dealer.html", {
        "prompt": prompt,
        "line": wording.prompt_line(viewer.say, prompt),
        "board": shown,
        "answers": answers(state),
        "limit": _limit(state, rnd),
        "payments": pay_list(rnd) if rnd is not None and (rnd.finished or prompt.code in PAYING) else (),
        "pay_words": lambda payment: pay_words(viewer.say, payment),
        "line_words": lambda line: line_words(viewer.say, line),
        "questions": [question_words(viewer.say, one) for one in waiting_questions(state)],
        "news": [line_words(viewer.say, line) for line in memory.news],
        "chips": chip_buttons(state.rules, house) if house is not None and state.rules is not None else (),
        "chips_of": lambda amount: chips(amount, house.denominations if house is not None else ()),
        "before": {one.box: one for one in memory.bets},
        "all_before": any(one.box in _free(shown) for one in memory.bets),
        "pairs": state.rules is not None and rules_of(state).pairs is not None,
        "practice": state.rules is not None and state.rules.practice,
        "count": lambda hand: wording.count(viewer.say, hand),
        "points": lambda hand: wording.points(viewer.say, hand),
        "in_play": in_play(prompt),
        "cut": cut_due(state),
        "two_load": counts_hours(state),
        "wrong": wrong_on_purpose(seen, viewer),
    }


def question_words(say: Speech, question: Dispute) -> str:
    """What is asked, and where."""
    what = wording.code_text(say, "irregularity", question.irregularity)
    where = question.place or (Place(question.box) if question.box else None)
    return what if where is None else f"{wording.place(say, where)}: {what}"


def in_play(prompt: Prompt) -> bool:
    """Whether cards are being dealt or paid, so that hands are worth showing."""
    return prompt.code not in (
        "closed",
        "open_bets",
        "bets",
        "bets_or_close",
        "bet_wrong",
        "load_shoe",
        "shuffle",
        "burn",
        "change_cards",
        "cut",
        "inspect_reader",
    )


def _free(shown: Board) -> set[int]:
    """The boxes without a bet; while the last round is still shown, that is all of them."""
    return {box.number for box in shown.boxes if shown.over or not box.main}


def _limit(state: TableState, rnd: BlackjackRound | None) -> int:
    box = rnd.box(rnd.due.place.box) if rnd is not None else None
    return insurance_limit(rules_of(state), box) if box is not None else 0


def chip_buttons(rules: TableRules, house: House) -> tuple[Chip, ...]:
    """The house's chips that make a bet by themselves; where none does, the smallest steps."""
    most = rules.max_bet if rules.max_bet is not None else max(house.denominations)
    fitting = [
        Chip(at, chip) for at, chip in enumerate(house.denominations) if chip % rules.bet_step == 0 and chip <= most
    ]
    least = rules.min_bet or rules.bet_step
    return tuple(fitting[-MOST_CHIPS_SHOWN:]) or (Chip(0, least),)


def pay_words(say: Speech, payment: Payment) -> str:
    """What the dealer does at a box."""
    match payment.what:
        case "pay_take":
            return say("dealer.pay_take", pay=say.amount(payment.pay), take=say.amount(payment.take))
        case "push" | "nothing":
            return say(f"dealer.{payment.what}")
        case "stays":
            return say("dealer.stays", amount=say.amount(payment.carried))
        case what:
            return say(f"dealer.{what}", amount=say.amount(payment.pay if what == "pay" else payment.take))


def line_words(say: Speech, line: Line) -> str:
    """One bet of the ledger: what lay, and how it ended."""
    bet = say(f"dealer.line_{line.bet}", amount=say.amount(line.stake))
    sign = "+" if line.net > 0 else ""
    return f"{say('prompts.box', box=line.box)}: {bet} – {say(f'board.{line.result}')} {sign}{say.amount(line.net)}"
