"""Formats: a way of writing decks, how it is told from the others, read and written back."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass

from validator.cards import Catalogue
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import DeckLine
from validator.decklists.listing import Listing
from validator.decklists.reading import Reading
from validator.decklists.source import Source

# What a list without headings can hold: Leader and Z-Cards are told by their types when it is read.
BY_TYPE = ("leader", "main", "z")

Write = Callable[[Deck, Catalogue | None], str]
WriteLine = Callable[[DeckLine, Catalogue | None], str]


@dataclass(frozen=True, slots=True)
class Format:
    """One format: a structured one has `read`, which returns None for any other text; one of lines has `fits`.

    `carries` are the sections that it can hold; a format without `write` is only read.
    """

    name: str
    title: str
    carries: Sequence[str] = SECTIONS
    read: Callable[[Source], Reading | None] | None = None
    fits: Callable[[Listing], bool] | None = None
    write: Write | None = None


def written_as(*forms: str, headed: bool = False) -> Callable[[Listing], bool]:
    """Return a test for lists whose cards are all written in these ways, with headings or without."""
    return lambda listing: bool(listing.forms) and listing.forms <= {*forms} and bool(listing.styles) <= headed


def joined(line: WriteLine, between: str = "\n", sections: Sequence[str] = BY_TYPE) -> Write:
    """Return a writer of lists without headings."""
    return lambda deck, catalogue: between.join(
        line(card, catalogue) for section in sections for card in deck.section(section)
    )


def headed(line: WriteLine, titles: Mapping[str, str], blank: str = "\n\n") -> Write:
    """Return a writer of lists with a heading over each section, in the order of `titles`."""

    def write(deck: Deck, catalogue: Catalogue | None) -> str:
        parts = (
            "\n".join([title, *(line(card, catalogue) for card in deck.section(section))])
            for section, title in titles.items()
            if deck.section(section)
        )
        return blank.join(parts)

    return write


def number(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line's number; a ValueError says so where it has none and its name is not that of one card."""
    if line.number is not None:
        return line.number
    numbers = {card.number for card in catalogue.by_name(line.name or "")} if catalogue else set()
    if len(numbers) != 1:
        raise ValueError(f"this format names cards by number, and {line.written!r} has none")
    return numbers.pop()


def name(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line's name in one piece, from the catalogue where the line has none; "" if nobody knows it."""
    if line.name is not None:
        return " ".join(line.name.split())
    card = catalogue.by_number(line.number) if catalogue and line.number else None
    return card.name if card else ""


def numbered(pattern: str) -> WriteLine:
    """Return a writer of lines of `count` and `number` alone, such as "{count}x{number}"."""
    return lambda line, catalogue: pattern.format(count=line.count, number=number(line, catalogue))


def named(pattern: str) -> WriteLine:
    """Return a writer of lines of count and `card`: number and name as in "{count} {name} ({number})".

    What a line has not is left out with its brackets.
    """

    def write(line: DeckLine, catalogue: Catalogue | None) -> str:
        if line.number is None:
            return f"{line.count} {name(line, catalogue)}"
        text = pattern.format(count=line.count, number=line.number, name=name(line, catalogue))
        return " ".join(text.split())

    return write
