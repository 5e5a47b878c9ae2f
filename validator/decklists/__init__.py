"""Decks as people write them: text and JSON of many programs, links and tables, recognised by content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from validator.cards import Catalogue
from validator.deck import SECTIONS, Deck, DeckLine
from validator.decklists import several
from validator.decklists.draft import Draft
from validator.decklists.format import Format, known_number
from validator.decklists.formats import json, lines, links, table
from validator.decklists.listing import Listing
from validator.decklists.source import MOST_LINES as MOST_LINES
from validator.decklists.source import Source, source
from validator.numbers import OFFICIAL, normal

# Every format by its name, in the order in which a text is tried: the strict ones first, any list last.
FORMATS: Mapping[str, Format] = {
    format.name: format for format in (*lines.EXPORTS, *json.FORMATS, *links.FORMATS, *table.FORMATS, *lines.FORMATS)
}
MOST_CARDS = 10_000  # lines in what is read, however few lines of text they came in


class Parsed(NamedTuple):
    """A deck as it was written, the name of the format it was in, and the game if anything tells it.

    `name` is what the text calls the deck, "" if it does not or has only this deck.
    """

    deck: Deck
    format: str
    game: str | None
    name: str = ""


def parse(text: str | bytes, game: str | None = None, catalogue: Catalogue | None = None) -> Parsed:
    """Read a deck list of any known format; nothing in it is judged, resolved or dropped.

    What is neither a card nor a heading, a comment or a fact about the list is in `deck.unread`. The
    catalogue tells Leaders and Z-Cards by their types, and names from numbers. If the text holds several decks,
    the first is returned, and an entry of `deck.unread` names all of them. A ValueError says so
    where a text is longer than any deck list.
    """
    first, *others = parse_each(text, game, catalogue)
    return first._replace(deck=several.first_of(first, others)) if others else first


def parse_each(text: str | bytes, game: str | None = None, catalogue: Catalogue | None = None) -> Sequence[Parsed]:
    """Return every deck that a text holds, in its order; nearly every text holds one. Raises ValueError as `parse`."""
    whole = source(text, catalogue)
    draft = _read(whole)
    has_lines = FORMATS[draft.format].fits is not None and not draft.others
    each = (several.by_leaders(one, whole, _read if has_lines else None) for one in (draft, *draft.others))
    drafts = list(chain.from_iterable(each))
    if (cards := sum([len(one.cards) + len(one.unread) for one in drafts])) > MOST_CARDS:
        raise ValueError(f"a deck list has at most {MOST_CARDS:,} cards, and this has {cards:,}")
    if game is None:
        game = catalogue.game if catalogue is not None else game_of(line for one in drafts for _, line in one.cards)
    return [Parsed(one.deck(catalogue), one.format, game, one.name) for one in drafts]


def write(deck: Deck, format: str, catalogue: Catalogue | None = None) -> str:
    """Write a deck in one of FORMATS; a ValueError says what the format cannot carry.

    Unread lines are no part of the deck and are left out. The catalogue adds names and kinds of card.
    """
    form = FORMATS.get(format)
    if form is None or form.write is None:
        known = ", ".join(name for name, form in FORMATS.items() if form.write)
        raise ValueError(f"no deck is written as {format!r}; formats are {known}")
    for section in SECTIONS:
        if deck.section(section) and section not in form.carries:
            raise ValueError(f"the format {format!r} cannot carry the section {section!r}")
    text = form.write(deck, catalogue)
    # A name may look like something else (a number, a count): a list must not say another deck.
    if lost := _copies(deck, catalogue) - _copies(parse(text, catalogue=catalogue).deck, catalogue):
        raise ValueError(f"the format {format!r} cannot carry {', '.join(lost)}: it would be read as another card")
    return text


def _copies(deck: Deck, catalogue: Catalogue | None) -> Counter[str]:
    copies: Counter[str] = Counter()
    for _, line in deck.lines():
        copies["".join(normal(known_number(line, catalogue) or line.written))] += line.count
    return copies


def _read(source: Source) -> Draft:
    held = {*source.text, *(["  "] if "  " in source.text else [])}
    for form in FORMATS.values():
        if form.read and (not form.marks or form.marks & held) and (draft := form.read(source)) is not None:
            return draft
    listing = Listing(source)
    if listing.may_be_several and (parts := several.by_headings(listing)):
        return several.read_parts(parts, source, _read)
    return listing.draft(next(name for name, form in FORMATS.items() if form.fits and form.fits(listing)))


def game_of(lines: Iterable[DeckLine]) -> str | None:
    """Return the one game that all numbers may be of, None where there are several or none.

    One number of each set is enough to ask.
    """
    sets = {line.number.partition("-")[0]: line.number for line in lines if line.number}
    games = [_games(normal(number)[0]) for number in sets.values()]
    common = set.intersection(*games) if games else set()
    return common.pop() if len(common) == 1 else None


def _games(base: str) -> set[str]:
    return {game for game, pattern in OFFICIAL.items() if pattern.fullmatch(base)}
