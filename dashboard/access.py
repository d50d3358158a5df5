"""The access matrix: every page, command and panel with the roles that pass its check, read from the very checks."""

import csv
import io
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from flask import Flask

from dashboard.kinds import KINDS
from dashboard.panels import PANELS
from dashboard.roles import ACCESS, Act, act_of, is_public
from table_controller.core.people import Role


class Proof(StrEnum):
    """What somebody shows besides being signed in; `nobody` need not even be that."""

    PIN = "pin"
    SECOND = "second"
    NOBODY = "nobody"


class Row(NamedTuple):
    """One thing that can be asked of the window."""

    sort: str
    name: str
    act: str
    roles: frozenset[Role]
    proof: tuple[Proof, ...] = ()


def matrix(app: Flask) -> list[Row]:
    """Everything that can be asked, by sort and name."""
    return sorted([*_pages(app), *_commands(), *_panels()])


def _pages(app: Flask) -> Iterator[Row]:
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        methods = " ".join(sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}))
        if rule.endpoint == "static" or is_public(view):
            yield Row("page", f"{methods} {rule.rule}", "", frozenset(Role), (Proof.NOBODY,))
        else:
            act = act_of(view)
            yield Row("page", f"{methods} {rule.rule}", act or "refused to everybody", _roles(act))


def _commands() -> Iterator[Row]:
    for name, kind in KINDS.items():
        proof = tuple(word for word, needed in ((Proof.PIN, kind.pin), (Proof.SECOND, kind.second)) if needed)
        yield Row("command", name, kind.act, ACCESS[kind.act], proof)


def _panels() -> Iterator[Row]:
    for name, panel in PANELS.items():
        yield Row("panel", name, panel.act, ACCESS[panel.act])


def _roles(act: Act | None) -> frozenset[Role]:
    return ACCESS[act] if act is not None else frozenset()


def matrix_csv(app: Flask) -> str:
    """The matrix for the access review (25 CFR 543.16(c)(4))."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["sort", "name", "act", *Role, "proof"])
    for row in matrix(app):
        allowed = ("yes" if role in row.roles else "" for role in Role)
        writer.writerow([row.sort, row.name, row.act, *allowed, " ".join(row.proof)])
    return out.getvalue()
