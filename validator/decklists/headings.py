"""Headings: the words that lists use for the sections of a deck, in any punctuation, and what is no card at all."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

# Kinds of card that make up a main deck; those in _FIRST stand first in one, where a list sorts by kind.
_FIRST = ("character", "battle", "fighter", "warrior")
_LATER = (
    "event",
    "stage",
    "extra",
    "unison",
    "elite warrior",
    "warlord",
    "legendary warrior",
    "legendary",
    "equipment",
    "tactic",
    "battlefield",
)
# "Play" is where untap.in lays the Leader. Games with a second, small main deck call it the egg deck.
_WORDS = {
    "leader": ("leader", "leader zone", "leader number", "leader id", "deck leader", "play"),
    "main": (
        *("main", "main deck", "maindeck", "mainboard", "main board", "deck", "deck list", "decklist", "card"),
        *("digimon deck list", "egg deck", "digi egg deck"),
        *_FIRST,
        *_LATER,
    ),
    "side": ("side", "side deck", "sidedeck", "sideboard", "side board", "sb"),
    "z": ("z", "z deck", "zdeck", "z battle", "z extra", "z leader", "z unison"),
    "don": ("don", "don deck"),
}
_SECTIONS = {word: section for section, words in _WORDS.items() for word in words}
_LONGEST = 40  # characters of a heading with all its decoration

_METADATA = (
    *("total", "total card", "card total", "count", "card count", "deck size", "size"),
    *("name", "title", "deck", "deck name", "deck title", "deck type", "archetype", "description", "note", "tag"),
    *("player", "player name", "player id", "membership number", "author", "creator", "created by", "made by", "by"),
    *("date", "event", "tournament", "format", "regulation", "region", "country", "host", "location", "store"),
    *("place", "placing", "placement", "rank", "ranking", "record", "result", "game", "ruleset", "set", "version"),
    *("url", "link", "source", "price", "color", "colour", "last updated", "exported from", "deck exported from"),
)

_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_MARKS = re.compile(r"[-_!/\s]+")
_COUNT = re.compile(r"[\s:(\[{=-]*[0-9]{1,4}(?:/[0-9]{1,4})?(?: ?cards?)?$", re.IGNORECASE)
_INLINE = re.compile(r"([A-Za-z][A-Za-z!/ -]{0,30}?)(?:\s?[:=]| -\s)\s*(?=\S)")
_CARD = re.compile(r"\b(?:[A-Z]{1,4}[0-9]{1,3}|P)-[0-9]{2,4}", re.ASCII)
_TOTAL = re.compile(
    r"total(?: cards?)?[ :=-]*[0-9]{1,4}(?:/[0-9]{1,4})?(?: cards?)?|[0-9]{1,4} cards(?: total)?"
    r"|(?:deck )?exported from .{1,200}",
    re.IGNORECASE,
)


class Heading(NamedTuple):
    """A line, or the beginning of one, that opens a section.

    `opens` says that the main deck begins here; `rest` is the place in the line where a card follows.
    `style` is how it is decorated: "_", "//word-1", "//", "SB:" (which speaks of its own line alone) or "".
    """

    section: str
    opens: bool = False
    rest: int | None = None
    style: str = ""


def section(words: str) -> str | None:
    """Return the section that a heading, a column's value or a key means: "Side Deck" is "side"."""
    return _SECTIONS.get(_word(words)) if len(words) <= _LONGEST else None


@lru_cache(maxsize=512)
def _word(text: str) -> str:
    """Fold a heading to the form that the words above have: small, one blank, no plural, no "cards"."""
    word = " ".join(_MARKS.sub(" ", text.casefold()).split())
    for ending in (" cards", " card"):
        word = word.removesuffix(ending)
    return word if word in _SECTIONS else word.removesuffix("s")


def heading(plain: str) -> Heading | None:
    """Read a whole line as a heading, whatever decorates it and with or without a count of cards."""
    if len(plain) > _LONGEST:
        return None
    words = _EDGES.sub("", plain)
    cut = _COUNT.sub("", words)
    found = section(cut)
    word = _word(cut)
    # "DON!! 10" is ten cards; "DON!! (10)" is a heading.
    if found is None or (word == "don" and plain[-1].isdigit()):
        return None
    return Heading(found, opens=found == "main" and word not in _LATER, style=_style(plain))


def inline(plain: str) -> Heading | None:
    """Read the heading that a card follows on the same line: "Leader: 1 OP01-001", "SB: 2 Nami"."""
    found = _INLINE.match(plain)
    name = section(found[1]) if found else None
    if found is None or name is None:
        return None
    style = "SB:" if _word(found[1]) == "sb" else ""
    return Heading(name, name == "main" and _word(found[1]) not in _LATER, found.end(), style)


def _style(plain: str) -> str:
    if plain.startswith("__"):
        return "_"
    if plain.startswith("//"):
        return "//word-1" if plain[2:3].isalpha() and plain[-1:].isdigit() else "//"
    return ""


def is_metadata(plain: str) -> bool:
    """Tell whether a line speaks of the list itself (its name, its player, its total) and of no card."""
    if _CARD.search(plain):
        return False
    if _TOTAL.fullmatch(plain):
        return True
    found = _INLINE.match(plain)
    return found is not None and _word(found[1]) in _METADATA


def is_link(plain: str) -> bool:
    """Tell whether a line has an address in it, or only the query of one."""
    return "://" in plain or plain.startswith("www.") or "=" in plain.partition("?")[2]


def is_comment(plain: str) -> bool:
    """Tell whether a line is a comment, or only decoration."""
    return plain.startswith(("//", "#")) or not any(map(str.isalnum, plain))
