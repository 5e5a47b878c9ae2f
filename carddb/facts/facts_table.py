"""The table of facts: cards written as CSV, a card a row, without texts and pictures; and read again."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache, partial
from io import StringIO
from itertools import repeat
from operator import attrgetter
from typing import Any

import orjson

from carddb.serialization import cell
from carddb.sources.printed_facts import cost, listed, power
from validator.cards import Card, Clause
from validator.decklists.formulas import guarded, unguarded

COLUMNS = (
    *("number", "name", "back_name", "type", "colors", "cost", "life", "power", "back_power"),
    *("traits", "back_traits", "characters", "back_characters", "keywords"),
    *("set", "block", "released", "printings", "construction"),
)


def write(cards: Iterable[Card]) -> bytes:
    """Return the facts of cards as a table: the same bytes for the same facts.

    Of clauses it has what they come to, and not what they say.
    """
    text = StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    facts = [_WRITTEN.get(column, attrgetter(column)) for column in COLUMNS]
    table.writerows([guarded(cell(fact(card))) for fact in facts] for card in cards)
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


def read(text: str, game: str) -> list[Card]:
    """Return the cards of a table that `write` made.

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
    return listed(unguarded(text))


def _clauses(text: str) -> tuple[Clause, ...]:
    return tuple(map(Clause.from_dict, orjson.loads(text))) if text else ()


_READERS: Mapping[str, Callable[[str], Any]] = {
    "number": unguarded,
    **dict.fromkeys(("life", "power", "back_power"), power),
    **dict.fromkeys(("colors", "traits", "back_traits", "characters", "back_characters"), _list),
    **dict.fromkeys(("keywords", "printings"), _list),
    "construction": _clauses,
}
