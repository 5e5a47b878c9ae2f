"""onepiecetopdecks.com: text lines `4 (OP01-016)`, and "deckgen" links with `dg=1nOP12-001a4nOP01-016`."""

from __future__ import annotations

import re

from validator.decklists import links
from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import joined
from validator.decklists.format import numbered
from validator.decklists.format import written_as
from validator.decklists.links import Link

_CARD = re.compile(r"([0-9]+)n(.+)")
_BETWEEN = re.compile(r"a(?=[0-9]+n)")
_LINK = "https://onepiecetopdecks.com/deckgen?dg={}"


def _decode(link: Link) -> list[tuple[str, str]] | None:
    cards = [_CARD.fullmatch(card) for card in _BETWEEN.split(link.fields.get("dg", ""))]
    return [(card[1], card[2]) for card in cards if card] if all(cards) else None


_cards = joined(numbered("{count}n{number}"), "a")

FORMATS = (
    Format(
        "onepiecetopdecks-url",
        "deckgen link of onepiecetopdecks.com: ?dg=1nOP12-001a4nOP01-016",
        carries=BY_TYPE,
        read=links.reader("onepiecetopdecks-url", _decode),
        write=lambda deck, catalogue: _LINK.format(_cards(deck, catalogue)),
    ),
    Format(
        "onepiecetopdecks",
        "onepiecetopdecks.com text: 4 (OP01-016)",
        carries=BY_TYPE,
        fits=written_as("4 (NUM)"),
        write=joined(numbered("{count} ({number})")),
    ),
)
