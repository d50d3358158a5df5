"""The pay list: seat by seat what the dealer pays, takes and leaves, while a round runs and when it is decided."""

from typing import Final

from msgspec import Struct

from table_controller.core.blackjack.round import BlackjackRound, Box
from table_controller.core.blackjack.words import Line, When

WITH_THE_DEALER: Final = (When.END, When.DEALER)


def waits(rnd: BlackjackRound, line: Line) -> bool:
    """Whether a bet waited for the end of the round; any other was paid or taken as it fell.

    A check that finds a natural ends the round; one that finds none only takes the insurance.
    """
    return line.when in WITH_THE_DEALER or (line.when is When.PEEK and bool(rnd.peeked))


class Payment(Struct, frozen=True):
    """One box: what the dealer adds from the tray, takes into it, leaves lying; `due` until it is paid."""

    box: int
    pay: int
    take: int
    back: int
    carried: int
    paid: bool
    ready: bool
    due: bool
    lines: tuple[Line, ...]

    @property
    def what(self) -> str:
        """Pay, take, both, or neither: the bet is pushed back, or stays, or all was done before."""
        if self.pay:
            return "pay_take" if self.take else "pay"
        if self.take:
            return "take"
        if self.carried:
            return "stays"
        return "push" if self.back else "nothing"


def pay_list(rnd: BlackjackRound) -> tuple[Payment, ...]:
    """Every box with a bet that is decided, in seat order."""
    return tuple(_payment(rnd, box) for box in rnd.boxes if any(line.box == box.number for line in rnd.lines))


def to_pay(rnd: BlackjackRound) -> tuple[Payment, ...]:
    """The boxes that can be paid now and are not, those first that the end of the round waits for."""
    ready = [one for one in pay_list(rnd) if one.ready and not one.paid and (one.due or one.pay or one.back)]
    return tuple(sorted(ready, key=lambda one: (not one.due, one.box)))


def _payment(rnd: BlackjackRound, box: Box) -> Payment:
    lines = tuple(line for line in rnd.lines if line.box == box.number)
    due = any(line.when is When.PEEK or line.when in WITH_THE_DEALER for line in lines)
    handed = [line for line in lines if waits(rnd, line)] if due and rnd.finished else lines
    decided = bool(box.hands) and all(hand.settled for hand in box.hands)
    return Payment(
        box=box.number,
        pay=sum(max(0, line.net) for line in handed),
        take=sum(max(0, -line.net) for line in handed),
        back=sum(line.back for line in handed),
        carried=sum(line.carried for line in lines),
        paid=box.paid,
        ready=decided and not box.insurance_open and not box.pairs_open,
        due=due,
        lines=lines,
    )
