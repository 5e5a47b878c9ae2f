"""Cards by section: a deck whose sections stand side by side, each with its cards under its heading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from validator.decklists import cardline, headlines, sections
from validator.decklists.delimiter import DELIMITERS, split
from validator.decklists.draft import Draft
from validator.decklists.formats.unparted_cells import Rows, aligned_rows, is_aligned, tokens
from validator.decklists.listing import Listing
from validator.decklists.source import Source, TextRow, row
from validator.language import phrase

_MOST_ABOVE = 10  # lines above the headings
_SEVERAL = phrase("cards of several columns stand here, and it is not clear where they are parted")


def read(source: Source, format: str) -> Draft | None:
    """Return the cards of a text with a column of cards for each section, None if the text is no such table."""
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        for titles, split_rows in _partings(line):
            if named := find_sections(titles):
                draft = Draft(format)
                _read_columns(draft, split_rows(source.rows[at:])[1:], named, source)
                if len(draft.cards) > 1:
                    return _with_lines_above(draft, source, line.at)
    return None


def _partings(first: TextRow) -> Iterator[tuple[Sequence[str], Callable[[Sequence[TextRow]], Rows]]]:
    """Yield the cells of a row in each way that parts it, with a function that parts it and the rows below so."""
    for delimiter in DELIMITERS:
        if delimiter in first.raw:
            yield _cells(first, delimiter), partial(_split_rows, delimiter)
    if is_aligned(first.raw):
        yield (
            [token.text for token in tokens(first.raw, is_wide=False)],
            partial(aligned_rows, start=0, is_of_cards=True),
        )


def _split_rows(delimiter: str, rows: Sequence[TextRow]) -> Rows:
    return [(line, _cells(line, delimiter)) for line in rows]


def _cells(line: TextRow, delimiter: str) -> Sequence[str]:
    return [cell.strip() for cell in split(line.raw.strip(" \ufeff"), delimiter)]


def find_sections(titles: Sequence[str]) -> dict[int, str]:
    """Return the sections of a row of headings by their columns. Empty if it is no row of several sections."""
    filled = {at: title for at, title in enumerate(titles) if title}
    named = {at: found.section for at, title in filled.items() if (found := headlines.heading(row(0, title).plain))}
    is_whole = len(filled) == len(named) == len(set(named.values())) > 1
    are_kinds = any(sections.is_kind(title) for title in filled.values())
    return named if is_whole and "main" in named.values() and not are_kinds else {}


def _read_columns(
    draft: Draft, rows: Sequence[tuple[TextRow, Sequence[str]]], named: dict[int, str], source: Source
) -> None:
    """Add the cards of each column to a draft."""
    starts = list(named)
    for start, end in zip(starts, (*starts[1:], None), strict=True):
        section = named[start]
        for line, cells in rows:
            text = " ".join(filter(None, cells[start:end]))
            cell = row(line.at, text)
            if not cell.plain or (len(cells) == 1 < len(named) and start != starts[0]):
                continue
            if heading := headlines.heading(cell.plain):
                section = section if heading.kind else heading.section
            else:
                _read_cell(draft, cell, section, source)


def _read_cell(draft: Draft, cell: TextRow, section: str, source: Source) -> None:
    cards = cardline.read(cell, source, bare=section == "leader")
    if isinstance(cards, str):
        is_ruled = not any(map(str.isalnum, cell.plain))
        if not (is_ruled or headlines.is_metadata(cell.plain) or headlines.is_comment(cell.plain)):
            draft.skip(cell.at, cell.raw, cards)
    elif len(cards) > 1:
        draft.skip(cell.at, cell.raw, _SEVERAL)
    else:
        [card] = cards
        draft.add(section, card.digits, card.number, card.name, cell.at, cell.raw)


def _with_lines_above(draft: Draft, source: Source, at: int) -> Draft:
    """Add what stands above the headings, read line by line, to a draft."""
    above = Listing(Source("\n".join(source.text.splitlines()[: at - 1]), source.catalogue)).draft(draft.format)
    draft.cards = above.cards + draft.cards
    draft.unread = above.unread + draft.unread
    return draft
