"""Placing: the section of a deck that the cells of a row put its card in."""

from __future__ import annotations

from typing import NamedTuple

from validator.deck import SECTIONS
from validator.decklists import sections
from validator.language import phrase
from validator.tables import headings

_YES = frozenset(("true", "yes", "y", "1", "x", "sim", "si", "sí", "oui", "ja"))
_NO = frozenset(("", "false", "no", "n", "0", "-", "não", "nao", "non", "nein"))
_TYPES = ("leader", "z", "don")


class Misplaced(NamedTuple):
    """Why a cell places nothing, as the end of a sentence about it, and in which column it stands."""

    detail: str
    role: str


def placed(section: str, side: str = "") -> str | Misplaced | None:
    """Return the section that a row names, None where it names none.

    `side` says yes or no to the side deck, or names a section too.
    """
    named = _beside(side) if side else None
    if named is not None or not section:
        return named
    return sections.section(section) or Misplaced(
        phrase("is no section of a deck; write {sections} or nothing", sections=", ".join(SECTIONS)), headings.SECTION
    )


def placed_by_type(type: str) -> str | None:
    """Return the section of their own that cards of a type lie in, None for the main deck's."""
    named = sections.section(type)
    return named if named in _TYPES else None


def _beside(said: str) -> str | Misplaced | None:
    word = said.casefold()
    if word in _YES or word in _NO:
        return "side" if word in _YES else None
    named = sections.section(said) or Misplaced(phrase("is neither yes nor no"), headings.SIDE)
    return None if named == "main" else named  # "not in the side deck" places no Leader
