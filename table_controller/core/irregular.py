"""What can go wrong at a table, and the remedies a house may choose from.

Rows are those of the house's procedures (S.D. Admin. R. 20:18:15:28 and the trade's usage). The first remedy allowed
is the default; which ones a house keeps, and in which order, stands in its house file.
"""

from enum import StrEnum
from typing import Final

from table_controller.core.people import Role


class Irregularity(StrEnum):
    """Every named way in which the table may differ from the rules."""

    CARD_NOT_DUE = "card_not_due"
    DRAWN_IN_ERROR = "drawn_in_error"
    WRONG_PLACE = "wrong_place"
    BOX_WITHOUT_BET = "box_without_bet"
    DEALER_CARD_MISSED = "dealer_card_missed"
    DEALER_OVERDREW = "dealer_overdrew"
    HOLE_EXPOSED = "hole_exposed"
    FACE_DOWN = "face_down"
    PEEK_CONTRADICTED = "peek_contradicted"
    PEEK_MISSED = "peek_missed"
    SHOE_EMPTY = "shoe_empty"
    CUT_CARD_DEALT = "cut_card_dealt"
    IMPOSSIBLE_CARD = "impossible_card"
    CENSUS_DIFFERS = "census_differs"
    UNREADABLE = "unreadable"
    DRAWN_NOT_SEEN = "drawn_not_seen"
    SEEN_NOT_DRAWN = "seen_not_drawn"
    WITNESSES_DISAGREE = "witnesses_disagree"
    COURSE_CHANGED = "course_changed"
    WRONG_PAYOUT = "wrong_payout"
    PLAYER_ABSENT = "player_absent"
    OUTSIDE_ROUND = "outside_round"
    TWO_CARDS = "two_cards"
    UNCLEAR_HAND = "unclear_hand"
    CARD_GONE = "card_gone"
    CARD_COVERED = "card_covered"
    READ_DIFFERENTLY = "read_differently"
    CARDS_TOUCHED = "cards_touched"
    PAST_POSTING = "past_posting"
    FOREIGN_BACK = "foreign_back"


class Remedy(StrEnum):
    """What a supervisor may do about it; the last two are what may happen by itself."""

    MOVE = "move"
    ACCEPT = "accept"
    OFFER_ON = "offer_on"
    BURN = "burn"
    NEXT_CARD = "next_card"
    DEAL_LATER = "deal_later"
    DEAD_BOX = "dead_box"
    VOID = "void"
    PLAY_ON = "play_on"
    WITHDRAW = "withdraw"
    ORIGINAL_BETS_ONLY = "original_bets_only"
    ALL_BETS = "all_bets"
    RESHUFFLE = "reshuffle"
    REMOVE = "remove"
    TYPE_CARD = "type_card"
    TRUST_SHOE = "trust_shoe"
    TRUST_CAMERA = "trust_camera"
    NO_CARD = "no_card"
    NEW_SHOE = "new_shoe"
    SETTLE_AS_LIES = "settle_as_lies"
    PAY_DIFFERENCE = "pay_difference"
    LET_IT_STAND = "let_it_stand"
    STAND_HAND = "stand_hand"
    SHOWN_AGAIN = "shown_again"
    ANSWERED = "answered"


R = Remedy
ALLOWED: Final[dict[Irregularity, tuple[Remedy, ...]]] = {
    Irregularity.CARD_NOT_DUE: (R.OFFER_ON, R.BURN, R.ACCEPT, R.VOID),
    Irregularity.DRAWN_IN_ERROR: (R.NEXT_CARD, R.BURN),
    Irregularity.WRONG_PLACE: (R.MOVE, R.DEAL_LATER, R.DEAD_BOX, R.BURN, R.VOID),
    Irregularity.BOX_WITHOUT_BET: (R.MOVE, R.BURN, R.VOID),
    Irregularity.DEALER_CARD_MISSED: (R.DEAL_LATER, R.MOVE, R.VOID),
    Irregularity.DEALER_OVERDREW: (R.BURN, R.VOID),
    Irregularity.HOLE_EXPOSED: (R.PLAY_ON, R.WITHDRAW, R.VOID),
    Irregularity.FACE_DOWN: (R.TYPE_CARD, R.VOID),
    Irregularity.PEEK_CONTRADICTED: (R.ORIGINAL_BETS_ONLY, R.ALL_BETS, R.PLAY_ON, R.VOID),
    Irregularity.PEEK_MISSED: (R.BURN, R.ORIGINAL_BETS_ONLY, R.VOID),
    Irregularity.SHOE_EMPTY: (R.RESHUFFLE, R.VOID),
    Irregularity.CUT_CARD_DEALT: (R.REMOVE, R.VOID),
    Irregularity.IMPOSSIBLE_CARD: (R.TYPE_CARD, R.VOID),
    Irregularity.CENSUS_DIFFERS: (R.NEW_SHOE,),
    Irregularity.UNREADABLE: (R.TYPE_CARD, R.VOID),
    Irregularity.DRAWN_NOT_SEEN: (R.NO_CARD, R.BURN, R.VOID),
    Irregularity.SEEN_NOT_DRAWN: (R.ACCEPT, R.REMOVE, R.VOID),
    Irregularity.WITNESSES_DISAGREE: (R.TYPE_CARD, R.TRUST_SHOE, R.TRUST_CAMERA, R.VOID),
    Irregularity.COURSE_CHANGED: (R.SETTLE_AS_LIES, R.VOID),
    Irregularity.WRONG_PAYOUT: (R.PAY_DIFFERENCE, R.LET_IT_STAND),
    Irregularity.PLAYER_ABSENT: (R.STAND_HAND, R.PLAY_ON, R.VOID),
    Irregularity.OUTSIDE_ROUND: (R.BURN, R.NEXT_CARD),
    Irregularity.TWO_CARDS: (R.OFFER_ON, R.BURN, R.ACCEPT, R.VOID),
    Irregularity.UNCLEAR_HAND: (R.MOVE, R.OFFER_ON, R.BURN, R.VOID),
    Irregularity.CARD_GONE: (R.PLAY_ON, R.VOID),
    Irregularity.CARD_COVERED: (R.PLAY_ON, R.VOID),
    Irregularity.READ_DIFFERENTLY: (R.TYPE_CARD, R.PLAY_ON, R.VOID),
    Irregularity.CARDS_TOUCHED: (R.PLAY_ON, R.VOID),
    Irregularity.PAST_POSTING: (R.PLAY_ON, R.VOID),
    Irregularity.FOREIGN_BACK: (R.PLAY_ON, R.VOID),
}

TWO_PEOPLE: Final = frozenset({R.TYPE_CARD, R.VOID})
"""Remedies that need a second person: a card typed by hand, a round without result."""

MAY_RESOLVE: Final = frozenset({Role.PIT_BOSS, Role.ADMINISTRATOR})
"""The dealer never corrects an error alone; the floor decides."""
