"""OPTCGSim: `4xOP01-016`, a card to a line or all in one line; also the plainest list of numbers there is."""

from __future__ import annotations

import re

from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import joined
from validator.decklists.format import numbered
from validator.decklists.format import written_as
from validator.decklists.listing import Listing
from validator.decklists.reading import Reading
from validator.decklists.source import Source

_ITEM = r"[0-9]{1,6}x[A-Z]{1,5}[0-9]{0,3}-[0-9]{2,4}(?:_[A-Za-z0-9]{1,12})*"
_LIST = re.compile(rf"\s*{_ITEM}(?:\s+{_ITEM})*\s*")

_line = numbered("{count}x{number}")


def _read(source: Source) -> Reading | None:
    """Read the export of the simulator as it is, without the care that lists typed by hand need."""
    if not _LIST.fullmatch(source.text):
        return None
    reading = Reading("optcgsim")
    for at, raw in enumerate(source.text.splitlines(), 1):
        items = raw.split()
        if len(items) > 1:
            reading.format = "optcgsim-line"
        for item in items:
            count, _, number = item.partition("x")
            reading.add(None, count, number, None, at, raw)
    return reading


def _in_one_line(listing: Listing) -> bool:
    return listing.crowded and _in_lines(listing)


_in_lines = written_as("4xNUM")

FORMATS = (
    Format(
        "optcgsim-line",
        "OPTCGSim export in one line: 1xOP01-001 4xOP01-016",
        carries=BY_TYPE,
        fits=_in_one_line,
        write=joined(_line, " "),
    ),
    Format(
        "optcgsim",
        "OPTCGSim export: 4xOP01-016",
        carries=BY_TYPE,
        read=_read,
        fits=_in_lines,
        write=joined(_line),
    ),
)
