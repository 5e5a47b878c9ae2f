"""digimoncard.io and its sister sites: `4 Nami OP01-016` under `// Main Deck`."""

from __future__ import annotations

from validator.decklists.format import Format
from validator.decklists.format import headed
from validator.decklists.format import named

FORMATS = (
    Format(
        "digimoncard",
        "text of digimoncard.io and its sister sites: 4 Nami OP01-016 under // Main Deck",
        fits=lambda listing: "//" in listing.styles,
        write=headed(
            named("{count} {name} {number}"),
            {
                "leader": "// Leader",
                "main": "// Main Deck",
                "side": "// Side Deck",
                "z": "// Z Deck",
                "don": "// DON!! Deck",
            },
            blank="\n",
        ),
    ),
)
