"""The parts of a table for somebody who has none: boxes to plug in, and people who play whatever round is opened.

`krupier demo --parts FOLDER` runs beside a table that is set up in FOLDER by hand: its boxes are FOLDER/shoe and
FOLDER/keys, its camera is `rendered:`. Opening, bets and closing are left to whoever tries the table.
"""

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from table_controller.cameras import numbered
from table_controller.config import DRAWN, Config, read_config
from table_controller.core.blackjack.round import DueKind, round_of
from table_controller.core.cards import PACK
from table_controller.core.table import TableState
from table_controller.demo.boards import DemoBoards
from table_controller.demo.dealer import Dealer, Slips, Table, Void, begin, pay_and_clear, void
from table_controller.demo.drawn import DrawnFelt
from table_controller.demo.floor import Screen
from table_controller.demo.follow import Follower
from table_controller.misconfigured import ConfigInvalid
from table_controller.play.felt import CannotPlay
from table_controller.port.client import Door, DoorClosed
from table_controller.port.wire import orders_place
from table_controller.port.words import Look, Status

CONFIG: Final = "table.toml"
LOOK_AGAIN_S, SIGHT_S, LONGEST_S = 0.2, 12.0, 4.0
FAULTLESS: Final = Slips(0, 0, 0, 0, 0)
Tell = Callable[[str], None]


def lend(folder: Path, seed: int) -> None:
    """Boxes plugged in and people at the table, until Ctrl-C."""
    folder.mkdir(parents=True, exist_ok=True)
    boards = DemoBoards(folder.absolute(), boots=int(time.time()) % 10**8, beams=1)
    for twin in boards.twins.values():
        twin.board.jumper = True
    boards.start()
    for name, port in boards.ports.items():
        click.echo(f"krupier: the box {name} is plugged in at {port.path}, its pairing jumper set", err=True)
    click.echo(f"krupier: set the table up in {folder}, with the camera rendered:", err=True)
    people = People(folder, boards, random.Random(seed))
    try:
        while True:
            _pull_jumpers(boards)
            try:
                people.look()
            except CannotPlay as stuck:
                click.echo(f"krupier: the people wait: {stuck}", err=True)
            except DoorClosed:
                people.leave()
            time.sleep(LOOK_AGAIN_S)
    except KeyboardInterrupt:
        return
    finally:
        boards.close()


def _pull_jumpers(boards: DemoBoards) -> None:
    """A box that is paired needs its jumper no more."""
    for name, twin in boards.twins.items():
        if twin.board.jumper and twin.board.eeprom.key is not None:
            twin.board.jumper = False
            click.echo(f"krupier: the box {name} is paired; its jumper is pulled", err=True)


class People:
    """Dealer and players: they wait for bets to be closed, then deal and play what the table says is due."""

    def __init__(self, folder: Path, boards: DemoBoards, chance: random.Random) -> None:
        self._folder, self._boards, self._chance = folder, boards, chance
        self._table: Table | None = None
        self._shoe: list[str] = []

    def look(self) -> None:
        """Plays the round, if one is to be dealt; raises CannotPlay or DoorClosed where it cannot go on."""
        table = self._table = self._table or self._found()
        state = table.screen.state if table is not None else None
        if table is None or state is None or not _to_be_dealt(state):
            return
        assert state.shoe is not None
        if state.shoe.cards_left == state.shoe.decks * len(PACK):
            self._shoe = [card.text for card in PACK * state.shoe.decks]
            self._chance.shuffle(self._shoe)
        try:
            Dealer(table, FAULTLESS, self._shoe.pop).play(begin(table.screen, practice=False))
        except Void as why:
            void(table, str(why))
        else:
            pay_and_clear(table, FAULTLESS)

    def leave(self) -> None:
        """The table is gone; whichever runs next is looked for anew."""
        self._table = None

    def _found(self) -> Table | None:
        """The table in the folder, once it runs."""
        config = _config(self._folder / CONFIG)
        if config is None:
            return None
        door = Door(config.data, config.table)
        status = door.look(Look())
        assert isinstance(status, Status)
        screen = Screen(door, Follower(Path(status.journal)).look, LOOK_AGAIN_S)
        drawn = [number for number, camera in numbered(config) if camera.source.startswith(DRAWN)]
        return Table(
            screen,
            self._boards,
            DrawnFelt([orders_place(config.data, config.table, number) for number in drawn], 7),
            self._chance,
            lambda seconds: time.sleep(min(seconds, LONGEST_S)),
            SIGHT_S,
        )


def _config(file: Path) -> Config | None:
    try:
        return read_config(file)
    except (ConfigInvalid, OSError):
        return None


def _to_be_dealt(state: TableState) -> bool:
    rnd = round_of(state)
    return rnd is not None and not state.paused and rnd.due.kind not in (DueKind.BETS, DueKind.PAY)
