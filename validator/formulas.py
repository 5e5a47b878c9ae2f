"""Formulas: texts that a spreadsheet program would run as formulas, and the apostrophe that prevents it."""

from __future__ import annotations

from unicodedata import category

_SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are full-width, as Japanese types
_BREAKS = ("\t", "\r", "\n")  # formulas by themselves, because some programs begin a cell there
_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")


def is_formula(text: str) -> bool:
    """Return True if a spreadsheet program runs a text as a formula: "=1+1", "@A1", "+1".

    Apostrophes before it are ignored. Blanks and invisible characters before the sign are ignored, too. A text that
    begins with a tab or a line break is a formula. A single dash is no formula.
    """
    if text[:1].isalnum():
        return False
    if text.lstrip("'").startswith(_BREAKS):
        return True
    start = next(
        (position for position, char in enumerate(text) if char != "'" and category(char) not in _UNSEEN), len(text)
    )
    return text.startswith(_SIGNS, start) and text[start:] != "-"


def guard_formula(text: str) -> str:
    """Return a text for a cell of a table. A formula gets an apostrophe before it, any other text is unchanged."""
    return f"'{text}" if is_formula(text) else text


def unguard_formula(text: str) -> str:
    """Return the text of a cell without the one apostrophe that `guard_formula` added. Other texts are unchanged."""
    return text[1:] if text[:1] == "'" and is_formula(text) else text
