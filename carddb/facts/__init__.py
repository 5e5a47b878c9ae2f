"""Facts: what is known of every card of a game on a day, without texts, so that the first command judges real decks.

A game has a table of its cards, `GAME.csv`, which `deckproof cards export GAME --facts` writes and a test compares
with the whole catalogue; beside it `GAME.toml` says of which day it is, and from where. Invented cards have none.
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
from carddb.corrections import settled
from carddb.errors import CardDataError
from carddb.serialization import to_cell
from carddb.sources.printed_facts import cost, power, split_list
from validator import documents, limits
from validator.cards import Card, Clause
from validator.decklists.formulas import guarded, unguarded
from validator.games import game_of

_HERE = Path(__file__).parent
COLUMNS = (
    *("number", "name", "back_name", "type", "colors", "cost", "life", "power", "back_power"),
    *("traits", "back_traits", "characters", "back_characters", "keywords"),
    *("set", "block", "released", "printings", "construction"),
)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Of which day the facts of a game are, from where, and what may be done with them.

    `reader` is the version of the reader that read what the cards say of construction.
    """

    game: str
    day: date
    source: str
    licence: str
    reader: int


@lru_cache(maxsize=16)
def provenance(game: str) -> Provenance | None:
    """Return where the facts of a game are from, None where they are invented; DocumentError on a bad file."""
    return limits.of_game(game, "", _parsed, _HERE)


def _parsed(document: Mapping[str, Any]) -> Provenance:
    documents.check_keys(document, "the file", {"game": str, "day": date, "source": str, "licence": str, "reader": int})
    return Provenance(**document)


def snapshot(game: str) -> str:
    """Return what the facts of a game are called where a snapshot is named."""
    known = provenance(game)
    return f"{game}-facts-{known.day}" if known else f"{game}-facts"


def file(game: str) -> Path:
    """Return where the table of a game is."""
    return _HERE / f"{game}.csv"


@lru_cache(maxsize=16)
def catalogue(game: str) -> Catalogue:
    """Return the catalogue of the facts of a game; a CardDataError if none ship."""
    written = file(game_of(game).id)
    if not written.is_file():
        raise CardDataError(f"No facts of {game} cards ship; `deckproof cards import` brings its cards in.")
    known = provenance(game)
    cards = settled(read_table(written.read_text("utf-8"), game))
    return Catalogue(game, snapshot(game), cards, known.day if known else None)


def write_table(cards: Iterable[Card]) -> bytes:
    """Return the facts of cards as a table: the same bytes for the same facts.

    Of clauses it has what they come to, and not what they say.
    """
    text = StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    facts = [_WRITTEN.get(column, attrgetter(column)) for column in COLUMNS]
    table.writerows([guarded(to_cell(fact(card))) for fact in facts] for card in cards)
    return text.getvalue().encode()


def _construction(card: Card) -> str:
    clauses = [clause.as_dict() for clause in card.construction]
    for clause in clauses:
        del clause["text"]
    return orjson.dumps(clauses).decode() if clauses else ""


_WRITTEN: Mapping[str, Callable[[Card], object]] = {
    "cost": lambda card: card.cost_text,
    "printings": lambda card: tuple(one for one in card.printings if one != card.number),
    "construction": _construction,
}


def read_table(text: str, game: str) -> list[Card]:
    """Return the cards of a table that `write_table` made.

    It is read column by column, and what stands in many cells is read once: every `check` waits for it.
    """
    header, *rows = csv.reader(StringIO(text, newline=""))
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    facts: dict[str, Iterable[Any]] = {name: _values(columns[name], name) for name in COLUMNS if name in columns}
    facts["game"] = repeat(game)
    facts["cost_text"] = facts.get("cost", repeat(None))
    facts["cost"] = map(cache(partial(_number_of_cost, game)), columns["type"], columns.get("cost", repeat("")))
    facts["printings"] = map(_all_printings, columns["number"], facts.get("printings", repeat(())))
    return list(map(Card, *(facts.get(field.name, repeat(field.default)) for field in fields(Card))))


def _values(cells: Iterable[str], column: str) -> Iterable[Any]:
    return map(cache(_READERS.get(column, _word)), cells)


def _number_of_cost(game: str, kind: str, printed: str) -> int | None:
    return cost(game, kind, unguarded(printed))


def _all_printings(number: str, others: tuple[str, ...]) -> tuple[str, ...]:
    return (number, *others) if number else others


def _word(text: str) -> str | None:
    return unguarded(text) or None


def _list(text: str) -> tuple[str, ...]:
    return split_list(unguarded(text))


def _clauses(text: str) -> tuple[Clause, ...]:
    return tuple(map(Clause.from_dict, orjson.loads(text))) if text else ()


_READERS: Mapping[str, Callable[[str], Any]] = {
    "number": unguarded,
    **dict.fromkeys(("life", "power", "back_power"), power),
    **dict.fromkeys(("colors", "traits", "back_traits", "characters", "back_characters"), _list),
    **dict.fromkeys(("keywords", "printings"), _list),
    "construction": _clauses,
}
