"""Corrections: facts that the sources of a game are known to have wrong, with the reason and the evidence.

Snapshots keep what their source said; what is wrong in it is corrected, and what is not told is named,
whenever it is judged with. So a correction holds for cards that were imported before it, and ends when the
source is mended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from carddb import construction
from carddb.sources import card_tables
from validator import documents, limits
from validator.cards import Card
from validator.errors import DocumentError
from validator.games import GAMES

HERE = Path(__file__).parent

_NEEDED = {"numbers": list, "fact": str, "wrong": str, "right": str, "reason": str, "evidence": list}
# What may be corrected, and how a spreadsheet's cell of it is read.
_READERS: Mapping[str, Callable[[str, str], Any]] = {"type": card_tables.card_type, "colors": card_tables.colors}
_REMARKS = {
    "wrong": "What is known to be wrong is corrected",
    "right": "Their source is right, and no correction is needed any more",
}
_NO_NUMBER = re.compile("[XＸ－-]", re.IGNORECASE)  # a printed cost that is told and has no number

Corrections = Mapping[str, Sequence["Correction"]]


@dataclass(frozen=True, slots=True)
class Correction:
    """One fact of one card: what its sources have wrong, what is right, why, and where that can be seen."""

    number: str
    fact: str
    wrong: Any
    right: Any
    reason: str
    evidence: tuple[str, ...]

    def corrected(self, card: Card) -> Card:
        """Return the card with the right fact; one that has not the wrong one stays as it is."""
        if getattr(card, self.fact) != self.wrong:
            return card
        return construction.read(replace(card, **{self.fact: self.right}))


@lru_cache(maxsize=16)
def load(game: str, folder: Path = HERE) -> Corrections:
    """Return a game's corrections by card number, none where there is no file; DocumentError on a bad file."""
    return limits.of_game(game, "", _parsed, folder) or {}


def corrected(card: Card) -> Card:
    """Return a card as it is judged with, its wrong facts corrected."""
    for one in load(card.game).get(card.number, ()):
        card = one.corrected(card)
    return card


def settled(cards: Iterable[Card]) -> list[Card]:
    """Return the cards with what is known to be wrong corrected, and what their source does not tell named."""
    return [replace(card, unknown=untold) if (untold := unknown(card)) else card for card in map(corrected, cards)]


def unknown(card: Card) -> tuple[str, ...]:
    """Return which facts ("type", "colors", "cost") a card has by its type, and its source does not tell.

    A card of no type that the game has may have any.
    """
    game = GAMES[card.game]
    if card.type not in game.types:
        return ("type",)
    return tuple(fact for fact, types in game.always.items() if card.type in types and not _is_told(card, fact))


def _is_told(card: Card, fact: str) -> bool:
    if fact == "cost":
        return card.cost is not None or bool(_NO_NUMBER.match(card.cost_text or ""))
    return bool(getattr(card, fact))


def remarks(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield what is corrected of these cards, as their source has them, and what need not or cannot be any more."""
    corrections = load(game)
    both = [(card, one) for card in cards for one in corrections.get(card.number, ())]
    for value, sentence in _REMARKS.items():
        numbers = [one.number for card, one in both if getattr(card, one.fact) == getattr(one, value)]
        if numbers:
            yield f"{sentence}: {', '.join(numbers)}."
    for card, one in both:
        if getattr(card, one.fact) not in (one.wrong, one.right):
            yield f"{card.label}: its {one.fact} is neither what a correction replaces nor what it puts, and stays."


def _parsed(document: Mapping[str, Any]) -> Corrections:
    documents.check_keys(document, "the file", {"game": str, "correction": list})
    corrections: dict[str, list[Correction]] = {}
    for at, table in enumerate(document["correction"], 1):
        for one in _corrections(document["game"], table, f"correction {at}"):
            known = corrections.setdefault(one.number, [])
            if any(other.fact == one.fact for other in known):
                raise DocumentError(f"correction {at}: {one.number}, {one.fact} is corrected twice; keep one of them")
            known.append(one)
    return corrections


def _corrections(game: str, table: Any, where: str) -> Iterator[Correction]:
    documents.check_keys(table, where, _NEEDED)
    documents.check_word(table["fact"], f"{where}, fact", _READERS)
    if not table["reason"].strip():
        raise DocumentError(f"{where}: the reason is empty; say how it is known")
    wrong, right = (_value(game, table, key, where) for key in ("wrong", "right"))
    if wrong == right:
        raise DocumentError(f"{where}: wrong and right are the same; write what the source has, and what is true")
    evidence = _texts(table, "evidence", where)
    for number in _texts(table, "numbers", where):
        documents.check_number(number, where)
        yield Correction(number, table["fact"], wrong, right, table["reason"], evidence)


def _value(game: str, table: Mapping[str, str], key: str, where: str) -> Any:
    try:
        return _READERS[table["fact"]](game, table[key])
    except ValueError as error:
        raise DocumentError(f"{where}, {key}: {error}") from None


def _texts(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    texts = documents.check_texts(cast("list[Any]", table[key]), f"{where}, {key}")
    if not all(map(str.strip, texts)) or not texts:
        raise DocumentError(f"{where}, {key}: write at least one text, and none that is empty")
    return texts
