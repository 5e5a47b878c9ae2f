"""Limitless: `4 Nami (OP01-016)` under Leader and the kinds of card, with their totals."""

from __future__ import annotations

from collections.abc import Iterator

from validator.cards import Catalogue
from validator.deck import Deck
from validator.deck import DeckLine
from validator.decklists import headings
from validator.decklists.format import Format
from validator.decklists.format import named
from validator.decklists.format import written_as
from validator.decklists.listing import Listing

_line = named("{count} {name} ({number})")


def _fits(listing: Listing) -> bool:
    return listing.styles <= {""} and written_as("4 NAME (NUM)", "4 (NUM)", headed=True)(listing)


def _write(deck: Deck, catalogue: Catalogue | None) -> str:
    return "\n\n".join(
        "\n".join([title, *(_line(line, catalogue) for line in lines)]) for title, lines in _parts(deck, catalogue)
    )


def _parts(deck: Deck, catalogue: Catalogue | None) -> Iterator[tuple[str, list[DeckLine]]]:
    if deck.leader:
        yield "Leader", list(deck.leader)
    kinds: dict[str, list[DeckLine]] = {}
    for line in deck.main:
        kinds.setdefault(_kind(line, catalogue), []).append(line)
    for kind, lines in kinds.items():
        yield f"{kind} ({sum(line.count for line in lines)})", lines


def _kind(line: DeckLine, catalogue: Catalogue | None) -> str:
    card = catalogue.by_number(line.number) if catalogue and line.number else None
    return card.type if card and headings.section(card.type) == "main" else "Main Deck"


FORMATS = (
    Format(
        "limitless",
        "Limitless text: 4 Nami (OP01-016) under Leader, Character (36), Event (14)",
        carries=("leader", "main"),
        fits=_fits,
        write=_write,
    ),
)
