"""The command `krupier`. Each room keeps its own commands; this file only knows where they live."""

import os
import sys
from importlib import import_module
from typing import Any

import click

COMMANDS: dict[str, str] = {
    "backup": "table_controller.record_commands.backups:backup",
    "bankroll": "table_controller.number_commands.bankroll:bankroll",
    "calibrate": "vision.installing:command",
    "deckcheck": "vision.checking:command",
    "demo": "table_controller.demo.command:demo",
    "devices": "firmware_bridge.cli:devices",
    "dispute": "table_controller.record_commands.dispute:dispute",
    "doctor": "table_controller.doctor.command:doctor",
    "edge": "table_controller.number_commands.edge:edge",
    "export": "table_controller.record_commands.papers:export",
    "hold": "table_controller.record_commands.keeping:hold",
    "key": "table_controller.record_commands.keys:key",
    "monitor": "firmware_bridge.cli:monitor",
    "play": "table_controller.commands:play",
    "practice": "table_controller.practice.command:practice",
    "purge": "table_controller.record_commands.keeping:purge",
    "read": "vision.cli:read",
    "replay": "table_controller.record_commands.replay:replay",
    "report": "table_controller.record_commands.papers:report",
    "restore": "table_controller.record_commands.backups:restore",
    "review": "table_controller.number_commands.review:review",
    "rules": "table_controller.commands:rules",
    "run": "table_controller.app:run",
    "setup": "table_controller.setup.command:setup",
    "slip": "table_controller.record_commands.papers:slip",
    "strategy": "table_controller.number_commands.strategy:strategy",
    "update": "table_controller.release.command:update",
    "verify": "table_controller.record_commands.verify:verify",
    "window": "dashboard.cli:window",
}


EXTRAS: dict[str, str] = {"numba": "numbers", "numpy": "numbers"}
"""Libraries of a room whose extra has another name than the room."""


class RoomGroup(click.Group):
    """Imports a room only when one of its commands is asked for, so that an absent extra disturbs nobody else."""

    def main(self, *words: Any, **settings: Any) -> Any:  # noqa: ANN401 - click's own signature
        """The process door: output that cannot be written ends with one line, not a traceback."""
        try:
            try:
                return super().main(*words, **settings)
            finally:
                sys.stdout.flush()
        except OSError as lost:
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - or the exit would try to write once more
            click.echo(f"krupier: the output cannot be written: {lost.strerror}", err=True)
            raise SystemExit(2) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, name = COMMANDS[cmd_name].split(":")
        try:
            command = getattr(import_module(module), name)
        except ModuleNotFoundError as missing:
            library = str(missing.name)
            return unavailable(cmd_name, EXTRAS.get(library, module.partition(".")[0]), library)
        assert isinstance(command, click.Command)
        return command


def unavailable(name: str, room: str, library: str) -> click.Command:
    """A command whose room lacks a library: it says which extra to install, and exits with 2."""

    def say(rest: tuple[str, ...]) -> None:
        click.echo(f"krupier: {name} {' '.join(rest)}: needs {library}; pip install 'krupier[{room}]'", err=True)
        sys.exit(2)

    rest = click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED)
    settings = {"ignore_unknown_options": True}
    return click.Command(name, context_settings=settings, callback=say, params=[rest], short_help=f"Needs {library}.")


@click.group(cls=RoomGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="krupier", prog_name="krupier")
def main() -> None:
    """Krupier runs a real blackjack table: ordinary cards, two witnesses, one judge."""
