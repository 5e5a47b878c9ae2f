"""Tables: cards in rows of CSV or TSV, with a header row in any common wording or without one."""

from __future__ import annotations

import csv
import io
from functools import partial

from validator.cards import Catalogue
from validator.deck import Deck
from validator.decklists import cardline
from validator.decklists.draft import Draft
from validator.decklists.format import Format, Write, card_name_of_line, known_number
from validator.decklists.formats import cards_by_section, players_apart
from validator.decklists.formats.table_finder import (
    MOST_COLUMNS,
    Table,
    find_aligned_counts,
    find_aligned_players,
    find_first_card,
    find_headed_table,
    find_headless_table,
    find_table_of_players,
    split_row,
)
from validator.decklists.formats.table_reader import TableReader
from validator.decklists.listing import Listing
from validator.decklists.source import Source
from validator.decklists.titled_columns import SAMPLE_ROWS
from validator.formulas import guard_formula
from validator.tables.cell_kinds import has_card_number
from validator.tables.columns import WHO
from validator.tables.unnamed_players import find_possible_player

_CSV_DELIMITERS = ",;|"
_MOST_ROWS_APART = 2_000  # of players side by side or under each other, which take time to tell apart
_TITLES = ("section", "count", "number", "name")


def _read_deck_table(delimiters: str, format: str, source: Source) -> Draft | None:
    """Return the draft of a table with one of these delimiters. None if the text is no such table.

    `format` is the name of the draft's format. A table of several players has one draft for each, in `others`. Each row
    is unread in a table with one deck per row.
    """
    table = find_headed_table(source, delimiters)
    if table is None:
        delimiters = "".join(delimiter for delimiter in delimiters if not _is_in_names(delimiter, source))
        table = find_table_of_players(source, delimiters)
    may_be_apart = table is None or not (table.columns.is_list or table.columns.has(*WHO))
    if may_be_apart and len(source.rows) <= _MOST_ROWS_APART:
        for delimiter in delimiters:
            if find_first_card(source, delimiter, SAMPLE_ROWS) is not None:
                rows = [(line, split_row(line, delimiter)[:MOST_COLUMNS]) for line in source.rows]
                read = partial(_read_part, delimiter, format)
                if draft := players_apart.read_players(rows, delimiter, source, read):
                    return draft
    table = table or find_headless_table(source, delimiters)
    if table is None:
        return None
    reader = TableReader(table, source, format)
    return reader.refuse_all() if table.columns.is_list else _note_possible_player(reader.read(), table, source)


def _note_possible_player(draft: Draft, table: Table, source: Source) -> Draft:
    """Return the draft of one deck. A remark is added to it if a column without a heading may have players.

    Tables with headings or with columns for players get no remark.
    """
    if not table.columns.titles and not table.columns.has(*WHO):
        cards = [(line, cells) for line, cells in table.rows if len(cells) > 1]
        if player := find_possible_player([cells for _, cells in cards], table.columns, source):
            draft.note_possible_player(cards[0][0].at, cards[0][0].raw, player)
    return draft


def _is_in_names(delimiter: str, source: Source) -> bool:
    """Return True if most of the first lines with a delimiter have it in a card's name: "Cell, Unstoppable x4".

    False without a catalogue, and for a tab.
    """
    lines = [line for line in source.rows if delimiter in line.plain][:SAMPLE_ROWS]
    names = 0
    for line in lines if delimiter in _CSV_DELIMITERS and source.catalogue else ():
        cards = [] if has_card_number(line.plain) else cardline.parse_cards(line, source)
        name = cards[0].name or "" if isinstance(cards, list) and len(cards) == 1 else ""
        names += delimiter in name and source.is_name(name)
    return 2 * names > len(lines) > 0


def _read_part(delimiter: str, format: str, part: Source) -> Draft:
    """Return the draft of one player's part of a table. A part that is no table is parsed as a list.

    `format` is the name of the draft's format.
    """
    table = find_headed_table(part, delimiter) or find_headless_table(part, delimiter)
    return Listing(part).draft(format) if table is None else TableReader(table, part, format).read()


def _read_grid(source: Source) -> Draft | None:
    """Return the draft of a table with columns that blanks align, or with a column for each section.

    None for other texts. Aligned columns are read if they count the copies in each section, or if they have the cards
    of several players.
    """
    table = find_aligned_counts(source) or find_aligned_players(source)
    return cards_by_section.read(source, "table") if table is None else TableReader(table, source, "table").read()


def _make_table_writer(delimiter: str) -> Write:
    """Return a function that writes a deck as a table with this delimiter and a header row."""

    def write(deck: Deck, catalogue: Catalogue | None) -> str:
        """Return the deck as a table with the columns section, count, number and name, and a row for each line.

        A number or name that is not known is blank. A name that a spreadsheet program would run as a formula is
        guarded.
        """
        file = io.StringIO()
        rows = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        rows.writerow(_TITLES)
        for section, line in deck.lines():
            rows.writerow(
                [
                    section,
                    line.count,
                    known_number(line, catalogue) or "",
                    guard_formula(card_name_of_line(line, catalogue)),
                ]
            )
        return file.getvalue()

    return write


FORMATS = (
    Format(
        "tsv",
        "table with tabs between its cells, as copied from a spreadsheet",
        read=lambda source: _read_deck_table("\t", "tsv", source),
        write=_make_table_writer("\t"),
        marks=frozenset("\t<"),
    ),
    Format(
        "csv",
        "table with commas, semicolons or bars between its cells: section, count, number, name",
        read=lambda source: _read_deck_table(_CSV_DELIMITERS, "csv", source),
        write=_make_table_writer(","),
        marks=frozenset(_CSV_DELIMITERS),
    ),
    Format(
        "table",
        "table with columns that blanks align or that have a section's cards each",
        read=_read_grid,
        marks=frozenset(("  ", "\u3000", "\t", "<", *_CSV_DELIMITERS)),
    ),
)
