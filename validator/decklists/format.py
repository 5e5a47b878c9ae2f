"""Formats: the ways of writing decks, each with its tests, its reader and its writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck, DeckLine, resolve
from validator.decklists.draft import Draft
from validator.decklists.listing import Listing
from validator.decklists.source import Source

# Sections in a list without headings. The reader finds Leader and Z-Cards by their types.
BY_TYPE = ("leader", "main", "z")
_SHOWN = 5  # cards of one name, in a sentence

Write = Callable[[Deck, Catalogue | None], str]
WriteLine = Callable[[DeckLine, Catalogue | None], str]


@dataclass(frozen=True, slots=True)
class Format:
    """One format of deck lists.

    A structured format has `read`, which returns None for any other text. A format of lines has `fits`. `marks` are
    characters, or two blanks. Each text of the format has at least one of them, so that `read` is not tried on others.
    `carries` are the sections that the format can hold. A format without `write` can only be read.
    """

    name: str
    title: str
    carries: Sequence[str] = SECTIONS
    read: Callable[[Source], Draft | None] | None = None
    fits: Callable[[Listing], bool] | None = None
    write: Write | None = None
    marks: frozenset[str] = frozenset()


def writer_without_headings(line: WriteLine, separator: str = "\n", sections: Sequence[str] = BY_TYPE) -> Write:
    """Return a writer of lists without headings."""
    return lambda deck, catalogue: separator.join(
        line(card, catalogue) for section in sections for card in deck.section(section)
    )


def writer_with_headings(line: WriteLine, titles: Mapping[str, str], blank: str = "\n\n") -> Write:
    """Return a writer of lists with a heading over each section, in the order of `titles`."""
    return lambda deck, catalogue: blank.join(
        "\n".join([title, *(line(card, catalogue) for card in deck.section(section))])
        for section, title in titles.items()
        if deck.section(section)
    )


def required_card_number(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line's number. Raises ValueError if it has none and its name is not that of exactly one card."""
    if found := known_number(line, catalogue):
        return found
    same_name = [card.number for card in catalogue.by_name(line.name or "") if card.number] if catalogue else []
    more = f" and {len(same_name) - _SHOWN} more" if len(same_name) > _SHOWN else ""
    why = f"is the name of {', '.join(same_name[:_SHOWN])}{more}; write which" if same_name else "has none"
    raise ValueError(f"this format names cards by number, and {line.written!r} {why}")


def known_number(line: DeckLine, catalogue: Catalogue | None) -> str | None:
    """Return a line's number, or the number of the only card of its name. None if there is no such card."""
    if line.number is not None or catalogue is None:
        return line.number
    card = resolve(line, catalogue)
    return card.number or None if isinstance(card, Card) else None


def card_name_of_line(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line's name with single blanks, from the catalogue if the line has none. "" if there is no name."""
    if line.name is not None:
        return " ".join(line.name.split())
    card = catalogue.by_number(line.number) if catalogue and line.number else None
    return card.name if card else ""


def number_line_writer(pattern: str) -> WriteLine:
    """Return a writer of lines that have only `count` and `number`, such as "{count}x{number}"."""
    return lambda line, catalogue: pattern.format(count=line.count, number=required_card_number(line, catalogue))


def copies_by_number(lines: Iterable[DeckLine], catalogue: Catalogue | None) -> dict[str, int]:
    """Return the copies of each number, for formats that name each card only once."""
    copies: dict[str, int] = {}
    for line in lines:
        key = required_card_number(line, catalogue)
        copies[key] = copies.get(key, 0) + line.count
    return copies


def name_line_writer(pattern: str) -> WriteLine:
    """Return a writer of lines with `count`, `name` and `number`, as in "{count} {name} ({number})".

    A line without a known number is written as count and name only.
    """

    def write(line: DeckLine, catalogue: Catalogue | None) -> str:
        """Return a line as text of the pattern."""
        if (found := known_number(line, catalogue)) is None:
            return f"{line.count} {card_name_of_line(line, catalogue)}"
        text = pattern.format(count=line.count, number=found, name=card_name_of_line(line, catalogue))
        return " ".join(text.split())

    return write
