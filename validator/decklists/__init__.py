"""Decks as people write them: text and JSON of many programs, links and tables, recognised by content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from validator.arguments import check_catalogue, check_type
from validator.cards import Catalogue
from validator.deck import SECTIONS, Deck, DeckLine
from validator.decklists import several
from validator.decklists.draft import Draft
from validator.decklists.format import Format, known_number
from validator.decklists.formats import json, lines, links, table
from validator.decklists.listing import Listing
from validator.decklists.source import MOST_LINES as MOST_LINES
from validator.decklists.source import Source, source
from validator.games import game_of as game_named
from validator.language import phrase
from validator.numbers import OFFICIAL, normal

# Every format by its name, in the order in which a text is tried: the strict ones first, any list last.
FORMATS: Mapping[str, Format] = {
    format.name: format for format in (*lines.EXPORTS, *json.FORMATS, *links.FORMATS, *table.FORMATS, *lines.FORMATS)
}
MOST_CARDS = 10_000  # entries of a parsed text, even if the text has few lines


class Parsed(NamedTuple):
    """A deck parsed from a text by `parse` or `parse_each`, with the format and the game of the text.

    `format` is the format's name in FORMATS. `game` is the given id, else the catalogue's, else that of the card
    numbers. It is None if they leave the game open. `name` is the text's name for the deck, such as its player, "" if
    there is none. Of most texts with one deck no name is read. `notice` is an English sentence for people on lines
    without a section, "" with a catalogue and if there is nothing to say.
    """

    deck: Deck
    format: str
    game: str | None
    name: str = ""
    notice: str = ""


def parse(text: str | bytes, game: str | None = None, catalogue: Catalogue | None = None) -> Parsed:
    """Parse a deck list of any known format. The function does not judge or resolve cards, and drops no line.

    A line that is neither a card nor a heading, a comment or a fact about the list is in `deck.unread`. The catalogue
    is used to find Leaders and Z-Cards by their types, and to tell names from numbers. Without a catalogue, cards
    without a section stay in the main deck, and `notice` has their number. If the text holds several decks, the first
    is returned, and an entry of `deck.unread` names all of them. Raises ValueError for an unknown game, for a catalogue
    of another game, and if the text is longer than any deck list. Raises TypeError for an argument of a wrong type.
    """
    check_type("text", text, (str, bytes), "Write the text of the list, e.g. Path('deck.txt').read_text()")
    check_type("game", game, (str, type(None)), "Write parse(text, catalogue=catalogue), or the id of a game")
    game_id = "" if game is None else game_named(game).id
    if catalogue is not None:
        check_catalogue(catalogue, game_id)
    first, *others = parse_each(text, game, catalogue)
    return first._replace(deck=several.first_of(first, others)) if others else first


def parse_each(text: str | bytes, game: str | None = None, catalogue: Catalogue | None = None) -> Sequence[Parsed]:
    """Return every deck of a text, in the text's order. Nearly every text holds one.

    `game` is an id, or None for the catalogue's game, else the game of the card numbers. Raises ValueError if the text
    has too many characters, lines or cards.
    """
    text_source = source(text, catalogue)
    draft = _read_draft(text_source)
    has_lines = FORMATS[draft.format].fits is not None and not draft.others
    parts = (
        several.by_leaders(part, text_source, _read_draft if has_lines else None) for part in (draft, *draft.others)
    )
    drafts = list(chain.from_iterable(parts))
    if (cards := sum([len(draft.cards) + len(draft.unread) for draft in drafts])) > MOST_CARDS:
        raise ValueError(
            phrase("a deck list has at most {most:,} cards, and this has {count:,}", most=MOST_CARDS, count=cards)
        )
    if game is None:
        game = (
            catalogue.game
            if catalogue is not None
            else game_of_lines(line for draft in drafts for _, line in draft.cards)
        )
    notices = ["" if catalogue else _notice_open_sections(draft) for draft in drafts]
    return [
        Parsed(draft.deck(catalogue), draft.format, game, draft.name, notice)
        for draft, notice in zip(drafts, notices, strict=True)
    ]


def _notice_open_sections(draft: Draft) -> str:
    """Return a sentence with the number of lines in a list whose section only a catalogue could decide.

    "" if all cards have a section, or if the list names a Leader.
    """
    undecided = sum(section is None for section, _ in draft.cards)
    if not undecided or any(section == "leader" for section, _ in draft.cards):
        return ""
    return (
        f"{undecided} lines name no section, so their cards are in the main deck, and a Leader among them was not "
        "found. Write parse(text, catalogue=catalogue)."
    )


def write(deck: Deck, format: str, catalogue: Catalogue | None = None) -> str:
    """Return a deck as text in one of FORMATS. Raises ValueError if the format cannot carry a part of the deck.

    Unread lines are left out. The catalogue adds names and types of cards. The text is parsed again as a check. Raises
    ValueError also for an unknown format, and if a card would be parsed as another card.
    """
    form = FORMATS.get(format)
    if form is None or form.write is None:
        known = ", ".join(name for name, form in FORMATS.items() if form.write)
        raise ValueError(
            phrase("no deck is written as {format!r}; formats are {formats}", format=format, formats=known)
        )
    for section in SECTIONS:
        if deck.section(section) and section not in form.carries:
            raise ValueError(
                phrase("the format {format!r} cannot carry the section {section!r}", format=format, section=section)
            )
    text = form.write(deck, catalogue)
    # A name may look like a number or a count. The written list must not be parsed as another deck.
    if lost := _count_by_number(deck, catalogue) - _count_by_number(parse(text, catalogue=catalogue).deck, catalogue):
        raise ValueError(
            phrase(
                "the format {format!r} cannot carry {cards}: it would be read as another card",
                format=format,
                cards=", ".join(lost),
            )
        )
    return text


def _count_by_number(deck: Deck, catalogue: Catalogue | None) -> Counter[str]:
    """Return the copies in a deck by normalised card number, or by the written name if the number is not known.

    All sections are added up.
    """
    copies: Counter[str] = Counter()
    for _, line in deck.lines():
        copies["".join(normal(known_number(line, catalogue) or line.written))] += line.count
    return copies


def _read_draft(source: Source) -> Draft:
    """Return the draft of a text in the first format of FORMATS that can read it. The structured formats come first.

    A text that no structured format reads is a listing. If it has several decks, their drafts are in `others`.
    """
    present_marks = {*source.text, *(["  "] if "  " in source.text else [])}
    for form in FORMATS.values():
        if form.read and (not form.marks or form.marks & present_marks) and (draft := form.read(source)) is not None:
            return draft
    listing = Listing(source)
    if listing.may_be_several and (parts := several.by_headings(listing)):
        return several.read_parts(parts, source, _read_draft)
    return listing.draft(next(name for name, form in FORMATS.items() if form.fits and form.fits(listing)))


def game_of_lines(lines: Iterable[DeckLine]) -> str | None:
    """Return the id of the only game to which all card numbers can belong. None if there are several games or none.

    Only the last number of each set, the part before the dash, is checked. Lines without a number are ignored.
    """
    sets = {line.number.partition("-")[0]: line.number for line in lines if line.number}
    games = [_games_of_number(normal(number)[0]) for number in sets.values()]
    common = set.intersection(*games) if games else set()
    return common.pop() if len(common) == 1 else None


def _games_of_number(base: str) -> set[str]:
    """Return the ids of the games that spell card numbers like this normalised number."""
    return {game for game, pattern in OFFICIAL.items() if pattern.fullmatch(base)}
