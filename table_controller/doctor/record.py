"""The record: its key, its newest day, the copy of it somewhere else, and the rules it will be played by."""

import time
from pathlib import Path

from table_controller.core.parameters import Unusable
from table_controller.doctor.finding import Finding, amber, green, red
from table_controller.houses import NoSuchHouse, fingerprint, house_values, rules_with
from table_controller.journal import keys
from table_controller.journal.errors import JournalError, KeyUnusable
from table_controller.journal.naming import journals
from table_controller.journal.verify import verify_file

HOUR_S = 3600
OLDEST_COPY_H = 26.0
"""A day and the time to make the copy."""


def key(path: Path) -> Finding:
    """The house's signing key."""
    try:
        mark = keys.fingerprint(keys.load_key(path).public_key())
    except KeyUnusable as error:
        return red("key", "key_unusable", why=error, path=path)
    return green("key", "key_good", mark=mark[:16])


def newest_day(folder: Path) -> Finding:
    """Every row of the newest day is what was written."""
    days = journals(folder)
    if not days:
        return amber("journal", "journal_none", folder=folder)
    try:
        verdict = verify_file(days[-1])
    except JournalError as error:
        return red("journal", "journal_bad", name=days[-1].name, why=error, path=days[-1])
    if not verdict.ok:
        return red("journal", "journal_bad", name=days[-1].name, why=verdict.reason, path=days[-1])
    return green("journal", "journal_good", name=days[-1].name, rows=verdict.records)


def copies(folder: Path, kept: Path | None) -> Finding:
    """The newest copy of the record, and how old it is; a record of today need not be copied yet."""
    days = journals(folder)
    alone = max(((time.time() - day.stat().st_mtime) / HOUR_S for day in days), default=0.0)
    if kept is None:
        return (red if alone > OLDEST_COPY_H else amber)("copies", "copies_nowhere")
    if not days:
        return green("copies", "copies_needless")
    found = journals(kept) if kept.is_dir() else []
    values = {"folder": folder, "kept": kept}
    if not found:
        return (red if alone > OLDEST_COPY_H else amber)("copies", "copies_none", **values)
    written = max(day.stat().st_mtime for day in days)
    copied = max(copy.stat().st_mtime for copy in found)
    behind, age = (written - copied) / HOUR_S, (time.time() - copied) / HOUR_S
    if behind > OLDEST_COPY_H:
        return red("copies", "copies_old", hours=f"{age:.0f}", **values)
    return green("copies", "copies_fresh", hours=f"{max(age, 0):.0f}", **values)


def rules(name: str) -> Finding:
    """The rule set and house file that the table opens with."""
    try:
        mark = fingerprint(rules_with(name, {}))
        house_values(name)
    except (NoSuchHouse, Unusable, OSError) as error:
        return red("rules", "rules_unusable", name=name, why=error)
    return green("rules", "rules_good", name=name, mark=mark[:16])
