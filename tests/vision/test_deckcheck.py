"""A deck is proved complete before it is dealt from."""

from table_controller.core.cards import PACK, Card, Rank
from vision.deckcheck import check


def test_a_whole_deck_read_card_by_card_passes() -> None:
    assert check(list(reversed(PACK))).passed


def test_c09_aces_read_as_fours_fail_and_are_named() -> None:
    read = [Card(Rank.FOUR, card.suit) if card.rank is Rank.ACE else card for card in PACK]
    report = check(read)
    assert not report.passed
    assert [str(slip) for slip in report.slips] == ["A->4 (4 cards)"]


def test_mistaken_suits_are_named() -> None:
    read = [Card.parse("7C") if card == Card.parse("7S") else card for card in PACK]
    assert [str(slip) for slip in check(read).slips] == ["S->C (1 cards)"]


def test_a_missing_card_fails_without_a_slip() -> None:
    report = check(PACK[1:])
    assert (report.passed, report.missing, report.slips) == (False, (PACK[0],), ())


def test_a_card_too_many_fails() -> None:
    assert check([*PACK, PACK[5]]).surplus == (PACK[5],)


def test_an_unreadable_card_fails() -> None:
    report = check([None, *PACK[1:]])
    assert (report.passed, report.unreadable) == (False, 1)


def test_six_decks_are_counted_together() -> None:
    assert check(PACK * 6, decks=6).passed
    assert not check(PACK * 6).passed
