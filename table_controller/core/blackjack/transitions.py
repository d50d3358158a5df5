"""The arrows between the phases of a table. Tests assert that only these are taken and that each one is."""

from typing import Final

from table_controller.core.table import Phase

_ROUND: Final = {
    Phase.CLOSED: {Phase.IDLE},
    Phase.IDLE: {Phase.BETTING, Phase.CLOSED},
    Phase.BETTING: {Phase.DEALING, Phase.IDLE},
    Phase.DEALING: {Phase.INSURANCE, Phase.PEEK, Phase.PLAYING, Phase.DEALER, Phase.IDLE},
    Phase.INSURANCE: {Phase.PEEK, Phase.PLAYING, Phase.DEALER, Phase.IDLE},
    Phase.PEEK: {Phase.PLAYING, Phase.DEALER, Phase.IDLE},
    Phase.PLAYING: {Phase.DEALER, Phase.IDLE},
    Phase.DEALER: {Phase.SETTLING, Phase.IDLE},
    Phase.SETTLING: {Phase.IDLE},
}

ARROWS: Final = frozenset((start, end) for start, ends in _ROUND.items() for end in ends)
"""The course of a round; a void round goes to idle from anywhere."""

BACK: Final = frozenset(
    {
        (Phase.PEEK, Phase.INSURANCE),
        (Phase.PLAYING, Phase.INSURANCE),
        (Phase.PLAYING, Phase.PEEK),
        (Phase.DEALER, Phase.PLAYING),
    }
)
"""A supervisor's correction or remedy may lead back to what the rules then demand."""

PAUSES: Final = frozenset(
    arrow
    for phase in Phase
    if phase not in (Phase.CLOSED, Phase.PAUSED)
    for arrow in ((phase, Phase.PAUSED), (Phase.PAUSED, phase))
)
"""Any open table may pause and goes on where it was."""
