"""Which remedies make sense as the table lies: what they work on must still be there."""

from table_controller.core.blackjack.round import BlackjackRound, DueKind
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import DEALER
from table_controller.core.stimuli import Face
from table_controller.core.table import Dispute, TableState


def fits(state: TableState, rnd: BlackjackRound, remedy: Remedy, question: Dispute) -> bool:
    """Whether what a remedy works on is there; those not named here always are."""
    match remedy:
        case Remedy.MOVE | Remedy.NEXT_CARD:
            return _may_move(rnd, question) or (remedy is Remedy.NEXT_CARD and question.place is None)
        case Remedy.DEAL_LATER | Remedy.DEAD_BOX:
            return bool(rnd.queue) and (remedy is Remedy.DEAL_LATER or _got_nothing(rnd))
        case Remedy.ACCEPT:
            return _is_due_here(rnd, question) or _may_keep(rnd, question)
        case Remedy.ORIGINAL_BETS_ONLY:
            return question.irregularity is not Irregularity.PEEK_MISSED or _may_keep(rnd, question)
        case Remedy.OFFER_ON:
            return question.card is not None and rnd.card_offered is None and not rnd.queue and not rnd.finished
        case Remedy.TRUST_SHOE | Remedy.TRUST_CAMERA:
            drawn = state.shoe.drawn if state.shoe is not None else ()
            read = drawn[0].card if drawn else None
            return _is_due_here(rnd, question) and (read if remedy is Remedy.TRUST_SHOE else question.card) is not None
        case Remedy.STAND_HAND:
            asked = rnd.due.kind in (DueKind.ANSWER, DueKind.SIGNAL, DueKind.ACCEPT)
            return asked and rnd.due.place == question.place
        case _:
            return True


def _may_move(rnd: BlackjackRound, question: Dispute) -> bool:
    """A card is due, and it is not the hole card while everybody has seen this one."""
    known_hole = rnd.due.face is Face.DOWN and question.card is not None
    return rnd.due.kind is DueKind.CARD and not known_hole


def _got_nothing(rnd: BlackjackRound) -> bool:
    return rnd.due.place != DEALER and not rnd.cards_at(rnd.due.place)


def _is_due_here(rnd: BlackjackRound, question: Dispute) -> bool:
    return rnd.due.kind is DueKind.CARD and rnd.due.place == question.place


def _may_keep(rnd: BlackjackRound, question: Dispute) -> bool:
    """Whether the hand the card lies on can still take one."""
    hand = rnd.hand(question.place) if question.place is not None else None
    if hand is None or rnd.finished or rnd.queue or question.irregularity is Irregularity.SEEN_NOT_DRAWN:
        return False
    return not hand.settled and not hand.natural
