"""The games this program can play, and how the state of each is read back from the record."""

from typing import Final, NamedTuple

from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.codec import decoder
from table_controller.core.game import Game
from table_controller.core.table import TableState
from table_controller.journal.errors import UnknownKind
from table_controller.journal.vocabulary import Vocabulary, encode_sorted


class _BlackjackState(TableState, frozen=True):
    """The same state with the types a decoder needs."""

    rules: RuleSet | None = None
    round: BlackjackRound | None = None


class PlayedGame(NamedTuple):
    """A game, its words, and its state by value."""

    game: Game
    words: Vocabulary
    state: type[TableState]

    def write_state(self, state: TableState) -> bytes:
        """The state as JSON, always the same for the same state."""
        return encode_sorted(state)

    def read_state(self, body: bytes) -> TableState:
        """The inverse of `write_state`; raises msgspec.MsgspecError."""
        read = decoder((self.state,)).decode(body)
        return TableState(**{name: getattr(read, name) for name in TableState.__struct_fields__})


GAMES: Final = {
    "blackjack": PlayedGame(BLACKJACK, Vocabulary(BLACKJACK), _BlackjackState),
}


def played(name: str) -> PlayedGame:
    """The game of that name; raises UnknownKind."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownKind(f"the record is of {name!r}, a game this program does not know") from None
