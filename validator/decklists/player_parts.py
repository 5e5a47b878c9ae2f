"""Player parts: the part of a table that each player has in it: a column of counts, columns side by side, rows.

The readers of workbooks and of pasted texts call it, and read each part as a table of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from validator.deck import MOST_COPIES
from validator.decklists.headlines import heading, is_comment, is_metadata, is_total, names_fact, row_heading
from validator.sections import section
from validator.tables import cell_kinds
from validator.tables.cell_kinds import has_card_number, is_card_number
from validator.tables.column_samples import IsCard
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import CARD, COUNT, NUMBER, PLAYER_ID, SECTION, describes_card, find_wording, is_known
from validator.tables.labels import find_labels
from validator.tables.section_counts import counted_section, parse_copies
from validator.tables.unnamed_players import CardLookup
from validator.tables.untitled_columns import find_unprinted, numbers_rows

Rows = Sequence[Sequence[str]]

_SEARCHED = 6  # rows in which the names of players above their columns are looked for
_LOOKED_AT = 50  # rows below the names that show what is in their columns
_WIDEST = 6  # columns of one player
_LONGEST_NAME = 4  # words, before a full stop that is not of "Jr."
_PLACE = re.compile(r"\A#?[0-9]{1,4}[.):] +")  # before a name: "1. Ann Lee"
_MOST_ASCENDING = 4  # counts of one player that become larger from each row to the next
_LEAST_PRINTED = 10  # rows of known cards, which show if a column has values printed on the cards
_MOST_LABELLED = 4  # filled cells of a row that names a player


class PlayerPart(NamedTuple):
    """The rows and the columns of one player in a table, both from 0. Without columns, the part has all of them.

    `name` and `id` are "" if the rows have labels for them, or if there is no id. `name_row` and `id_row` are the rows
    among `rows` that have the name and the id and no card. They are -1 if there are none, as for a name above the part.
    If `counts_last` is True, the last column has the copies of each card.
    """

    name: str
    rows: range
    columns: Sequence[int] = ()
    id: str = ""
    name_row: int = -1
    id_row: int = -1
    counts_last: bool = False


class CardMatrix(NamedTuple):
    """A table with one row for each card and one column of counts for each player.

    `names` is the row of the players' names, from 0. The cards are below it. `cards` has the column of card numbers, of
    card names, or both, by the roles NUMBER and CARD, and that of sections by SECTION. `players` are the columns of the
    players.
    """

    names: int
    cards: dict[str, int]
    players: Sequence[int]


def find_matrix(rows: Rows, is_card: IsCard, known_cards: CardLookup) -> CardMatrix | None:
    """Return the matrix of cards by players in a table. None if there is none.

    The names must be different, at least two, and in one of the first 6 rows. Below them, the players' columns have
    only counts, dashes and blanks, and at least two have a count. Another column has mostly card numbers or names.
    Values printed on the cards, such as the cost, are no counts. A column "Qty" must have the sums of these counts,
    else the table is of one deck. `is_card` returns True for the name of a card.
    """
    for at, row in enumerate(rows[:_SEARCHED]):
        below = rows[at + 1 : at + 1 + _LOOKED_AT]
        cards = _find_card_columns(row, below, is_card)
        players = [
            column
            for column in range(len(row))
            if column not in cards.values() and _is_player_title(row, column) and not _numbers_rows(below, column)
        ]
        players = _find_unprinted(players, below, cards, known_cards)
        if (
            not cards
            or len({row[at] for at in players}) < max(2, len(players))
            or _names_cards(row, cards, is_card)
            or _has_cards_beside(row, below, cards, is_card)
        ):
            continue  # what is above several columns alike is no player's name
        filled = [column for column in players if any(_is_count(_cell_in(line, column)) for line in below)]
        totals = [column for column in range(len(row)) if column not in cards.values() and _is_count_title(row[column])]
        are_counts = len(filled) > 1 and all(_holds_counts(below, column) for column in players)
        if are_counts and _are_sums(below, totals, players):
            return CardMatrix(at, cards, players)
    return None


def _find_unprinted(columns: Sequence[int], rows: Rows, cards: Mapping[str, int], known_cards: CardLookup) -> list[int]:
    """Return the columns whose numbers are not printed on the cards of the rows.

    `cards` has the columns of card numbers and names by role. All columns are returned if fewer than 10 rows have a
    known card: a player's counts may equal the costs of a few cards by chance.
    """
    card_at = cards.get(NUMBER, cards.get(CARD))
    known = [row for row in rows if card_at is not None and known_cards.find_cards(_cell_in(row, card_at))]
    if card_at is None or len(known) < _LEAST_PRINTED:
        return list(columns)
    texts = {at: [_cell_in(row, at) for row in known] for at in columns}
    return find_unprinted(texts, [row[card_at] for row in known], known_cards)


def matrix_parts(rows: Rows, matrix: CardMatrix) -> Iterator[PlayerPart]:
    """Yield the part of each player of a matrix: the rows below the names, and the columns of the player.

    These are the columns of the cards, and as the last one the column of the player's counts.
    """
    below = range(matrix.names + 1, len(rows))
    for player in matrix.players:
        yield PlayerPart(rows[matrix.names][player], below, (*matrix.cards.values(), player), counts_last=True)


def _find_card_columns(titles: Sequence[str], rows: Rows, is_card: IsCard) -> dict[str, int]:
    """Return the first column of card numbers and the first of card names, by the roles NUMBER and CARD.

    A column of sections beside them has the role SECTION. Only the first six columns under `titles` are examined. Empty
    if none of them has cards.
    """
    found: dict[str, int] = {}
    for column in range(min(len(titles), 6)):
        if role := _find_card_role(rows, column, is_card):
            found.setdefault(role, column)
    place = next((column for column in range(min(len(titles), 6)) if _holds_sections(rows, column)), None)
    return found | {SECTION: place} if found and place is not None else found


def _holds_sections(rows: Rows, column: int) -> bool:
    """Return True if most filled cells of a column name a section, and one names the side deck."""
    named = [section(cell) for row in rows if (cell := _cell_in(row, column))]
    return "side" in named and 2 * sum(map(bool, named)) > len(named)


def _find_card_role(rows: Rows, column: int, is_card: IsCard) -> str | None:
    """Return NUMBER if most filled cells of a column are card numbers, CARD if most are names of cards, else None."""
    cells = [cell for row in rows if (cell := _cell_in(row, column))]
    kinds = ((NUMBER, is_card_number), (CARD, is_card))
    return next((role for role, is_kind in kinds if cells and 2 * sum(map(is_kind, cells)) > len(cells)), None)


def _has_cards_beside(titles: Sequence[str], rows: Rows, cards: dict[str, int], is_card: IsCard) -> bool:
    """Return True if another column without a heading has cards of the same role as `cards`, the columns found by role.

    Then each player has a column of cards, and the table is no matrix.
    """
    width = max(map(len, rows), default=0)
    untitled = (at for at in range(width) if at not in cards.values() and not _cell_in(titles, at))
    return any(_find_card_role(rows, at, is_card) in cards for at in untitled)


def _is_player_title(titles: Sequence[str], column: int) -> bool:
    """Return True if the heading of a column can be a player's name: words that name no known role, fact or total.

    Headings of counts in one section, such as "Main Qty", are no names either.
    """
    title = titles[column]
    is_fact = names_fact(title) or describes_card(title)
    is_other = is_fact or is_total(title) or counted_section(title) is not None
    return cell_kinds.is_wording(title) and find_wording(title) is None and not is_other


def _is_count_title(title: str) -> bool:
    """Return True if the heading of a column is a known wording for a count: "Qty"."""
    role, _ = find_wording(title) or ("", 0)
    return role == COUNT


def _numbers_rows(rows: Rows, column: int) -> bool:
    """Return True if the cells of a column number the rows. Players' counts do not ascend in more than four rows."""
    cells = [cell for row in rows if (cell := _cell_in(row, column))]
    return len(cells) > _MOST_ASCENDING and numbers_rows(cells)


def _are_sums(rows: Rows, totals: Sequence[int], columns: Sequence[int]) -> bool:
    """Return True if at least half of the counts in the columns `totals` are the sums of the row's counts in `columns`.

    Blank cells of `totals` are ignored. True if there are no others.
    """
    are_equal = [
        parse_copies(row[total]) == sum(parse_copies(_cell_in(row, column)) or 0 for column in columns)
        for row in rows
        for total in totals
        if _cell_in(row, total)
    ]
    return 2 * sum(are_equal) >= len(are_equal)


def _names_cards(row: Sequence[str], cards: dict[str, int], is_card: IsCard) -> bool:
    """Return True if a row is that of a card: it has a card number, or a card's name in one of the columns `cards`.

    A player may have the name of a card.
    """
    return any(map(is_card_number, row)) or any(is_card(row[at]) for at in cards.values())


def _holds_counts(rows: Rows, column: int) -> bool:
    """Return True if all cells of a column are counts from 0 to MOST_COPIES, dashes or blank."""
    return all(_is_no_count(cell) or _is_count(cell) for row in rows for cell in row[column : column + 1])


def is_other_card(cells: Sequence[str], is_card: IsCard) -> bool:
    """Return True if a row in the part of a player in a matrix is a card of which the player has no copy.

    The last of `cells` is the count. A heading of a section is no card: it has no count or a total.
    """
    return _is_no_count(cells[-1]) and row_heading(cells, is_card) is None


def _is_no_count(cell: str) -> bool:
    """Return True if a cell counts no copy: it is blank, a dash or a zero such as "0.0"."""
    return parse_copies(cell) == 0


def _is_count(cell: str) -> bool:
    """Return True if a cell is a number of copies from 1 to MOST_COPIES."""
    return 1 <= (parse_copies(cell) or 0) <= MOST_COPIES


def _cell_in(row: Sequence[str], column: int) -> str:
    """Return the cell of a row in a column, "" if the row is shorter."""
    return row[column] if column < len(row) else ""


class SideBySide(NamedTuple):
    """Players whose decks are side by side in a table.

    `names` are the rows of the players' names, from 0. A further row has other players, as many or fewer, below the
    first. `columns` are the columns of each player of the first row, from left to right. The players below share them.
    """

    names: Sequence[int]
    columns: Sequence[Sequence[int]]


def find_side_by_side(rows: Rows, is_card: IsCard) -> SideBySide | None:
    """Return the rows and columns of two or more players side by side. None if there are none.

    One of the first 6 rows has only their names, each above the player's first column. Most rows below are cards in
    each player's columns, at most 6. `is_card` returns True for the name of a card.
    """
    for at, row in enumerate(rows[:_SEARCHED]):
        starts = [column for column, cell in enumerate(row) if cell]
        if len(starts) < 2 or not all(_is_other_player(row[column], is_card) for column in starts):
            continue
        if _has_cards(rows[:at], is_card):
            return None  # such as "Judge, Max" among the cards of one player
        below = rows[at + 1 : at + 1 + _LOOKED_AT]
        width = max(map(len, below), default=0)
        groups = [range(first, last) for first, last in pairwise([*starts, max(width, starts[-1] + 1)])]
        if all(0 < len(group) <= _WIDEST and _are_cards(below, group, is_card) for group in groups):
            return SideBySide([at, *_find_names_below(rows, at, groups, is_card)], groups)
    return None


def _find_names_below(rows: Rows, first: int, groups: Sequence[range], is_card: IsCard) -> Iterator[int]:
    """Yield the rows with names of further players, under a blank row. `first` is the row of the first names.

    `groups` are the columns of each player. The names must be in the first columns of the players from the left, with
    cards below.
    """
    for at in range(first + 2, len(rows) - 1):
        filled = [column for column, cell in enumerate(rows[at]) if cell]
        of_filled = groups[: len(filled)]
        if not filled or filled != [group[0] for group in of_filled] or any(rows[at - 1]):
            continue
        cards = rows[at + 1 : at + 1 + _LOOKED_AT]
        are_names = all(_is_other_player(rows[at][column], is_card) for column in filled)
        if are_names and all(_are_cards(cards, group, is_card) for group in of_filled):
            yield at


def _is_other_player(cell: str, is_card: IsCard) -> bool:
    """Return True if a cell below cards can be a player's name: words that begin with no digit.

    A fact such as "Cost", a total, a card, a section, or a heading of a column is no name.
    """
    return _is_player_name(cell, is_card) and not (cell[:1].isdigit() or names_fact(cell))


def side_by_side_parts(rows: Rows, tiers: SideBySide) -> Iterator[PlayerPart]:
    """Yield the part of each player: the rows below the name, in the columns of that player.

    `tiers` are the players' rows and columns. A place without a name is skipped. A label before the name, "Player: Ann
    Lee", is removed. The first cell below the name is the id if it is spelled like a player's id.
    """
    for at, end in pairwise([*tiers.names, len(rows)]):
        for columns in tiers.columns:
            if not (name := _cell_in(rows[at], columns[0])):
                continue
            first = rows[at + 1][columns[0] : columns[-1] + 1] if at + 1 < end else ()
            id = next(filter(None, first), "")
            labels = (value for role, _, value in find_labels([name]) if role in SOMEBODY)
            part = PlayerPart(next(labels, name), range(at + 1, end), columns)
            yield part._replace(id=id, id_row=at + 1) if cell_kinds.is_player_id(id) else part


def _is_player_name(word: str, is_card: IsCard) -> bool:
    """Return True if a cell can be the name of a player: words, and no heading, card, section or count."""
    known = is_known(word) or find_wording(word) is not None or section(word) is not None
    return (
        cell_kinds.is_wording(word)
        and not known
        and not has_card_number(word)
        and not is_card(word)
        and not _is_count(word)
    )


def _are_cards(rows: Rows, columns: Sequence[int], is_card: IsCard) -> bool:
    """Return True if more than half of the rows have a card number or a card name in some of the columns.

    Rows without text in the columns are not counted, nor are headings, sections and totals: a small deck can have as
    many as cards. `columns` is a range from the first column to the last. `is_card` returns True for the name of a
    card. Numbers are recognised without it. False if there are no cards.
    """
    lines = [list(filter(None, row[columns[0] : columns[-1] + 1])) for row in rows]
    filled = [line for line in lines if line and not _is_heading_line(line, is_card)]
    cards = sum(any(has_card_number(cell) or is_card(cell) for cell in line) for line in filled)
    return cards > 0 and 2 * cards > len(filled)


def _is_heading_line(line: Sequence[str], is_card: IsCard) -> bool:
    """Return True if the filled cells of a row are only headings of columns, the heading of a section, or a total."""
    return all(map(is_known, line)) or row_heading(line, is_card) is not None or is_total(" ".join(line))


def find_stacked(rows: Rows, is_card: IsCard) -> Sequence[int]:
    """Return the first row, from 0, of each of two or more players under each other. Empty if there are none.

    Rows with labels such as "Player: Ann Lee" have priority. Else a row with only a name begins a player, if a card is
    in one of the four rows below it. Of several such rows directly under each other, only the last counts.
    """
    if len(labels := find_labelled(rows, is_card)) > 1:
        return labels
    alone = _name_rows(rows, is_card) or _numbered_names(rows, is_card)
    last = [at for at, after in pairwise([*alone, len(rows)]) if after > at + 1]
    of_players = [at for at in last if _has_cards(rows[at + 1 : at + 5], is_card)]
    return of_players if len(of_players) > 1 else ()


def find_labelled(rows: Rows, is_card: IsCard) -> Sequence[int]:
    """Return the first row, from 0, of each player who has a label, such as "Player: Ann Lee".

    It is the row above the label if only the id has a label and the name is above it.
    """
    return [_find_name_row(rows, at, is_card) for at in _first_labels(rows)]


def stacked_parts(rows: Rows, starts: Sequence[int]) -> Iterator[PlayerPart]:
    """Yield the part of each player, from each row in `starts` to before the next, with all columns.

    A row of labels belongs to the part, whose name is "" then. Else the row has the name, without a place such as "1.",
    and the id may be beside it or in the next filled row.
    """
    for first, last in pairwise([*starts, len(rows)]):
        if _labelled_roles(rows[first]):
            yield PlayerPart("", range(first, last))
            continue
        name, *beside = [cell for cell in rows[first] if cell and not _is_count(cell)]
        part = PlayerPart(_PLACE.sub("", name), range(first, last), name_row=first)
        below = next((at for at in part.rows[1:] if any(rows[at])), first)
        for at, cells in ((below, list(filter(None, rows[below]))), (first, beside)):
            if len(cells) == 1 and cell_kinds.is_player_id(cells[0]):
                part = part._replace(id=cells[0], id_row=at)
        yield part


def find_part_headings(rows: Rows, titles: Sequence[str]) -> tuple[int, int]:
    """Return `(headings, below)`: the row in a player's rows with the same cells as `titles`, and the row below it.

    If there is no such row among the first 8 rows, both are the first row that is not blank and has no label, else 0.
    """
    for at, row in enumerate(rows[: _MOST_LABELLED + 4]):
        if list(row[: len(titles)]) == list(titles):
            return at, at + 1
    labels = next((at for at, row in enumerate(rows) if any(row) and not any(find_labels(row))), 0)
    return labels, labels


def _first_labels(rows: Rows) -> Iterator[int]:
    """Yield the first labelled row of each player. A label whose role is repeated begins the next player."""
    met: set[str] = set()
    for at, row in enumerate(rows):
        roles = _labelled_roles(row)
        if roles and (roles & met or not met):
            met = set()
            yield at
        met |= roles


def _find_name_row(rows: Rows, label_row: int, is_card: IsCard) -> int:
    """Return the row of the player's name, which is `label_row`, the player's first row with a label, or one above.

    It is the next filled row above if that has only a name, and `label_row` has only the label of the player's ID.
    """
    above = next((before for before in range(label_row - 1, -1, -1) if any(rows[before])), None)
    is_name = (
        above is not None and _labelled_roles(rows[label_row]) == {PLAYER_ID} and _is_name_row(rows[above], is_card)
    )
    return above if above is not None and is_name else label_row


def _labelled_roles(row: Sequence[str]) -> set[str]:
    """Return the roles, such as PLAYER_ID, that a row has labels and values for: "Player: Ann Lee" in one cell or two.

    Empty for a row of more than four filled cells, and for headings of cards, such as "Qty, Name, Rarity".
    """
    filled = list(filter(None, row))
    if not 0 < len(filled) <= _MOST_LABELLED or any(map(_is_heading_of_cards, filled)):
        return set()
    return {
        role for role, _, value in find_labels(row) if role in (*SOMEBODY, PLAYER_ID) and find_wording(value) is None
    }


def _is_heading_of_cards(cell: str) -> bool:
    """Return True if a cell is a known heading for the numbers, the names or the copies of cards."""
    role, _ = find_wording(cell) or ("", 0)
    return role in (NUMBER, CARD, COUNT)


def _name_rows(rows: Rows, is_card: IsCard) -> list[int]:
    """Return the indexes of the rows that only have a name, or a name and an id."""
    return [at for at, row in enumerate(rows) if _is_name_row(row, is_card)]


def _is_name_row(row: Sequence[str], is_card: IsCard) -> bool:
    """Return True if a row has only a text that may be a player's name, with or without an id behind it.

    A count, a section, a total or a card is no name.
    """
    filled = list(filter(None, row))
    if len(filled) == 2 and cell_kinds.is_player_id(filled[1]):
        filled.pop()
    return len(filled) == 1 and not _is_count(filled[0]) and _may_be_name(filled[0], is_card)


def _may_be_name(word: str, is_card: IsCard) -> bool:
    """Return True if a text can be the name of a player: words, and no heading, section, total, card or sentence.

    A sentence has more than four words and a full stop.
    """
    is_handle = "#" in word[1:] or word.startswith("@")
    is_fact = is_comment(word) or (is_metadata(word) and not is_handle)
    is_other = is_fact or has_card_number(word) or is_card(word) or is_known(word) or heading(word) is not None
    is_sentence = word.endswith(".") and len(word.split()) > _LONGEST_NAME
    return cell_kinds.is_wording(word) and not (is_other or is_sentence)


def _numbered_names(rows: Rows, is_card: IsCard) -> Sequence[int]:
    """Return the indexes of the rows with a name and its number, counting up from 1. At least three.

    Empty if the numbers do not count up, because they may be copies of cards.
    """
    named = [
        (at, row) for at, row in enumerate(rows) if _is_name_row([cell for cell in row if not _is_count(cell)], is_card)
    ]
    numbers = [[parse_copies(cell) for cell in row if _is_count(cell)] for _, row in named]
    return [at for at, _ in named] if len(named) > 2 and numbers == [[at + 1] for at in range(len(named))] else ()


def _has_cards(rows: Rows, is_card: IsCard) -> bool:
    """Return True if a cell of these rows has a card number or a card name."""
    return any(has_card_number(cell) or is_card(cell) for row in rows for cell in row)
