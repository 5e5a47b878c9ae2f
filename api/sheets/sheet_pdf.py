"""PDF files of registration sheets, drawn by typst.

The lines, boxes and the QR code of a page are one SVG picture below its texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any

import typst

from api.sheets import fonts, layout, qrcode
from api.sheets.layout import (
    BAND,
    BODY,
    FIELDS,
    GUTTER,
    HEAD,
    MARGIN,
    PAPERS,
    SIDE,
    Layout,
    Paper,
    PrintedPage,
    PrintedRow,
)
from api.sheets.registration import Registration
from api.sheets.sheet import Sheet

_TemplateData = Mapping[str, object]  # as JSON, for `sheet.typ`

# A drawing of this many characters leaves more behind in typst's memory than is worth keeping.
_LARGE = 20_000
_GENERATIONS = 11  # typst forgets what its last ten runs did not use
_TICK_BOX = 8.5  # points that the box beside a card is wide and high
_STYLES = {
    "hair": 'fill="none" stroke="#999" stroke-width="0.5"',
    "firm": 'fill="none" stroke="#000" stroke-width="0.9"',
    "tick": 'fill="none" stroke="#000" stroke-width="0.7"',
    "solid": 'fill="#000"',
}


def write(sheet: Sheet, paper: str = "a4") -> bytes:
    """Return a sheet as PDF, on "a4" or "letter" paper. Raises KeyError for another paper."""
    return draw_sheets([sheet], paper)


def draw_sheets(sheets: Sequence[Sheet], paper: str = "a4") -> bytes:
    """Return sheets as one PDF, each beginning on a page of its own, on "a4" or "letter" paper.

    Characters that no font has are printed as code points. After a large PDF the cache of typst is emptied. Raises
    KeyError for another paper.
    """
    size = PAPERS[paper]
    data = {
        "fonts": fonts.FAMILIES,
        "at": _paper_lengths(size),
        "sheets": [_sheet_data(sheet, size) for sheet in sheets],
    }
    text = fonts.mark_missing(json.dumps(data, ensure_ascii=False))
    # Tags would give the order on paper, which is not the order of reading. Strict readers refuse the tags of typst.
    pdf = typst.compile(_read_template(), font_paths=fonts.fonts(), sys_inputs={"data": text}, pdf_tags=False)
    if len(text) >= _LARGE:
        _empty_typst_cache()
    return pdf


def _empty_typst_cache() -> None:
    """Compile empty documents until typst has dropped its cache of earlier sheets."""
    for _ in range(_GENERATIONS):
        typst.compile(b"", font_paths=fonts.fonts())


@cache
def _read_template() -> bytes:
    """Return the typst template of a sheet. The result is cached."""
    return (resources.files("api.sheets") / "sheet.typ").read_bytes()


def _paper_lengths(paper: Paper) -> _TemplateData:
    """Return the lengths and positions of the template for a paper size by name, in points."""
    return {
        "width": paper.width,
        "height": paper.height,
        "inner": paper.inner,
        "column": paper.column,
        "margin": layout.MARGIN,
        "gutter": layout.GUTTER,
        "head": layout.HEAD,
        "side": layout.SIDE,
        "body": layout.BODY,
        "band": layout.BODY + layout.FIELDS,
        "small": layout.BODY + layout.FIELDS + layout.BAND,
        "judges": paper.height - layout.FOOT - layout.JUDGES,
        "foot": layout.FOOT,
        "count": layout.COUNT,
        "tick": layout.TICK,
        "fields": [x for x, _ in fields(paper)],
    }


def _sheet_data(sheet: Sheet, paper: Paper) -> _TemplateData:
    """Return the values of the template for one sheet, by name. The sheet is laid out in pages for the paper here.

    A text of the head or the event is `(font size, weight, text)`, fitted to its box.
    """
    laid = layout.layout(sheet, paper)
    person = sheet.registration
    filled = (person.event, person.day, person.place)
    return {
        "headline": fonts.fit_bold_text(sheet.headline, paper.inner, 14, 10.5),
        "initial": fonts.fit_bold_text(person.player.initial, layout.SIDE, layout.SIDE, 31),
        "name": fonts.fit_bold_text(person.player.full_name, paper.inner - 2 * layout.SIDE - 30, 34, 24),
        "id": fonts.fit_bold_text(person.player_id, 160, 18, 14),
        "table": fonts.fit_bold_text(person.table, 80, 18, 14),
        "first": {
            "fields": [
                fonts.fit_bold_text(text, width, 20, 12) for text, (_, width) in zip(filled, fields(paper), strict=True)
            ],
            "legal": sheet.legal,
            "verdict": sheet.verdict,
            "about": _findings_note(sheet),
            "totals": [[f"{title} ", str(total)] for title, total in sheet.totals],
            "small": "\n".join(laid.small),
        },
        "style": {
            "size": laid.density.size,
            "leading": laid.density.pitch + laid.density.air - laid.density.size,
            "close": laid.density.pitch - laid.density.size,
            "drop": laid.density.drop,
            "number": laid.number,
        },
        "pages": [_page_data(sheet, laid, place, paper) for place in range(len(laid.pages))],
        "hash": sheet.deck_hash,
        "source": f"   {sheet.cards_as_of}" if sheet.cards_as_of else "",
    }


def _findings_note(sheet: Sheet) -> str:
    """Return the words with the number of findings: "2 findings, listed after the deck". "" if there are none."""
    return f"{sheet.found} finding{'s' if sheet.found > 1 else ''}, listed after the deck" if sheet.found else ""


def _page_data(sheet: Sheet, sheet_layout: Layout, page_index: int, paper: Paper) -> _TemplateData:
    """Return the values of the template for the page at `page_index` of a sheet: its name, frame and columns."""
    page = sheet_layout.pages[page_index]
    return {
        "first": page_index == 0,
        "name": f"Page {page_index + 1} of {len(sheet_layout.pages)}",
        "frame": frame(sheet, sheet_layout, page, paper),
        "top": page.top,
        "columns": [list(_column_data(rows)) for rows in (page.left, page.right)],
    }


def _column_data(rows: Sequence[PrintedRow]) -> Iterator[list[Any]]:
    """Yield the values of the template for the rows of a column.

    Successive cards of one line each are one value, `["cards", height of all, cells of each]`, because typst draws them
    much faster. Any other row is a value of `_row_data`.
    """
    for together, run in groupby(rows, _is_plain):
        if together:
            cards = list(run)
            yield ["cards", sum(card.height for card in cards), [_card_cells(card) for card in cards]]
        else:
            yield from map(_row_data, run)


def _is_plain(row: PrintedRow) -> bool:
    """Return True if a row is a card of the catalogue whose name fits on one line."""
    return row.kind == "card" and len(row.cells[-1]) == 1


def _card_cells(card: PrintedRow) -> tuple[str, str, str, str]:
    """Return `(count, number, name, cost)` of the row of a card whose name is on one line."""
    count, number, cost, (name,) = card.cells
    return count, number, name, cost


def _row_data(row: PrintedRow) -> list[Any]:
    """Return the values of the template for a row: kind, height and cells.

    The kind of an unknown card is "card", too. A wrapped name is one text of several lines.
    """
    if row.kind not in ("card", "unknown"):
        return [row.kind, row.height, *row.cells]
    *cells, lines = row.cells
    return ["card", row.height, *cells, "\n".join(lines)]


def frame(sheet: Sheet, sheet_layout: Layout, page: PrintedPage, paper: Paper) -> str:
    """Return the lines, the boxes and the QR code of a page of a sheet, as SVG text.

    The page's texts are not included.
    """
    strokes: dict[str, list[str]] = {style: [] for style in _STYLES}
    strokes["firm"].append(_rectangle_path(MARGIN, HEAD, SIDE, SIDE))
    strokes["hair"] += _lines_to_write_on(sheet.registration)
    if page is sheet_layout.pages[0]:
        strokes["hair"] += (f"M{x:.2f} {BODY + FIELDS - 10}h{width:.2f}" for x, width in fields(paper))
        strokes["firm" if sheet.legal else "solid"].append(_rectangle_path(MARGIN, BODY + FIELDS, paper.inner, BAND))
    drop = (sheet_layout.density.pitch + sheet_layout.density.air - _TICK_BOX) / 2
    for rows, x in ((page.left, MARGIN), (page.right, MARGIN + paper.column + GUTTER)):
        _draw_column(strokes, rows, x, page.top, paper.column, drop)
    paths = "".join(f'<path {_STYLES[style]} d="{"".join(parts)}"/>' for style, parts in strokes.items() if parts)
    code = _qr_code(sheet.code_text, paper) if sheet.code_text else ""
    size = f'width="{paper.width}" height="{paper.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{paths}{code}</svg>'


def _lines_to_write_on(person: Registration) -> Iterator[str]:
    """Yield the SVG path of a line to write on for each field of the player that is empty."""
    for text, x, y, width in (
        (person.player.full_name, 68.0, 30.0, 312.0),
        (person.player_id, 106.0, SIDE, 150.0),
        (person.table, 310.0, SIDE, 70.0),
    ):
        if not text:
            yield f"M{MARGIN + x} {HEAD + y}h{width}"


def fields(paper: Paper) -> list[tuple[float, float]]:
    """Return `(left edge, width)` of the three fields for event, date and place, in points."""
    wide, narrow = paper.inner * 0.41, paper.inner * 0.18
    return [(MARGIN, wide - 10), (MARGIN + wide, narrow - 10), (MARGIN + wide + narrow, wide)]


def _draw_column(
    strokes: dict[str, list[str]], rows: Sequence[PrintedRow], x: float, y: float, width: float, drop: float
) -> None:
    """Add a line under each row of a column, and a box to tick beside each card, to `strokes` (SVG paths by style).

    The column begins at `x` and `y`. `drop` is the distance from the upper edge of a row to its box.
    """
    right = x + width - _TICK_BOX
    for row in rows:
        if row.kind in ("card", "unknown"):
            strokes["tick"].append(_rectangle_path(right, y + drop, _TICK_BOX, _TICK_BOX))
        y += row.height
        strokes["firm" if row.kind == "heading" else "hair"].append(f"M{x:.2f} {y:.2f}h{width:.2f}")


def _rectangle_path(x: float, y: float, width: float, height: float) -> str:
    """Return the SVG path of a rectangle."""
    return f"M{x:.2f} {y:.2f}h{width:.2f}v{height:.2f}h{-width:.2f}z"


def _qr_code(text: str, paper: Paper) -> str:
    """Return the SVG element of a QR code in the head of the page, at the right margin."""
    modules, path = qrcode.path(text)
    place = f"translate({paper.width - MARGIN - SIDE:.2f} {HEAD}) scale({SIDE / modules:.5f})"
    return f'<path transform="{place}" fill="none" stroke="#000" stroke-width="1.02" d="{path}"/>'
