"""Registration sheets: the sheets of all players of a spreadsheet, by last name or table, as one PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence

from api.service.errors import Refused
from api.sheets import fonts, sheet_pdf
from api.sheets.person_names import PersonName, cut
from api.sheets.registration import LONGEST, NO_EVENT, Event, Registration
from api.sheets.sheet import Sheet, sheet
from api.sheets.sheet_files import ORDERS
from api.workbooks.intake.book import PlayerEntry
from api.workbooks.reporting.results import Results
from validator.language import phrase
from validator.matching import fold_text

MOST_SHEETS = 2_000


def sheets(results: Results, event: Event = NO_EVENT, order: str = ORDERS[0]) -> list[Sheet]:
    """Return the registration sheet of every player with a deck, sorted by last name.

    With `order` "table" they are sorted by table, then by last name. Name and place of the event are those of `event`
    if the spreadsheet lacks them. Raises Invalid if a deck has too many lines for a sheet.
    """
    drawn = [sheet(_registration(one.entry, event), one.verdict) for one in results.judged if one.verdict]
    drawn.sort(key=lambda one: one.registration.player.order)
    return sorted(drawn, key=_table_sort_key) if order == "table" else drawn


def _table_sort_key(registration_sheet: Sheet) -> tuple[bool, list[tuple[int, str]]]:
    """Return the sort key for the table of a sheet: B9 before B10, sheets without a table last."""
    parts = re.findall(r"[0-9]+|[^0-9]+", registration_sheet.registration.table)
    return not parts, [(int(part), "") if part.isdecimal() else (0, fold_text(part)) for part in parts]


def write(results: Results, paper: str, event: Event = NO_EVENT, order: str = ORDERS[0]) -> bytes:
    """Return the registration sheets of all players with a deck as PDF, as `sheets` returns them.

    `paper` is "a4" or "letter". Raises Refused if there are none, or over 2,000.
    """
    drawn = sheets(results, event, order)
    if not drawn:
        raise Refused(phrase("There is no deck to draw a registration sheet of."))
    if len(drawn) > MOST_SHEETS:
        raise Refused(
            phrase(
                "At most {most:,} registration sheets are drawn at once, and here are {count:,}.",
                most=MOST_SHEETS,
                count=len(drawn),
            )
        )
    return sheet_pdf.draw_sheets(drawn, paper)


def warnings(registration_sheets: Sequence[Sheet]) -> list[str]:
    """Return a list with one warning about the characters of these sheets that no font has. Empty if there are none."""
    absent = fonts.missing_characters("".join(one.text for one in registration_sheets))
    return [fonts.missing_warning(absent)] if absent else []


def _registration(entry: PlayerEntry, event: Event) -> Registration:
    """Return the registration of a player, with the columns "Place", "Table" and "Notes" of the spreadsheet.

    Letter case of their headings is ignored. Name and place of the event are those of `event` if the spreadsheet lacks
    them, date and format always. A text that is too long is cut, so that one player cannot prevent the other sheets.
    """
    aside = {fold_text(heading): text for heading, text in entry.aside.items()}
    return Registration(
        PersonName.parse(entry.who.name).shorten(LONGEST["player"]),
        player_id=_cut("player_id", entry.who.id),
        event=_cut("event", entry.who.event) or event.event,
        date=event.day,
        place=_cut("place", aside.get("place", "")) or event.place,
        table=_cut("table", aside.get("table", "")),
        notes=_cut("notes", aside.get("notes", "")),
        format_name=event.format_name,
        address=entry.address,
    )


def _cut(field: str, text: str) -> str:
    """Return a text cut to the length that the field `field` of a registration may have."""
    return cut(text, LONGEST[field])
