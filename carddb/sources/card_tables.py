"""Card tables: cards from a spreadsheet with the columns of COLUMNS, in any order."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from carddb.bounds import LARGEST_CARD_FILE, LONGEST_CARD_TEXT
from carddb.errors import CardDataError, RowError, problems_in
from carddb.files import spreadsheets
from carddb.files.spreadsheets import Sheet
from carddb.sources import printed_facts, printings
from carddb.sources.printed_facts import cost, life, listed, power, spelled
from carddb.sources.printings import CardList, PrintedCard
from validator import limits
from validator.cards import Card
from validator.decklists.delimiter import find_delimiter, hinted
from validator.decklists.formulas import unguarded
from validator.games import GAMES, game_of
from validator.numbers import normal
from validator.texts import INVISIBLE

# The columns of a card spreadsheet.
COLUMNS = (
    *("number", "name", "back_name", "type", "colors", "cost", "life", "power", "back_power"),
    *("traits", "back_traits", "characters", "back_characters", "text", "back_text"),
    *("rarity", "set", "block", "released"),
)

_NUMBER = re.compile(r"[A-Z0-9][A-Z0-9 ._/-]{0,39}", re.IGNORECASE)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BROKEN = re.compile(r"#(?:REF!|N/A|VALUE!|NAME\?|DIV/0!|NULL!|NUM!|FORMULA!)")


class _RowCells:
    """The cells of a row as clean text, "" for none."""

    def __init__(self, row: Mapping[str, str]) -> None:
        self._wrong: dict[str, str] = {}
        self._texts = {column: row.get(column, "") for column in COLUMNS}
        self._texts = {column: self.read(column, _clean, column) or "" for column in COLUMNS}

    def __getitem__(self, column: str) -> str:
        return self._texts[column]

    def read(self, column: str, reader: Callable[..., Any], *of: str) -> Any:
        """Return what a cell says by `reader(*of, text)`, None where it cannot be read."""
        if column in self._wrong:
            return None
        try:
            return reader(*of, self._texts[column])
        except ValueError as error:
            self._wrong[column] = str(error)
            return None

    def check(self) -> None:
        if self._wrong:
            raise RowError({column: self._wrong[column] for column in COLUMNS if column in self._wrong})


_TEXTS = ("text", "back_text")
_WORDS = ("back_name", "rarity", "set")
_LISTS = ("traits", "back_traits", "characters", "back_characters")


def card(game: str, row: Mapping[str, str]) -> Card:
    """Return the card of a row (column to cell, both text), or raise a RowError with all that is wrong in it.

    `cost` is read as printed: "4(RR)" costs 4, "X(R)" has no cost, nor has "-", unless the
    list of the game writes that for a zero. A card that has Life may have it there too.
    """
    cells = _RowCells(row)
    kind = cells.read("type", card_type, game)
    number = cells.read("number", _number, game)
    facts: dict[str, Any] = {column: listed(cells[column]) for column in _LISTS}
    facts |= {column: cells[column] or None for column in _WORDS}
    facts |= {column: cells[column] for column in _TEXTS}
    read = Card(
        game,
        number,
        cells.read("name", _name),
        kind,
        colors=cells.read("colors", colors, game),
        cost=cells.read("cost", cost, game, kind),
        cost_text=cells["cost"] or None,
        life=cells.read("life" if cells["life"] else "cost", life, game, kind),
        power=cells.read("power", power),
        back_power=cells.read("back_power", power),
        block=cells["block"].upper().strip("-") or None,
        released=cells.read("released", _day) or limits.sets(game).released(number or ""),
        **facts,
    )
    cells.check()
    return read


def _clean(column: str, text: str) -> str:
    if not text:
        return ""
    if len(text) > LONGEST_CARD_TEXT:
        raise ValueError(f"{len(text)} characters; no card says more than {LONGEST_CARD_TEXT}")
    if "\0" in text:
        raise ValueError("holds a NUL character, which is no text")
    if _BROKEN.fullmatch(text):
        raise ValueError(f"is {text}, a formula that gives no value; mend it, or write the value itself")
    if column in _TEXTS:
        return "\n".join(text.splitlines()).strip()
    return " ".join(text.translate(INVISIBLE).split())


def _name(text: str) -> str:
    if not text:
        raise ValueError("is empty; every card has a name")
    return text


def _number(game: str, text: str) -> str:
    if not text and GAMES[game].told_by_name:
        return ""
    if not text:
        raise ValueError("is empty; cards of this game are told apart by number")
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is no card number")
    return normal(text, game)[0]


def card_type(game: str, text: str) -> str:
    """Return a card type as the game spells it; a ValueError if it has no such type."""
    types = GAMES[game].types
    kind = spelled(types, text.removesuffix(" Card").removesuffix(" CARD"))
    if kind is None:
        raise ValueError(f"{text[:60]!r} is no card type of {game}; it has {', '.join(types)}")
    return kind


def colors(game: str, text: str) -> tuple[str, ...]:
    """Return colours written with "/" as the game spells them; a ValueError if it has no such colour."""
    known = GAMES[game].colors
    words = tuple(dict.fromkeys(printed_facts.colors(game, text)))
    for word in words:
        if word not in known:
            raise ValueError(f"{word[:60]!r} is no colour of {game}; it has {', '.join(known) or 'none'}")
    return words


def _day(text: str) -> str | None:
    if not text:
        return None
    if not _DAY.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is no date; write it as 2026-11-21")
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"{text} is no day of the calendar") from None


_UNCOMPUTED = "#FORMULA!"  # the text of a formula that no program has computed
_NEEDED = "name"  # the column that the header of every card table has
_ALIKE = 0.8  # of 1, from which an unknown column is taken for a misspelled one


class _TableRow(NamedTuple):
    """One row: its number as a spreadsheet program shows it (the header is 1), and its cells by column."""

    number: int
    cells: dict[str, str]


class _Table(NamedTuple):
    """A header, the rows under it, and a notice if the encoding of the file was guessed."""

    header: tuple[str, ...]
    rows: Sequence[_TableRow]
    notices: tuple[str, ...] = ()


def read(data: bytes, name: str, game: str) -> CardList:
    """Return the cards of a spreadsheet. Raises CardDataError that names the wrong rows and columns.

    Unknown columns are ignored with a notice, and refused if they look like a misspelled one. Rows of the same card
    become one card (see `printings.one_each`).
    """
    needed = ("type",) if game_of(game).told_by_name else ("type", "number")
    table = _read_table(data, name)
    notices = (*table.notices, *_unused(table.header, name))
    missing = [column for column in needed if column not in table.header]
    if missing:
        raise CardDataError(f"{name} has no column `{missing[0]}`, which {game} cards need.")
    if not table.rows:
        raise CardDataError(f"{name} has a header and no cards.")
    return CardList(printings.one_each(game, _printings(table, name, game)), name, notices)


def _printings(table: _Table, name: str, game: str) -> list[PrintedCard]:
    cards: list[PrintedCard] = []
    problems: list[str] = []
    for row in table.rows:
        try:
            cards.append(_one(row, game))
        except RowError as error:
            problems.append(f"row {row.number}, {error}")
    if problems:
        raise problems_in(name, problems)
    return cards


def _one(row: _TableRow, game: str) -> PrintedCard:
    cells = {column: cell for column, cell in row.cells.items() if column in COLUMNS}
    spelled = cells.get("number", "").strip()
    is_base = not normal(spelled, game)[1]
    return PrintedCard(card(game, cells), spelled, is_base, f"row {row.number}")


def _unused(header: Collection[str], name: str) -> tuple[str, ...]:
    unknown = [column[:40] for column in header if column and column not in COLUMNS]
    missing = [column for column in COLUMNS if column not in header]
    for column in unknown:
        if meant := difflib.get_close_matches(column, missing, 1, _ALIKE):
            raise CardDataError(f"{name} has a column `{column}`; is `{meant[0]}` meant?")
    return (f"{name}: not used are the columns {', '.join(unknown)}.",) if unknown else ()


def _read_table(data: bytes, name: str) -> _Table:
    """Return the table of a spreadsheet: of a workbook, the first sheet with a header. Raises CardDataError if none."""
    spreadsheets.check_size(data, name, LARGEST_CARD_FILE)
    if not spreadsheets.is_workbook(data):
        text, notices = spreadsheets.read_text(data, name)
        delimiter = find_delimiter(text, lambda lines: sum(_NEEDED in _header(line) for line in lines))
        lines = enumerate(spreadsheets.parse_rows(text, delimiter, name), 1)
        cells = ((number, list(map(unguarded, row))) for number, row in lines if number > 1 or not hinted(text))
        return _table(name, cells)._replace(notices=notices)
    refusal = f"{name} has no cells."
    for sheet in spreadsheets.read_workbook(data, name):
        try:
            return _table(f"{name}, sheet {sheet.name}", enumerate(_text_rows(sheet), 1))
        except _NoHeader as error:
            refusal = str(error)
    raise CardDataError(refusal)


def _text_rows(sheet: Sheet) -> Iterator[list[str]]:
    """Yield the rows of a sheet as text, with its errors and formulas without a value, which are no empty cells."""
    for number, row in enumerate(sheet.rows, 1):
        cells = list(map(spreadsheets.cell_text, row))
        for column, error in sheet.odd.get(number, ()):
            cells.extend([""] * (column + 1 - len(cells)))
            cells[column] = error or _UNCOMPUTED
        yield cells


class _NoHeader(CardDataError):
    """The first row of a table does not name the column that is needed."""


def _table(name: str, rows: Iterable[tuple[int, Sequence[str]]]) -> _Table:
    filled = ((number, cells) for number, cells in rows if any(cell.strip() for cell in cells))
    _, first = next(filled, (0, ()))
    header = _header(first)
    if _NEEDED not in header:
        raise _NoHeader(f"{name} has no column `{_NEEDED}` in its first row; see the README for the columns.")
    if twice := [column for column in header if column and header.count(column) > 1]:
        raise CardDataError(f"{name} has two columns `{twice[0][:40]}`; which one counts?")
    return _Table(header, list(_rows(name, header, filled)))


def _header(cells: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the columns, `Back name` as `back_name`, without the blank ones at the end."""
    header = ["_".join(cell.casefold().replace("_", " ").split()) for cell in cells]
    while header and not header[-1]:
        header.pop()
    return tuple(header)


def _rows(name: str, header: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[_TableRow]:
    for number, cells in rows:
        if any(cell.strip() for cell in cells[len(header) :]):
            raise CardDataError(f"{name}, row {number}: has more cells than the header has columns.")
        yield _TableRow(number, dict(zip(header, cells, strict=False)))
