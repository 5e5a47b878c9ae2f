"""Serialization: cards as JSON objects without empty fields, and all cards of a snapshot packed into one value.

A packed catalogue of 6,500 cards takes 0.5 MB. `carddb.snapshot_store` stores it with its checksum.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import orjson

from validator.cards import Card, Clause
from validator.language import phrase

# Fields that the database has in columns of their own, or that follow from the document.
_APART = frozenset({"game", "number", "name", "type", "unknown"})
_KEPT = {field.name: field.default for field in fields(Card) if field.name not in _APART}
_LISTS = frozenset(name for name, default in _KEPT.items() if default == ())
# What is parsed from the text is no fact of the source: it changes with the parser.
_READ = ("construction", "keywords")


def to_cell(value: object) -> str:
    """Return the text of a fact for a table cell: "" for None, the parts of a tuple joined with "/", else its `str`."""
    if value is None:
        return ""
    return "/".join(value) if isinstance(value, tuple) else str(value)


def to_document(card: Card) -> dict[str, Any]:
    """Return the facts of a card by field, without number, name, type, game and `unknown`, and without defaults.

    A field that has its default (None, "", ()) is left out. Clauses are dicts. Tuples stay tuples.
    """
    facts = {name: getattr(card, name) for name in _KEPT}
    kept = {name: value for name, value in facts.items() if value != _KEPT[name]}
    if card.construction:
        kept["construction"] = [clause.as_dict() for clause in card.construction]
    return kept


def to_record(card: Card) -> dict[str, Any]:
    """Return the number, name and type of a card, then its other facts by field as in `to_document`.

    The game and `unknown` are left out, and so are facts with their default.
    """
    return {"number": card.number, "name": card.name, "type": card.type, **to_document(card)}


def canonical_bytes(card: Card) -> bytes:
    """Return the facts that the source gave as JSON with sorted keys: the same bytes for the same facts.

    Clauses and keywords are left out if the card has a text, because a newer parser may parse others from it.
    """
    facts = to_record(card)
    if card.text or card.back_text:
        for name in _READ:
            facts.pop(name, None)
    return orjson.dumps(facts, option=orjson.OPT_SORT_KEYS)


class CardMaker:
    """Makes the cards of one game from their documents (see `to_document`).

    Equal texts and lists become one object, so that two full catalogues share most of their strings.
    """

    def __init__(self, game: str) -> None:
        """Prepare to make cards of a game, with empty caches."""
        self._game = game
        self._same: dict[Hashable, Any] = {}
        self._made: dict[bytes, tuple[Clause, ...]] = {}

    def make_card(self, number: str, name: str, kind: str, facts: Mapping[str, Any]) -> Card:
        """Return the card with this number, name and type (`kind`), and the facts of its document by field.

        Lists become tuples, and dicts of clauses become clauses. Equal values are shared with cards made before. Raises
        TypeError for an unknown field.
        """
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
        """Return the clauses of these dicts. Equal dicts share the same clauses, which are cached."""
        key = orjson.dumps(documents)
        if key not in self._made:
            self._made[key] = tuple(map(Clause.from_dict, documents))
        return self._made[key]


class PackedCards(NamedTuple):
    """The cards of a snapshot packed for the database: `data` is zlib of a JSON line for each card, in order.

    `checksum` is the SHA-256 (hexadecimal) of the snapshot's content hash, the number of cards, and `data`.
    """

    data: bytes
    checksum: str


def content_hash(game: str, cards: Iterable[Card]) -> str:
    """Return the SHA-256 of the game and of the facts that the source gave, as hexadecimal digits.

    The order of the cards does not count, nor do facts that are parsed from texts.
    """
    facts = sorted(map(canonical_bytes, cards))
    return hashlib.sha256(b"\n".join([game.encode(), *facts])).hexdigest()


def pack(content: str, cards: Iterable[Card]) -> PackedCards:
    """Pack the cards of a snapshot for storing: a compressed line of JSON for each card, and a checksum.

    `content` is the hash of the snapshot's facts, which is a part of the checksum.
    """
    rows = [orjson.dumps((card.number, card.name, card.type, to_document(card))) for card in cards]
    data = zlib.compress(b"\n".join(rows))
    return PackedCards(data, _content_checksum(content, len(rows), data))


def verify_content(content: str, count: int, packed: PackedCards | None) -> PackedCards:
    """Return the packed cards unchanged if their checksum is that of `count` cards of the content hash `content`.

    Raises ValueError if they are None or have another checksum. The message is a part of a sentence.
    """
    if packed is None:
        raise ValueError(phrase("its cards are missing"))
    if packed.checksum != _content_checksum(content, count, packed.data):
        raise ValueError(phrase("its cards are not those that were imported"))
    return packed


def unpack(game: str, packed: PackedCards) -> list[Card]:
    """Return the cards of a game that were packed, in order. The checksum is not compared.

    Raises ValueError if this version cannot read them. The message is a part of a sentence.
    """
    make = CardMaker(game).make_card
    try:
        return [make(*orjson.loads(row)) for row in zlib.decompress(packed.data).splitlines()]
    except (zlib.error, orjson.JSONDecodeError, TypeError, AttributeError, KeyError) as error:
        raise ValueError(phrase("its cards cannot be read")) from error


def _content_checksum(content: str, count: int, data: bytes) -> str:
    """Return the SHA-256 of the packed cards `data`, together with their content hash and their number `count`.

    It is in hexadecimal digits.
    """
    return hashlib.sha256(f"{content} {count}\n".encode() + data).hexdigest()
