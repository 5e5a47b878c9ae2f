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
    """One format of deck lists. `name` is its key in FORMATS, `title` describes it for people.

    `read` is set for a structured format, such as JSON. It returns None for a text of another format. `fits` is set for
    a format of lines. It returns True if a parsed Listing is spelled like this format. `marks` are characters, or two
    blanks. A text without any of them is not tried with `read`. No marks: every text is tried. `carries` are the
    sections that the format can hold. A format without `write` can only be read.
    """

    name: str
    title: str
    carries: Sequence[str] = SECTIONS
    read: Callable[[Source], Draft | None] | None = None
    fits: Callable[[Listing], bool] | None = None
    write: Write | None = None
    marks: frozenset[str] = frozenset()


def writer_without_headings(line: WriteLine, separator: str = "\n") -> Write:
    """Return a function that writes a deck with one text for each line, joined by `separator`, without headings.

    `line` writes one line of the deck. Sections that are not in BY_TYPE are left out.
    """
    return lambda deck, catalogue: separator.join(
        line(card, catalogue) for section in BY_TYPE for card in deck.section(section)
    )


def writer_with_headings(line: WriteLine, titles: Mapping[str, str], separator: str = "\n\n") -> Write:
    """Return a function that writes a deck with a heading over the lines of each section.

    `line` writes one line of the deck. `titles` has the heading by section, in the order of writing. A section without
    cards, or without a title, is left out. `separator` is the text between two sections.
    """
    return lambda deck, catalogue: separator.join(
        "\n".join([title, *(line(card, catalogue) for card in deck.section(section))])
        for section, title in titles.items()
        if deck.section(section)
    )


def required_card_number(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line's card number as written, even an unknown one, or the number of the only card of its name.

    Raises ValueError if a line has no number and the catalogue has no card or several cards of its name. Raises it also
    for such a line without a catalogue, and if the only card has no number.
    """
    if found := known_number(line, catalogue):
        return found
    same_name = [card.number for card in catalogue.by_name(line.name or "") if card.number] if catalogue else []
    more = f" and {len(same_name) - _SHOWN} more" if len(same_name) > _SHOWN else ""
    why = f"is the name of {', '.join(same_name[:_SHOWN])}{more}; write which" if same_name else "has none"
    raise ValueError(f"this format names cards by number, and {line.written!r} {why}")


def known_number(line: DeckLine, catalogue: Catalogue | None) -> str | None:
    """Return a line's card number as written, else the number of the only card of its name.

    None if no card or several cards have the name, or if the only card has no number. None also if the line has no
    number and there is no catalogue.
    """
    if line.number is not None or catalogue is None:
        return line.number
    card = resolve(line, catalogue)
    return card.number or None if isinstance(card, Card) else None


def card_name_of_line(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line's name with single blanks. The catalogue's name for its number is used only if the line has none.

    "" if there is no name.
    """
    if line.name is not None:
        return " ".join(line.name.split())
    card = catalogue.by_number(line.number) if catalogue and line.number else None
    return card.name if card else ""


def number_line_writer(pattern: str) -> WriteLine:
    """Return a function that writes a line with `pattern`, which has only `count` and `number`: "{count}x{number}".

    The function raises ValueError if the line has no number and the catalogue has not exactly one card of its name.
    """
    return lambda line, catalogue: pattern.format(count=line.count, number=required_card_number(line, catalogue))


def copies_by_number(lines: Iterable[DeckLine], catalogue: Catalogue | None) -> dict[str, int]:
    """Return the copies by card number, those of repeated numbers added up, in the order of the lines.

    Raises ValueError if a line has no number and the catalogue has not exactly one card of its name.
    """
    copies: dict[str, int] = {}
    for line in lines:
        key = required_card_number(line, catalogue)
        copies[key] = copies.get(key, 0) + line.count
    return copies


def name_line_writer(pattern: str) -> WriteLine:
    """Return a function that writes a line with `pattern`, such as "{count} {name} ({number})".

    Runs of blanks become single. A line without a number is written as count and name only, unless the catalogue has
    exactly one card of its name.
    """

    def write(line: DeckLine, catalogue: Catalogue | None) -> str:
        """Return a line as text of the pattern, or as count and name if `known_number` returns None for it."""
        if (found := known_number(line, catalogue)) is None:
            return f"{line.count} {card_name_of_line(line, catalogue)}"
        text = pattern.format(count=line.count, number=found, name=card_name_of_line(line, catalogue))
        return " ".join(text.split())

    return write
