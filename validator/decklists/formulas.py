"""Formulas: texts that a spreadsheet program would take for one, and the apostrophe that guards against it."""

from __future__ import annotations

from unicodedata import category

_SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are full-width, as Japanese types
_BREAKS = ("\t", "\r", "\n")  # by themselves, for programs that part cells there
_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")


def is_formula(text: str) -> bool:
    """Tell whether a text is taken for a formula, or was one before it was guarded; a dash alone is none."""
    if text[:1].isalnum():
        return False
    if text.lstrip("'").startswith(_BREAKS):
        return True
    start = next((at for at, char in enumerate(text) if char != "'" and category(char) not in _UNSEEN), len(text))
    return text.startswith(_SIGNS, start) and text[start:] != "-"


def guarded(text: str) -> str:
    """Return a text for a cell of a table, with an apostrophe before what would be a formula."""
    return f"'{text}" if is_formula(text) else text


def unguarded(text: str) -> str:
    """Return the text of a cell as it was before it was guarded."""
    return text[1:] if text[:1] == "'" and is_formula(text) else text
