"""Player imports: a spreadsheet of players, with their lists or without, taken into an event."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import NamedTuple, cast

from api.events.player_json import (
    ImportedJSON,
    OtherColumnJSON,
    PlayerRowJSON,
    ReadingJSON,
    RepeatedPlayerJSON,
    RowFaultJSON,
    UnreadRowsJSON,
)
from api.events.players.entrant import (
    EMAILS,
    NOWHERE,
    Entrant,
    RegistrationContent,
    Whereabouts,
    id_key,
    kept_deck,
    name_key,
)
from api.events.players.expected_players import ExpectedPlayer
from api.service.errors import Invalid, Large, Refused, Wrong
from api.sheets.person_names import cleaned
from api.sheets.registration import Registration
from api.workbooks.column_roles.chosen import NO_CHOICES, chosen
from api.workbooks.column_roles.header import Header, first_row
from api.workbooks.column_roles.readings import SheetReading, taken
from api.workbooks.intake import book_reader, preview
from api.workbooks.intake.book import Book
from api.workbooks.intake.cells import Cell
from api.workbooks.intake.faults import NOTICE, SheetFault
from api.workbooks.intake.grids import grids
from api.workbooks.intake.players import PlayerEntry, duplicates
from api.workbooks.intake.room import Room
from api.workbooks.intake.sheet_rows import SheetRows
from carddb.errors import WorkbookError
from carddb.files import archives
from validator.cards import Catalogue
from validator.deck import Deck, Line
from validator.decklists.columns import SOMEBODY, columns
from validator.decklists.headings import key
from validator.language import phrase

_OPENING = 1_000  # bytes in which the file names its root
_HEADINGS = ("Player ID", "First name", "Last name")
_NAMES = ("firstname", "lastname")


def is_tdf(data: bytes) -> bool:
    """Return True if a file is a `.tdf`: XML with the root `tournament`."""
    opening = data[:_OPENING].lstrip(b"\xef\xbb\xbf \t\r\n")
    return opening.startswith(b"<") and b"<tournament" in opening


def players_table(data: bytes, name: str) -> bytes:
    """Return the players of a `.tdf` as CSV. Raises Refused if the file is damaged. `name` is for the message."""
    reader = _PlayerReader()
    try:
        archives.parse_xml_part(data.lstrip(b"\xef\xbb\xbf \t\r\n"), reader.start, reader.end, reader.text)
    except WorkbookError as error:
        raise Refused(f"{name} {error}.") from None
    table = StringIO()
    csv.writer(table).writerows([_HEADINGS, *reader.rows])
    return table.getvalue().encode()


class _PlayerReader:
    """Collects the players with names; other parts of the file mention players by their ids only."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str]] = []
        self._id = ""
        self._texts: dict[str, str] = {}
        self._open = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "player":
            self._id, self._texts = attributes.get("userid", ""), {}
        self._open = tag if tag in _NAMES else ""

    def text(self, text: str) -> None:
        if self._open:
            self._texts[self._open] = self._texts.get(self._open, "") + text

    def end(self, tag: str) -> None:
        self._open = ""
        if tag == "player" and any(map(str.strip, self._texts.values())):
            first, last = (" ".join(self._texts.get(name, "").split()) for name in _NAMES)
            self.rows.append((self._id, first, last))
            self._texts = {}


ROOM = Room(text=20_000_000, decks=5_000, findings=0)
_SEARCHED = 12  # rows in which headings are looked for
_NAMED = {"/player": "the player's name", "/player_id": "the player ID"}  # what a registration points to
_A_PLAYER = phrase("a row a player")
_MOST_FAULTS = 1_000  # that an answer has


class PlayerRow(NamedTuple):
    """A player of a spreadsheet and where the player stands; `entrant` is who is registered already."""

    sheet: str
    row: int | None
    written: RegistrationContent
    where: Whereabouts = NOWHERE
    entrant: Entrant | None = None

    @property
    def expected(self) -> ExpectedPlayer:
        """The player as one who is expected."""
        return ExpectedPlayer(self.written.player, self.written.player_id, self.where.email)

    def as_json(self) -> PlayerRowJSON:
        """Return the row as JSON."""
        shown: PlayerRowJSON = {
            "player": self.written.player,
            "player_id": self.written.player_id,
            "sheet": self.sheet,
            "row": self.row,
            "received": self.written.deck is not None,
        }
        if self.entrant:
            shown["id"] = self.entrant.id
        return shown


class ImportedBook(NamedTuple):
    """The players of a spreadsheet, each once, what could not be read, and who stands there again."""

    players: list[PlayerRow]
    faults: list[SheetFault]
    duplicates: list[RepeatedPlayerJSON]
    name: str = ""
    readings: Sequence[SheetReading] = ()
    aside: Sequence[str] = ()  # headings of the columns that have no role

    @property
    def reading(self) -> ReadingJSON:
        """The role of each column, by sheet, as JSON."""
        other: list[OtherColumnJSON] = [
            {"heading": heading, "use": Whereabouts.use_of(heading)} for heading in self.aside
        ]
        return {"file": self.name, "sheets": preview.sheets(self.readings), "other_columns": other}

    @property
    def unread(self) -> UnreadRowsJSON:
        """What could not be read and who stands there again, as JSON."""
        faults = [_fault_json(fault) for fault in self.faults[:_MOST_FAULTS]]
        return {"faults": faults, "duplicates": self.duplicates}


def _fault_json(fault: SheetFault) -> RowFaultJSON:
    return {
        "sheet": fault.sheet,
        "row": fault.row,
        "column": fault.column,
        "value": fault.value,
        "detail": fault.detail,
        "severity": fault.severity,
        "cell": fault.cell,
        "message": fault.message,
    }


class Matched(NamedTuple):
    """The players of a spreadsheet as an event knows them."""

    book: ImportedBook
    new: list[PlayerRow]
    revised: list[PlayerRow]
    unchanged: list[PlayerRow]
    repeated: list[PlayerRow]  # those whose registration another row is of

    @property
    def moved(self) -> list[tuple[Entrant, Whereabouts]]:
        """Where those are who are registered already; what the spreadsheet does not say is as it was."""
        rows = (one for one in (*self.revised, *self.unchanged) if one.entrant)
        return [(one.entrant, one.where.over(one.entrant.where)) for one in rows if one.entrant]

    @property
    def plan(self) -> str:
        """The digest of all that an import of these players writes."""
        groups = (self.new, self.revised, self.unchanged, self.repeated)
        return hashlib.sha256(repr([[_change(one) for one in group] for group in groups]).encode()).hexdigest()

    def as_json(self, registered: list[PlayerRowJSON]) -> ImportedJSON:
        """Return the answer to an import as JSON; `registered` are the new players."""
        repeated = [cast("RepeatedPlayerJSON", one.as_json()) for one in self.repeated]
        reading = self.book.reading
        return {
            "registered": registered,
            "updated": [one.as_json() for one in self.revised],
            "unchanged": [one.as_json() for one in self.unchanged],
            "faults": self.book.unread["faults"],
            "duplicates": [*self.book.duplicates, *repeated],
            "file": reading["file"],
            "sheets": reading["sheets"],
            "other_columns": reading["other_columns"],
        }


def _change(row: PlayerRow) -> tuple[object, ...]:
    before = (row.entrant.id, row.entrant.version) if row.entrant else None
    return row.sheet, row.row, tuple(row.written), tuple(row.where), before


def read(data: bytes, name: str, catalogue: Catalogue, choices: Mapping[str, str] = NO_CHOICES) -> ImportedBook:
    """Read a spreadsheet of an event's players. Raises Invalid with the reason if no sheet of it can be read.

    `choices` are the columns that the organiser chose, as `chosen.CHOICES` has them.
    """
    book = _taken(data, name, catalogue, choices)
    again = {id(later): first for first, later in duplicates(book.entries)}
    found = [_player(entry) for entry in book.entries if id(entry) not in again]
    players = [one for one in found if isinstance(one, PlayerRow)]
    faults = book.faults + [one for one in found if isinstance(one, SheetFault)]
    faults += (fault for entry in book.entries for fault in _odd_addresses(entry))
    repeated = [_again(entry, again[id(entry)]) for entry in book.entries if id(entry) in again]
    return ImportedBook(players, _as_they_stand(faults), repeated, name, book.readings, book.aside)


def _as_they_stand(faults: Sequence[SheetFault]) -> list[SheetFault]:
    """Return what is wrong sheet by sheet and row by row, what is of a whole sheet first."""
    sheets = list(dict.fromkeys(fault.sheet for fault in faults))
    return sorted(faults, key=lambda fault: (sheets.index(fault.sheet), fault.row or 0))


def _taken(data: bytes, name: str, catalogue: Catalogue, choices: Mapping[str, str]) -> Book:
    try:
        table = players_table(data, name) if is_tdf(data) else data
        return _book(table, name, catalogue, choices)
    except Refused as error:
        raise Invalid([Wrong("/file", str(error))]) from None
    except Large:
        most = f"At most {ROOM.decks:,} players are taken in at once; split the file."
        raise Invalid([Wrong("/file", most)]) from None


def _book(data: bytes, name: str, catalogue: Catalogue, choices: Mapping[str, str]) -> Book:
    """Return the players of a spreadsheet. A player who is in it twice is no fault here."""
    book = book_reader.read(data, name, catalogue.game, catalogue, ROOM, choices)
    repeated = sum(1 for _ in duplicates(book.entries))
    del book.faults[len(book.faults) - repeated :]  # which the reader names last
    return book if book.entries else _only_names(data, name, choices) or book


def _only_names(data: bytes, name: str, choices: Mapping[str, str]) -> Book | None:
    """Return the players of a spreadsheet that has no decks. None if no heading is one of names."""
    book = Book(name)
    for grid in grids(data, name, lambda _: False):
        if header := _headings(grid.rows, choices):
            rows = SheetRows(grid, book, header)
            book.readings.append(SheetReading(grid.sheet, _A_PLAYER, tuple(taken(header))))
            for at, row in rows.filled():
                who, faults = rows.who(at, row)
                book.faults += faults
                if who.label:
                    book.entries.append(PlayerEntry(who, grid.sheet, at, aside=rows.aside(row)))
        if len(book.entries) > ROOM.decks:
            raise Large
    return book if book.entries else None


def _headings(rows: Sequence[Sequence[Cell]], choices: Mapping[str, str]) -> Header | None:
    """Return the first row that has a heading for players, with the columns that were chosen."""
    found = _first_headings(rows)
    return chosen(found or first_row(rows), choices) if choices else found


def _first_headings(rows: Sequence[Sequence[Cell]]) -> Header | None:
    for at, row in enumerate(rows[:_SEARCHED]):
        found = columns([cell if isinstance(cell, str) else "" for cell in row])
        if found.has(*SOMEBODY):
            return Header(found, at, at + 1)
    return None


def _player(entry: PlayerEntry) -> PlayerRow | SheetFault:
    """Return a player as a registration has one, or why the row is none."""
    name = cleaned(entry.who.name or entry.who.id)
    try:
        person = Registration.read({"player": name, "player_id": entry.who.id})
    except Invalid as error:
        said = "; ".join(f"{_NAMED[wrong.pointer]}: {wrong.detail}" for wrong in error.errors)
        return SheetFault(entry.sheet, entry.row, None, entry.who.label, said)
    deck = kept_deck(_unplaced(entry.deck)) if entry.deck else None
    written = RegistrationContent(name, person.player_id, deck=deck)
    return PlayerRow(entry.sheet, entry.row, written, Whereabouts.of_row(entry.aside))


def _odd_addresses(entry: PlayerEntry) -> Iterator[SheetFault]:
    """Yield what is in a column of e-mail addresses and is none: nobody is written to there."""
    for heading, text in entry.aside.items():
        if key(heading) in EMAILS and text and not Whereabouts.of_row({heading: text}).email:
            yield SheetFault(entry.sheet, entry.row, heading, text[:100], "this is no e-mail address", NOTICE)


def _unplaced(deck: Deck) -> Deck:
    """Return a deck without the rows that its lines stand in: the same one in another row is no change."""
    sections = {
        section: tuple(Line(line.number, line.count, line.name) for line in lines) for section, lines in deck.used()
    }
    return Deck(**sections, unread=deck.unread)


def _again(later: PlayerEntry, first: PlayerEntry) -> RepeatedPlayerJSON:
    return {
        "player": later.who.name,
        "player_id": later.who.id,
        "sheet": later.sheet,
        "row": later.row,
        "first_sheet": first.sheet,
        "first_row": first.row,
    }


def matched(book: ImportedBook, entrants: Iterable[Entrant]) -> Matched:
    """Find the players of a book among those registered, by their id, else by a name that one alone has."""
    found = Matched(book, [], [], [], [])
    met: dict[str, PlayerRow] = {}
    for one in _known(book.players, list(entrants)):
        if one.entrant is None:
            found.new.append(one)
        elif met.setdefault(one.entrant.id, one) is not one:
            found.repeated.append(one)
        elif one.written == one.entrant.revision.written:
            found.unchanged.append(one)
        else:
            found.revised.append(one)
    return found


def _known(players: Iterable[PlayerRow], entrants: list[Entrant]) -> Iterator[PlayerRow]:
    by_id = {id_key(one.revision.written.player_id): one for one in entrants if one.revision.written.player_id}
    by_name: dict[str, list[Entrant]] = {}
    for one in entrants:
        by_name.setdefault(one.filed, []).append(one)
    for row in players:
        known = by_id.get(id_key(row.written.player_id)) if row.written.player_id else None
        yield _on(row, known or _namesake(row, by_name.get(name_key(row.written.player), [])))


def _namesake(row: PlayerRow, named: list[Entrant]) -> Entrant | None:
    """Return the one player of a name, unless ids tell that it is another."""
    if len(named) != 1 or (row.written.player_id and named[0].revision.written.player_id):
        return None
    return named[0]


def _on(row: PlayerRow, entrant: Entrant | None) -> PlayerRow:
    """Return a row as a revision of who is registered: what the spreadsheet does not say stays as it is."""
    if entrant is None:
        return row
    before, said = entrant.revision.written, row.written
    written = before._replace(player=said.player, player_id=said.player_id or before.player_id)
    if said.deck is not None:
        written = written._replace(deck=said.deck, decklist=None)
    return row._replace(written=written, entrant=entrant)
