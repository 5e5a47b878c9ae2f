"""JSON: decks as in the public interface, as programs export them, and any other JSON with cards."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from validator.cards import Catalogue
from validator.deck import SECTIONS, Deck, DeckLine
from validator.decklists.draft import Draft
from validator.decklists.format import (
    BY_TYPE,
    Format,
    Write,
    card_name_of_line,
    copies_by_number,
    known_number,
    number_line_writer,
    required_card_number,
    writer_without_headings,
)
from validator.decklists.formats import jsoncards
from validator.decklists.listing import Listing
from validator.decklists.source import Source, sound
from validator.language import phrase

_json_format = partial(Format, marks=frozenset("[{"))
_sim_list = writer_without_headings(number_line_writer("{count}x{number}"))


def _make_json_writer(value: Callable[[Deck, Catalogue | None], Any], **layout: Any) -> Write:
    """Return a function that writes a deck as JSON.

    `value` makes the JSON value of a deck and a catalogue, which may be None. `layout` are arguments of json.dumps.
    """
    return lambda deck, catalogue: json.dumps(value(deck, catalogue), **layout)


def _make_reader(format: str, fits: Callable[[Any], bool]) -> Callable[[Source], Draft | None]:
    """Return a function that reads a text as JSON of any shape into a draft, if `fits` returns True for its value.

    The function returns None otherwise. `format` is the name of the draft's format.
    """
    return lambda source: jsoncards.read(source, format) if fits(source.json.value) else None


def _are_all(kind: type) -> Callable[[Any], bool]:
    """Return a test for a JSON value.

    It is True for a list that is not empty and has only values of the type `kind`.
    """
    return lambda value: isinstance(value, list) and bool(value) and all(isinstance(entry, kind) for entry in value)


def _has_key(key: str) -> Callable[[Any], bool]:
    """Return a test for a JSON value. It is True for a mapping that has this key."""
    return lambda value: isinstance(value, dict) and key in value


def _read_pack(source: Source) -> Draft | None:
    """Return the draft of the first deck in a deck pack of OPTCGSim. Its `others` are the drafts of the other decks.

    None if the JSON is no deck pack.
    """
    decks = _find_pack_decks(source.json.value)
    if not decks:
        return None
    first, *first.others = [_read_packed_deck(deck, source) for deck in decks]
    return first


def _read_packed_deck(deck: Mapping[str, Any], source: Source) -> Draft:
    """Return the draft of one deck of a pack, with its name, "" if it has none. Its "text" is parsed as a list.

    Only the catalogue of `source` is used.
    """
    draft = Listing(Source(sound(deck["text"]), source.catalogue)).draft("optcgsim-deckpack")
    draft.name = sound(str(deck.get("name", "")))
    return draft


def _find_pack_decks(value: Any) -> Sequence[Mapping[str, Any]]:
    """Return the decks of a deck pack, each a mapping with a str under "text". Empty if the JSON is no deck pack."""
    decks = value.get("decks") if isinstance(value, dict) else None
    fit = _are_all(dict)(decks) and all(isinstance(deck.get("text"), str) for deck in decks or ())
    return decks if decks and fit else ()


def _read_any(source: Source) -> Draft | None:
    """Return the draft of a text with JSON of any shape. None if the text does not begin like JSON.

    If the JSON is not well-formed, the draft has no cards, and all lines are unread, with the error as their reason.
    """
    value, error = source.json
    if value is not None:
        return jsoncards.read(source, "json")
    draft = Draft("json")
    for row in source.rows if error else ():
        draft.skip(row.at, row.raw, error)
    return draft if error else None


def _list_copies(deck: Deck, catalogue: Catalogue | None) -> list[str]:
    """Return the card number of every copy in Leader, main deck and Z-Deck, one entry for each copy.

    The first entry is "Exported from deckproof". Raises ValueError if a line has no number and the catalogue has not
    exactly one card of its name.
    """
    cards = [
        required_card_number(line, catalogue) for line in _leader_main_and_z_lines(deck) for _ in range(line.count)
    ]
    return ["Exported from deckproof", *cards]


def _make_pack(deck: Deck, catalogue: Catalogue | None) -> dict[str, Any]:
    """Return a deck pack of OPTCGSim with one deck, whose "text" has the lines of Leader, main deck and Z-Deck.

    Raises ValueError if a line has no number and the catalogue has not exactly one card of its name.
    """
    return {"schema_version": 1, "name": "", "decks": [{"name": "", "text": _sim_list(deck, catalogue)}]}


def _make_recipe(deck: Deck, catalogue: Catalogue | None) -> dict[str, Any]:
    """Return a deck as a mapping with "leader", "mainDeck" and "totalCards", the number of cards in the main deck.

    A single line of a Leader is a mapping. No line, or several lines, are a list. Raises ValueError if a line has no
    number and the catalogue has not exactly one card of its name.
    """

    def make_entries(lines: Sequence[DeckLine]) -> list[dict[str, str | int]]:
        """Return the lines as mappings with "cardId", "name" and "count". The name is "" if it is not known.

        Raises the ValueError of `_make_recipe`.
        """
        return [
            {
                "cardId": required_card_number(line, catalogue),
                "name": card_name_of_line(line, catalogue),
                "count": line.count,
            }
            for line in lines
        ]

    leaders = make_entries(deck.leader)
    return {
        "leader": leaders[0] if len(leaders) == 1 else leaders,
        "mainDeck": make_entries(deck.main),
        "totalCards": sum(line.count for line in deck.main),
    }


def _make_app_map(deck: Deck, catalogue: Catalogue | None) -> dict[str, Any]:
    """Return a deck as a mapping with "leader_number", "main_deck_cards" and "side_deck_cards".

    Both decks are copies by card number. Raises ValueError if the deck has not exactly one Leader. Raises it also if a
    line has no number and the catalogue has not exactly one card of its name.
    """
    if [line.count for line in deck.leader] != [1]:
        raise ValueError(phrase("this format has exactly one Leader"))
    return {
        "leader_number": required_card_number(deck.leader[0], catalogue),
        "main_deck_cards": copies_by_number(deck.main, catalogue),
        "side_deck_cards": copies_by_number(deck.side, catalogue),
    }


def _list_quantities(deck: Deck, catalogue: Catalogue | None) -> list[dict[str, str | int]]:
    """Return a mapping with "Qty" and "cardnum" for each line of Leader, main deck and Z-Deck.

    Raises ValueError if a line has no number and the catalogue has not exactly one card of its name.
    """
    return [
        {"Qty": line.count, "cardnum": required_card_number(line, catalogue)} for line in _leader_main_and_z_lines(deck)
    ]


def _map_sections(deck: Deck, catalogue: Catalogue | None) -> dict[str, list[dict[str, str | int]]]:
    """Return a deck in the JSON of the public interface: a list of lines by section.

    Each section is a key, also one without lines.
    """
    return {section: [_public_line(line, catalogue) for line in deck.section(section)] for section in SECTIONS}


def _public_line(line: DeckLine, catalogue: Catalogue | None) -> dict[str, str | int]:
    """Return a line in the JSON of the public interface: "number", "name" and "count".

    A number or name that the line lacks is left out. Only the number is added, if the catalogue has exactly one card of
    the line's name.
    """
    card = {"number": known_number(line, catalogue), "name": line.name, "count": line.count}
    return {key: value for key, value in card.items() if value is not None}


def _leader_main_and_z_lines(deck: Deck) -> list[DeckLine]:
    """Return the lines of Leader, main deck and Z-Deck, in this order. Other sections are left out."""
    return [line for section in BY_TYPE for line in deck.section(section)]


FORMATS = (
    _json_format(
        "tts",
        "Tabletop Simulator array: a JSON array with a number for each copy",
        carries=BY_TYPE,
        read=_make_reader("tts", _are_all(str)),
        write=_make_json_writer(_list_copies, separators=(",", ":")),
    ),
    _json_format(
        "optcgsim-deckpack",
        "OPTCGSim deck pack: JSON with the text of each deck",
        carries=BY_TYPE,
        read=_read_pack,
        write=_make_json_writer(_make_pack, indent=2),
    ),
    _json_format(
        "recipe-json",
        "recipe in JSON: leader and mainDeck, each card with cardId, name and count",
        carries=("leader", "main"),
        read=_make_reader("recipe-json", _has_key("mainDeck")),
        write=_make_json_writer(_make_recipe, ensure_ascii=False, indent=1),
    ),
    _json_format(
        "app-json",
        "app's JSON map: leader_number, main_deck_cards and side_deck_cards with number and count",
        carries=("leader", "main", "side"),
        read=_make_reader("app-json", _has_key("leader_number")),
        write=_make_json_writer(_make_app_map, indent=1),
    ),
    _json_format(
        "qty-cardnum-json",
        'JSON array of {"Qty": 4, "cardnum": "OP01-016"}',
        carries=BY_TYPE,
        read=_make_reader("qty-cardnum-json", _are_all(dict)),
        write=_make_json_writer(_list_quantities),
    ),
    _json_format(
        "json",
        'JSON deck: {"leader": [{"number": "OP01-001", "count": 1}], "main": [...]}, alone or under "deck"',
        read=_read_any,
        write=_make_json_writer(_map_sections, ensure_ascii=False, indent=1),
    ),
)
