"""Unparted cells: the cells of tables with columns aligned by blanks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

from validator.decklists.source import TextRow

Rows = Sequence[tuple[TextRow, Sequence[str]]]  # lines, each with its cells

_WORDS = re.compile(r"[^\s\u3000]+(?:[ \t\u00a0][^\s\u3000]+)*")  # up to two blanks
_PARTED = re.compile(r"[^\s]\s{2,}[^\s]|\u3000")


class AlignedText(NamedTuple):
    """A text in a line, with the columns of the screen at which it begins and ends."""

    text: str
    start: int
    end: int


def tokens(raw: str, is_wide: bool) -> Sequence[AlignedText]:
    """Return the texts of a line, which are separated by at least two blanks or a full-width blank. Tabs are expanded.

    `is_wide` counts East Asian letters as two columns of the screen.
    """
    raw = raw.expandtabs()
    found = [(match[0], match.start(), match.end()) for match in _WORDS.finditer(raw)]
    if not is_wide or raw.isascii():
        return [AlignedText(*each) for each in found]
    return [AlignedText(text, _width(raw[:start]), _width(raw[:end])) for text, start, end in found]


def _width(text: str) -> int:
    """Return the width of a text in columns of the screen. Wide East Asian letters count twice."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def is_aligned(raw: str) -> bool:
    """Return True if a line has two or more blanks or tabs between two texts, or a full-width blank anywhere."""
    return ("  " in raw or "\t" in raw or "\u3000" in raw) and _PARTED.search(raw) is not None


def aligned_rows(rows: Sequence[TextRow], start: int, *, is_of_cards: bool) -> Rows:
    """Return the rows from index `start` on, each with its cells under the texts of the first of them, the headings.

    If `is_of_cards`, a cell begins where its heading does and may have several texts. Else each text is a cell, under
    the nearest heading. A row in which two texts are under one heading is then one cell. Both widths of East Asian
    letters are tried, and the clearer result is used. If both are equally clear, a row that differs is one cell.
    """
    fill = _fill_from_headings if is_of_cards else _fill_under_headings
    lines = rows[start:]
    (narrow, fit), (wide, wide_fit) = (_fill_rows(lines, is_wide, fill) for is_wide in (False, True))
    if fit != wide_fit:
        return [*zip(lines, narrow if fit < wide_fit else wide, strict=True)]
    each = zip(lines, narrow, wide, strict=True)
    return [(line, cells if cells == others else [line.shown]) for line, cells, others in each]


class _Titles:
    """The headings of columns that blanks align, from left to right."""

    def __init__(self, texts: Sequence[AlignedText]) -> None:
        """Keep the headings, given in their order in the line."""
        self.texts = texts
        self._starts = [text.start for text in texts]
        self._ends = [text.end for text in texts]

    def nearest_column(self, token: AlignedText) -> int:
        """Return the index of the heading with the smallest gap to a text. Of equal gaps, the nearer middle decides."""
        first = max(0, bisect_left(self._ends, token.start) - 1)
        last = bisect_right(self._starts, token.end) + 1
        near = range(first, min(last, len(self.texts)))
        return min(near, key=lambda at: _distance(token, self.texts[at]))

    def last_column_before(self, token: AlignedText) -> int:
        """Return the index of the last heading that begins at or before a text, or one column behind.

        0 if there is no such heading.
        """
        return max(0, bisect_right(self._starts, token.start + 1) - 1)


_Filled = tuple[Sequence[str], bool]  # the cells of a row, and True if it is clear which text is in which


def _fill_rows(
    rows: Sequence[TextRow], is_wide: bool, fill: Callable[[Sequence[AlignedText], _Titles], _Filled]
) -> tuple[Sequence[Sequence[str]], tuple[int, int]]:
    """Return `(cells, fit)`: the cells of each row, and the fit of the rows to their headings, the first row.

    `fit` is the number of unclear rows and the total offset of texts from their headings. Smaller is better. `fill`
    makes the cells of one row.
    """
    titles = _Titles(tokens(rows[0].raw, is_wide))
    found = [tokens(line.raw, is_wide) for line in rows]
    each = [fill(row, titles) for row in found]
    offset = sum(_offset(token, titles.texts[titles.nearest_column(token)]) for row in found for token in row)
    return [cells for cells, _ in each], (sum(not is_clear for _, is_clear in each), offset)


def _offset(token: AlignedText, title: AlignedText) -> int:
    """Return the distance between a text and its heading, of their beginnings or of their ends.

    The smaller one counts.
    """
    return min(abs(token.start - title.start), abs(token.end - title.end))


def _fill_under_headings(texts: Sequence[AlignedText], titles: _Titles) -> _Filled:
    """Return `(cells, is_clear)`: the texts of a row under the nearest headings.

    If two texts are under one heading, all texts become one cell, and `is_clear` is False. A row with as many texts as
    headings keeps their order. `is_clear` is then True if this order is that of the nearest headings.
    """
    width = len(titles.texts)
    places = [titles.nearest_column(token) for token in texts]
    if len(texts) == width:
        return [token.text for token in texts], places == [*range(width)]
    if len(set(places)) < len(places):
        return [" ".join(token.text for token in texts)], False
    cells = [""] * width
    for at, token in zip(places, texts, strict=True):
        cells[at] = token.text
    return cells, True


def _fill_from_headings(texts: Sequence[AlignedText], titles: _Titles) -> _Filled:
    """Return `(cells, is_clear)`: each text in the cell of the last heading that begins at most one column behind it.

    `is_clear` is True if no cell has two texts. Several texts of one cell are joined by blanks.
    """
    cells = [""] * len(titles.texts)
    is_clear = True
    for token in texts:
        at = titles.last_column_before(token)
        is_clear = is_clear and not cells[at]
        cells[at] = f"{cells[at]} {token.text}".strip()
    return cells, is_clear


def _distance(token: AlignedText, title: AlignedText) -> tuple[int, int]:
    """Return `(gap, middles)`: the gap between two texts, and the distance of their middles, doubled.

    The gap is below 0 if the texts overlap.
    """
    gap = max(token.start, title.start) - min(token.end, title.end)
    return gap, abs(token.start + token.end - title.start - title.end)
