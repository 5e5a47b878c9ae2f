"""Formulas: texts that a spreadsheet program would take for one, and the apostrophe that guards against it."""

from __future__ import annotations

STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are full-width =+-@


def is_formula(text: str) -> bool:
    """Tell whether a text is taken for a formula, or was one before it was guarded; a dash alone is none."""
    bare = text.lstrip("'")
    return bare.startswith(STARTS) and bare != "-"


def guarded(text: str) -> str:
    """Return a text for a cell of a table, with an apostrophe before what would be a formula."""
    return f"'{text}" if is_formula(text) else text


def unguarded(text: str) -> str:
    """Return the text of a cell as it was before it was guarded."""
    return text[1:] if text[:1] == "'" and is_formula(text) else text
