"""Cards by section: a deck whose sections stand side by side, each with its cards under its heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validator.decklists import cardline, headlines, sections
from validator.decklists.delimiter import DELIMITERS, split
from validator.decklists.draft import Draft
from validator.decklists.formats.unparted_cells import aligned_rows, is_aligned
from validator.decklists.listing import Listing
from validator.decklists.source import Source, TextRow, row
from validator.language import phrase

_MOST_ABOVE = 10  # lines above the headings
_SEVERAL = phrase("cards of several columns stand here, and it is not clear where they are parted")


def read(source: Source, format: str) -> Draft | None:
    """Return the cards of a text with a column of cards for each section, None if the text is no such table."""
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        for rows in _tables(source.rows, at):
            if named := _sections(rows[0]):
                draft = Draft(format)
                _read_columns(draft, [*zip(source.rows[at + 1 :], rows[1:], strict=True)], named, source)
                if len(draft.cards) > 1:
                    return _with_lines_above(draft, source, line.at)
    return None


def _tables(rows: Sequence[TextRow], start: int) -> Iterator[Sequence[Sequence[str]]]:
    """Yield the cells of the rows from one on, in each way that parts the first."""
    raw = rows[start].raw
    for delimiter in DELIMITERS:
        if delimiter in raw:
            yield [[cell.strip() for cell in split(line.raw.strip(" \ufeff"), delimiter)] for line in rows[start:]]
    if is_aligned(raw):
        yield [cells for _, cells in aligned_rows(rows, start, is_of_cards=True)]


def _sections(titles: Sequence[str]) -> dict[int, str]:
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
