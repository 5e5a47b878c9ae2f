"""Formats: a way of writing decks, how it is told from the others, read and written back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck, DeckLine, resolve
from validator.decklists.draft import Draft
from validator.decklists.listing import Listing
from validator.decklists.source import Source

# What a list without headings can hold: Leader and Z-Cards are told by their types when it is read.
BY_TYPE = ("leader", "main", "z")
_SHOWN = 5  # cards of one name, in a sentence

Write = Callable[[Deck, Catalogue | None], str]
WriteLine = Callable[[DeckLine, Catalogue | None], str]


@dataclass(frozen=True, slots=True)
class Format:
    """One format: a structured one has `read`, which returns None for any other text; one of lines has `fits`.

    `marks` are characters, or two blanks, of which every text that `read` takes has one, so that it is not tried on
    others. `carries`
    are the sections that it can hold; a format without `write` is only read.
    """

    name: str
    title: str
    carries: Sequence[str] = SECTIONS
    read: Callable[[Source], Draft | None] | None = None
    fits: Callable[[Listing], bool] | None = None
    write: Write | None = None
    marks: frozenset[str] = frozenset()


def joined(line: WriteLine, between: str = "\n", sections: Sequence[str] = BY_TYPE) -> Write:
    """Return a writer of lists without headings."""
    return lambda deck, catalogue: between.join(
        line(card, catalogue) for section in sections for card in deck.section(section)
    )


def headed(line: WriteLine, titles: Mapping[str, str], blank: str = "\n\n") -> Write:
    """Return a writer of lists with a heading over each section, in the order of `titles`."""
    return lambda deck, catalogue: blank.join(
        "\n".join([title, *(line(card, catalogue) for card in deck.section(section))])
        for section, title in titles.items()
        if deck.section(section)
    )


def number(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line's number; a ValueError says so where it has none and its name is not that of one card."""
    if found := known_number(line, catalogue):
        return found
    alike = [card.number for card in catalogue.by_name(line.name or "") if card.number] if catalogue else []
    more = f" and {len(alike) - _SHOWN} more" if len(alike) > _SHOWN else ""
    why = f"is the name of {', '.join(alike[:_SHOWN])}{more}; write which" if alike else "has none"
    raise ValueError(f"this format names cards by number, and {line.written!r} {why}")


def known_number(line: DeckLine, catalogue: Catalogue | None) -> str | None:
    """Return a line's number, that of the one card of its name where it has none; None if nobody knows it."""
    if line.number is not None or catalogue is None:
        return line.number
    card = resolve(line, catalogue)
    return card.number or None if isinstance(card, Card) else None


def name(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line's name in one piece, from the catalogue where the line has none; "" if nobody knows it."""
    if line.name is not None:
        return " ".join(line.name.split())
    card = catalogue.by_number(line.number) if catalogue and line.number else None
    return card.name if card else ""


def numbered(pattern: str) -> WriteLine:
    """Return a writer of lines of `count` and `number` alone, such as "{count}x{number}"."""
    return lambda line, catalogue: pattern.format(count=line.count, number=number(line, catalogue))


def totals(lines: Iterable[DeckLine], catalogue: Catalogue | None) -> dict[str, int]:
    """Return the copies of each number, for formats that can name a card but once."""
    copies: dict[str, int] = {}
    for line in lines:
        key = number(line, catalogue)
        copies[key] = copies.get(key, 0) + line.count
    return copies


def named(pattern: str) -> WriteLine:
    """Return a writer of lines of count and `card`: number and name as in "{count} {name} ({number})".

    What a line has not is left out with its brackets.
    """

    def write(line: DeckLine, catalogue: Catalogue | None) -> str:
        if (found := known_number(line, catalogue)) is None:
            return f"{line.count} {name(line, catalogue)}"
        text = pattern.format(count=line.count, number=found, name=name(line, catalogue))
        return " ".join(text.split())

    return write
