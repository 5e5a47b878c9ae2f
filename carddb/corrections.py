"""Corrections: facts that are known to be wrong in the sources of a game, with the reason and the evidence.

Snapshots keep the facts of their source. Corrections are applied, and missing facts are marked as unknown, each time
that cards are loaded. So a correction also holds for cards that were imported before it was written, and has no effect
as soon as the source is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from carddb import construction
from carddb.errors import PlacedText
from carddb.sources import printed_facts
from validator import documents
from validator.cards import Card
from validator.documents import Document, Table
from validator.errors import DocumentError, error_text
from validator.games import GAMES
from validator.language import phrase
from validator.words import field_label

FOLDER = Path(__file__).parent / "data" / "corrections"

_NEEDED = {"numbers": list, "fact": str, "wrong": str, "right": str, "reason": str, "evidence": list}
# What may be corrected, and how a spreadsheet's cell of it is read.
_READERS: Mapping[str, Callable[[str, str], Any]] = {
    "type": printed_facts.parse_card_type,
    "colors": printed_facts.parse_known_colors,
}
_REMARKS = {
    "wrong": phrase("What is known to be wrong is corrected"),
    "right": phrase("Their source is right, and no correction is needed any more"),
}
_NO_NUMBER = re.compile("[XＸ－-]", re.IGNORECASE)  # a printed cost without a number

Corrections = Mapping[str, Sequence["Correction"]]


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of one fact of one card, from a TOML file: the wrong and the right value, the reason, the evidence.

    `number` is the card's own number, not that of a printing. `fact` is the name of a field of Card ("type" or
    "colors"). `wrong` and `right` are values of that field: a text, or a tuple of colours. `reason` and `evidence` are
    texts for people. `evidence` has at least one address or place in a document.
    """

    number: str
    fact: str
    wrong: Any
    right: Any
    reason: str
    evidence: tuple[str, ...]

    def apply(self, card: Card) -> Card:
        """Return the card with the right fact, and with its clauses and keywords parsed again from its text.

        A card that does not have the wrong value is returned unchanged. The card's number is not compared.
        """
        if getattr(card, self.fact) != self.wrong:
            return card
        return construction.read(replace(card, **{self.fact: self.right}))


@lru_cache(maxsize=16)
def load_corrections(game: str, folder: Path = FOLDER) -> Corrections:
    """Return a game's corrections by card number, empty if the game has no file in the folder. The result is cached.

    Raises DocumentError for a bad file.
    """
    return documents.load_game_document(folder / f"{game}.toml", game, parse_document) or {}


def correct_card(card: Card, added: Corrections = MappingProxyType({})) -> Card:
    """Return a card with the corrections applied that ship for its number, and then those of `added`.

    A card that has none of their wrong values is returned unchanged.
    """
    for corrections in (load_corrections(card.game), added):
        for correction in corrections.get(card.number, ()):
            card = correction.apply(card)
    return card


def correct_cards(cards: Iterable[Card], added: Corrections = MappingProxyType({})) -> list[Card]:
    """Return the cards with all corrections applied, and with `unknown` set to the names of missing facts.

    `added` are corrections by card number that are applied after those that ship. The order stays.
    """
    corrected = (correct_card(card, added) for card in cards)
    return [
        replace(card, unknown=missing) if (missing := unknown_facts(card)) != card.unknown else card
        for card in corrected
    ]


def unknown_facts(card: Card) -> tuple[str, ...]:
    """Return the facts (such as "colors", "cost") that every card of this type has but this card lacks.

    () for a complete card. For a card type that the game does not have, only "type" is returned.
    """
    game = GAMES[card.game]
    if card.type not in game.types:
        return ("type",)
    return tuple(fact for fact, types in game.always.items() if card.type in types and not _has_fact(card, fact))


def _has_fact(card: Card, fact: str) -> bool:
    """Return True if the card has a value for the fact.

    A printed cost without a number ("X", "-") counts as a value.
    """
    if fact == "cost":
        return card.cost is not None or bool(_NO_NUMBER.match(card.cost_text or ""))
    return bool(getattr(card, fact))


def correction_remarks(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield notices on the corrections that ship for these cards, which must be as their source has them.

    One notice lists the cards that are corrected, one those whose source is right by now. For each card with a third
    value follows a notice that it stays.
    """
    corrections = load_corrections(game)
    pairs = [(card, correction) for card in cards for correction in corrections.get(card.number, ())]
    for value, sentence in _REMARKS.items():
        numbers = [
            correction.number
            for card, correction in pairs
            if getattr(card, correction.fact) == getattr(correction, value)
        ]
        if numbers:
            yield PlacedText(sentence, f"{', '.join(numbers)}.")
    for card, correction in pairs:
        if getattr(card, correction.fact) not in (correction.wrong, correction.right):
            problem = phrase(
                "its {field} is neither what a correction replaces nor what it puts, and stays.",
                field=field_label(correction.fact),
            )
            yield PlacedText(card.label, problem)


def parse_document(document: Document) -> Corrections:
    """Return the corrections of a parsed TOML file by card number. Raises DocumentError for an invalid file.

    A fact of a card may be corrected only once.
    """
    documents.check_keys(document, phrase("the file"), {"game": str, "correction": list})
    corrections: dict[str, list[Correction]] = {}
    for position, table in enumerate(document["correction"], 1):
        for correction in _parse_corrections(document["game"], table, _place_of_correction(position)):
            known = corrections.setdefault(correction.number, [])
            if any(other.fact == correction.fact for other in known):
                where = PlacedText(_place_of_correction(position), f"{correction.number}, {correction.fact}")
                raise DocumentError(phrase("{where} is corrected twice; keep one of them", where=where))
            known.append(correction)
    return corrections


def _place_of_correction(position: int) -> str:
    """Return the place of a correction in its file, for messages."""
    return phrase("correction {position}", position=position)


def _parse_corrections(game: str, table: Any, location: str) -> Iterator[Correction]:
    """Yield the corrections of one table of the file, one for each of its card numbers.

    `location` is the place of the table in messages. Raises DocumentError if a key is missing or wrong, or if the wrong
    value is also the right one.
    """
    documents.check_keys(table, location, _NEEDED)
    documents.check_word(table["fact"], location, _READERS, "fact")
    if not table["reason"].strip():
        raise DocumentError(phrase("{location}: the reason is empty; say how it is known", location=location))
    wrong, right = (_parse_value(game, table, key, location) for key in ("wrong", "right"))
    if wrong == right:
        raise DocumentError(
            phrase(
                "{location}: wrong and right are the same; write what the source has, and what is true",
                location=location,
            )
        )
    evidence = _parse_texts(table, "evidence", location)
    for number in _parse_texts(table, "numbers", location):
        documents.check_number(number, location)
        yield Correction(number, table["fact"], wrong, right, table["reason"], evidence)


def _parse_value(game: str, table: Mapping[str, str], key: str, location: str) -> Any:
    """Return the value of `key` ("wrong" or "right") in a table, parsed like a cell of a card table.

    The `fact` of the table, "type" or "colors", decides the parser. The keys and `fact` must have been checked before.
    Raises DocumentError if the game does not have the value.
    """
    try:
        return _READERS[table["fact"]](game, table[key])
    except ValueError as error:
        raise DocumentError(
            phrase("{location}, {key}: {problem}", location=location, key=key, problem=error_text(error))
        ) from None


def _parse_texts(table: Table, key: str, location: str) -> tuple[str, ...]:
    """Return the list of texts of `key` in a table. Raises DocumentError if the list or one of its texts is empty."""
    texts = documents.check_texts(cast("list[Any]", table[key]), location, key)
    if not all(map(str.strip, texts)) or not texts:
        raise DocumentError(
            phrase("{location}, {key}: write at least one text, and none that is empty", location=location, key=key)
        )
    return texts
