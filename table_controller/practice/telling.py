"""Practice in words: what is to be done wrong, and the score card."""

import tomllib
from importlib.resources import files

from table_controller.core.house import Language
from table_controller.export.wording import texts as facts
from table_controller.practice.score import ScoreCard


def practice_texts(language: Language) -> dict[str, dict[str, str]]:
    """Every text of a language, by section and key."""
    return tomllib.loads(files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))


def told(card: ScoreCard, language: Language) -> list[str]:
    """The score card in words, a line each."""
    says, words = practice_texts(language), facts(language)
    line = says["card"]
    if not card.rounds:
        return [line["none"]]
    seconds = "-" if card.typical_seconds is None else f"{card.typical_seconds:.0f}"
    lines = [
        line["rounds"].format(rounds=card.rounds, dealers=", ".join(name for name in card.dealers if name) or "-"),
        line["caught"].format(caught=card.caught, planted=len(card.lines), seconds=seconds),
    ]
    for one in card.lines:
        what = says["mistake"][one.mistake]
        took = f"{one.seconds or 0:.0f}"
        if not one.noticed:
            lines.append(line["missed"].format(round=one.round, what=what))
        elif one.dispute is None:
            lines.append(line["called"].format(round=one.round, what=what, by=one.by, seconds=took))
        elif one.remedy is None:
            lines.append(line["open"].format(round=one.round, what=what))
        else:
            remedy, choice = words["remedy"][one.remedy], line["first" if one.first_choice else "other"]
            lines.append(line["righted"].format(round=one.round, what=what, remedy=remedy, choice=choice, seconds=took))
    lines += [line["slip"].format(what=words["irregularity"][name], times=times) for name, times in card.slips.items()]
    return [*lines, line["refused"].format(times=card.refused)]
