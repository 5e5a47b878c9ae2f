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
    ExpectedPlayer,
    RegistrationContent,
    Whereabouts,
    encode_deck,
    id_key,
    name_key,
)
from api.service.errors import Invalid, Large, Refused, Wrong
from api.sheets.person_names import clean_text
from api.sheets.registration import Registration
from api.workbooks.intake import book_reader, preview
from api.workbooks.intake.book import Book, PlayerEntry, duplicates
from api.workbooks.intake.cells import NOTICE, Cell, SheetFault
from api.workbooks.intake.grids import SizeBudget, grids
from api.workbooks.intake.header import first_row_header
from api.workbooks.intake.sheet_rows import SheetRows
from api.workbooks.readings import NO_CHOICES, SheetReading, apply_choices, describe_columns
from carddb.errors import WorkbookError
from carddb.files import archives
from validator.cards import Catalogue
from validator.deck import Deck, Line
from validator.decklists.card_cells import CardCells
from validator.decklists.header import Header
from validator.decklists.source import Source
from validator.errors import error_text
from validator.language import ENGLISH, Phrase, phrase
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import infer_columns
from validator.tables.headings import key

_OPENING = 1_000  # bytes in which the file names its root
_HEADINGS = ("Player ID", "First name", "Last name")
_NAMES = ("firstname", "lastname")


def is_tdf(data: bytes) -> bool:
    """Return True if a file is a `.tdf` of the tournament program TOM: XML with the root `tournament`.

    Only the first 1,000 bytes are looked at.
    """
    opening = data[:_OPENING].lstrip(b"\xef\xbb\xbf \t\r\n")
    return opening.startswith(b"<") and b"<tournament" in opening


def players_table(data: bytes, name: str) -> bytes:
    """Return the players of a `.tdf` file as CSV with headings: player ID, first name, last name.

    Players without a name are left out. Raises Refused if the file is damaged. `name` is the file's name for the
    message.
    """
    reader = _PlayerReader()
    try:
        archives.parse_xml(data.lstrip(b"\xef\xbb\xbf \t\r\n"), reader.start, reader.end, reader.text)
    except WorkbookError as error:
        raise Refused(phrase("{file} {wrong}.", file=name, wrong=error_text(error))) from None
    table = StringIO()
    csv.writer(table).writerows([_HEADINGS, *reader.rows])
    return table.getvalue().encode()


class _PlayerReader:
    """Collects the players with names from the events of an XML parser. `rows` are (player ID, first name, last name).

    Other parts of the file mention players by their ids only, and are ignored.
    """

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str]] = []
        self._id = ""
        self._texts: dict[str, str] = {}
        self._open = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an XML element: a player, or one of the player's names. Other elements are ignored."""
        if tag == "player":
            self._id, self._texts = attributes.get("userid", ""), {}
        self._open = tag if tag in _NAMES else ""

    def text(self, text: str) -> None:
        """Add text to the open first or last name. Text in other elements is ignored."""
        if self._open:
            self._texts[self._open] = self._texts.get(self._open, "") + text

    def end(self, tag: str) -> None:
        """Handle the end of an XML element. At the end of a player with any name, a row is added."""
        self._open = ""
        if tag == "player" and any(map(str.strip, self._texts.values())):
            first, last = (" ".join(self._texts.get(name, "").split()) for name in _NAMES)
            self.rows.append((self._id, first, last))
            self._texts = {}


ROOM = SizeBudget(text=20_000_000, decks=5_000, findings=0)
_SEARCHED = 12  # rows in which headings are looked for
_POINTERS = {"/player": "the player's name", "/player_id": "the player ID"}  # what a registration points to
_A_PLAYER = phrase("one row per player")
_MOST_FAULTS = 1_000  # that an answer has


class PlayerRow(NamedTuple):
    """A player of a spreadsheet, with the sheet ("" in a CSV file) and the row from 1 (None: not in one row).

    `written` is the content of the row, `where` its table and e-mail address. `match_players` sets `entrant`, the
    player's registration (None: there is none). Then `written` also has the registered values that the row lacks.
    """

    sheet: str
    row: int | None
    written: RegistrationContent
    where: Whereabouts = NOWHERE
    entrant: Entrant | None = None

    @property
    def expected_player(self) -> ExpectedPlayer:
        """The name, player ID and e-mail address, as an expected player."""
        return ExpectedPlayer(self.written.player, self.written.player_id, self.where.email)

    def as_json(self) -> PlayerRowJSON:
        """Return the row as JSON, without its list. It has the id of the registration if there is one.

        `received` is True if the row or its registration has a list.
        """
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
    """The players of a spreadsheet, each once, the faults of its cells, and the repeated players.

    `players` are those with a name and an id that can be registered. `faults` are all, errors and notices, by sheet and
    row. `duplicates` are later mentions of a player. `name` is the name of the file. `readings` are the roles of its
    columns by sheet. `aside` are the headings of the other columns, those for table and e-mail address included.
    """

    players: list[PlayerRow]
    faults: list[SheetFault]
    duplicates: list[RepeatedPlayerJSON]
    name: str = ""
    readings: Sequence[SheetReading] = ()
    aside: Sequence[str] = ()  # headings of the columns that have no role

    @property
    def reading(self) -> ReadingJSON:
        """The name of the file and the role of each column by sheet, as JSON with English texts.

        Columns without a role are listed apart, with their use: "table", "email" or "".
        """
        other: list[OtherColumnJSON] = [
            {"heading": heading, "use": Whereabouts.use_of(heading)} for heading in self.aside
        ]
        return {"file": self.name, "sheets": preview.sheets(self.readings, ENGLISH), "other_columns": other}

    @property
    def unread_rows(self) -> UnreadRowsJSON:
        """The first 1,000 faults of the spreadsheet and the players that it repeats, as JSON."""
        faults = [_fault_json(fault) for fault in self.faults[:_MOST_FAULTS]]
        return {"faults": faults, "duplicates": self.duplicates}


def _fault_json(fault: SheetFault) -> RowFaultJSON:
    """Return the fault of a spreadsheet as JSON. `message` is a phrase that is translated when it is written."""
    return {
        "sheet": fault.sheet,
        "row": fault.row,
        "column": fault.column,
        "value": fault.value,
        "detail": fault.detail,
        "severity": fault.severity,
        "cell": fault.cell,
        "message": Phrase(SheetFault.render, fault),
    }


class Matched(NamedTuple):
    """The players of a spreadsheet, grouped by what an import does with their registrations.

    `new` have no registration. `revised` get a revision. `unchanged` get none, but may get another table or address.
    `repeated` are rows for a registration that an earlier row has already, and are not imported. Players whom the
    spreadsheet itself repeats are in none of the groups.
    """

    book: ImportedBook
    new: list[PlayerRow]
    revised: list[PlayerRow]
    unchanged: list[PlayerRow]
    repeated: list[PlayerRow]  # those whose registration another row is of

    @property
    def merged_whereabouts(self) -> list[tuple[Entrant, Whereabouts]]:
        """The revised and unchanged registrations, each with the table and address that it has after the import.

        Fields that the file lacks keep their value.
        """
        rows = (one for one in (*self.revised, *self.unchanged) if one.entrant)
        return [(one.entrant, one.where.fill_from(one.entrant.where)) for one in rows if one.entrant]

    @property
    def plan(self) -> str:
        """The digest of everything that an import of these players writes, in hex.

        It also changes if one of the registrations was changed meanwhile.
        """
        groups = (self.new, self.revised, self.unchanged, self.repeated)
        return hashlib.sha256(repr([[_change(one) for one in group] for group in groups]).encode()).hexdigest()

    def as_json(self, registered: list[PlayerRowJSON]) -> ImportedJSON:
        """Return the answer to an import as JSON. `registered` are the new players, with or without ids and keys.

        The faults are the first 1,000. `duplicates` are rows of players whom an earlier row of the file, or another row
        for the same registration, has already. The fields `import` and `plan` are added by the caller.
        """
        repeated = [cast("RepeatedPlayerJSON", one.as_json()) for one in self.repeated]
        reading = self.book.reading
        return {
            "registered": registered,
            "updated": [one.as_json() for one in self.revised],
            "unchanged": [one.as_json() for one in self.unchanged],
            "faults": self.book.unread_rows["faults"],
            "duplicates": [*self.book.duplicates, *repeated],
            "file": reading["file"],
            "sheets": reading["sheets"],
            "other_columns": reading["other_columns"],
        }


def _change(row: PlayerRow) -> tuple[object, ...]:
    """Return the values of a row that the digest `plan` contains.

    These are its place, its content, its table and address, and the id and version of its registration, None without
    one.
    """
    before = (row.entrant.id, row.entrant.version) if row.entrant else None
    return row.sheet, row.row, tuple(row.written), tuple(row.where), before


def read(data: bytes, name: str, catalogue: Catalogue, choices: Mapping[str, str] = NO_CHOICES) -> ImportedBook:
    """Read the players of a spreadsheet or a `.tdf` file, with their decks if it has any.

    Each player is there once, at the first mention. `choices` are the columns that the organiser chose, by the keys of
    `readings.CHOICES`. If no heading is known, the result has no players and a fault. Raises Invalid, with the
    reason, if the file is empty, damaged or too large, has over 5,000 players, or lacks a chosen column.
    """
    book = _read_book(data, name, catalogue, choices)
    again = {id(later): first for first, later in duplicates(book.entries)}
    found = [_read_player(entry) for entry in book.entries if id(entry) not in again]
    players = [one for one in found if isinstance(one, PlayerRow)]
    faults = book.faults + [one for one in found if isinstance(one, SheetFault)]
    faults += (fault for entry in book.entries for fault in _find_address_faults(entry))
    repeated = [_repeated_json(entry, again[id(entry)]) for entry in book.entries if id(entry) in again]
    return ImportedBook(players, _sort_faults(faults), repeated, name, book.readings, book.extra_headings)


def _sort_faults(faults: Sequence[SheetFault]) -> list[SheetFault]:
    """Return faults sorted by sheet, in the order in which `faults` first names the sheets, and by row.

    In each sheet those without a row come first.
    """
    sheets = list(dict.fromkeys(fault.sheet for fault in faults))
    return sorted(faults, key=lambda fault: (sheets.index(fault.sheet), fault.row or 0))


def _read_book(data: bytes, name: str, catalogue: Catalogue, choices: Mapping[str, str]) -> Book:
    """Return the players of a spreadsheet or a `.tdf` file, also the repeated ones. `name` is the name of the file.

    `choices` are the columns that the organiser chose. Raises Invalid if the file is refused or has too many players.
    """
    try:
        table = players_table(data, name) if is_tdf(data) else data
        return _read_table(table, name, catalogue, choices)
    except Refused as error:
        raise Invalid([Wrong("/file", error_text(error))]) from None
    except Large:
        most = phrase("At most {most:,} players are imported at once. Split the file.", most=ROOM.decks)
        raise Invalid([Wrong("/file", most)]) from None


def _read_table(data: bytes, name: str, catalogue: Catalogue, choices: Mapping[str, str]) -> Book:
    """Return the players of a spreadsheet, with decks, or if it has none, by the headings for names.

    `choices` are the columns that the organiser chose. Faults about repeated players are left out. Raises Refused if
    the file is not read at all, Large if it is too large.
    """
    book = book_reader.read(data, name, catalogue.game, catalogue, ROOM, choices)
    repeated = sum(1 for _ in duplicates(book.entries))
    del book.faults[len(book.faults) - repeated :]  # which the reader names last
    return book if book.entries else _read_names(data, name, choices) or book


def _read_names(data: bytes, name: str, choices: Mapping[str, str]) -> Book | None:
    """Return the players of a spreadsheet without decks, by the headings for names. None if no player is found.

    `choices` are the columns that the organiser chose. Raises Large if there are more than 5,000 players. Raises
    Refused if a chosen column is missing.
    """
    book = Book(name)
    for grid in grids(data, name, lambda _: False):
        if header := _find_header(grid.rows, choices):
            rows = SheetRows(grid, book, header, CardCells(Source("")))
            book.readings.append(SheetReading(grid.sheet, _A_PLAYER, tuple(describe_columns(header))))
            for at, row in rows.filled_rows():
                who, faults = rows.find_player(at, row)
                book.faults += faults
                if who.label:
                    book.entries.append(PlayerEntry(who, grid.sheet, at, aside=rows.extra_texts(row)))
        if len(book.entries) > ROOM.decks:
            raise Large
    return book if book.entries else None


def _find_header(rows: Sequence[Sequence[Cell]], choices: Mapping[str, str]) -> Header | None:
    """Return the first of the first 12 rows that has a heading for players' names, as a header.

    The columns in `choices`, which the organiser chose, replace its own. If no heading is known, the first filled row
    is the header if there are choices, else None is returned. Raises Refused if a chosen column is missing.
    """
    found = _first_headings(rows)
    return apply_choices(found or first_row_header(rows), choices) if choices else found


def _first_headings(rows: Sequence[Sequence[Cell]]) -> Header | None:
    """Return the first of the first 12 rows that has a heading for players' names. None if there is no such row.

    Such a heading is for whole, first or last names. A heading for player IDs only is none.
    """
    for at, row in enumerate(rows[:_SEARCHED]):
        found = infer_columns([cell if isinstance(cell, str) else "" for cell in row])
        if found.has(*SOMEBODY):
            return Header(found, at, at + 1)
    return None


def _read_player(entry: PlayerEntry) -> PlayerRow | SheetFault:
    """Return the row of a player to register, or a fault if the name or the id cannot be registered.

    A player without a name is named by the id. The lines of the deck lose their row numbers and written texts.
    """
    name = clean_text(entry.who.name or entry.who.id)
    try:
        person = Registration.read({"player": name, "player_id": entry.who.id})
    except Invalid as error:
        reasons = "; ".join(f"{_POINTERS[wrong.pointer]}: {wrong.detail}" for wrong in error.errors)
        return SheetFault(entry.sheet, entry.row, None, entry.who.label, reasons)
    deck = encode_deck(_remove_line_numbers(entry.deck)) if entry.deck else None
    written = RegistrationContent(name, person.player_id, deck=deck)
    return PlayerRow(entry.sheet, entry.row, written, Whereabouts.from_columns(entry.aside))


def _find_address_faults(entry: PlayerEntry) -> Iterator[SheetFault]:
    """Yield a notice for each text in a column of e-mail addresses that is no valid address."""
    for heading, text in entry.aside.items():
        if key(heading) in EMAILS and text and not Whereabouts.from_columns({heading: text}).email:
            yield SheetFault(entry.sheet, entry.row, heading, text[:100], "this is no e-mail address", NOTICE)


def _remove_line_numbers(deck: Deck) -> Deck:
    """Return a deck whose lines have no row numbers, so that the same deck in another row is no change.

    The lines also lose their written text.
    """
    sections = {
        section: tuple(Line(line.number, line.count, line.name) for line in lines) for section, lines in deck.used()
    }
    return Deck(**sections, unread=deck.unread)


def _repeated_json(later: PlayerEntry, first: PlayerEntry) -> RepeatedPlayerJSON:
    """Return a repeated player as JSON: the entry `later`, with the row of the entry `first`, which counts."""
    return {
        "player": later.who.name,
        "player_id": later.who.id,
        "sheet": later.sheet,
        "row": later.row,
        "first_sheet": first.sheet,
        "first_row": first.row,
    }


def match_players(book: ImportedBook, entrants: Iterable[Entrant]) -> Matched:
    """Return the players of a spreadsheet with their registrations, in groups. Nothing is written.

    A registration is found by the player ID, else by a name that only one registration has, unless both have player
    IDs. The content of a found row is that after the import.
    """
    found = Matched(book, [], [], [], [])
    met: dict[str, PlayerRow] = {}
    for one in _find_known(book.players, list(entrants)):
        if one.entrant is None:
            found.new.append(one)
        elif met.setdefault(one.entrant.id, one) is not one:
            found.repeated.append(one)
        elif one.written == one.entrant.revision.written:
            found.unchanged.append(one)
        else:
            found.revised.append(one)
    return found


def _find_known(players: Iterable[PlayerRow], entrants: list[Entrant]) -> Iterator[PlayerRow]:
    """Yield each row with the content that it gives to its registration, found by player ID, else as by `_namesake`.

    A row without a registration is yielded unchanged.
    """
    by_id = {id_key(one.revision.written.player_id): one for one in entrants if one.revision.written.player_id}
    by_name: dict[str, list[Entrant]] = {}
    for one in entrants:
        by_name.setdefault(one.sort_key, []).append(one)
    for row in players:
        known = by_id.get(id_key(row.written.player_id)) if row.written.player_id else None
        yield _revise_row(row, known or _namesake(row, by_name.get(name_key(row.written.player), [])))


def _namesake(row: PlayerRow, namesakes: list[Entrant]) -> Entrant | None:
    """Return the registration with the name of a row if it is the only one, else None.

    `namesakes` are all registrations with that name. None too if both the row and the registration have a player ID,
    because the IDs then differ.
    """
    if len(namesakes) != 1 or (row.written.player_id and namesakes[0].revision.written.player_id):
        return None
    return namesakes[0]


def _revise_row(row: PlayerRow, entrant: Entrant | None) -> PlayerRow:
    """Return a row with the content that its registration has after the import. Fields that the spreadsheet lacks stay.

    If `entrant`, the registration, is None, the row is returned unchanged. The name is that of the row. With a new deck
    the registered text of the list becomes None.
    """
    if entrant is None:
        return row
    before, content = entrant.revision.written, row.written
    written = before._replace(player=content.player, player_id=content.player_id or before.player_id)
    if content.deck is not None:
        written = written._replace(deck=content.deck, decklist=None)
    return row._replace(written=written, entrant=entrant)
