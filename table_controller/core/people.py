"""Who says it: people at and around the table, and what each of them may do."""

from enum import StrEnum

from msgspec import Struct


class Role(StrEnum):
    """The five kinds of people with an account."""

    DEALER = "dealer"
    PIT_BOSS = "pit_boss"
    SURVEILLANCE = "surveillance"
    TECHNICIAN = "technician"
    ADMINISTRATOR = "administrator"


class Person(Struct, frozen=True, gc=False):
    """A signed-in person: the account's name and the role it acts in."""

    name: str
    role: Role
