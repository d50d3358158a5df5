"""Kinds of stimuli and events are written as words: CardDealt is "card_dealt"."""


def word(name: str) -> str:
    """A CamelCase name as a snake_case word; the inverse does not matter, the words are stable."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
