"""Cards by section: a deck with its sections side by side, each with its cards under its heading.

Called by the reader of tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from validator import sections
from validator.decklists import cardline, headlines
from validator.decklists.delimiter import DELIMITERS, split_cells
from validator.decklists.draft import Draft
from validator.decklists.formats.unparted_cells import Rows, aligned_rows, is_aligned, tokens
from validator.decklists.header import TOP_ROWS
from validator.decklists.listing import Listing
from validator.decklists.source import Source, TextRow, row
from validator.language import phrase

_SEVERAL_COLUMNS = phrase("the line has cards of several columns, and the border between the columns is not clear")


def read(source: Source, format: str) -> Draft | None:
    """Return the draft of a table with a column of cards for each section: "Leader,Main,Side". None for other texts.

    The headings are in one of the first 40 lines, and at least two cards are read below them. Lines above the headings
    are parsed as a list. `format` is the name of the draft's format.
    """
    for at, line in enumerate(source.rows[:TOP_ROWS]):
        for titles, split_rows in _possible_splits(line):
            if section_columns := find_sections(titles):
                draft = Draft(format)
                _read_columns(draft, split_rows(source.rows[at:])[1:], section_columns, source)
                if len(draft.cards) > 1:
                    return _add_lines_above(draft, source, line.at)
    return None


def _possible_splits(first: TextRow) -> Iterator[tuple[Sequence[str], Callable[[Sequence[TextRow]], Rows]]]:
    """Yield `(cells, split)` for each possible separator of a row's cells. `split` splits lines in the same way.

    The delimiters that are in the row come first. The last separator is blanks that align columns, if there are some.
    For them, the first line given to `split` must be the headings.
    """
    for delimiter in DELIMITERS:
        if delimiter in first.raw:
            yield _split_cells(first, delimiter), partial(_split_rows, delimiter)
    if is_aligned(first.raw):
        yield (
            [token.text for token in tokens(first.raw, is_wide=False)],
            partial(aligned_rows, start=0, is_of_cards=True),
        )


def _split_rows(delimiter: str, rows: Sequence[TextRow]) -> Rows:
    """Return each line with its cells, `(line, cells)`."""
    return [(line, _split_cells(line, delimiter)) for line in rows]


def _split_cells(line: TextRow, delimiter: str) -> Sequence[str]:
    """Return the cells of a line without blanks around them. Empty if the line is not well-formed CSV."""
    return [cell.strip() for cell in split_cells(line.raw.strip(" \ufeff"), delimiter)]


def find_sections(titles: Sequence[str]) -> dict[int, str]:
    """Return the section of each filled heading in a row, by column: `{0: "leader", 2: "main"}`.

    Empty unless all filled cells name different sections, at least two, with the main deck among them. Empty also if
    some cell names a type of card, such as "Event".
    """
    filled = {at: title for at, title in enumerate(titles) if title}
    found_sections = {
        at: found.section for at, title in filled.items() if (found := headlines.heading(row(0, title).plain))
    }
    is_whole = len(filled) == len(found_sections) == len(set(found_sections.values())) > 1
    are_kinds = any(sections.is_kind(title) for title in filled.values())
    return found_sections if is_whole and "main" in found_sections.values() and not are_kinds else {}


def _read_columns(
    draft: Draft, rows: Sequence[tuple[TextRow, Sequence[str]]], section_columns: dict[int, str], source: Source
) -> None:
    """Add the cards of each column to a draft, one column after another.

    `section_columns` maps the first column of each section to its section. Its cells up to the next section are joined.
    The heading of a section within a column changes the section for the cells below, but a type or cost does not. A row
    that could not be split belongs to the first section only.
    """
    starts = list(section_columns)
    for start, end in zip(starts, (*starts[1:], None), strict=True):
        section = section_columns[start]
        for line, cells in rows:
            text = " ".join(filter(None, cells[start:end]))
            cell = row(line.at, text)
            if not cell.plain or (len(cells) == 1 < len(section_columns) and start != starts[0]):
                continue
            if heading := headlines.heading(cell.plain):
                section = section if heading.kind else heading.section
            else:
                _read_cell(draft, cell, section, source)


def _read_cell(draft: Draft, cell: TextRow, section: str, source: Source) -> None:
    """Add the card of a cell to a draft.

    A cell without a clear card, or with several cards, is added to its unread lines. Decoration, comments and facts
    about the list are ignored. In the section "leader", a count may be missing.
    """
    cards = cardline.parse_cards(cell, source, is_count_optional=section == "leader")
    if isinstance(cards, str):
        is_ruled = not any(map(str.isalnum, cell.plain))
        if not (is_ruled or headlines.is_metadata(cell.plain) or headlines.is_comment(cell.plain)):
            draft.skip(cell.at, cell.raw, cards)
    elif len(cards) > 1:
        draft.skip(cell.at, cell.raw, _SEVERAL_COLUMNS)
    else:
        [card] = cards
        draft.add(section, card.digits, card.number, card.name, cell.at, cell.raw)


def _add_lines_above(draft: Draft, source: Source, line_number: int) -> Draft:
    """Return the draft with the cards and unread lines above its headings added first. The draft itself is changed.

    `line_number` is the line of the headings. The lines above are parsed as a list.
    """
    above = Listing(Source("\n".join(source.text.splitlines()[: line_number - 1]), source.catalogue)).draft(
        draft.format
    )
    draft.cards = above.cards + draft.cards
    draft.unread = above.unread + draft.unread
    return draft
