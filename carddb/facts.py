"""Facts: the facts of every card of each game on one day, without texts, so that real decks can be judged at once.

Each game has a table of its cards, `GAME.csv`. `deckproof cards export GAME --facts` writes it, and a test compares it
with the whole catalogue. `GAME.toml` has its day and its source. Invented cards have no such file.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from functools import cache, lru_cache, partial
from io import StringIO
from itertools import repeat
from operator import attrgetter
from pathlib import Path
from typing import Any

import orjson

from carddb.catalogue import Catalogue
from carddb.corrections import correct_cards
from carddb.errors import CardDataError
from carddb.files.csv_writer import write_csv
from carddb.serialization import to_cell
from carddb.sources.printed_facts import parse_cost, parse_power, split_list
from validator import documents
from validator.cards import Card, Clause
from validator.documents import Document, Provisional, parse_provisional
from validator.formulas import unguard_formula
from validator.games import game_of
from validator.language import phrase

_FOLDER = Path(__file__).parent / "data" / "facts"
COLUMNS = (
    *("number", "name", "back_name", "type", "colors", "cost", "life", "power", "back_power"),
    *("traits", "back_traits", "characters", "back_characters", "keywords"),
    *("set", "block", "released", "printings", "construction"),
)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of the facts of a game that ship, from `GAME.toml`.

    `day` is the day on which the facts were collected. `source` and `licence` are texts for people, with addresses.
    `reader` is the version of the parser of card texts that made the column `construction`. `provisional` is the notice
    that the sources are second-hand, None if they are not.
    """

    game: str
    day: date
    source: str
    licence: str
    reader: int
    provisional: Provisional | None = None


@lru_cache(maxsize=16)
def provenance(game: str) -> Provenance | None:
    """Return the origin of a game's facts, read from `GAME.toml`. None without a file, as for invented cards.

    Raises DocumentError for an invalid file. The result is cached.
    """
    return documents.load_game_document(_FOLDER / f"{game}.toml", game, _parse_document)


def _parse_document(document: Document) -> Provenance:
    """Return the origin of facts from a parsed TOML file.

    Raises DocumentError if a key is missing, unknown or wrong.
    """
    known = {"game": str, "day": date, "source": str, "licence": str, "reader": int}
    documents.check_keys(document, "the file", known, {"provisional": dict})
    return Provenance(**{**document, "provisional": parse_provisional(document, "the file")})


def snapshot(game: str) -> str:
    """Return the snapshot id of the facts of a game: `optcg-facts-2026-08-21`, or `optcg-facts` without a day."""
    origin = provenance(game)
    return f"{game}-facts-{origin.day}" if origin else f"{game}-facts"


def facts_file(game: str) -> Path:
    """Return the path of the CSV table of a game's facts. The file may be missing."""
    return _FOLDER / f"{game}.csv"


@lru_cache(maxsize=16)
def catalogue(game: str) -> Catalogue:
    """Return the catalogue of the facts of a game that ship, with the corrections that ship. The result is cached.

    Raises CardDataError if the game has no facts, and UnknownGame.
    """
    table = facts_file(game_of(game).id)
    if not table.is_file():
        raise CardDataError(
            phrase("No facts of {game} cards ship; `deckproof cards import` brings its cards in.", game=game)
        )
    origin = provenance(game)
    cards = correct_cards(read_table(table.read_text("utf-8"), game))
    if origin is None:
        return Catalogue(game, snapshot(game), cards)
    return Catalogue(game, snapshot(game), cards, origin.day, provisional=origin.provisional)


def write_table(cards: Iterable[Card]) -> bytes:
    """Return a CSV table (UTF-8) of the facts in COLUMNS, one row for each card, in the order given.

    The same cards in the same order give the same bytes. Facts without a column, such as texts and rarities, and the
    texts of clauses are left out. A cell that looks like a formula is escaped.
    """
    facts = [_WRITERS.get(column, attrgetter(column)) for column in COLUMNS]
    rows = ([to_cell(fact(card)) for fact in facts] for card in cards)
    return write_csv((COLUMNS, *rows), "\n").encode()


def _clauses_as_json(card: Card) -> str:
    """Return the deck-building clauses of a card as a JSON list of objects without their texts, "" if it has none."""
    clauses = [clause.as_dict() for clause in card.construction]
    for clause in clauses:
        del clause["text"]
    return orjson.dumps(clauses).decode() if clauses else ""


_WRITERS: Mapping[str, Callable[[Card], object]] = {
    "cost": lambda card: card.cost_text,
    "printings": lambda card: tuple(number for number in card.printings if number != card.number),
    "construction": _clauses_as_json,
}


def read_table(text: str, game: str) -> list[Card]:
    """Return the cards of a game from the text of a table that `write_table` made, in order.

    Facts without a column, such as texts, get their defaults. The table is parsed by column, and equal cells only once,
    because every `check` waits for it. Raises an error of Python if a cell is malformed: the tables ship.
    """
    header, *rows = csv.reader(StringIO(text, newline=""))
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    facts: dict[str, Iterable[Any]] = {
        name: map(cache(_READERS.get(name, _parse_word)), columns[name]) for name in COLUMNS if name in columns
    }
    facts["game"] = repeat(game)
    facts["cost_text"] = facts.get("cost", repeat(None))
    facts["cost"] = map(cache(partial(_parse_cost, game)), columns["type"], columns.get("cost", repeat("")))
    facts["printings"] = map(_all_printings, columns["number"], facts.get("printings", repeat(())))
    return list(map(Card, *(facts.get(field.name, repeat(field.default)) for field in fields(Card))))


def _parse_cost(game: str, card_type: str, printed: str) -> int | None:
    """Return the number of a printed cost, None if it has no number or cards of this type have no cost.

    `printed` is a cell of a table of facts, which may be escaped as a formula.
    """
    return parse_cost(game, card_type, unguard_formula(printed))


def _all_printings(number: str, printings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the numbers of all printings of a card: its own number and then `printings`.

    An empty number is left out.
    """
    return (number, *printings) if number else printings


def _parse_word(text: str) -> str | None:
    """Return the text of a cell without the escape of formulas, None if the cell is empty."""
    return unguard_formula(text) or None


def _parse_list(text: str) -> tuple[str, ...]:
    """Return the parts of a cell that are separated by "/", () if there are none. The escape of formulas is removed."""
    return split_list(unguard_formula(text))


def _parse_clauses(text: str) -> tuple[Clause, ...]:
    """Return the deck-building clauses of a cell that `_clauses_as_json` made, () if the cell is empty."""
    return tuple(map(Clause.from_dict, orjson.loads(text))) if text else ()


_READERS: Mapping[str, Callable[[str], Any]] = {
    "number": unguard_formula,
    **dict.fromkeys(("life", "power", "back_power"), parse_power),
    **dict.fromkeys(("colors", "traits", "back_traits", "characters", "back_characters"), _parse_list),
    **dict.fromkeys(("keywords", "printings"), _parse_list),
    "construction": _parse_clauses,
}
