"""gumgum.gg: links with `?deck=1xOP12-001;4xOP01-016`."""

from __future__ import annotations

from validator.decklists import links
from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import joined
from validator.decklists.format import numbered

_LINK = "https://gumgum.gg/deckbuilder?deck={}"
_cards = joined(numbered("{count}x{number}"), ";")

FORMATS = (
    Format(
        "gumgum-url",
        "link of gumgum.gg: ?deck=1xOP12-001;4xOP01-016",
        carries=BY_TYPE,
        read=links.reader("gumgum-url", links.items("deck", ";")),
        write=lambda deck, catalogue: _LINK.format(_cards(deck, catalogue)),
    ),
)
