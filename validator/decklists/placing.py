"""Placing: the section in which the cells of a row put the row's card.

Called by the readers of tables and of JSON, and by the intake of workbooks.
"""

from __future__ import annotations

from typing import NamedTuple

from validator import sections
from validator.deck import SECTIONS
from validator.language import phrase
from validator.tables import headings
from validator.tables.cell_kinds import is_no, is_yes

_TYPES = ("leader", "z", "don")


class Misplaced(NamedTuple):
    """A cell that names no section.

    `detail` is the reason, as the end of a sentence: "is not yes or no". `role` is the role of the cell's column.
    """

    detail: str
    role: str


def parse_section(section: str, side: str = "") -> str | Misplaced | None:
    """Return the section that a row names for its card, None if it names none.

    Return a Misplaced if a cell is not understood. `section` is the cell for the section. `side` is the cell for the
    side deck: yes, no, or the name of a section, and "" if the table has no such column. A section in it has priority.
    """
    side_section = _section_of_side_cell(side) if side else None
    if side_section is not None or not section:
        return side_section
    return sections.section(section) or Misplaced(
        phrase("is not a section of a deck (write {sections} or nothing)", sections=", ".join(SECTIONS)),
        headings.SECTION,
    )


def placed_by_type(type: str) -> str | None:
    """Return the separate section of a card type, "leader", "z" or "don". None for other types."""
    named = sections.section(type)
    return named if named in _TYPES else None


def _section_of_side_cell(cell: str) -> str | Misplaced | None:
    """Return "side" for a cell with yes, in several languages, or the section other than "main" that the cell names.

    None for no, for a blank cell, and for the main deck. A Misplaced for other words.
    """
    if is_yes(cell) or is_no(cell):
        return "side" if is_yes(cell) else None
    named = sections.section(cell) or Misplaced(phrase("is not yes or no"), headings.SIDE)
    return None if named == "main" else named  # "not in the side deck" places no Leader
