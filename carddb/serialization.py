"""Serialization: a card's facts as a JSON object, without what is empty, and back to a Card."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import orjson

from validator.cards import Card, Clause

# What the database keeps in columns of its own, and what is made anew from its document.
_APART = frozenset({"game", "number", "name", "type", "unknown"})
_KEPT = {field.name: field.default for field in fields(Card) if field.name not in _APART}
_LISTS = frozenset(name for name, default in _KEPT.items() if default == ())
# What a text says is no fact of the source: it changes with the reader.
_READ = ("construction", "keywords")


def cell(value: object) -> str:
    """Return a fact of a card as a cell of a table has it."""
    if value is None:
        return ""
    return "/".join(value) if isinstance(value, tuple) else str(value)


def document(card: Card) -> dict[str, Any]:
    """Return the facts of a card by field, the empty ones left out."""
    facts = {name: getattr(card, name) for name in _KEPT}
    kept = {name: value for name, value in facts.items() if value != _KEPT[name]}
    if card.construction:
        kept["construction"] = [clause.as_dict() for clause in card.construction]
    return kept


def record(card: Card) -> dict[str, Any]:
    """Return a card of one game whole: its number, its name, its type and its document."""
    return {"number": card.number, "name": card.name, "type": card.type, **document(card)}


def canonical(card: Card) -> bytes:
    """Return what the source says of a card, the same bytes for the same facts."""
    facts = record(card)
    if card.text or card.back_text:
        for name in _READ:
            facts.pop(name, None)
    return orjson.dumps(facts, option=orjson.OPT_SORT_KEYS)


class Maker:
    """Makes the cards of one game of their documents.

    Equal texts and lists become one object: two full catalogues share most of their strings so.
    """

    def __init__(self, game: str) -> None:
        self._game = game
        self._same: dict[Hashable, Any] = {}
        self._made: dict[bytes, tuple[Clause, ...]] = {}

    def card(self, number: str, name: str, kind: str, facts: Mapping[str, Any]) -> Card:
        """Return the card of a row."""
        same = self._same.setdefault
        shared = {}
        for field, value in facts.items():
            if field == "construction":
                value = self._clauses(value)
            elif field in _LISTS:
                value = tuple([same(word, word) for word in value])
                value = same(value, value)
            else:
                value = same(value, value)
            shared[field] = value
        return Card(self._game, number, same(name, name), same(kind, kind), **shared)

    def _clauses(self, documents: Sequence[Mapping[str, Any]]) -> tuple[Clause, ...]:
        key = orjson.dumps(documents)
        if key not in self._made:
            self._made[key] = tuple(map(Clause.from_dict, documents))
        return self._made[key]
