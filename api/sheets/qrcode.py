"""QR codes: a deck's hash, or the address of an event, for a phone.

segno is pure Python: a code takes about 1.5 ms as a path and 3 ms as a PNG.
"""

from __future__ import annotations

import re
from io import BytesIO

import segno

_SCALE = 4  # pixels of a module, so that no printer blurs it
_DARK = re.compile(rb"\x01+")
_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}  # by the dark halves


def path(text: str) -> tuple[int, str]:
    """Return `(width, path)` of a QR code: its width in modules without a margin, and the data of an SVG path.

    The path draws the code in strokes, which must be 1 wide.
    """
    rows = _make_code(text).matrix
    strokes = (
        f"M{run.start()} {row_index}.5h{len(run[0])}"
        for row_index, row in enumerate(rows)
        for run in _DARK.finditer(row)
    )
    return len(rows), "".join(strokes)


def png(text: str) -> bytes:
    """Return a QR code as a PNG picture, black on white, with the margin that scanners need."""
    written = BytesIO()
    _make_code(text).save(written, kind="png", scale=_SCALE)
    return written.getvalue()


def text(content: str) -> str:
    """Return a QR code as lines of half blocks, two rows of the code in a line.

    Show it black on white, for a terminal.
    """
    dark = [[bool(module) for module in row] for row in _make_code(content).matrix_iter()]
    pairs = zip(dark[::2], [*dark[1::2], [False] * len(dark)], strict=False)  # with its margin it may have an odd row
    return "\n".join("".join(map(_HALVES.__getitem__, zip(*pair, strict=True))) for pair in pairs)


def _make_code(text: str) -> segno.QRCode:
    """Return the QR code of a text, which stays readable with up to 15 % damage."""
    # Any mask is good for a hash. The search for the best mask would take four times longer than the rest.
    return segno.make_qr(text, error="m", mask=3, boost_error=False)
