"""A form for every command, as a screen would send it; a new command without one here fails the tests."""

CHIPS = {"chip_500": "10"}

SAMPLES: dict[str, dict[str, str]] = {
    "open_table": {"house": "classic", **CHIPS},
    "close_table": CHIPS,
    "change_rules": {"house": "classic", "min_bet": "10"},
    "load_shoe": {"new_cards": "1"},
    "cut_shoe": {"place": "box1", "behind": "60"},
    "inspect_reader": {},
    "count_shoe": {"card_KS": "3"},
    "sign_on": {"dealer": "dealer-2"},
    "take_box": {"box": "2", "player": ""},
    "move_money": {"what": "buy_in", **CHIPS},
    "open_bets": {"practice": ""},
    "place_bet": {"box": "1", "amount": "500", "side": "main"},
    "take_back": {"box": "1"},
    "close_bets": {},
    "correct_bet": {"box": "1", "amount": "5"},
    "correct_card": {"place": "box1", "index": "0", "card": "KS"},
    "enter_card": {"place": "box1", "card": "KS", "reason": "the lamp burnt out"},
    "report_payout": {"box": "1", "paid": "12,50"},
    "resolve_dispute": {"dispute": "1", "remedy": "burn", "place": "", "card": "", "boxes": ""},
    "void_round": {"reason": "fire alarm"},
    "pause_table": {"reason": "fire alarm"},
    "resume_table": {},
    "box_paid": {"box": "1"},
    "table_cleared": {},
    "card_burnt": {"card": ""},
    "cut_card_seen": {},
    "hole_peeked": {"blackjack": ""},
    "signal": {"box": "1", "hand": "0", "action": "hit", "amount": ""},
}
