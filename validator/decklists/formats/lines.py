"""Lines: formats with one card per line, as exported by sites and simulators or typed by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from validator import sections
from validator.cards import Catalogue
from validator.deck import Deck, DeckLine
from validator.decklists.draft import Draft
from validator.decklists.format import (
    BY_TYPE,
    Format,
    WriteLine,
    card_name_of_line,
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
_NO_ID = phrase("a DeckPlanet id has no card number (copy the deck as text instead)")


def _make_spelling_test(*forms: str, can_have_headings: bool = False) -> Fits:
    """Return a test for a Listing. It is True if the list has cards, and each is spelled like one of `forms`.

    Headings fail the test, unless `can_have_headings` is True.
    """
    return lambda listing: (
        bool(listing.forms) and listing.forms <= {*forms} and bool(listing.styles) <= can_have_headings
    )


def _format_without_headings(name: str, title: str, line: WriteLine, *forms: str) -> Format:
    """Return the format of lists without headings, one card per line, that have only spellings of `forms`.

    It can hold Leader, main deck and Z-Deck. `line` writes one line of a deck.
    """
    return Format(name, title, carries=BY_TYPE, fits=_make_spelling_test(*forms), write=writer_without_headings(line))


def _format_with_headings(
    name: str, title: str, fits: Fits, line: WriteLine, titles: Mapping[str, str], separator: str = "\n\n"
) -> Format:
    """Return the format of lists with a heading over each section.

    `fits` returns True for a Listing of this format. `line` writes one line of a deck. `titles` has the heading by
    section. `separator` is the text between two sections.
    """
    return Format(name, title, carries=tuple(titles), fits=fits, write=writer_with_headings(line, titles, separator))


def _read_export(source: Source) -> Draft | None:
    """Return the draft of an OPTCGSim export, "1xOP01-001 4xOP01-016", on one line or many. None for any other text.

    No card has a section in the draft. Its format is "optcgsim-line" if some line has several cards, else "optcgsim".
    """
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
    """Return a draft without cards for a list of at least two DeckPlanet ids, one per line, each of up to six digits.

    All lines are unread. None for any other text.
    """
    if len(source.rows) < 2 or not all(_ID.fullmatch(row.plain) for row in source.rows):
        return None
    draft = Draft("deckplanet-ids")
    for row in source.rows:
        draft.skip(row.at, row.raw, _NO_ID)
    return draft


def _write_by_type(deck: Deck, catalogue: Catalogue | None) -> str:
    """Return a deck as text under "Leader" and the types of the main deck's cards with their totals: "Character (36)".

    A line is `4 Nami (OP01-016)`. Sections other than Leader and main deck are left out.
    """
    kinds: dict[str, list[DeckLine]] = {}
    for card in deck.main:
        kinds.setdefault(_type_of_line(card, catalogue), []).append(card)
    titled = {f"{kind} ({sum(card.count for card in cards)})": cards for kind, cards in kinds.items()}
    parts = {"Leader": deck.leader, **titled} if deck.leader else titled
    line = name_line_writer("{count} {name} ({number})")
    return "\n\n".join("\n".join([title, *(line(card, catalogue) for card in cards)]) for title, cards in parts.items())


def _type_of_line(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return the type of a line's card, such as "Character", if cards of the type are in main decks.

    Otherwise "Main Deck". A line without a number, or with an unknown one, is "Main Deck", and every line is without a
    catalogue.
    """
    card = catalogue.by_number(line.number) if catalogue and line.number else None
    return card.type if card and sections.section(card.type) == "main" else "Main Deck"


def _write_name_line(line: DeckLine, catalogue: Catalogue | None) -> str:
    """Return a line with count and name: "4 Nami". The name is as in the line, with single blanks.

    `catalogue` has no influence. Raises ValueError if the line has a number.
    """
    if line.number is not None:
        raise ValueError(phrase("this format names cards only by name, and {number!r} is a number", number=line.number))
    return f"{line.count} {card_name_of_line(line, catalogue)}"


_sim_line = number_line_writer("{count}x{number}")
_is_sim = _make_spelling_test("4xNUM")
_is_limitless = _make_spelling_test("4 NAME (NUM)", "4 (NUM)", can_have_headings=True)

# Exports have strict patterns, and so are tried first.
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
    _format_without_headings(
        "egman",
        "Egman Events text: 4 OP01-016 Nami",
        name_line_writer("{count} {number} {name}"),
        "4 NUM NAME",
        "4 NUM",
    ),
    _format_without_headings(
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
    _format_with_headings(
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
    _format_with_headings(
        "untap",
        "untap.in text: 4 Perfect Force Cell (bt2-084) under //play-1, //deck-1, //sideboard-1",
        lambda listing: "//word-1" in listing.styles,
        name_line_writer("{count} {name} ({number})"),
        {"leader": "//play-1", "main": "//deck-1", "side": "//sideboard-1"},
        separator="\n",
    ),
    _format_with_headings(
        "digimoncard",
        "text of digimoncard.io and its sister sites: 4 Nami OP01-016 under // Main Deck",
        lambda listing: "//" in listing.styles,
        name_line_writer("{count} {name} {number}"),
        {name: f"// {title}" for name, title in _TITLES.items()} | {"z": "// Z Deck"},
        separator="\n",
    ),
    Format(
        "limitless",
        "Limitless text: 4 Nami (OP01-016) under Leader, Character (36), Event (14)",
        carries=("leader", "main"),
        fits=lambda listing: listing.styles <= {""} and _is_limitless(listing),
        write=_write_by_type,
    ),
    _format_without_headings(
        "exburst", "ExBurst text: 4 x OP01-016", number_line_writer("{count} x {number}"), "4 xNUM", "4 x NUM"
    ),
    _format_with_headings(
        "names",
        "names alone: 4 Nami, a side deck under Sideboard",
        _make_spelling_test("4 NAME", "4xNAME", "4x NAME", can_have_headings=True),
        _write_name_line,
        {"main": "Deck", "side": "Sideboard"},
    ),
    _format_without_headings(
        "name-number",
        "name before number: 4 Nami OP01-016",
        name_line_writer("{count} {name} {number}"),
        *("4 NAME NUM", "4x NAME NUM"),
    ),
    _format_without_headings(
        "number-count", "count last: OP01-016 x4", number_line_writer("{number} x{count}"), "NUM x4"
    ),
    _format_with_headings(
        "text",
        "any other list of lines: counts, numbers and names in any order, under headings of any common wording",
        lambda listing: True,
        name_line_writer("{count} {number} {name}"),
        _TITLES,
    ),
)
