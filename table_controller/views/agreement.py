"""How often the witnesses differ: by device, as the floor's decision showed who was wrong, and by dealer."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core.events import Event
from table_controller.core.irregular import Irregularity, Remedy

CAMERA, SHOE, NOBODY = "camera", "shoe", ""

WITNESSES: Final = frozenset(
    {
        Irregularity.DRAWN_NOT_SEEN,
        Irregularity.SEEN_NOT_DRAWN,
        Irregularity.WITNESSES_DISAGREE,
        Irregularity.UNREADABLE,
        Irregularity.IMPOSSIBLE_CARD,
        Irregularity.READ_DIFFERENTLY,
        Irregularity.UNCLEAR_HAND,
    }
)
"""Questions in which one witness contradicts the other, or itself."""

HANDLING: Final = frozenset(
    {
        Irregularity.CARD_NOT_DUE,
        Irregularity.DRAWN_IN_ERROR,
        Irregularity.WRONG_PLACE,
        Irregularity.BOX_WITHOUT_BET,
        Irregularity.DEALER_CARD_MISSED,
        Irregularity.DEALER_OVERDREW,
        Irregularity.HOLE_EXPOSED,
        Irregularity.FACE_DOWN,
        Irregularity.PEEK_CONTRADICTED,
        Irregularity.PEEK_MISSED,
        Irregularity.CUT_CARD_DEALT,
        Irregularity.TWO_CARDS,
        Irregularity.OUTSIDE_ROUND,
        Irregularity.WRONG_PAYOUT,
    }
)
"""Questions about how the cards and the money were handled."""

WRONG: Final[Mapping[tuple[Irregularity, Remedy], str]] = {
    (Irregularity.DRAWN_NOT_SEEN, Remedy.NO_CARD): SHOE,
    (Irregularity.DRAWN_NOT_SEEN, Remedy.BURN): CAMERA,
    (Irregularity.DRAWN_NOT_SEEN, Remedy.ANSWERED): CAMERA,
    (Irregularity.SEEN_NOT_DRAWN, Remedy.ACCEPT): SHOE,
    (Irregularity.SEEN_NOT_DRAWN, Remedy.ANSWERED): SHOE,
    (Irregularity.SEEN_NOT_DRAWN, Remedy.REMOVE): CAMERA,
    (Irregularity.WITNESSES_DISAGREE, Remedy.TRUST_SHOE): CAMERA,
    (Irregularity.WITNESSES_DISAGREE, Remedy.SHOWN_AGAIN): CAMERA,
    (Irregularity.WITNESSES_DISAGREE, Remedy.TRUST_CAMERA): SHOE,
    (Irregularity.UNREADABLE, Remedy.TYPE_CARD): CAMERA,
    (Irregularity.UNREADABLE, Remedy.SHOWN_AGAIN): CAMERA,
    (Irregularity.IMPOSSIBLE_CARD, Remedy.TYPE_CARD): CAMERA,
    (Irregularity.IMPOSSIBLE_CARD, Remedy.SHOWN_AGAIN): CAMERA,
    (Irregularity.READ_DIFFERENTLY, Remedy.TYPE_CARD): CAMERA,
    (Irregularity.READ_DIFFERENTLY, Remedy.PLAY_ON): CAMERA,
    (Irregularity.READ_DIFFERENTLY, Remedy.SHOWN_AGAIN): CAMERA,
}
"""Whom a decision shows to have been wrong; where it shows nobody, nobody is counted."""


class Tally(Struct, frozen=True):
    """Cards dealt, and questions by their kind."""

    cards: int = 0
    questions: Mapping[Irregularity, int] = {}

    @property
    def per_thousand(self) -> float:
        """Questions for a thousand cards."""
        return 1000 * sum(self.questions.values()) / self.cards if self.cards else 0.0

    def with_question(self, irregularity: Irregularity) -> "Tally":
        """One more question of that kind."""
        return replace(self, questions={**self.questions, irregularity: self.questions.get(irregularity, 0) + 1})


class Agreement(Struct, frozen=True):
    """By device, by dealer (empty: nobody has signed on), and who deals now."""

    devices: Mapping[str, Tally] = {}
    dealers: Mapping[str, Tally] = {}
    dealer: str = NOBODY
    cards: int = 0


initial: Final = Agreement()


def apply(view: Agreement, event: Event) -> Agreement:
    """The counts after one more fact."""
    match event:
        case fact.DealerSignedOn():
            return replace(view, dealer=event.dealer)
        case fact.CardDealt():
            dealt = _of(view.dealers, view.dealer)
            dealers = {**view.dealers, view.dealer: replace(dealt, cards=dealt.cards + 1)}
            devices = {name: replace(tally, cards=view.cards + 1) for name, tally in view.devices.items()}
            return replace(view, dealers=dealers, devices=devices, cards=view.cards + 1)
        case fact.Disputed() if event.irregularity in WITNESSES | HANDLING:
            tally = _of(view.dealers, view.dealer).with_question(event.irregularity)
            return replace(view, dealers={**view.dealers, view.dealer: tally})
        case fact.DisputeResolved():
            return _decided(view, WRONG.get((event.irregularity, event.remedy)), event.irregularity)
        case _:
            return view


def _decided(view: Agreement, device: str | None, irregularity: Irregularity) -> Agreement:
    if device is None:
        return view
    tally = replace(_of(view.devices, device), cards=view.cards).with_question(irregularity)
    return replace(view, devices={**view.devices, device: tally})


def _of(tallies: Mapping[str, Tally], name: str) -> Tally:
    return tallies.get(name, Tally())
