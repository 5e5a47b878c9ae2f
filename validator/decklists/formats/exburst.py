"""ExBurst: `4 x OP01-016`."""

from __future__ import annotations

from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import joined
from validator.decklists.format import numbered
from validator.decklists.format import written_as

FORMATS = (
    Format(
        "exburst",
        "ExBurst text: 4 x OP01-016",
        carries=BY_TYPE,
        fits=written_as("4 xNUM", "4 x NUM"),
        write=joined(numbered("{count} x {number}")),
    ),
)
