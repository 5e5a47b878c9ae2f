"""Header: the headings of a sheet, with the role of each column and the reason for it.

Headings are known words, or the cells below show what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from api.workbooks.intake.cells import Cell, cell_in, is_blank, letters, text
from validator.decklists.headlines import row_heading
from validator.decklists.source import Source
from validator.decklists.titled_columns import SAMPLE_ROWS, TOP_ROWS, infer_titled_columns
from validator.language import phrase
from validator.tables import cell_kinds, column_samples, headings
from validator.tables.cell_kinds import has_card_number
from validator.tables.column_samples import IsCard
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, DECKLIST, NUMBER, PLAYER, PLAYER_ID, SECTION, key
from validator.tables.labels import find_labels, heading_text, names_player
from validator.tables.section_counts import is_count
from validator.tables.unnamed_players import CardLookup, add_players
from validator.tables.untitled_columns import infer_player_columns, is_counted_card

_MOST_BESIDE = 4  # cells of a row that says who a player is
_LOOKED_AT = 500  # rows that show the columns of a table without headings

_REASONS: Mapping[str, str] = {
    DECKLIST: phrase("it contains deck lists"),
    NUMBER: phrase("it contains card numbers"),
    CARD: phrase("it contains card names"),
    COUNT: phrase("it contains small numbers"),
    PLAYER_ID: phrase("it contains player IDs"),
    PLAYER: phrase("it contains names"),
    SECTION: phrase("it contains sections"),
}

NO_CARDS = Source("", None)  # the lookup without a catalogue


@dataclass(frozen=True)
class Header:
    """The headings of a table: its columns with their roles, the first row of the headings, and the row below them.

    `start` and `end` count from 0. They are equal if there are no headings. `why` has, by column from 0, the reason as
    an English phrase for each role that was found by the cells of its column or chosen by a user.
    """

    columns: Columns
    start: int
    end: int
    why: Mapping[int, str] = field(default_factory=dict)


def find_header(
    rows: Sequence[Sequence[Cell]], is_card: IsCard = lambda name: False, cards: CardLookup = NO_CARDS
) -> Header | None:
    """Return the headings of a table in one row or in two, with or without rows of title above them.

    None if there are none. They are looked for in the first 40 rows, by known headings, else by the cells below.
    `is_card` tests the name of a card, which shows what a column "Name" has. `cards` has the values that are printed on
    the cards, which are no counts.
    """
    table = [list(map(text, row)) for row in rows[: TOP_ROWS + _LOOKED_AT]]
    return _find_by_headings(rows, table, is_card, cards) or _find_by_contents(rows, table, is_card, cards)


def add_player_columns(header: Header, rows: Sequence[Sequence[Cell]], cards: CardLookup) -> Header:
    """Return the headings of a sheet with columns of players that no heading names, found by the cells.

    The same headings are returned if there are none, if a heading names players, or if each row is a deck. The columns
    of `header` are changed.
    """
    columns = header.columns
    if columns.is_list or columns.has(*SOMEBODY, PLAYER_ID):
        return header
    table = [list(map(text, row)) for row in rows[header.end : header.end + _LOOKED_AT]]
    return replace(header, why=_reasons_from_cells(columns)) if add_players(columns, table, cards) else header


def _reasons_from_cells(layout: Columns) -> dict[int, str]:
    """Return the reason for each role that only the cells of its column show, by column: "it contains card numbers".

    Columns of roles without a text in _REASONS, such as Event, are left out.
    """
    return {
        at: _REASONS[role]
        for role, places in layout.roles.items()
        for at in places
        if at in layout.from_cells and role in _REASONS
    }


def first_row_header(rows: Sequence[Sequence[Cell]]) -> Header:
    """Return the first row that is not blank as headings without roles, for columns that a user chooses.

    It is the first row if all are blank. `rows` must not be empty.
    """
    start = next((at for at, row in enumerate(rows) if not all(map(is_blank, row))), 0)
    titles, end = _one_row_headings(rows, start)
    return Header(Columns(titles), start, end)


def find_untitled_header(rows: Sequence[Sequence[Cell]], cards: CardLookup) -> Header | None:
    """Return the columns of a table of several players without headings, by their cells.

    None if there is no such table in the first 40 rows. The headings are the letters of the columns. `start` and `end`
    are both the table's first row.
    """
    start = next((at for at, row in enumerate(rows[:TOP_ROWS]) if _is_table_row(row, cards)), None)
    if start is None:
        return None
    table = [words for row in rows[start : start + _LOOKED_AT] if any(words := list(map(text, row)))]
    roles = infer_player_columns(table, cards)
    if not roles:
        return None
    width = max(map(len, table))
    layout = Columns(list(map(letters, range(width))), {role: [at] for role, at in roles.items()})
    layout.from_cells = set(roles.values())
    layout.unknown = [at for at in layout.free() if any(at < len(row) and row[at] for row in table)]
    if DECKLIST in roles:
        start = _first_list(rows[: start + 1], roles[DECKLIST])
    return Header(layout, start, start, _reasons_from_cells(layout))


def _is_table_row(row: Sequence[Cell], cards: CardLookup) -> bool:
    """Return True if a row has several filled cells, any of them a card number, a card with its count, or a list.

    The name of a card with a count in another cell is one, too.
    """
    filled = [text(cell) for cell in row if not is_blank(cell)]
    is_of_table = is_counted_row(row, cards.is_name) or any(
        cell_kinds.is_card_number(cell) or cell_kinds.is_list(cell) or is_counted_card(cell, cards) for cell in filled
    )
    return len(filled) > 1 and is_of_table


def _first_list(rows: Sequence[Sequence[Cell]], column: int) -> int:
    """Return the index of the first row with a list in a column, else of the last row.

    So a list without a player's name is read, and the missing name is reported.
    """
    lists = (at for at, row in enumerate(rows) if cell_kinds.is_list(text(cell_in(row, column))))
    return next(lists, len(rows) - 1)


def _find_by_headings(
    rows: Sequence[Sequence[Cell]], texts: Sequence[Sequence[str]], is_card: IsCard, cards: CardLookup
) -> Header | None:
    """Return the row, or the two rows, with the most known headings among the first 40.

    None if no row has at least two that suffice to recognise a table of decks. Two rows are one heading only if they
    have more known headings than any single row. Rows of cards are not considered. `texts` are the rows as texts.
    """
    best: Header | None = None
    # Two rows are taken as one heading only where they say more than any one row does.
    for candidates in (_one_row_headings, _two_row_headings):
        for start in range(min(len(rows), TOP_ROWS)):
            titles, end = candidates(rows, start)
            meanings = column_samples.count_meanings(titles)
            if meanings < 2 or (best is not None and meanings < best.columns.certain):
                continue
            if any(column_samples.is_card_row(row, is_card) for row in texts[start:end]):
                continue
            layout = infer_titled_columns(titles, _rows_below(texts, end), is_card, cards)
            if layout.are_named and (best is None or layout.certain > best.columns.certain):
                best = Header(layout, start, end, _reasons_from_cells(layout))
    return best


def _find_by_contents(
    rows: Sequence[Sequence[Cell]], texts: Sequence[Sequence[str]], is_card: IsCard, cards: CardLookup
) -> Header | None:
    """Return the first row of words with the cells of a table of decks below.

    None if there is none in the first 40 rows. The words may be unknown, because the cells show the roles of the
    columns. A row below cards has headings only if an equal row is above them: each player has them again. `texts` are
    the rows as texts.
    """
    cards_at = next((at for at, row in enumerate(rows[:TOP_ROWS]) if is_counted_row(row, is_card)), TOP_ROWS)
    for start, row in enumerate(rows[:TOP_ROWS]):
        if not _may_be_headings(row, is_card) or _is_label_of_several(rows, start):
            continue
        if start > cards_at and row not in rows[:cards_at]:
            continue
        titles, end = _one_row_headings(rows, start)
        below = _rows_below(texts, end)
        layout = infer_titled_columns(titles, below, is_card, cards)
        if not layout.is_list and _hold_cards(layout.places(*SOMEBODY), below, is_card):
            continue  # "Surname" and a name stand over cards; beside lists a player may be called as a card
        if layout.are_headings or (layout.is_list and DECKLIST in layout.roles):
            return Header(layout, start, end, _reasons_from_cells(layout))
    return None


def _rows_below(texts: Sequence[Sequence[str]], start: int) -> Sequence[Sequence[str]]:
    """Return the rows from `start`, without those that repeat the row above it."""
    return [row for row in texts[start : start + _LOOKED_AT] if row != texts[start - 1]]


def is_counted_row(row: Sequence[Cell], is_card: IsCard) -> bool:
    """Return True if a row has a card's name or number in one cell, and a count in another: "Nami", "4x".

    False for a row with labels: "Player", "Nami", "Table", "4".
    """
    cells = [text(cell) for cell in row if not is_blank(cell)]
    others = [cell for cell in cells if not is_count(cell)]
    has_card = len(others) < len(cells) and any(has_card_number(cell) or is_card(cell) for cell in others)
    return has_card and not any(find_labels(row))


def _may_be_headings(row: Sequence[Cell], is_card: IsCard) -> bool:
    """Return True if a row has at least two filled cells, and none that cannot be a heading.

    Such cells are cards, counts, lists, and labels that end with a colon.
    """
    words = [text(cell) for cell in row if not is_blank(cell)]
    return len(words) > 1 and not any(
        word.endswith(":") or cell_kinds.is_content(word) or is_count(word) or is_card(word) for word in words
    )


def _hold_cards(places: Sequence[int], rows: Sequence[Sequence[str]], is_card: IsCard) -> bool:
    """Return True if any of the columns `places` has cards or numbers in more than half of its filled cells.

    Blank columns are ignored. Only the first 50 rows are looked at.
    """
    for at in places:
        filled = [row[at] for row in rows[:SAMPLE_ROWS] if at < len(row) and row[at]]
        if 2 * sum(has_card_number(cell) or is_card(cell) or cell.isdigit() for cell in filled) > len(filled):
            return True
    return False


def _is_label_of_several(rows: Sequence[Sequence[Cell]], start: int) -> bool:
    """Return True if row `start` is a label and a player's name, and a row below has the same label with another name.

    Such a row has at most 4 filled cells. It is no heading, because headings are above all players, only once.
    """
    filled = [text(cell) for cell in rows[start] if not is_blank(cell)]
    if len(filled) > _MOST_BESIDE or not any(role in SOMEBODY for role, _, _ in find_labels(rows[start])):
        return False
    others = ([text(cell) for cell in row if not is_blank(cell)] for row in rows[start + 1 :])
    return any(other[:1] == filled[:1] and other[1:] != filled[1:] for other in others)


def _one_row_headings(rows: Sequence[Sequence[Cell]], start: int) -> tuple[list[str], int]:
    """Return `(titles, row below)` for headings in one row. Cells that cannot be headings are ""."""
    return [heading_text(cell) for cell in rows[start]], start + 1


def _two_row_headings(rows: Sequence[Sequence[Cell]], start: int) -> tuple[list[str], int]:
    """Return `(titles, row below)` for headings under group headings: "Card" over "Number", "Name" and "Count".

    A column without a lower heading has the upper one. The titles are empty if there is no second row, if the first has
    a player's name, or if the second is only the heading of a section: "Leader, 1".
    """
    upper, end = _one_row_headings(rows, start)
    if end >= len(rows) or names_player(rows[start]) or row_heading(list(map(text, rows[end])), lambda name: False):
        return [], end
    lower, end = _one_row_headings(rows, end)
    width = max(len(upper), len(lower))
    upper += [""] * (width - len(upper))
    lower += [""] * (width - len(lower))
    pairs = zip(_spread_groups(upper), upper, lower, strict=True)
    return [_join_headings(group, title) if title else alone for group, alone, title in pairs], end


def _spread_groups(titles: Sequence[str]) -> Iterator[str]:
    """Yield the group heading of each column: a blank title repeats the one before."""
    return accumulate(titles, lambda group, title: title or group)


def _join_headings(group: str, title: str) -> str:
    """Return "group title" if that is a known heading, else only the column's `title`."""
    both = f"{group} {title}".strip()
    return both if key(both) in headings.ROLES else title
