"""Sheet rows: the rows of one sheet under its headings, with the cells that a table fills in once for several rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter

from api.workbooks.intake import cells
from api.workbooks.intake.book import Book, Who
from api.workbooks.intake.cells import ERROR, NOTICE, Cell, SheetFault, Text, address, cell_in, is_blank, letters, text
from api.workbooks.intake.grids import MOST_ROWS, Grid
from validator.decklists.card_cells import CardCells
from validator.decklists.header import Header
from validator.decklists.headlines import Heading
from validator.decklists.table_rows import Aside, SectionsAbove, TableRows
from validator.language import phrase
from validator.tables import labels
from validator.tables.cell_kinds import is_card_number
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, EVENT, FIRST, LAST, NUMBER, PLAYER, PLAYER_ID, SECTION, SIDE

_FILLED = (*WHO, SECTION, SIDE)
_Filled = Iterator[tuple[int, int, Cell]]  # a row from 1, a column and what is said there


def find_filled_cells(grid: Grid, columns: Columns, start: int, parser: TableRows) -> dict[int, list[tuple[int, Cell]]]:
    """Return the cells that an earlier row fills in, as (column, value) by row number, from 1 in the whole sheet.

    These are the lower cells of merged ranges in columns of players and sections, and cells of a section that is
    written once. `start` is the first row of the table, from 0 in the grid, and `parser` that of its rows.
    """
    filled: dict[int, list[tuple[int, Cell]]] = {}
    sections = _find_sections(grid.rows[start:], columns, grid.top + start, parser)
    for row, column, value in chain(_find_merged_cells(grid, columns, start), sections):
        filled.setdefault(row, []).append((column, value))
    return filled


def _find_merged_cells(grid: Grid, columns: Columns, start: int) -> _Filled:
    """Yield `(row, column, value)` of each cell but the first of a merged range in one column. `value` is the first's.

    Only columns of players and sections are looked at. Rows count from 1 in the whole sheet. Ranges that begin above
    row `start` of the grid are ignored. So are those after very many overlapping ranges.
    """
    fillable = set(columns.places(*_FILLED))
    room = MOST_ROWS * len(_FILLED)  # ranges that overlap, which no spreadsheet program makes, end here
    for (top, left), (bottom, right) in grid.merged:
        room -= bottom - top
        first, last = top - grid.top, bottom - grid.top
        if left == right and left in fillable and start <= first < len(grid.rows) and room > 0:
            for row in range(first + 1, min(last + 1, len(grid.rows))):
                yield grid.top + row + 1, left, grid.rows[first][left]


def find_filled_players(
    grid: Grid, columns: Columns, start: int, parser: TableRows
) -> Mapping[int, list[tuple[int, Cell]]]:
    """Return the player cells to fill into rows that have a card and no player, by row number from 1.

    The values are `(column, cell)`, from the nearest row above that has a player, with its event. Rows that a merged
    cell reaches into are left out. Empty if the table names the players in each row, for a deck in each row, and if a
    column of names or ids has no blanks. Rows that are no cards, such as headings and totals, have no player. `parser`
    is that of the rows.
    """
    rows, places = grid.rows[start:], columns.places(*WHO)
    if not (named := _player_columns(rows, columns)) or parser.repeats_players:
        return {}
    filled: dict[int, list[tuple[int, Cell]]] = {}
    merged = _merged_rows(grid)
    player: list[tuple[int, Cell]] = []
    for at, row in enumerate(rows, grid.top + start + 1):
        if _find_aside(row, columns, parser) is not None or _repeats_titles(row, columns, named):
            continue
        if _has_filled_cell(row, named):
            player = [(column, cell_in(row, column)) for column in places]
        elif player and at not in merged and _has_card(row, columns):
            filled[at] = player
    return filled


def _player_columns(rows: Sequence[Sequence[Cell]], columns: Columns) -> Sequence[int]:
    """Return the columns of names and ids of players.

    Empty if the table has a deck in each row, or if one of these columns has no blank cell.
    """
    named = columns.places(*SOMEBODY, PLAYER_ID)
    return named if not columns.is_list and all(_has_blanks(rows, column) for column in named) else ()


def _repeats_titles(row: Sequence[Cell], columns: Columns, places: Sequence[int]) -> bool:
    """Return True if a row has the headings of the columns `places` again, as on the next page. Case is ignored."""
    return all(text(cell_in(row, at)).casefold() == columns.titles[at].casefold() for at in places)


def _has_filled_cell(row: Sequence[Cell], columns: Iterable[int]) -> bool:
    """Return True if a row has a cell in one of these columns that is not blank."""
    return any(not is_blank(cell_in(row, column)) for column in columns)


def _merged_rows(grid: Grid) -> set[int]:
    """Return the rows, from 1, that a merged cell of an earlier row reaches into."""
    rows: set[int] = set()
    covered = 0  # each row is added once: ranges of a hostile file may all overlap
    for (top, _), (bottom, _) in sorted(grid.merged):
        end = min(bottom, MOST_ROWS) + 2
        rows.update(range(max(top + 2, covered), end))
        covered = max(covered, end)
    return rows


def _find_sections(rows: Sequence[Sequence[Cell]], columns: Columns, start: int, parser: TableRows) -> _Filled:
    """Yield `(row, section column, section)` for rows with a card and without a section, from the player's rows above.

    `start` is the number of the row above the first of `rows`. Nothing is yielded for a player before the row that
    names the main deck.
    """
    column = columns.first(SECTION)
    if column is None or not _has_blanks(rows, column):
        return
    places = columns.places(*WHO)
    player: Sequence[Cell] = [""] * len(places)
    title = columns.titles[column].casefold() if column < len(columns.titles) else ""
    above = SectionsAbove()
    for at, row in enumerate(rows, start + 1):
        cell = text(cell_in(row, column))
        if title and cell.casefold() == title:
            continue  # a repeated heading
        if (aside := _find_aside(row, columns, parser)) is not None:
            if isinstance(aside, Heading):
                above.begin_heading(aside.section)
            continue
        named = [cell_in(row, place) for place in places]
        if _is_other_player(named, player):
            player = named
            above.begin_player(have_own_headings=False)
        if (section := above.carry_down(cell)) and not cell and _has_card(row, columns):
            yield at, column, section


def _is_other_player(cells_of_row: Sequence[Cell], cells_before: Sequence[Cell]) -> bool:
    """Return True if a player's cell is filled and differs from that of the player so far: another player begins.

    Both sequences have the same columns.
    """
    return any(new != old and not is_blank(new) for new, old in zip(cells_of_row, cells_before, strict=True))


def _find_aside(row: Sequence[Cell], columns: Columns, parser: TableRows) -> Heading | Aside | None:
    """Return the kind of a row without a card, such as a heading, a comment or a total. None for the row of a card.

    A card number makes any row but a marked one that of a card.
    """
    number = columns.first(NUMBER)
    if number is not None and is_card_number(text(cell_in(row, number))) and not is_marked(row):
        return None
    return parser.find_aside(list(map(text, row)), has_marked_rows=True)


def is_marked(row: Sequence[Cell]) -> bool:
    """Return True if the first filled cell of a row begins with the comment mark "//"."""
    first = next((cell for cell in row if cell != ""), "")
    return type(first) is str and first.startswith("//")


def _has_blanks(rows: Sequence[Sequence[Cell]], column: int) -> bool:
    """Return True if a column has a blank cell, or any row is too short to have the column. True without rows."""
    return min(map(len, rows), default=0) <= column or any(map(is_blank, set(map(itemgetter(column), rows))))


def _has_card(row: Sequence[Cell], columns: Columns) -> bool:
    """Return True if the cell for a card's number or name is filled."""
    places = (at for role in (NUMBER, CARD) if (at := columns.first(role)) is not None)
    return not all(is_blank(cell_in(row, at)) for at in places)


LABELLED = 12  # rows at the top of a sheet without headings that may name the player
UNCOMPUTED = phrase("this formula was never computed; open the file in a spreadsheet program and save it")
NO_COUNTS = phrase("No count column was found. Each line counts as one copy.")
_LIKE_ABOVE = phrase("here and below, a row without a player is of the player above it")


class SheetRows:
    """One table of a spreadsheet that is being read: its rows under the headings, and the book to which it adds.

    `columns` are the columns by role, none without a header. `start` is the first row below the headings, from 0 in the
    grid. `above` is the number of rows of the sheet above that row.
    """

    def __init__(self, grid: Grid, book: Book, header: Header | None, cards: CardCells) -> None:
        """Find the cells that other rows fill in. Adds the columns without a role to `book`.

        Also counts the filled rows above the table as headings in `book`, and adds a notice if rows without a player
        belong to the player above.
        """
        self.grid = grid
        self.book = book
        self.columns = header.columns if header else Columns(())
        self.start = header.end if header else 0
        self._above = grid.rows[: header.start if header else LABELLED]
        self._used = {*self.columns.places(*self.columns.roles), *self.columns.parts, *self.columns.counts}
        self.parser = TableRows(self.columns, cards, self._text_rows)
        self._filled = find_filled_cells(grid, self.columns, self.start, self.parser)
        self._fill_players()
        self._doubted: set[int] = set()
        places = ((role, self.columns.first(role)) for role in WHO)
        self._who = [(role, at, cache(_cell_parser(role))) for role, at in places if at is not None]
        self._note: Callable[[Cell], str] = cache(cells.note)
        book.unknown += [(grid.sheet, self.title(at)) for at in self.columns.unknown]
        self.above = grid.top + self.start  # rows of the sheet above the first
        book.rows.headings += sum(not grid.is_blank(at) for at in range(grid.top + 1, self.above + 1))

    def _text_rows(self) -> Iterator[Sequence[str]]:
        """Yield the rows under the headings as texts, without what other rows fill in."""
        return (list(map(text, row)) for row in self.grid.rows[self.start :])

    def _fill_players(self) -> None:
        """Fill in the player of the row above for rows with a card and no player.

        Adds one notice to the book if there are any.
        """
        players = find_filled_players(self.grid, self.columns, self.start, self.parser)
        for at, cells_of in players.items():
            self._filled.setdefault(at, []).extend(cells_of)
        if players:
            self.book.faults.append(SheetFault(self.grid.sheet, min(players), None, "", _LIKE_ABOVE, NOTICE))

    def rows_below_headings(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        """Yield `(row number, row)` for all rows under the headings, at least as wide as the headings.

        Blank rows are included. Cells that another row fills in are filled. If several columns have one role, the first
        of them has the first value that is not blank.
        """
        rows = self.grid.rows[self.start :]
        width = len(self.columns.titles)
        twice = [places for places in self.columns.roles.values() if len(places) > 1]
        if not (twice or self._filled) and min(map(len, rows), default=width) >= width:
            return enumerate(rows, self.above + 1)
        return ((at, self._complete_row(at, list(row), width, twice)) for at, row in enumerate(rows, self.above + 1))

    def filled_rows(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        """Yield `(row number, row)` for the rows under the headings that are not blank."""
        return ((at, row) for at, row in self.rows_below_headings() if not self.grid.is_blank(at))

    def _complete_row(
        self, row_number: int, row: list[Cell], width: int, repeated_columns: Sequence[Sequence[int]]
    ) -> list[Cell]:
        """Return a row at least `width` wide, with the cells that another row fills in. `row` is changed.

        `repeated_columns` has the columns of each role that has several. The first gets the first value that is not
        blank.
        """
        row += [""] * (width - len(row))
        for column, value in self._filled.get(row_number, ()):
            row[column] = value
        for first, *others in repeated_columns:
            row[first] = next((row[column] for column in (first, *others) if not is_blank(row[column])), "")
        return row

    def is_heading(self, row: Sequence[Cell]) -> bool:
        """Return True if a row repeats the headings in all columns with a role, as joined pages do.

        Letter case is ignored. Always True if no column has a role.
        """
        return all(text(row[at]).casefold() == self.columns.titles[at].casefold() for at in self._used)

    def title(self, column: int) -> str:
        """Return the heading of a column, else its letters."""
        return (column < len(self.columns.titles) and self.columns.titles[column]) or letters(self.grid.place(column))

    def find_sole_player(self) -> Who:
        """Return the player of a sheet that has only one, from the labels above the cards.

        The first value of each label counts. Without a labelled name, the sheet's title is the name, "" if too long.
        """
        texts: dict[str, str] = {}
        for role, _, cell in self._find_labelled_values():
            texts.setdefault(role, _cell_parser(role)(cell).text)
        who = _build_player(_join_halves(texts))
        return who if who.name else who._replace(name=cells.name(self.grid.title).text)

    def notes_above(self) -> dict[str, str]:
        """Return the labelled texts above the cards by label: table, place, a note.

        The player's name, id and event are left out. If a label is repeated, the last one counts.
        """
        return {label: cells.note(cell) for role, label, cell in self._find_labelled_values() if role == labels.MORE}

    def find_leader_text(self) -> tuple[int, str] | None:
        """Return `(row number, text)` of a Leader that is named above the cards ("Leader: OP01-001").

        None if there is none.
        """
        texts = ([text(cell) for cell in row] for row in self._above)
        named = ((at, labels.leader_text(row)) for at, row in enumerate(texts, self.grid.top + 1))
        return next(((at, words) for at, words in named if words), None)

    def _find_labelled_values(self) -> Iterator[tuple[str, str, Cell]]:
        """Yield `(role, label, cell)` for each value beside a label in the rows above the headings.

        A label is a cell such as "Player" or "Table". The role MORE is for other labels than those of a player. In a
        sheet without headings the first 12 rows are searched.
        """
        return chain.from_iterable(map(labels.find_labels, self._above))

    def add_sheet_error(self, row_number: int | None, detail: str) -> None:
        """Add an error to the book: for a row of the sheet, or for the whole sheet if `row_number` is None.

        All filled rows of the table are counted as unread. `detail` is the problem as a part of a sentence.
        """
        self.book.faults.append(SheetFault(self.grid.sheet, row_number, None, "", detail))
        self.book.rows.unread += sum(1 for _ in self.filled_rows())

    def fault(
        self, row_number: int, column: int | None, detail: str, row: Sequence[Cell] = (), **more: str
    ) -> SheetFault:
        """Return the fault of a cell, or of the whole row if `column` is None. The fault is not added to the book.

        `row` has the cells, from which the value of the fault is cut to 100 characters. It has influence only with
        `column`. `more` are other fields of the fault, such as `severity` (default: error).
        """
        if column is None:
            return SheetFault(self.grid.sheet, row_number, None, "", detail, **more)
        value = text(cell_in(row, column))[:100]
        cell = address(row_number, self.grid.place(column))
        return SheetFault(self.grid.sheet, row_number, self.title(column), value, detail, cell=cell, **more)

    def missing_name_faults(self, row_number: int, player: Who) -> Iterator[SheetFault]:
        """Yield an error if a player has an id and no name, although there is a column for names."""
        if player.id and not player.name and self.columns.has(*SOMEBODY):
            yield self.fault(row_number, None, phrase("the player {id} has no name", id=player.id))

    def odd_cell_faults(self, row_number: int) -> list[SheetFault]:
        """Return a fault for each cell of a row that has an error value, or a formula that was never computed.

        The fault is an error in columns that have a role of cards or lists, a notice in columns of players and others.
        """
        faults = []
        for column, value in self.grid.odd.get(row_number, ()):
            severity = ERROR if column in self._used.difference(self.columns.places(*WHO)) else NOTICE
            detail = phrase("{value} is an error, not a value", value=value) if value else UNCOMPUTED
            faults.append(self.fault(row_number, column, detail, severity=severity)._replace(value=value))
        return faults

    def find_player(self, row_number: int, row: Sequence[Cell]) -> tuple[Who, list[SheetFault]]:
        """Return `(player, faults)`: the player of a row, and the faults of the cells with the player.

        A cell that is not usable counts as "", and its fault is an error. The notice of a doubtful cell is returned
        only once for each column.
        """
        texts: dict[str, str] = {}
        faults: list[SheetFault] = []
        for role, column, read in self._who:
            written = read(row[column])
            texts[role] = written.text
            if written.doubt:
                faults += self._doubt_faults(row_number, column, written, row)
        return _build_player(texts), faults

    def _doubt_faults(
        self, row_number: int, column: int, parsed_cell: Text, row: Sequence[Cell]
    ) -> Iterator[SheetFault]:
        """Yield the fault of a player's cell with a doubt: an error if it is not usable, else a notice.

        Only the first notice of each column is yielded. Remembers the columns that have had one.
        """
        if not parsed_cell.usable:
            yield self.fault(row_number, column, parsed_cell.doubt, row)
        elif column not in self._doubted:
            self._doubted.add(column)
            detail = phrase("{doubt} (and so may be others below)", doubt=parsed_cell.doubt)
            yield self.fault(row_number, column, detail, row, severity=NOTICE)

    def extra_texts(self, row: Sequence[Cell]) -> Mapping[str, str]:
        """Return the texts of the columns without a known role by heading. Blank cells are left out.

        If several columns have one heading, the last counts.
        """
        unknown = ((self.columns.titles[at], cell_in(row, at)) for at in self.columns.unknown)
        return {title: self._note(cell) for title, cell in unknown if not is_blank(cell)}


def _join_halves(texts: Mapping[str, str]) -> Mapping[str, str]:
    """Return the texts by role, with a "Name" beside exactly one half of a name moved to the other half.

    `{PLAYER: "Ann", LAST: "Lee"}` → Ann is the first name. Other texts, and a "Name" that contains the half, are
    returned unchanged.
    """
    name, halves = texts.get(PLAYER, ""), [role for role in (FIRST, LAST) if texts.get(role)]
    if not name or len(halves) != 1 or texts[halves[0]] in name:
        return texts
    return {**texts, PLAYER: "", LAST if halves == [FIRST] else FIRST: name}


def _build_player(texts: Mapping[str, str]) -> Who:
    """Return the player of these texts by role. Without a PLAYER, first and last name become "Last, First".

    If only one of them is filled, it is the name.
    """
    parted = ", ".join(filter(None, (texts.get(LAST), texts.get(FIRST))))
    return Who(texts.get(PLAYER) or parted, texts.get(PLAYER_ID, ""), texts.get(EVENT, ""))


def _cell_parser(role: str) -> Callable[[Cell], Text]:
    """Return the parser for the cells of a role of players: `identity` for ids, `name` for all others."""
    return cells.identity if role == PLAYER_ID else cells.name
