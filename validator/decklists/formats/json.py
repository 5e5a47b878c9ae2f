"""JSON: decks as the public interface takes them, as programs export them, and any other JSON with cards."""

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
    copies_by_number,
    known_number,
    name,
    number,
    number_line_writer,
    writer_without_headings,
)
from validator.decklists.formats import jsoncards
from validator.decklists.listing import Listing
from validator.decklists.source import Source, sound

_json = partial(Format, marks=frozenset("[{"))
_sim_list = writer_without_headings(number_line_writer("{count}x{number}"))


def _writer(value: Callable[[Deck, Catalogue | None], Any], **layout: Any) -> Write:
    return lambda deck, catalogue: json.dumps(value(deck, catalogue), **layout)


def _reader(format: str, fits: Callable[[Any], bool]) -> Callable[[Source], Draft | None]:
    return lambda source: jsoncards.read(source, format) if fits(source.json.value) else None


def _are_all(kind: type) -> Callable[[Any], bool]:
    """Return a test for lists of things of one kind."""
    return lambda value: isinstance(value, list) and bool(value) and all(isinstance(one, kind) for one in value)


def _has(key: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and key in value


def _read_pack(source: Source) -> Draft | None:
    decks = _decks(source.json.value)
    if not decks:
        return None
    first, *first.others = [_packed(deck, source) for deck in decks]
    return first


def _packed(deck: Mapping[str, Any], source: Source) -> Draft:
    draft = Listing(Source(sound(deck["text"]), source.catalogue)).draft("optcgsim-deckpack")
    draft.name = sound(str(deck.get("name", "")))
    return draft


def _decks(value: Any) -> Sequence[Mapping[str, Any]]:
    decks = value.get("decks") if isinstance(value, dict) else None
    fit = _are_all(dict)(decks) and all(isinstance(deck.get("text"), str) for deck in decks or ())
    return decks if decks and fit else ()


def _read_any(source: Source) -> Draft | None:
    value, error = source.json
    if value is not None:
        return jsoncards.read(source, "json")
    draft = Draft("json")
    for row in source.rows if error else ():
        draft.skip(row.at, row.raw, error)
    return draft if error else None


def _copies(deck: Deck, catalogue: Catalogue | None) -> list[str]:
    cards = [number(line, catalogue) for line in _by_type(deck) for _ in range(line.count)]
    return ["Exported from deckproof", *cards]


def _pack(deck: Deck, catalogue: Catalogue | None) -> dict[str, Any]:
    return {"schema_version": 1, "name": "", "decks": [{"name": "", "text": _sim_list(deck, catalogue)}]}


def _recipe(deck: Deck, catalogue: Catalogue | None) -> dict[str, Any]:
    def cards(lines: Sequence[DeckLine]) -> list[dict[str, Any]]:
        return [
            {"cardId": number(line, catalogue), "name": name(line, catalogue), "count": line.count} for line in lines
        ]

    leaders = cards(deck.leader)
    return {
        "leader": leaders[0] if len(leaders) == 1 else leaders,
        "mainDeck": cards(deck.main),
        "totalCards": sum(line.count for line in deck.main),
    }


def _app_map(deck: Deck, catalogue: Catalogue | None) -> dict[str, Any]:
    if [line.count for line in deck.leader] != [1]:
        raise ValueError("this format has exactly one Leader")
    return {
        "leader_number": number(deck.leader[0], catalogue),
        "main_deck_cards": copies_by_number(deck.main, catalogue),
        "side_deck_cards": copies_by_number(deck.side, catalogue),
    }


def _quantities(deck: Deck, catalogue: Catalogue | None) -> list[dict[str, Any]]:
    return [{"Qty": line.count, "cardnum": number(line, catalogue)} for line in _by_type(deck)]


def _sections(deck: Deck, catalogue: Catalogue | None) -> dict[str, Any]:
    return {section: [_known(line, catalogue) for line in deck.section(section)] for section in SECTIONS}


def _known(line: DeckLine, catalogue: Catalogue | None) -> dict[str, Any]:
    card = {"number": known_number(line, catalogue), "name": line.name, "count": line.count}
    return {key: value for key, value in card.items() if value is not None}


def _by_type(deck: Deck) -> list[DeckLine]:
    return [line for section in BY_TYPE for line in deck.section(section)]


FORMATS = (
    _json(
        "tts",
        "Tabletop Simulator array: a JSON array with a number for each copy",
        carries=BY_TYPE,
        read=_reader("tts", _are_all(str)),
        write=_writer(_copies, separators=(",", ":")),
    ),
    _json(
        "optcgsim-deckpack",
        "OPTCGSim deck pack: JSON with the text of each deck",
        carries=BY_TYPE,
        read=_read_pack,
        write=_writer(_pack, indent=2),
    ),
    _json(
        "recipe-json",
        "recipe in JSON: leader and mainDeck, each card with cardId, name and count",
        carries=("leader", "main"),
        read=_reader("recipe-json", _has("mainDeck")),
        write=_writer(_recipe, ensure_ascii=False, indent=1),
    ),
    _json(
        "app-json",
        "app's JSON map: leader_number, main_deck_cards and side_deck_cards with number and count",
        carries=("leader", "main", "side"),
        read=_reader("app-json", _has("leader_number")),
        write=_writer(_app_map, indent=1),
    ),
    _json(
        "qty-cardnum-json",
        'JSON array of {"Qty": 4, "cardnum": "OP01-016"}',
        carries=BY_TYPE,
        read=_reader("qty-cardnum-json", _are_all(dict)),
        write=_writer(_quantities),
    ),
    _json(
        "json",
        'JSON deck: {"leader": [{"number": "OP01-001", "count": 1}], "main": [...]}, alone or under "deck"',
        read=_read_any,
        write=_writer(_sections, ensure_ascii=False, indent=1),
    ),
)
