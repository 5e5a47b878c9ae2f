"""Registrations: the registration sheets of all players of a spreadsheet, by last name, as one PDF."""

from __future__ import annotations

from collections.abc import Sequence

from api.service.errors import Refused
from api.sheets import fonts
from api.sheets import pdf
from api.sheets.names import Name
from api.sheets.registration import LONGEST
from api.sheets.registration import Registration
from api.sheets.sheet import Sheet
from api.sheets.sheet import sheet
from api.workbooks.entries import Entry
from api.workbooks.results import Results
from validator.matching import folded

MOST_SHEETS = 2_000


def sheets(found: Results) -> list[Sheet]:
    """Return the sheet of every player with a deck, as lists are filed: by last name."""
    drawn = [sheet(_registration(one.entry), one.verdict) for one in found.judged if one.verdict]
    return sorted(drawn, key=lambda one: one.registration.player.order)


def write(found: Results, paper: str) -> bytes:
    """Return the sheets as PDF; Refused says so where there are none, or too many."""
    drawn = sheets(found)
    if not drawn:
        raise Refused("There is no deck to draw a registration sheet of.")
    if len(drawn) > MOST_SHEETS:
        raise Refused(f"At most {MOST_SHEETS:,} registration sheets are drawn at once, and here are {len(drawn):,}.")
    return pdf.many(drawn, paper)


def warnings(drawn: Sequence[Sheet]) -> list[str]:
    """Return what on these sheets could not be drawn as it was written."""
    absent = fonts.missing("".join(one.text for one in drawn))
    return [fonts.warning(absent)] if absent else []


def _registration(entry: Entry) -> Registration:
    """Return what is printed of a player, columns "Place", "Table" and "Notes" of the spreadsheet among it.

    What is too long for its place is cut: one player must not keep the sheets of all others back.
    """
    said = {folded(heading): text for heading, text in entry.aside.items()}
    return Registration(
        Name.of(_cut("player", entry.who.name)),
        player_id=_cut("player_id", entry.who.id),
        event=_cut("event", entry.who.event),
        place=_cut("place", said.get("place", "")),
        table=_cut("table", said.get("table", "")),
        notes=_cut("notes", said.get("notes", "")),
    )


def _cut(field: str, text: str) -> str:
    return text if len(text) <= LONGEST[field] else text[: LONGEST[field] - 1] + "…"
