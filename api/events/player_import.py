"""Player imports: a spreadsheet of players, with their lists or without, taken into an event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from api.events.entrant import Entrant, Written, id_key, kept_deck, name_key
from api.events.expected_players import ExpectedPlayer
from api.events.whereabouts import EMAILS, NOWHERE, Whereabouts
from api.service.errors import Invalid, Large, Refused, Wrong
from api.sheets.person_names import cleaned
from api.sheets.registration import Registration
from api.workbooks.column_roles.header import Header
from api.workbooks.intake import book_reader
from api.workbooks.intake.book import Book
from api.workbooks.intake.cells import Cell
from api.workbooks.intake.faults import NOTICE, SheetFault
from api.workbooks.intake.grids import grids
from api.workbooks.intake.players import PlayerEntry, duplicates
from api.workbooks.intake.room import Room
from api.workbooks.intake.sheet_rows import SheetRows
from validator.cards import Catalogue
from validator.deck import Deck, Line
from validator.decklists.columns import SOMEBODY, columns
from validator.decklists.headings import key

ROOM = Room(text=20_000_000, decks=5_000, findings=0)
_SEARCHED = 12  # rows in which headings are looked for
_NAMED = {"/player": "the player's name", "/player_id": "the player ID"}  # what a registration points to
_MOST_FAULTS = 1_000  # that an answer has


class PlayerRow(NamedTuple):
    """A player of a spreadsheet and where the player stands; `entrant` is who is registered already."""

    sheet: str
    row: int | None
    written: Written
    where: Whereabouts = NOWHERE
    entrant: Entrant | None = None

    @property
    def expected(self) -> ExpectedPlayer:
        """The player as one who is expected."""
        return ExpectedPlayer(self.written.player, self.written.player_id, self.where.email)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        who = {"player": self.written.player, "player_id": self.written.player_id}
        where = {"sheet": self.sheet, "row": self.row, "received": self.written.deck is not None}
        return who | where | ({"id": self.entrant.id} if self.entrant else {})


class ImportedBook(NamedTuple):
    """The players of a spreadsheet, each once, what could not be read, and who stands there again."""

    players: list[PlayerRow]
    faults: list[SheetFault]
    duplicates: list[dict[str, Any]]

    @property
    def unread(self) -> dict[str, Any]:
        """What could not be read and who stands there again, as JSON."""
        faults = [fault._asdict() | {"message": fault.message} for fault in self.faults[:_MOST_FAULTS]]
        return {"faults": faults, "duplicates": self.duplicates}


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

    def as_json(self) -> dict[str, Any]:
        """Return all but who is new as JSON."""
        return {
            "updated": [one.as_json() for one in self.revised],
            "unchanged": [one.as_json() for one in self.unchanged],
            **self.book.unread,
            "duplicates": self.book.duplicates + [one.as_json() for one in self.repeated],
        }


def read(data: bytes, name: str, catalogue: Catalogue) -> ImportedBook:
    """Read a spreadsheet of an event's players; Invalid says why it is not read at all."""
    book = _taken(data, name, catalogue)
    again = {id(later): first for first, later in duplicates(book.entries)}
    found = [_player(entry) for entry in book.entries if id(entry) not in again]
    players = [one for one in found if isinstance(one, PlayerRow)]
    faults = book.faults + [one for one in found if isinstance(one, SheetFault)]
    faults += (fault for entry in book.entries for fault in _odd_addresses(entry))
    repeated = [_again(entry, again[id(entry)]) for entry in book.entries if id(entry) in again]
    return ImportedBook(players, _as_they_stand(faults), repeated)


def _as_they_stand(faults: Sequence[SheetFault]) -> list[SheetFault]:
    """Return what is wrong sheet by sheet and row by row, what is of a whole sheet first."""
    sheets = list(dict.fromkeys(fault.sheet for fault in faults))
    return sorted(faults, key=lambda fault: (sheets.index(fault.sheet), fault.row or 0))


def _taken(data: bytes, name: str, catalogue: Catalogue) -> Book:
    try:
        return _book(data, name, catalogue)
    except Refused as error:
        raise Invalid([Wrong("/file", str(error))]) from None
    except Large:
        most = f"At most {ROOM.decks:,} players are taken in at once; split the file."
        raise Invalid([Wrong("/file", most)]) from None


def _book(data: bytes, name: str, catalogue: Catalogue) -> Book:
    """Return the players of a spreadsheet; those who stand there again are no faults here."""
    book = book_reader.read(data, name, catalogue.game, catalogue, ROOM)
    repeated = sum(1 for _ in duplicates(book.entries))
    del book.faults[len(book.faults) - repeated :]  # which the reader names last
    return book if book.entries else _names_alone(data, name) or book


def _names_alone(data: bytes, name: str) -> Book | None:
    """Return the players of a spreadsheet that has no decks; None where no headings name any."""
    book = Book(name)
    for grid in grids(data, name, lambda _: False):
        if header := _headings(grid.rows):
            rows = SheetRows(grid, book, header)
            for at, row in rows.filled():
                who, faults = rows.who(at, row)
                book.faults += faults
                if who.label:
                    book.entries.append(PlayerEntry(who, grid.sheet, at, aside=rows.aside(row)))
        if len(book.entries) > ROOM.decks:
            raise Large
    return book if book.entries else None


def _headings(rows: Sequence[Sequence[Cell]]) -> Header | None:
    """Return the first row that has a heading for players."""
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
    written = Written(name, person.player_id, deck=deck)
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


def _again(later: PlayerEntry, first: PlayerEntry) -> dict[str, Any]:
    where = {"sheet": later.sheet, "row": later.row, "first_sheet": first.sheet, "first_row": first.row}
    return {"player": later.who.name, "player_id": later.who.id} | where


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
