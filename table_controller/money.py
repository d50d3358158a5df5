"""Amounts of money as each language writes them: PLN 12.50, 12,50 zł, 12,50 PLN."""

from typing import Final

from babel.numbers import format_currency, format_decimal, get_currency_symbol

from table_controller.core.house import Language

LOCALES: Final = {Language.POLISH: "pl_PL", Language.ENGLISH: "en_GB", Language.RUSSIAN: "ru_RU"}
MINOR_UNITS: Final = 100
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
MINUS: Final = "\N{MINUS SIGN}"
"""No line ends after it, as one may after a hyphen."""


def written(minor: float, currency: str, language: Language, *, short: bool = False) -> str:
    """Minor units with their currency, if they have one; a `short` amount has decimals only where it needs them."""
    minor = round(minor)
    locale = LOCALES[language]
    digits = "#,##0" if short and minor % MINOR_UNITS == 0 else "#,##0.00"
    if currency:
        shown = _around(digits, get_currency_symbol(currency, locale), language)
        told = format_currency(minor / MINOR_UNITS, currency, shown, locale, currency_digits=False)
    else:
        told = format_decimal(minor / MINOR_UNITS, digits, locale)
    return told.replace("-", MINUS)


def _around(digits: str, symbol: str, language: Language) -> str:
    """Where the currency stands; in English a sign such as £ stands close, letters such as PLN do not."""
    if language is not Language.ENGLISH:
        return f"{digits}{NO_BREAK}¤"
    return f"¤{NO_BREAK}{digits}" if symbol.isalpha() else f"¤{digits}"
