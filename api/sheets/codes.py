"""QR codes: a deck's hash for a judge's telephone."""

from __future__ import annotations

import struct
import zlib
from functools import cache
from itertools import groupby
from math import isqrt

import zxingcpp

_SCALE = 4  # pixels a module, so that no printer blurs it
_CHUNK = 8  # modules drawn in one go
_DARK, _WHITE = b"\x00", b"\xff"


def path(text: str) -> tuple[int, str]:
    """Return how many modules a code is wide, and the data of an SVG path that draws it in strokes 1 wide."""
    side, modules = _modules(text)
    strokes = []
    for down in range(side):
        row = modules[down * side : (down + 1) * side]
        strokes.append(f"M0 {down}.5")
        strokes += [_strokes(row[at : at + _CHUNK]) for at in range(0, side, _CHUNK)]
    return side, "".join(strokes)


def png(text: str, margin: int = 2) -> bytes:
    """Return a code as a PNG picture, black on white, with a margin of so many modules."""
    side, modules = _modules(text)
    wide = modules.replace(_DARK, _DARK * _SCALE).replace(_WHITE, _WHITE * _SCALE)
    across = _WHITE * margin * _SCALE
    rows = [across + wide[at : at + side * _SCALE] + across for at in range(0, len(wide), side * _SCALE)]
    blank = [_WHITE * len(rows[0])] * margin
    return _png([row for row in (*blank, *rows, *blank) for _ in range(_SCALE)])


def _modules(text: str) -> tuple[int, bytes]:
    """Return how many modules a code is wide, and its modules, a byte each: 0 is dark, 255 white."""
    # Any mask reads well over a hash; finding the best one would take four times longer than the rest.
    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M", data_mask=3)
    modules = memoryview(code.to_image(add_quiet_zones=False)).tobytes()
    return isqrt(len(modules)), modules


@cache
def _strokes(modules: bytes) -> str:
    """Return the strokes for a few modules of a row; there are few different ones."""
    runs = ((light, len(list(run))) for light, run in groupby(modules))
    return "".join(f"m{length} 0" if light else f"h{length}" for light, length in runs)


def _png(rows: list[bytes]) -> bytes:
    """Return a greyscale PNG of rows with a byte a pixel."""
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
