"""Frames: the lines, boxes and the code of a page, as one picture under its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.sheets import qrcode
from api.sheets.layout import BAND, BODY, FIELDS, GUTTER, HEAD, MARGIN, SIDE, Layout, Paper, PrintedPage, PrintedRow
from api.sheets.registration import Registration
from api.sheets.sheet import Sheet

_TICK = 8.5
_STYLES = {
    "hair": 'fill="none" stroke="#999" stroke-width="0.5"',
    "firm": 'fill="none" stroke="#000" stroke-width="0.9"',
    "tick": 'fill="none" stroke="#000" stroke-width="0.7"',
    "solid": 'fill="#000"',
}


def frame(sheet: Sheet, laid: Layout, page: PrintedPage, paper: Paper) -> str:
    """Return the picture of a page of a sheet, as SVG."""
    drawn: dict[str, list[str]] = {style: [] for style in _STYLES}
    drawn["firm"].append(_box(MARGIN, HEAD, SIDE, SIDE))
    drawn["hair"] += _lines_to_write_on(sheet.registration)
    if page is laid.pages[0]:
        drawn["hair"] += (f"M{x:.2f} {BODY + FIELDS - 10}h{width:.2f}" for x, width in fields(paper))
        drawn["firm" if sheet.legal else "solid"].append(_box(MARGIN, BODY + FIELDS, paper.inner, BAND))
    drop = (laid.density.pitch + laid.density.air - _TICK) / 2
    for rows, x in ((page.left, MARGIN), (page.right, MARGIN + paper.column + GUTTER)):
        _column(drawn, rows, x, page.top, paper.column, drop)
    paths = "".join(f'<path {_STYLES[style]} d="{"".join(strokes)}"/>' for style, strokes in drawn.items() if strokes)
    code = _code(sheet.scanned, paper) if sheet.scanned else ""
    size = f'width="{paper.width}" height="{paper.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{paths}{code}</svg>'


def _lines_to_write_on(person: Registration) -> Iterator[str]:
    """Yield a line for each thing that is not known of the player."""
    for text, x, y, width in (
        (person.player.filed, 68.0, 30.0, 312.0),
        (person.player_id, 106.0, SIDE, 150.0),
        (person.table, 310.0, SIDE, 70.0),
    ):
        if not text:
            yield f"M{MARGIN + x} {HEAD + y}h{width}"


def fields(paper: Paper) -> list[tuple[float, float]]:
    """Return where the fields for event, date and place begin, and how wide they are."""
    wide, narrow = paper.inner * 0.41, paper.inner * 0.18
    return [(MARGIN, wide - 10), (MARGIN + wide, narrow - 10), (MARGIN + wide + narrow, wide)]


def _column(
    drawn: dict[str, list[str]], rows: Sequence[PrintedRow], x: float, y: float, width: float, drop: float
) -> None:
    """Draw a line under each row of a column, and a box to tick beside each card."""
    right = x + width - _TICK
    for row in rows:
        if row.kind in ("card", "unknown"):
            drawn["tick"].append(_box(right, y + drop, _TICK, _TICK))
        y += row.height
        drawn["firm" if row.kind == "heading" else "hair"].append(f"M{x:.2f} {y:.2f}h{width:.2f}")


def _box(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:.2f} {y:.2f}h{width:.2f}v{height:.2f}h{-width:.2f}z"


def _code(text: str, paper: Paper) -> str:
    modules, path = qrcode.path(text)
    place = f"translate({paper.width - MARGIN - SIDE:.2f} {HEAD}) scale({SIDE / modules:.5f})"
    return f'<path transform="{place}" fill="none" stroke="#000" stroke-width="1.02" d="{path}"/>'
