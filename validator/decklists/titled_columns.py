"""Titled columns: the role of each column of a table with headings, by the headings and the cells below them.

Called by the reader of pasted tables, and by `api.workbooks` for sheets. So both infer the columns in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from validator.decklists.headlines import states_total
from validator.decklists.source import row
from validator.tables import headings
from validator.tables.cell_kinds import copies_in, has_card_number, is_possible_count
from validator.tables.column_samples import IsCard, RowSample, Sample
from validator.tables.columns import WHO, Columns, infer_columns
from validator.tables.headings import CARD, COUNT, NUMBER, SECTION, SIDE
from validator.tables.section_counts import counted_section
from validator.tables.unnamed_players import CardLookup, CardRow, find_player_columns, printed_facts
from validator.tables.untitled_columns import find_unprinted, is_of_players, numbers_rows

SAMPLE_ROWS = 50  # rows that decide the role of an ambiguous column
_TELLING_ROWS = 5  # from which on a column with one number in all rows is none of counts
_LEAST_ROWS = 2  # rows from which on a column without a known heading shows its kind
_COUNTED_SHARE = 0.8  # of the cells of a column of counts that are filled at least
_DIFFERENT_SHARE = 0.8  # of the rows that are different cards of a player; with a row for each copy there are fewer


def infer_titled_columns(
    titles: Sequence[str], rows: Sequence[Sequence[str]], is_card: IsCard, cards: CardLookup
) -> Columns:
    """Return the roles of columns with these headings. A heading is "" if there is none.

    `rows` are the texts of the rows below, without repeated headings. A row may be shorter than the headings. `is_card`
    tests the name of a card. If no heading is for counts or lists, columns that can only be counts are found by their
    cells, with players that no heading names.
    """
    sampled = rows[:SAMPLE_ROWS]
    found = infer_columns(titles, _column_sampler(titles, sampled), is_card, _sample_rows(sampled, cards))
    if not found.is_list and not found.has_counts and found.has(NUMBER, CARD):
        _add_counts(found, rows, cards)
    return found


def _column_sampler(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Sample:
    """Return a function from a column to the texts of its filled cells.

    Rows that only have totals are left out, except in a column that counts a section: there they show that the cells
    are counts.
    """
    without_totals = [cells for cells in rows if not states_total(cells)]

    def sample(column: int) -> Sequence[str]:
        """Return the filled cells of a column."""
        sampled = without_totals if counted_section(titles[column]) is None else rows
        return [cells[column] for cells in sampled if column < len(cells) and cells[column]]

    return sample


def _sample_rows(rows: Sequence[Sequence[str]], cards: CardLookup) -> RowSample:
    """Return the sample of rows, without totals, in which cells are compared with the card of the same row."""

    def is_of_card(number: str, cell: str) -> bool | None:
        """Return True if a cell is a name or a printed fact of a card. A word of its name is enough.

        None if the number is unknown.
        """
        if (card := cards.card(number)) is None:
            return None
        words = {word for name in (card.name, card.back_name or "") for word in headings.words(name)}
        is_named = cards.is_of(number, cell) or not words.isdisjoint(headings.words(cell))
        return is_named or cell.casefold() in printed_facts(card)

    return RowSample([cells for cells in rows if not states_total(cells)], is_of_card)


def _add_counts(columns: Columns, rows: Sequence[Sequence[str]], cards: CardLookup) -> None:
    """Give the role COUNT to columns without a role, or of TYPE, that can only be counts of copies.

    Changes `roles`, `from_cells` and `unknown` of `columns`. If no heading is for players, columns of players are found
    too, if they divide the counted cards into decks. No counts are headings such as "Cost", values printed on the
    cards, and one number for all rows of a player, such as the table. Nothing changes for a single row of a card, or if
    the rows of a player have the same cards again, as with a row for each copy.
    """
    of_cards = list(_find_card_rows(columns, rows))
    if len(of_cards) < _LEAST_ROWS:
        return
    titles = columns.titles
    free = [at for at in columns.free() if not (headings.is_fact(titles[at]) or headings.describes_card(titles[at]))]
    texts = {at: [row.cells[at] for row in of_cards] for at in free}
    numbers = {at: cells for at, cells in texts.items() if _are_counts(cells)}
    places = find_unprinted(numbers, [row.card for row in of_cards], cards)
    if not columns.has(*WHO) and (roles := _find_counts_and_players(of_cards, free, places, cards)):
        _assign(columns, roles)
    elif (counts := _find_counts(columns, of_cards, places)) and not _repeats_cards(columns, of_cards):
        _assign(columns, {COUNT: counts})


class _CardRow(NamedTuple):
    """A row of a table with a card. `card` is the text of its number or name, `cells` are as many as the headings."""

    card: str
    cells: Sequence[str]


def _find_card_rows(columns: Columns, rows: Sequence[Sequence[str]]) -> Iterator[_CardRow]:
    """Yield the rows that have a card and another cell. Totals are left out.

    Below a heading for card numbers, a card is a cell with a number, and other cells are headings or totals.
    """
    numbers = columns.places(NUMBER)
    places = numbers or columns.places(CARD)
    width = len(columns.titles)
    for cells in rows:
        card = next((cells[at] for at in places if at < len(cells) and cells[at]), "")
        if (has_card_number(card) if numbers else card) and sum(map(bool, cells)) > 1 and not states_total(cells):
            yield _CardRow(row(0, card).plain, [*cells, *[""] * (width - len(cells))])


def _find_counts_and_players(
    rows: Sequence[_CardRow], free: Sequence[int], places: Sequence[int], cards: CardLookup
) -> dict[str, list[int]]:
    """Return the roles COUNT, PLAYER and PLAYER_ID if the counts in one of the columns `places` make decks of players.

    `free` are the columns that players may be in. Empty if there is not exactly one such column of counts.
    """
    found = []
    for count in places:
        counted = [CardRow(card, copies_in(cells[count]), cells) for card, cells in rows]
        if players := find_player_columns(counted, [at for at in free if at != count], cards):
            found.append((count, players))
    if len(found) > 1:
        texts = [row.cells for row in rows]
        found = [(count, players) for count, players in found if not is_of_players(texts, count, players.values())]
    if len(found) != 1:
        return {}
    [(count, players)] = found
    return {COUNT: [count], **{role: [at] for role, at in players.items()}}


def _find_counts(columns: Columns, rows: Sequence[_CardRow], places: list[int]) -> list[int]:
    """Return the columns among `places` that do not have one number for all rows of a player, such as the table.

    Several columns are all returned if the rows are few: then each row in which they differ becomes an error.
    """
    if len(places) > 1 and len(rows) < _TELLING_ROWS:
        return places
    texts = [row.cells for row in rows]
    return [at for at in places if not is_of_players(texts, at, columns.places(*WHO))]


def _repeats_cards(columns: Columns, rows: Sequence[_CardRow]) -> bool:
    """Return True if more than one in five rows has a card that the player has in another row of the same section.

    A row without a player belongs to the player above.
    """
    keys = set[tuple[str, ...]]()
    player: tuple[str, ...] = ()
    for card, cells in rows:
        in_row = tuple(cells[at] for at in columns.places(*WHO))
        player = in_row if any(in_row) else player
        keys.add((card, *(cells[at] for at in columns.places(SECTION, SIDE)), *player))
    return len(keys) < _DIFFERENT_SHARE * len(rows)


def _are_counts(texts: Sequence[str]) -> bool:
    """Return True if nearly all cells are filled, all filled ones are counts, and they do not number the rows."""
    filled = [text for text in texts if text]
    is_full = len(filled) >= _COUNTED_SHARE * len(texts)
    return is_full and all(map(is_possible_count, filled)) and not numbers_rows(filled)


def _assign(columns: Columns, roles: Mapping[str, list[int]]) -> None:
    """Give these roles to columns that had none, by their cells. Changes `columns`."""
    places = {at for each in roles.values() for at in each}
    columns.roles |= roles
    columns.from_cells |= places
    columns.unknown = [at for at in columns.unknown if at not in places]
