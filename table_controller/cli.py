"""The command `krupier`. Each room keeps its own commands; this file only knows where they live."""

from importlib import import_module

import click

COMMANDS: dict[str, str] = {
    "calibrate": "vision.installing:command",
    "deckcheck": "vision.cli:deckcheck",
    "read": "vision.cli:read",
    "demo": "table_controller.play.command:demo",
    "play": "table_controller.commands:play",
    "rules": "table_controller.commands:rules",
}


class RoomGroup(click.Group):
    """Imports a room only when one of its commands is asked for, so that an absent extra disturbs nobody else."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, name = COMMANDS[cmd_name].split(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=RoomGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="krupier", prog_name="krupier")
def main() -> None:
    """Krupier runs a real blackjack table: ordinary cards, two witnesses, one judge."""
