"""untap.in: `4 Perfect Force Cell (bt2-084)` under `//deck-1`."""

from __future__ import annotations

from validator.decklists.format import Format
from validator.decklists.format import headed
from validator.decklists.format import named

FORMATS = (
    Format(
        "untap",
        "untap.in text: 4 Perfect Force Cell (bt2-084) under //play-1, //deck-1, //sideboard-1",
        carries=("leader", "main", "side"),
        fits=lambda listing: "//word-1" in listing.styles,
        write=headed(
            named("{count} {name} ({number})"),
            {"leader": "//play-1", "main": "//deck-1", "side": "//sideboard-1"},
            blank="\n",
        ),
    ),
)
