"""Mojibake: cells in UTF-8 that a program read as Windows-1252 before it saved them, "JÃ¼rgen" for "Jürgen".

`grids` repairs each sheet with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from api.workbooks.intake.cells import Cell
from api.workbooks.intake.faults import quoted
from validator.decklists.encoding import LAST_RESORT

_MARK = "ï»¿"  # the mark at the beginning of UTF-8, so misread
_FEWEST = 3  # characters that are evidence enough where all that is not ASCII can be mended
# Windows-1252 has no character for five bytes; programs keep them as control characters or as private ones.
_UNNAMED = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
_BYTES = {ord(bytes([byte]).decode(LAST_RESORT)): byte for byte in range(0x80, 0xA0) if byte not in _UNNAMED}
_BYTES |= {0xF100 + byte: byte for byte in _UNNAMED}


def repair_rows(rows: Sequence[Sequence[Cell]]) -> tuple[Sequence[Sequence[Cell]], str]:
    """Return the rows of a sheet with repaired texts, and the message about the repair, "" if nothing was repaired.

    A mark tells, or that all that is not ASCII, and not little, is UTF-8 so misread.
    """
    foreign = {cell for cell in chain.from_iterable(rows) if type(cell) is str and not cell.isascii()}
    read = {cell: text for cell in foreign if (text := _decode_mojibake(cell))}
    if not any(cell.startswith(_MARK) for cell in read) and not _is_proven(foreign, read):
        return rows, ""
    texts: Mapping[Cell, Cell] = {cell: text.removeprefix("\ufeff") for cell, text in read.items()}
    return [[texts.get(cell, cell) for cell in row] for row in rows], _describe_repair(read, len(foreign) - len(read))


def _is_proven(foreign: set[str], read: Mapping[str, str]) -> bool:
    return len(read) == len(foreign) and sum(not one.isascii() for one in "".join(read.values())) >= _FEWEST


def _decode_mojibake(cell: str) -> str | None:
    """Return the UTF-8 text of a garbled cell, None if the cell cannot be mojibake."""
    try:
        return cell.translate(_BYTES).encode("latin-1").decode("utf-8")
    except ValueError:
        return None


def _describe_repair(read: Mapping[str, str], left: int) -> str:
    before = min(read, key=lambda cell: (cell.startswith(_MARK), cell))
    rest = f"; {left:,} more could not be put right" if left else ""
    return (
        f"a program had read this text with the wrong encoding (Windows-1252 for UTF-8) and saved it so; it was put "
        f"right: {quoted(before)} is read as {quoted(read[before])}{rest}"
    )
