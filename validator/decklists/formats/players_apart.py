"""Players apart: a pasted table in which each player has columns or rows of one's own, under a name.

Called by the reader of tables.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import NamedTuple

from validator.decklists import headlines, player_parts
from validator.decklists.draft import Draft
from validator.decklists.player_parts import PlayerPart
from validator.decklists.source import Source, TextRow
from validator.decklists.table_rows import skip_line_above
from validator.tables.cell_kinds import has_card_number, is_card_number
from validator.tables.column_samples import IsCard, count_meanings
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import PLAYER_ID
from validator.tables.labels import find_labels
from validator.tables.unnamed_players import Block, are_decks

Rows = Sequence[Sequence[str]]
Read = Callable[[Source], Draft]


class _LineTable(NamedTuple):
    """The lines of a table, and the cells of each line. The index of a line is its line number in the text, less 1.

    Blank lines, and those that are not of the table, have the text "" and no cells.
    """

    lines: Sequence[str]
    rows: Rows
    delimiter: str

    def join_cells(self, cells: Sequence[str]) -> str:
        """Return cells as one line of CSV with the table's delimiter. "" if all cells are blank."""
        out = io.StringIO()
        if any(cells):
            csv.writer(out, delimiter=self.delimiter, lineterminator="").writerow(cells)
        return out.getvalue()


class _Layout(NamedTuple):
    """The parts of the players in a table. `above` is the number of rows above the first of them.

    `are_sure` is True if each player has labels or headings, so that a cell with a name is surely a player.
    """

    parts: Sequence[PlayerPart]
    above: int
    are_sure: bool


def read_players(
    rows: Sequence[tuple[TextRow, Sequence[str]]], delimiter: str, source: Source, read: Read
) -> Draft | None:
    """Return the draft of the first player in a table. Its `others` are the drafts of the other players.

    None if the table has not several players in columns or rows of their own, or if two of `rows` share a line number.
    `rows` are the lines of the text with their cells. Cells without a label are names of players only if the cards
    below each are a deck. `read` parses the part of one player, in which all other lines are blank. Lines above the
    players, and names without cards, become unread lines of the first draft, except headings and facts.
    """
    table = _build_table(rows, delimiter)
    if table is None:
        return None
    has_numbers = any(has_card_number(cell) for cells in table.rows for cell in cells)
    is_card = _is_no_card if has_numbers else source.is_name  # players are called as cards are: "Nami"
    if not _has_cells_of_cards(table.rows, is_card):
        return None
    for layout in (
        _find_matrix(table.rows, is_card, source),
        _find_side_by_side(table.rows, is_card),
        _find_stacked(table.rows, is_card),
    ):
        if layout is None or any(has_card_number(cell) for row in table.rows[: layout.above] for cell in row):
            continue
        drafts = [_read_part(table, part, layout.above, source, read) for part in layout.parts]
        if _are_of_players(drafts, layout, source):
            return _join_drafts(drafts, layout, rows, source)
    return None


def _build_table(rows: Sequence[tuple[TextRow, Sequence[str]]], delimiter: str) -> _LineTable | None:
    """Return the table of a text. None if two rows have the same line: those of an HTML table in one line."""
    by_line = {line.at - 1: (line.raw, cells) for line, cells in rows}
    if len(by_line) < len(rows):
        return None
    blank: tuple[str, Sequence[str]] = ("", [])
    lines, cells = zip(*(by_line.get(at, blank) for at in range(max(by_line) + 1)), strict=True)
    return _LineTable(lines, cells, delimiter)


def _are_of_players(drafts: Sequence[Draft], layout: _Layout, source: Source) -> bool:
    """Return True if several drafts have cards, and these are decks or are surely of players."""
    decks = [draft for draft in drafts if draft.cards]
    if len(decks) < 2:
        return False
    return layout.are_sure or are_decks([_block(draft, source) for draft in decks], are_people=True)


def _join_drafts(
    drafts: Sequence[Draft], layout: _Layout, rows: Sequence[tuple[TextRow, Sequence[str]]], source: Source
) -> Draft:
    """Return the draft of the first player with cards, with those of the others in `others`.

    The names and lines of players without cards, and the lines above all players, are added to its unread lines.
    """
    first, *first.others = [draft for draft in drafts if draft.cards]
    first.unread += [line for draft in drafts if not draft.cards for line in draft.unread]
    of_nobody = {part.name_row for part, draft in zip(layout.parts, drafts, strict=True) if not draft.cards}
    for line, cells in rows:
        is_left = line.at <= layout.above or line.at - 1 in of_nobody
        if is_left and count_meanings(cells) < 2 and not headlines.is_metadata(line.plain):
            skip_line_above(line, first, source)
    return first


def _has_cells_of_cards(rows: Rows, is_card: IsCard) -> bool:
    """Return True if most rows with a card have several cells, one of which is only the card's number or name.

    False if no row has a card.
    """
    of_cards = [cells for cells in rows if any(has_card_number(cell) or is_card(cell) for cell in cells)]
    apart = sum(len(cells) > 1 and any(is_card_number(cell) or is_card(cell) for cell in cells) for cells in of_cards)
    return 2 * apart > len(of_cards)


def _is_no_card(name: str) -> bool:
    """Return False for any name. It replaces the test for names of cards in a table that has card numbers."""
    return False


def _find_matrix(rows: Rows, is_card: IsCard, source: Source) -> _Layout | None:
    """Return the parts of players who have a column of counts each, beside the cards of all. None if there are none."""
    matrix = player_parts.find_matrix(rows, is_card, source)
    if matrix is None:
        return None
    return _Layout(list(player_parts.matrix_parts(rows, matrix)), matrix.names, are_sure=False)


def _find_side_by_side(rows: Rows, is_card: IsCard) -> _Layout | None:
    """Return the parts of players with columns of their own, side by side. None if there are none.

    They are sure if each player has two headings or more below the name.
    """
    found = player_parts.find_side_by_side(rows, is_card)
    if found is None:
        return None
    parts = list(player_parts.side_by_side_parts(rows, found))
    have_headings = all(count_meanings(_cut_row(rows, part.rows.start, part)) > 1 for part in parts)
    return _Layout(parts, found.names[0], have_headings)


def _cut_row(rows: Rows, row_index: int, part: PlayerPart) -> Sequence[str]:
    """Return the cells of a row in the columns of a player, all cells if the player's part has no columns.

    A missing cell is "".
    """
    row = rows[row_index]
    return [row[at] if at < len(row) else "" for at in part.columns] if part.columns else row


def _find_stacked(rows: Rows, is_card: IsCard) -> _Layout | None:
    """Return the parts of players with rows of their own, under each other. None if there are none.

    They are sure if each player has a label, such as "Player: Ann Lee".
    """
    starts = player_parts.find_stacked(rows, is_card)
    if not starts:
        return None
    are_labelled = starts == player_parts.find_labelled(rows, is_card)
    return _Layout(list(player_parts.stacked_parts(rows, starts)), starts[0], are_labelled)


def _block(draft: Draft, source: Source) -> Block:
    """Return a Block with the number of lines of Leaders and the number of copies of all cards in a draft."""
    leaders = sum(section == "leader" or source.is_leader(line.written) for section, line in draft.cards)
    return Block(leaders, draft.copies)


def _read_part(table: _LineTable, part: PlayerPart, above: int, source: Source, read: Read) -> Draft:
    """Return the draft of one player, with the player's name. Labels of the player and the id are part of the name.

    `above` is the number of rows above all players. The headings among those rows are used if the part has none. `read`
    parses the part.
    """
    lines = [""] * len(table.rows)
    names = [part.name, part.id]
    has_cards = False
    for at in part.rows:
        cells = _cut_row(table.rows, at, part)
        if part.counts_last and player_parts.is_other_card(cells, source.is_name):
            continue
        has_cards = has_cards or any(map(has_card_number, cells))
        labels = [] if has_cards else [(role, value) for role, _, value in find_labels(cells)]
        if labels and count_meanings(cells) < 2:
            names += [value for role, value in labels if role in (*SOMEBODY, PLAYER_ID)]
        elif at not in (part.name_row, part.id_row):
            lines[at] = table.join_cells(cells) if part.columns else table.lines[at]
    titles = next((at for at in reversed(range(above)) if count_meanings(table.rows[at]) > 1), None)
    if titles is not None and not part.columns and table.rows[titles] not in [table.rows[at] for at in part.rows]:
        lines[part.rows.start] = table.lines[titles]
    draft = read(Source("\n".join(lines), source.catalogue))
    draft.name = ", ".join(filter(None, names))
    return draft
