"""Chosen columns: what a user says a column holds, by its letters or its heading; it overrules what was found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from api.service.errors import Refused
from api.workbooks.column_roles.header import Header
from api.workbooks.intake.faults import letters, quoted
from validator.language import phrase
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, DECKLIST, NUMBER, PLAYER, PLAYER_ID, key

# What may be chosen, by the name of the option and of the query parameter.
CHOICES: Mapping[str, str] = {
    "player_column": PLAYER,
    "id_column": PLAYER_ID,
    "list_column": DECKLIST,
    "number_column": NUMBER,
    "count_column": COUNT,
    "name_column": CARD,
}
NO_CHOICES: Mapping[str, str] = {}
CHOSEN = phrase("it was chosen")
_LETTERS = re.compile(r"[A-Za-z]{1,3}")


def chosen(header: Header, choices: Mapping[str, str]) -> Header:
    """Return headings with the columns that a user chose; Refused says that there is no such column."""
    layout, why = header.columns, dict(header.why)
    for choice, wanted in choices.items():
        at = _place(layout.titles, wanted)
        _give(layout, CHOICES[choice], at)
        why[at] = CHOSEN
    if "list_column" in choices:
        layout.roles.pop(NUMBER, None)
        layout.roles.pop(CARD, None)
    layout.unknown = [at for at in layout.free() if layout.titles[at]]
    return Header(layout, header.start, header.end, why)


def _give(layout: Columns, role: str, at: int) -> None:
    """Let a role be that of one column alone, and of no other."""
    lost = SOMEBODY if role == PLAYER else (role,)
    kept = {one: [place for place in layout.roles[one] if place != at] for one in layout.roles if one not in lost}
    layout.roles = {one: places for one, places in kept.items() if places} | {role: [at]}
    layout.parts.pop(at, None)
    layout.counts.pop(at, None)
    if role == COUNT:
        layout.counts.clear()


def _place(titles: Sequence[str], wanted: str) -> int:
    """Return where the column stands that is called so, or has these letters."""
    named = [at for at, title in enumerate(titles) if title and key(title) == key(wanted)]
    if named:
        return named[0]
    at = _number(wanted.strip()) - 1 if _LETTERS.fullmatch(wanted.strip()) else -1
    if not 0 <= at < len(titles):
        there = ", ".join(f"{letters(at)} {quoted(title)}" for at, title in enumerate(titles[:20]) if title)
        raise Refused(f"There is no column {quoted(wanted)}; there are {there}.")
    return at


def _number(name: str) -> int:
    number = 0
    for letter in name.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
