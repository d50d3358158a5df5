"""Who may do what: one table that every page, command and panel is checked against, and that is exported as it is."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

from table_controller.core.people import Role

View = TypeVar("View", bound=Callable[..., Any])


class Act(StrEnum):
    """Everything a person can do through the window, in the house's words."""

    SIGN_IN = "sign_in"
    OWN_ACCOUNT = "own_account"
    SEE_TABLE = "see_table"
    DEAL = "deal"
    RUN_PIT = "run_pit"
    SEE_MONEY = "see_money"
    MOVE_MONEY = "move_money"
    COUNT_TABLE = "count_table"
    CORRECT = "correct"
    RULES = "rules"
    GUESTS = "guests"
    ACKNOWLEDGE = "acknowledge"
    REPLAY = "replay"
    EXPORT = "export"
    REPORTS = "reports"
    DEVICES = "devices"
    PEOPLE = "people"


D, P, S, T, A = Role.DEALER, Role.PIT_BOSS, Role.SURVEILLANCE, Role.TECHNICIAN, Role.ADMINISTRATOR
EVERYBODY: Final = frozenset(Role)

ACCESS: Final[Mapping[Act, frozenset[Role]]] = {
    Act.SIGN_IN: EVERYBODY,
    Act.OWN_ACCOUNT: EVERYBODY,
    Act.SEE_TABLE: EVERYBODY,
    Act.DEAL: frozenset({D, P, A}),
    Act.RUN_PIT: frozenset({P, A}),
    Act.SEE_MONEY: frozenset({P, S, A}),
    Act.MOVE_MONEY: frozenset({D, P, A}),
    Act.COUNT_TABLE: frozenset({P, A}),
    Act.CORRECT: frozenset({P, A}),
    Act.RULES: frozenset({P, A}),
    Act.GUESTS: frozenset({P, A}),
    Act.ACKNOWLEDGE: frozenset({P, S, T, A}),
    Act.REPLAY: frozenset({P, S, A}),
    Act.EXPORT: frozenset({P, S, A}),
    Act.REPORTS: frozenset({P, S, A}),
    Act.DEVICES: frozenset({P, T, A}),
    Act.PEOPLE: frozenset({A}),
}

GUARD: Final = "krupier_act"
PUBLIC: Final = "krupier_public"


def may(role: Role, act: Act) -> bool:
    """Whether a role may do it; the one question every check asks."""
    return role in ACCESS[act]


def guarded(act: Act) -> Callable[[View], View]:
    """Marks a page: who opens it must be signed in and may do `act`. A page without a mark is refused to everybody."""

    def mark(view: View) -> View:
        setattr(view, GUARD, act)
        return view

    return mark


def public(view: View) -> View:
    """Marks one of the few doors that stand before signing in."""
    setattr(view, PUBLIC, True)
    return view


def act_of(view: object) -> Act | None:
    """What opening a page amounts to; None if it is not marked."""
    return getattr(view, GUARD, None)


def is_public(view: object) -> bool:
    """Whether a page stands before signing in."""
    return getattr(view, PUBLIC, False)
