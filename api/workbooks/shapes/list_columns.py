"""List columns: one player's list in columns side by side, groups of count and card or a column a section.

`layouts` uses it: the rows of such a list are put in the order in which a list has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from api.workbooks.intake.cells import Cell, cell_in, count, is_blank, text
from validator.decklists.header import TOP_ROWS
from validator.decklists.headlines import heading, is_total, names_fact
from validator.sections import ASIDE, is_kind, section
from validator.tables import cell_kinds
from validator.tables.cell_kinds import has_card_number
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import CARD, COUNT, NUMBER, PLAYER_ID, find_wording
from validator.tables.labels import find_labels, leader_text
from validator.tables.section_counts import find_section_counts

_OF_CARDS = (COUNT, NUMBER, CARD)  # in the order in which a line has them

ListRow = tuple[int, Sequence[Cell]]  # the number of a row in its sheet, and cells of it


class CardColumns(NamedTuple):
    """Groups of columns side by side with one player's cards. `titles` is the index of the row with their headings.

    `groups` has, for each group from left to right, the columns by role, from 0: COUNT, and NUMBER or CARD or both.
    """

    titles: int
    groups: Sequence[Mapping[str, int]]


def order_groups(rows: Sequence[ListRow]) -> Iterable[ListRow] | None:
    """Return the rows of a list in groups of columns, one group after the other. None if there are no such groups.

    `rows` are all rows of the sheet. See `find_groups` and `_stack_groups`.
    """
    groups = find_groups([row for _, row in rows])
    return None if groups is None else _stack_groups(rows, groups)


def order_sections(rows: Sequence[ListRow]) -> Iterable[ListRow] | None:
    """Return the rows of a list with a column for each section, one section after the other. None if there is no such.

    `rows` are all rows of the sheet. See `_find_sections` and `_stack_sections`.
    """
    start = _find_sections([row for _, row in rows])
    return None if start is None else _stack_sections(rows, start)


def find_groups(rows: Sequence[Sequence[Cell]]) -> CardColumns | None:
    """Return the groups of columns that have one player's cards.

    None if the first 40 rows have no headings of several groups, or the groups are of several players.
    """
    for at, row in enumerate(rows[:TOP_ROWS]):
        groups = _find_heading_groups(row)
        if len(groups) > 1 and (at == 0 or _is_of_one_player(rows[at - 1])):
            return CardColumns(at, groups)
    return None


def _find_heading_groups(row: Sequence[Cell]) -> Sequence[Mapping[str, int]]:
    """Return the groups of card columns in a row of headings, each the column by role (COUNT, NUMBER, CARD).

    A new group begins at a role that the group already has. If a role has several wordings, only columns with the
    plainest are in a group. Empty if the groups differ, lack counts or cards, or if a heading is for players.
    """
    meant = [find_wording(text(cell)) or ("", 0) for cell in row]
    if any(role in (*SOMEBODY, PLAYER_ID) for role, _ in meant):
        return ()
    best = dict(sorted(meant, reverse=True))  # of each meaning the plainest wording
    groups: list[dict[str, int]] = [{}]
    for column, (role, rank) in enumerate(meant):
        if role in _OF_CARDS and rank == best[role]:
            if role in groups[-1]:
                groups.append({})
            groups[-1][role] = column
    return groups if _are_alike(groups) else ()


def _are_alike(groups: Sequence[Mapping[str, int]]) -> bool:
    """Return True if all groups have the same roles in the same order, and have counts and cards."""
    return len({tuple(group) for group in groups}) == 1 and COUNT in groups[0] and len(groups[0]) > 1


def _is_of_one_player(above: Sequence[Cell]) -> bool:
    """Return True if the row above the headings is not of several players' names.

    It has at most one text, labels with their values but at most one of a player's name, a Leader, or only headings of
    sections.
    """
    texts = list(filter(None, map(text, above)))
    roles = [role for role, _, _ in find_labels(above)]
    has_labels = bool(roles) and all(roles.count(role) < 2 for role in (*SOMEBODY, PLAYER_ID))
    return len(texts) < 2 or has_labels or bool(leader_text(texts)) or all(map(heading, texts))


def _stack_groups(rows: Sequence[ListRow], card_columns: CardColumns) -> Iterator[ListRow]:
    """Yield `(row number, cells)` of a deck, one group after the other, each below the section above its headings.

    `rows` are all rows of the table. Cells are count, number and name, as far as the groups have them. Rows above the
    headings are yielded first, with all cells, if they have a Leader or a card number. Rows without a count or a card,
    and those with a total or a signature, are left out.
    """
    above = rows[card_columns.titles - 1][1] if card_columns.titles else ()
    has_sections = bool(above) and all(heading(text(cell)) for cell in above if not is_blank(cell))
    for at, row in rows[: card_columns.titles - has_sections]:
        if leader_text(list(map(text, row))) or any(has_card_number(text(cell)) for cell in row):
            yield at, row
    for group in card_columns.groups:
        section = cell_in(above, min(group.values())) if has_sections else ""
        if not is_blank(section):
            yield rows[card_columns.titles][0], [section]
        yield from _group_rows(rows[card_columns.titles + 1 :], group)


def _group_rows(rows: Iterable[ListRow], group: Mapping[str, int]) -> Iterator[ListRow]:
    """Yield `(row number, cells)` of the rows that have a count or a card in a group of columns.

    `group` has the column by role. The cells are count, number and name, as far as the group has them. Totals and lines
    of a form are left out.
    """
    places = [group[role] for role in _OF_CARDS if role in group]
    for at, row in rows:
        copies, *card = (cell_in(row, place) for place in places)
        is_filled = bool(count(copies)) or not all(map(is_blank, card))
        if is_filled and not _is_form_row(row):
            yield at, [copies, *card]


def _is_form_row(row: Sequence[Cell]) -> bool:
    """Return True if a row under the cards has a total, or space for a signature or another fact of a form.

    The row must not be blank.
    """
    words = list(filter(None, map(text, row)))
    return is_total(" ".join(words)) or names_fact(words[0].removesuffix(":"))


def _find_sections(rows: Sequence[Sequence[Cell]]) -> int | None:
    """Return the row, from 0, of headings that are only sections, with one deck's cards in the columns below.

    The main deck is one of them, and none is repeated. None if there is no such row in the first 40. None, too, if the
    columns below have counts and the cards are elsewhere.
    """
    for at, row in enumerate(rows[:TOP_ROWS]):
        named = [section(text(cell)) for cell in row if not is_blank(cell) and not is_kind(text(cell))]
        filled = sum(not is_blank(cell) for cell in row)
        if len(named) == filled > 1 and "main" in named and None not in named and len({*named}) == filled:
            below = rows[at + 1 :]
            return at if _are_of_one_deck(below) and not _have_counts(row, below) else None
    return None


def _are_of_one_deck(rows: Sequence[Sequence[Cell]]) -> bool:
    """Return True if at least two rows have a card number, and no cell of such a row is a whole list."""
    of_cards = [row for row in rows if any(has_card_number(text(cell)) for cell in row)]
    return len(of_cards) > 1 and not any(cell_kinds.is_list(text(cell)) for row in of_cards for cell in row)


def _have_counts(head: Sequence[Cell], rows: Sequence[Sequence[Cell]]) -> bool:
    """Return True if the columns of all sections have numbers of copies, so the cards are in another column.

    `head` are the headings, `rows` the rows below.
    """
    titles = list(map(text, head))
    counted = find_section_counts(titles, range(len(titles)), (), partial(_filled_cells, rows))
    return len(counted) == sum(map(bool, titles))


def _filled_cells(rows: Sequence[Sequence[Cell]], column: int) -> list[str]:
    """Return the texts of a column's filled cells, from top to bottom."""
    return [text(row[column]) for row in rows if column < len(row) and not is_blank(row[column])]


def _stack_sections(rows: Sequence[ListRow], start: int) -> Iterator[ListRow]:
    """Yield `(row number, cells)` of a deck, one section after the other, each below its heading.

    `rows[start]` has the headings. The rows above are yielded first. A section has the columns from its heading to the
    next. Sections that are no part of the deck, such as a maybeboard, are left out.
    """
    yield from rows[:start]
    at, head = rows[start]
    places = [column for column, cell in enumerate(head) if not is_blank(cell)]
    width = max(len(row) for _, row in rows)
    for first, last in pairwise([*places, max(width, places[-1] + 1)]):
        if section(text(head[first])) == ASIDE:
            continue
        yield at, [head[first]]
        yield from ((number, row[first:last]) for number, row in rows[start + 1 :])
