"""A group of pages: a blueprint, and where it stands in the menu. Each page group is one module with `GROUP`."""

from typing import Final, NamedTuple

from flask import Blueprint

from dashboard.roles import Act

ALL: Final = (
    "dashboard.signing_in",
    "dashboard.home",
    "dashboard.table_pages",
    "dashboard.bets",
    "dashboard.pit_pages",
    "dashboard.practice_pages",
    "dashboard.help_pages",
    "dashboard.guest_pages",
    "dashboard.desk.pages",
    "dashboard.desk.papers",
    "dashboard.desk.grievances",
    "dashboard.desk.reports",
    "dashboard.people_pages",
    "dashboard.commands",
    "dashboard.live_feed",
)
"""The modules of pages, imported when the window is made; a new one is added here."""


class Item(NamedTuple):
    """An entry of the menu: its page, its text's key, its icon, who sees it; `table` if the page is of a table.

    What is wanted `often` stays in the bar of a phone, which has no room for all.
    """

    endpoint: str
    text: str
    icon: str
    act: Act
    table: bool = False
    often: bool = False


class Group(NamedTuple):
    """The pages of a module."""

    blueprint: Blueprint
    menu: tuple[Item, ...] = ()
