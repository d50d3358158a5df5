"""krupier backup, restore: a second copy of a journal, and putting it back."""

from pathlib import Path

import click

from table_controller.journal.backup import back_up, put_back
from table_controller.journal.errors import NotKept
from table_controller.journal.naming import journal_path, journals
from table_controller.journal.verify import Verdict, refuse_damaged, verify_file
from table_controller.record_commands.asking import PATH, answering


@click.command()
@click.argument("path", type=PATH)
@click.argument("folder", type=PATH)
@answering
def backup(path: Path, folder: Path) -> None:
    """Copy a journal, or all of a folder, while the table plays; only a copy that verifies replaces the last one."""
    found = journals(path) if path.is_dir() else [path] if path.exists() else []
    if not found:
        raise NotKept(f"{path}: no journal here")
    for journal in found:
        _tell(back_up(journal, folder))


@click.command()
@click.argument("copy", type=PATH)
@click.argument("journal", type=PATH, required=False)
@click.option("--check", is_flag=True, help="Only check that the copy is good.")
@answering
def restore(copy: Path, journal: Path | None, *, check: bool) -> None:
    """Put a backup in the place of a damaged journal, which is kept beside it under another name.

    JOURNAL is that journal, or the folder it lies in.
    """
    if not copy.exists():
        raise NotKept(f"{copy}: no such backup")
    if check:
        verdict = verify_file(copy)
        refuse_damaged(verdict)
        _tell(verdict)
    elif journal is None:
        raise NotKept("name the journal whose place the backup takes, or ask for --check")
    else:
        _tell(put_back(copy, _place(copy, journal)))


def _place(copy: Path, journal: Path) -> Path:
    """The journal itself; in a folder the one of the copy's table and day."""
    if not journal.is_dir():
        return journal
    verdict = verify_file(copy)
    refuse_damaged(verdict)
    return journal_path(journal, str(verdict.table), str(verdict.day))


def _tell(verdict: Verdict) -> None:
    click.echo(f"{verdict.path}: good, {verdict.records} records, head {verdict.head}")
