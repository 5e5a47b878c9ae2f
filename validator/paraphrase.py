"""Paraphrase: what a clause does, in words of ours, cited where the catalogue has the card without its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from validator import words
from validator.cards import Card, Clause
from validator.findings import Citation

_SECTIONS = {"main": "the deck", "z": "the Z-Deck"}
_GAINED = {
    "names": "name",
    "characters": "character",
    "traits": "trait",
    "colors": "colour",
    "keywords": "keyword",
    "types": "type",
}


def said(clause: Clause) -> str:
    """Return what a clause says as it is printed, or what it does in words of ours."""
    return clause.text or paraphrased(clause)


def cite(card: Card, clause: Clause) -> Citation:
    """Return where a clause of a card is written: the card, and the clause as it is printed or in words of ours."""
    return Citation(card.label, clause.text or f"{card.number or card.name}'s own text {paraphrased(clause)}")


def paraphrased(clause: Clause) -> str:
    """Return what a clause does, in words that follow "its text": "bars Event cards from the deck"."""
    said = _CLAUSES[clause.kind](clause)
    return said if clause.when is None else f"{said}, if the Leader is one of the {_meant(clause.when)}"


def _copies(clause: Clause) -> str:
    allowed = "any number of copies" if clause.limit is None else words.copies(clause.limit)
    return f"allows {allowed} of it in {_SECTIONS[clause.section]}"


def _pool(clause: Clause) -> str:
    allowed = "any number" if clause.limit is None else str(clause.limit)
    return f"allows {allowed} of the {_meant(clause.match)} in {_SECTIONS[clause.section]}"


def _gains(clause: Clause) -> str:
    gained = [_gained(noun, getattr(clause, field)) for field, noun in _GAINED.items() if getattr(clause, field)]
    return f"gives {_meant(clause.match) if clause.match else 'it'} {words.joined(gained)}"


def _gained(noun: str, values: tuple[str, ...]) -> str:
    return f"the {noun}{'s' if len(values) > 1 else ''} {words.joined(values)}"


_CLAUSES: Mapping[str, Callable[[Clause], str]] = {
    "copies": _copies,
    "keyword": lambda clause: f"gives it the keyword {clause.keyword}",
    "forbid": lambda clause: f"bars {_meant(clause.match)} from {_SECTIONS[clause.section]}",
    "pool": _pool,
    "alias": _gains,
    "don_size": lambda clause: f"makes a DON!! deck of {words.cards(clause.size)}",
    "unread": lambda clause: "says something of deck construction that could not be read",
}


def _meant(match: Mapping[str, Any] | None) -> str:
    """Return which cards a match means (see `validator.matching`): "Battle cards that cost 4 or more"."""
    tests = dict(match or {})
    kinds = tests.pop("type", ())
    return " ".join([*filter(None, [_either(kinds)]), "cards", *(_TESTS[test](value) for test, value in tests.items())])


def _either(values: Any) -> str:
    return words.joined(list(values), "or")


def _cost(bounds: Mapping[str, int]) -> str:
    least, most = bounds.get("min"), bounds.get("max")
    if least == most:
        return f"that cost {least}"
    if most is None:
        return f"that cost {least} or more"
    return f"that cost {most} or less" if least is None else f"that cost {least} to {most}"


_TESTS: Mapping[str, Callable[[Any], str]] = {
    "color": lambda colors: f"that are {_either(colors)}",
    "trait": lambda traits: f"with the trait {_either(traits)}",
    "character": lambda characters: f"of the character {_either(characters)}",
    "name": lambda names: f"called {_either(names)}",
    "keyword": lambda keywords: f"with the keyword {_either(keywords)}",
    "trait_part": lambda parts: f"with {_either(parts)} in a trait",
    "character_part": lambda parts: f"with {_either(parts)} in their character",
    "name_part": lambda parts: f"with {_either(parts)} in their name",
    "cost": _cost,
    "multicolor": lambda several: "of several colours" if several else "of one colour",
    "not": lambda match: f"other than {_meant(match)}",
    "any": lambda parts: f"that are {words.joined([_meant(part) for part in parts], 'or')}",
    "all": lambda parts: f"that are {words.joined([_meant(part) for part in parts])}",
}
