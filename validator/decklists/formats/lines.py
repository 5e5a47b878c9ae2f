"""Lines: formats of a card to a line, as sites and simulators export them and as people type them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from validator.cards import Catalogue
from validator.deck import Deck, DeckLine
from validator.decklists import sections
from validator.decklists.draft import Draft
from validator.decklists.format import (
    BY_TYPE,
    Format,
    WriteLine,
    name,
    name_line_writer,
    number_line_writer,
    writer_with_headings,
    writer_without_headings,
)
from validator.decklists.listing import Listing
from validator.decklists.source import Source
from validator.language import phrase
from validator.words import SECTION_TITLES

Fits = Callable[[Listing], bool]

_EXPORTED = r"[0-9]{1,6}x[A-Z]{1,5}[0-9]{0,3}-[0-9]{2,4}(?:_[A-Za-z0-9]{1,12})*"
_EXPORT = re.compile(rf"\s*{_EXPORTED}(?:\s+{_EXPORTED})*\s*")
_TITLES = {name: title.replace(" deck", " Deck") for name, title in SECTION_TITLES.items()} | {"main": "Main Deck"}
_ID = re.compile(r"[0-9]{1,6}")
_NO_ID = phrase("a DeckPlanet id, which only that site can tell the card of; copy the deck as text instead")


def _written_as(*forms: str, headed: bool = False) -> Fits:
    """Return a test for lists whose cards are all written in these ways, with headings or without."""
    return lambda listing: bool(listing.forms) and listing.forms <= {*forms} and bool(listing.styles) <= headed


def _headless(name: str, title: str, line: WriteLine, *forms: str) -> Format:
    """Return the format of lists without headings, a card to a line."""
    return Format(name, title, carries=BY_TYPE, fits=_written_as(*forms), write=writer_without_headings(line))


def _headed(
    name: str, title: str, fits: Fits, line: WriteLine, titles: Mapping[str, str], blank: str = "\n\n"
) -> Format:
    """Return the format of lists with a heading over each section."""
    return Format(name, title, carries=tuple(titles), fits=fits, write=writer_with_headings(line, titles, blank))


def _read_export(source: Source) -> Draft | None:
    """Read the export of OPTCGSim as it is, without the care that lists typed by hand need."""
    if not _EXPORT.fullmatch(source.text):
        return None
    draft = Draft("optcgsim")
    for at, raw in enumerate(source.text.splitlines(), 1):
        items = raw.split()
        if len(items) > 1:
            draft.format = "optcgsim-line"
        for item in items:
            count, _, number = item.partition("x")
            draft.add(None, count, number, None, at, raw)
    return draft


def _read_ids(source: Source) -> Draft | None:
    if len(source.rows) < 2 or not all(_ID.fullmatch(row.plain) for row in source.rows):
        return None
    draft = Draft("deckplanet-ids")
    for row in source.rows:
        draft.skip(row.at, row.raw, _NO_ID)
    return draft


def _write_kinds(deck: Deck, catalogue: Catalogue | None) -> str:
    """Write a deck under Leader and the kinds of card, with their totals."""
    kinds: dict[str, list[DeckLine]] = {}
    for card in deck.main:
        kinds.setdefault(_kind(card, catalogue), []).append(card)
    titled = {f"{kind} ({sum(card.count for card in cards)})": cards for kind, cards in kinds.items()}
    parts = {"Leader": deck.leader, **titled} if deck.leader else titled
    line = name_line_writer("{count} {name} ({number})")
    return "\n\n".join("\n".join([title, *(line(card, catalogue) for card in cards)]) for title, cards in parts.items())


def _kind(line: DeckLine, catalogue: Catalogue | None) -> str:
    card = catalogue.by_number(line.number) if catalogue and line.number else None
    return card.type if card and sections.section(card.type) == "main" else "Main Deck"


def _name(line: DeckLine, catalogue: Catalogue | None) -> str:
    if line.number is not None:
        raise ValueError(f"this format names cards by name alone, and {line.number!r} is a number")
    return f"{line.count} {name(line, catalogue)}"


_sim_line = number_line_writer("{count}x{number}")
_is_sim = _written_as("4xNUM")
_is_limitless = _written_as("4 NAME (NUM)", "4 (NUM)", headed=True)

# Exports are read as they are, and so before all else.
EXPORTS = (
    Format(
        "optcgsim-line",
        "OPTCGSim export in one line: 1xOP01-001 4xOP01-016",
        carries=BY_TYPE,
        fits=lambda listing: listing.is_crowded and _is_sim(listing),
        write=writer_without_headings(_sim_line, " "),
    ),
    Format(
        "optcgsim",
        "OPTCGSim export: 4xOP01-016",
        carries=BY_TYPE,
        read=_read_export,
        fits=_is_sim,
        write=writer_without_headings(_sim_line),
    ),
)
FORMATS = (
    _headless(
        "egman",
        "Egman Events text: 4 OP01-016 Nami",
        name_line_writer("{count} {number} {name}"),
        "4 NUM NAME",
        "4 NUM",
    ),
    _headless(
        "onepiecetopdecks",
        "onepiecetopdecks.com text: 4 (OP01-016)",
        number_line_writer("{count} ({number})"),
        "4 (NUM)",
    ),
    Format(
        "deckplanet-ids",
        "DeckPlanet export of ids, a copy to a line; recognised, but only DeckPlanet can read it",
        carries=(),
        read=_read_ids,
    ),
    _headed(
        "deckplanet",
        "DeckPlanet text: 4 Nappa, Demolition Man [BT9-090] under _____Main Deck_____",
        lambda listing: "_" in listing.styles,
        name_line_writer("{count} {name} [{number}]"),
        {
            "leader": "_____Leader_____",
            "main": "_____Main Deck_____",
            "z": "_____Z Deck_____",
            "side": "_____Side Deck_____",
        },
    ),
    _headed(
        "untap",
        "untap.in text: 4 Perfect Force Cell (bt2-084) under //play-1, //deck-1, //sideboard-1",
        lambda listing: "//word-1" in listing.styles,
        name_line_writer("{count} {name} ({number})"),
        {"leader": "//play-1", "main": "//deck-1", "side": "//sideboard-1"},
        blank="\n",
    ),
    _headed(
        "digimoncard",
        "text of digimoncard.io and its sister sites: 4 Nami OP01-016 under // Main Deck",
        lambda listing: "//" in listing.styles,
        name_line_writer("{count} {name} {number}"),
        {name: f"// {title}" for name, title in _TITLES.items()} | {"z": "// Z Deck"},
        blank="\n",
    ),
    Format(
        "limitless",
        "Limitless text: 4 Nami (OP01-016) under Leader, Character (36), Event (14)",
        carries=("leader", "main"),
        fits=lambda listing: listing.styles <= {""} and _is_limitless(listing),
        write=_write_kinds,
    ),
    _headless("exburst", "ExBurst text: 4 x OP01-016", number_line_writer("{count} x {number}"), "4 xNUM", "4 x NUM"),
    _headed(
        "names",
        "names alone: 4 Nami, a side deck under Sideboard",
        _written_as("4 NAME", "4xNAME", "4x NAME", headed=True),
        _name,
        {"main": "Deck", "side": "Sideboard"},
    ),
    _headless(
        "name-number",
        "name before number: 4 Nami OP01-016",
        name_line_writer("{count} {name} {number}"),
        *("4 NAME NUM", "4x NAME NUM"),
    ),
    _headless("number-count", "count last: OP01-016 x4", number_line_writer("{number} x{count}"), "NUM x4"),
    _headed(
        "text",
        "any other list of lines: counts, numbers and names in any order, under headings of any common wording",
        lambda listing: True,
        name_line_writer("{count} {number} {name}"),
        _TITLES,
    ),
)
