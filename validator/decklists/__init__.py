"""Decks as people write them: text and JSON of many programs, links and tables, recognised by content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from validator.cards import Catalogue
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import DeckLine
from validator.decklists.format import Format
from validator.decklists.formats import appmap
from validator.decklists.formats import cardgame_dev
from validator.decklists.formats import cardkaizoku
from validator.decklists.formats import deckpack
from validator.decklists.formats import deckplanet
from validator.decklists.formats import digimoncard
from validator.decklists.formats import egman
from validator.decklists.formats import exburst
from validator.decklists.formats import gumgum
from validator.decklists.formats import limitless
from validator.decklists.formats import native
from validator.decklists.formats import onepiecetopdecks
from validator.decklists.formats import optcgsim
from validator.decklists.formats import plain
from validator.decklists.formats import quantities
from validator.decklists.formats import recipe
from validator.decklists.formats import table
from validator.decklists.formats import tabletop
from validator.decklists.formats import untap
from validator.decklists.listing import Listing
from validator.decklists.reading import Reading
from validator.decklists.source import MOST_LINES as MOST_LINES
from validator.decklists.source import Source
from validator.decklists.source import source
from validator.numbers import OFFICIAL
from validator.numbers import normal

# Every format by its name, in the order in which a text is tried: the strict ones first, any list last.
FORMATS: Mapping[str, Format] = {
    format.name: format
    for format in chain(
        optcgsim.FORMATS,
        tabletop.FORMATS,
        deckpack.FORMATS,
        recipe.FORMATS,
        appmap.FORMATS,
        quantities.FORMATS,
        native.FORMATS,
        cardgame_dev.FORMATS,
        egman.FORMATS,
        onepiecetopdecks.FORMATS,
        gumgum.FORMATS,
        cardkaizoku.FORMATS,
        deckplanet.FORMATS,
        table.FORMATS,
        untap.FORMATS,
        digimoncard.FORMATS,
        limitless.FORMATS,
        exburst.FORMATS,
        plain.FORMATS,
    )
}
MOST_CARDS = 10_000  # lines in what is read, however few lines of text they came in


class Parsed(NamedTuple):
    """A deck as it was written, the name of the format it was in, and the game if anything tells it."""

    deck: Deck
    format: str
    game: str | None


def parse(text: str | bytes, game: str | None = None, catalogue: Catalogue | None = None) -> Parsed:
    """Read a deck list of any known format; nothing in it is judged, resolved or dropped.

    What is neither a card nor a heading, a comment or a fact about the list is in `deck.unread`. The
    catalogue tells Leaders and Z-Cards by their types, and names from numbers. A ValueError says so
    where a text is longer than any deck list.
    """
    reading = _read(source(text, catalogue))
    if (cards := len(reading.cards) + len(reading.unread)) > MOST_CARDS:
        raise ValueError(f"a deck list has at most {MOST_CARDS:,} cards, and this has {cards:,}")
    if game is None:
        game = catalogue.game if catalogue is not None else game_of(line for _, line in reading.cards)
    return Parsed(reading.deck(catalogue), reading.format, game)


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
    if lost := _copies(deck) - _copies(parse(text, catalogue=catalogue).deck):
        raise ValueError(f"the format {format!r} cannot carry {', '.join(lost)}: it would be read as another card")
    return text


def _copies(deck: Deck) -> Counter[str]:
    copies: Counter[str] = Counter()
    for _, line in deck.lines():
        copies["".join(normal(line.written))] += line.count
    return copies


def _read(source: Source) -> Reading:
    for form in FORMATS.values():
        if form.read and (reading := form.read(source)) is not None:
            return reading
    listing = Listing(source)
    return listing.reading(next(name for name, form in FORMATS.items() if form.fits and form.fits(listing)))


def game_of(lines: Iterable[DeckLine]) -> str | None:
    """Return the one game that all numbers may be of; codes that several games share tell nothing.

    One number of each set is enough to ask.
    """
    sets = {line.number.partition("-")[0]: line.number for line in lines if line.number}
    found = set()
    for number in sets.values():
        base = normal(number)[0]
        games = [game for game, pattern in OFFICIAL.items() if pattern.fullmatch(base)]
        if len(games) < 2:
            found.add(games[0] if games else None)
    return found.pop() if len(found) == 1 else None
