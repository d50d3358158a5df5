"""The games this program can play, and how what their tables say and are is kept in the record."""

from typing import Final, NamedTuple

from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.codec import Codec
from table_controller.core.game import Game
from table_controller.core.table import TableState
from table_controller.journal.errors import UnknownKind
from table_controller.journal.vocabulary import Vocabulary, encode_sorted


class PlayedGame(NamedTuple):
    """A game, its words, and its state by value."""

    game: Game
    words: Vocabulary
    codec: Codec

    def write_state(self, state: TableState) -> bytes:
        """The state as JSON, always the same for the same state."""
        return encode_sorted(state)

    def read_state(self, body: bytes) -> TableState:
        """The inverse of `write_state`; raises msgspec.MsgspecError."""
        return self.codec.state(body)


def _played(game: Game) -> PlayedGame:
    return PlayedGame(game, Vocabulary(game), Codec(game))


GAMES: Final = {game.name: _played(game) for game in (BLACKJACK,)}


def played(name: str) -> PlayedGame:
    """The game of that name; raises UnknownKind."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownKind(f"the record is of {name!r}, a game this program does not know") from None
