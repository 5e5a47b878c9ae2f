"""DeckPlanet: `4 Nappa, Demolition Man [BT9-090]` under `_____Main Deck_____`, and its list of ids."""

from __future__ import annotations

import re

from validator.decklists.format import Format
from validator.decklists.format import headed
from validator.decklists.format import named
from validator.decklists.listing import Listing
from validator.decklists.reading import Reading
from validator.decklists.source import Source

_IDS = re.compile(r"[0-9]{1,6}")
_NO_ID = "a DeckPlanet id, which only that site can tell the card of; copy the deck as text instead"

_TITLES = {
    "leader": "_____Leader_____",
    "main": "_____Main Deck_____",
    "z": "_____Z Deck_____",
    "side": "_____Side Deck_____",
}
_line = named("{count} {name} [{number}]")


def _fits(listing: Listing) -> bool:
    return "_" in listing.styles


def _read_ids(source: Source) -> Reading | None:
    if len(source.rows) < 2 or not all(_IDS.fullmatch(row.plain) for row in source.rows):
        return None
    reading = Reading("deckplanet-ids")
    for row in source.rows:
        reading.skip(row.at, row.raw, _NO_ID)
    return reading


FORMATS = (
    Format(
        "deckplanet-ids",
        "DeckPlanet export of ids, a copy to a line; recognised, but only DeckPlanet can read it",
        carries=(),
        read=_read_ids,
    ),
    Format(
        "deckplanet",
        "DeckPlanet text: 4 Nappa, Demolition Man [BT9-090] under _____Main Deck_____",
        carries=tuple(_TITLES),
        fits=_fits,
        write=headed(_line, _TITLES),
    ),
)
