"""Money that crosses the table outside the rounds: numbered slips, counted by denomination."""

from msgspec.structs import replace

from table_controller.core.disputes import one_person
from table_controller.core.events import MoneyMoved, PayoutCorrected
from table_controller.core.game import Course
from table_controller.core.life import unknown_chip
from table_controller.core.money import worth
from table_controller.core.people import Role
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.stimuli import Moved, MoveMoney
from table_controller.core.table import TableState

TWO_NAMES = frozenset({Moved.FILL, Moved.CREDIT, Moved.DROP})
"""Slips that two people sign (WAC 230-15-520, 530)."""


def cannot_move(state: TableState, command: MoveMoney) -> Refusal | None:
    """Why the slip is not written."""
    if state.rules is None:
        return Refusal(Reason.TABLE_CLOSED)
    if command.by.role in (Role.TECHNICIAN, Role.SURVEILLANCE):
        return Refusal(Reason.ROLE)
    if command.what in TWO_NAMES and one_person(command.by, command.second):
        return Refusal(Reason.SECOND_PERSON)
    if worth(command.chips) <= 0:
        return Refusal(Reason.AMOUNT)
    return None if command.what is Moved.DROP else unknown_chip(state, command.chips)


def move(course: Course, command: MoveMoney) -> None:
    """Write the next slip of its kind."""
    number = course.state.bank.slips.get(command.what, 0) + 1
    amount = worth(command.chips)
    course.record(MoneyMoved(course.cause, command.what, number, amount, command.chips, command.by, command.second))


def moved(state: TableState, event: MoneyMoved) -> TableState:
    bank, amount = state.bank, event.amount
    sums = {
        Moved.FILL: {"fills": bank.fills + amount},
        Moved.CREDIT: {"credits": bank.credits + amount},
        Moved.DROP: {"drop": bank.drop + amount},
        Moved.TIP: {"tips": bank.tips + amount},
        Moved.BUY_IN: {"buy_ins": bank.buy_ins + amount},
        Moved.COLOUR_UP: {},
    }
    slips = {**bank.slips, event.what.value: event.number}
    return replace(state, bank=replace(bank, slips=slips, **sums[event.what]))


def payout_corrected(state: TableState, event: PayoutCorrected) -> TableState:
    """What the house lets stand is its own loss, or its gain."""
    lost = event.difference if event.stands else 0
    return replace(state, bank=replace(state.bank, house_net=state.bank.house_net - lost))
