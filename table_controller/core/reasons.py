"""Why a command or a signal does nothing: stable codes, given before anyone tries and again when refused."""

from enum import StrEnum

from msgspec import Struct


class Reason(StrEnum):
    """Codes; texts for people are translated from them."""

    TABLE_CLOSED = "table_closed"
    TABLE_OPEN = "table_open"
    TABLE_PAUSED = "table_paused"
    NOT_PAUSED = "not_paused"
    ROLE = "role"
    SECOND_PERSON = "second_person"
    RULES_UNUSABLE = "rules_unusable"
    HOUSE_UNUSABLE = "house_unusable"
    NO_SUCH_CHIP = "no_such_chip"
    DECKS_UNCHECKED = "decks_unchecked"
    ROUND_OPEN = "round_open"
    NO_ROUND = "no_round"
    NO_SHOE = "no_shoe"
    SHUFFLE_DUE = "shuffle_due"
    SHOE_CONDEMNED = "shoe_condemned"
    DECKS_OLD = "decks_old"
    CUT_DUE = "cut_due"
    CUT_DEPTH = "cut_depth"
    READER_UNCHECKED = "reader_unchecked"
    BURN_DUE = "burn_due"
    DEVICE_FAULT = "device_fault"
    DISPUTE_OPEN = "dispute_open"
    OVER_BUDGET = "over_budget"
    NO_PRACTICE = "no_practice"
    BETS_CLOSED = "bets_closed"
    NO_BETS = "no_bets"
    BELOW_MIN = "below_min"
    ABOVE_MAX = "above_max"
    STEP = "step"
    NO_SUCH_BOX = "no_such_box"
    BOX_TWICE = "box_twice"
    NO_MAIN = "no_main"
    SIDE_WITHOUT_MAIN = "side_without_main"
    NO_PAIR_BET_HERE = "no_pair_bet_here"
    SIDE_ABOVE_LIMIT = "side_above_limit"
    FUNDS = "funds"
    BOX_EMPTY = "box_empty"
    NO_SUCH_CARD = "no_such_card"
    NOT_IN_SHOE = "not_in_shoe"
    NO_SUCH_DISPUTE = "no_such_dispute"
    NO_SUCH_REMEDY = "no_such_remedy"
    CARD_NEEDED = "card_needed"
    NOT_SETTLED = "not_settled"
    ALREADY_SETTLED = "already_settled"
    BOX_NOT_PAID = "box_not_paid"
    NOTHING_TO_DO = "nothing_to_do"
    NOT_DUE = "not_due"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_LEGAL = "not_legal"
    OFFER_CLOSED = "offer_closed"
    ANSWER_FIRST = "answer_first"
    PEEK_FIRST = "peek_first"
    PEEK_NOT_DUE = "peek_not_due"
    AMOUNT = "amount"
    CARD_DUE = "card_due"
    HOLE_NOT_DUE = "hole_not_due"
    CARDS_ON_FELT = "cards_on_felt"
    NO_FAULT = "no_fault"


class Refusal(Struct, frozen=True):
    """A reason, and what exactly."""

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)
