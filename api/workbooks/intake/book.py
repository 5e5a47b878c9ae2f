"""Books: all that was read of a spreadsheet, whose decks are then judged."""

from __future__ import annotations

from dataclasses import dataclass, field

from api.workbooks.column_roles.readings import SheetReading
from api.workbooks.intake.faults import ERROR, SheetFault
from api.workbooks.intake.players import PlayerEntry


@dataclass(slots=True)
class RowCounts:
    """What became of every row that is not blank: it is in a deck, it is a heading, or it was not read."""

    in_decks: int = 0
    headings: int = 0
    unread: int = 0

    @property
    def filled(self) -> int:
        """All of them."""
        return self.in_decks + self.headings + self.unread

    def plus(self, in_decks: int, headings: int, unread: int) -> RowCounts:
        """Return them with so many more."""
        return RowCounts(self.in_decks + in_decks, self.headings + headings, self.unread + unread)


@dataclass
class Book:
    """The players of a spreadsheet in its order, what could not be read, and the sums.

    `readings` tell how each sheet was taken. `unknown` are the columns of no known meaning, as (sheet, heading);
    what they say is kept aside.
    """

    name: str
    entries: list[PlayerEntry] = field(default_factory=list)
    faults: list[SheetFault] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)
    rows: RowCounts = field(default_factory=RowCounts)
    readings: list[SheetReading] = field(default_factory=list)

    @property
    def problems(self) -> list[SheetFault]:
        """What was not read, or not rightly; the rest of the faults are notices."""
        return [fault for fault in self.faults if fault.severity == ERROR]

    @property
    def why_empty(self) -> str:
        """Why there is no deck in it, as the end of a sentence."""
        return self.faults[0].message if self.faults else "headings stand here, and no deck under them"

    @property
    def aside(self) -> list[str]:
        """The headings of what is kept aside, each once."""
        return list(dict.fromkeys(heading for entry in self.entries for heading in entry.aside))
