"""Header: the headings of a table in one row or two, with the role of each column and the reason for it.

Called by the reader of pasted tables, and by `api.workbooks` for sheets. Headings are known words, or the cells below
show what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from validator.decklists.headlines import row_heading
from validator.decklists.titled_columns import SAMPLE_ROWS, infer_titled_columns
from validator.language import phrase
from validator.tables import cell_kinds, column_samples, headings
from validator.tables.cell_kinds import has_card_number, is_card_number
from validator.tables.column_samples import IsCard
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, DECKLIST, NUMBER, PLAYER, PLAYER_ID, SECTION, key
from validator.tables.labels import find_labels, heading_text, names_player
from validator.tables.section_counts import is_count
from validator.tables.unnamed_players import CardLookup

TOP_ROWS = 40  # in which headings are looked for: a form may be above them
LOOKED_AT = 500  # rows below headings that show the columns
_MOST_BESIDE = 4  # cells of a row that says who a player is

_REASONS: Mapping[str, str] = {
    DECKLIST: phrase("it contains deck lists"),
    NUMBER: phrase("it contains card numbers"),
    CARD: phrase("it contains card names"),
    COUNT: phrase("it contains small numbers"),
    PLAYER_ID: phrase("it contains player IDs"),
    PLAYER: phrase("it contains names"),
    SECTION: phrase("it contains sections"),
}


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


def find_header(rows: Sequence[Sequence[str]], is_card: IsCard, cards: CardLookup) -> Header | None:
    """Return the headings of a sheet in one row or in two, with or without rows of title above them.

    None if there are none. They are looked for in the first 40 rows, by known headings, else by the cells below.
    `is_card` tests the name of a card, which shows what a column "Name" has. `cards` has the values that are printed on
    the cards, which are no counts.
    """
    known = find_known_header(rows, is_card, cards, lambda columns: columns.are_named)
    return known or _find_by_contents(rows, is_card, cards)


def reasons_from_cells(columns: Columns) -> dict[int, str]:
    """Return the reason for each role that only the cells of its column show, by column: "it contains card numbers".

    Columns of roles without a text in _REASONS, such as Event, are left out.
    """
    return {
        at: _REASONS[role]
        for role, places in columns.roles.items()
        for at in places
        if at in columns.from_cells and role in _REASONS
    }


def find_known_header(
    rows: Sequence[Sequence[str]],
    is_card: IsCard,
    cards: CardLookup,
    is_table: Callable[[Columns], bool],
) -> Header | None:
    """Return the row, or the two rows, with the most known headings among the first 40.

    None if no row has at least two that are those of a table: `is_table` returns True for its columns. Two rows are one
    heading only if they have more known headings than any single row. Rows of cards, and rows with the ID of a player,
    are not considered. The other arguments are those of `find_header`.
    """
    best: Header | None = None
    starts = [at for at, row in enumerate(rows[:TOP_ROWS]) if not any(map(is_card_number, row))]
    # Two rows are taken as one heading only where they say more than any one row does.
    for candidates in (_one_row_headings, _two_row_headings):
        for start in starts:
            titles, end = candidates(rows, start)
            meanings = sum(map(column_samples.may_be_heading, titles))
            if meanings < 2 or (best is not None and meanings < best.columns.certain):
                continue
            if any(_is_below_headings(row, is_card) for row in rows[start:end]):
                continue
            columns = infer_titled_columns(titles, _rows_below(rows, end), is_card, cards)
            if is_table(columns) and (best is None or columns.certain > best.columns.certain):
                best = Header(columns, start, end, reasons_from_cells(columns))
    return best


def _find_by_contents(rows: Sequence[Sequence[str]], is_card: IsCard, cards: CardLookup) -> Header | None:
    """Return the first row of words with the cells of a table of decks below.

    None if there is none in the first 40 rows. The words may be unknown, because the cells show the roles of the
    columns. A row below cards has headings only if an equal row is above them: each player has them again.
    """
    cards_at = next((at for at, row in enumerate(rows[:TOP_ROWS]) if is_counted_row(row, is_card)), TOP_ROWS)
    for start, row in enumerate(rows[:TOP_ROWS]):
        if not _may_be_headings(row, is_card) or _is_label_of_several(rows, start):
            continue
        if start > cards_at and row not in rows[:cards_at]:
            continue
        titles, end = _one_row_headings(rows, start)
        below = _rows_below(rows, end)
        columns = infer_titled_columns(titles, below, is_card, cards)
        if not columns.is_list and _hold_cards(columns.places(*SOMEBODY), below, is_card):
            continue  # "Surname" and a name stand over cards; beside lists a player may be called as a card
        if names_player(row) and not all(titles[at] for at in columns.places(NUMBER, CARD, COUNT)):
            continue  # "Name" and a name stand over cards, of which one column has nothing above it
        if columns.are_headings or (columns.is_list and DECKLIST in columns.roles):
            return Header(columns, start, end, reasons_from_cells(columns))
    return None


def _rows_below(rows: Sequence[Sequence[str]], start: int) -> Sequence[Sequence[str]]:
    """Return the 500 rows from `start`, without those that repeat the row above it."""
    return [row for row in rows[start : start + LOOKED_AT] if row != rows[start - 1]]


def is_counted_row(row: Sequence[str], is_card: IsCard) -> bool:
    """Return True if a row has a card's name or number in one cell, and a count in another: "Nami", "4x".

    False for a row with labels: "Player", "Nami", "Table", "4".
    """
    cells = [cell for cell in row if cell]
    others = [cell for cell in cells if not is_count(cell)]
    has_card = len(others) < len(cells) and any(has_card_number(cell) or is_card(cell) for cell in others)
    return has_card and not any(find_labels(row))


def _may_be_headings(row: Sequence[str], is_card: IsCard) -> bool:
    """Return True if a row has at least two filled cells, and none that cannot be a heading.

    Such cells are cards, counts, lists, and labels that end with a colon.
    """
    words = [cell for cell in row if cell]
    return len(words) > 1 and not any(
        word.endswith(":") or cell_kinds.is_content(word) or is_count(word) or is_card(word) for word in words
    )


def _hold_cards(places: Sequence[int], rows: Sequence[Sequence[str]], is_card: IsCard) -> bool:
    """Return True if any of the columns `places` has cards or counts in at least half of its filled cells.

    Blank columns are ignored. Only the first 50 rows are looked at.
    """
    for at in places:
        filled = [row[at] for row in rows[:SAMPLE_ROWS] if at < len(row) and row[at]]
        of_cards = [cell for cell in filled if has_card_number(cell) or is_card(cell) or is_count(cell)]
        if of_cards and 2 * len(of_cards) >= len(filled):
            return True
    return False


def _is_below_headings(row: Sequence[str], is_card: IsCard) -> bool:
    """Return True if a row is of a card, or has a player's ID of digits behind a label: "Player, Ann Lee, ID, 0012"."""
    if column_samples.is_card_row(row, is_card):
        return True
    return any(role == PLAYER_ID and value.isdigit() for role, _, value in find_labels(row))


def _is_label_of_several(rows: Sequence[Sequence[str]], start: int) -> bool:
    """Return True if row `start` is a label and a player's name, and a row below has the same label with another name.

    Such a row has at most 4 filled cells. It is no heading, because headings are above all players, only once.
    """
    filled = [cell for cell in rows[start] if cell]
    if len(filled) > _MOST_BESIDE or not any(role in SOMEBODY for role, _, _ in find_labels(rows[start])):
        return False
    others = ([cell for cell in row if cell] for row in rows[start + 1 :])
    return any(other[:1] == filled[:1] and other[1:] != filled[1:] for other in others)


def _one_row_headings(rows: Sequence[Sequence[str]], start: int) -> tuple[list[str], int]:
    """Return `(titles, row below)` for headings in one row. Cells that cannot be headings are ""."""
    return [heading_text(cell) for cell in rows[start]], start + 1


def _two_row_headings(rows: Sequence[Sequence[str]], start: int) -> tuple[list[str], int]:
    """Return `(titles, row below)` for headings under group headings: "Card" over "Number", "Name" and "Count".

    A column without a lower heading has the upper one. The titles are empty if there is no second row, if the first has
    a player's name, or if the second is only the heading of a section: "Leader, 1".
    """
    upper, end = _one_row_headings(rows, start)
    if end >= len(rows) or names_player(rows[start]) or row_heading(rows[end], lambda name: False):
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
