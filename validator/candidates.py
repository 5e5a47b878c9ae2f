"""Candidates: the cards that a line may mean, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from validator.cards import Card, Catalogue
from validator.deck import DeckLine
from validator.games import GAMES
from validator.matching import folded
from validator.numbers import games_of, retyped

# What stands against a card in a section of a deck, the gravest first.
Objections = Callable[[Card, str], Sequence[bool]]

_POOL = 60  # cards of one look-up: those of a name in a full catalogue, most of the time
_DIGITS = re.compile(r"(?:(?<![A-Z])[A-Z]++)?[0-9]+")


class Candidate(NamedTuple):
    """A card that a line may mean, and how far it is from what was written: 0 is a card of that very name."""

    far: int
    card: Card


def near(line: DeckLine, catalogue: Catalogue) -> list[Candidate]:
    """Return the cards that a line may mean, by its name where there are any of it, by its number, by likeness."""
    if other_games(line, catalogue.game):
        return []
    named = [Candidate(0, card) for card in catalogue.by_name(line.name or "")[:_POOL]]
    like = catalogue.suggest(line.written, _POOL)
    if not line.number:
        return named + list(_by_name(like))
    called = list(_by_name(catalogue.suggest(line.name, _POOL))) if line.name and not named else []
    # Of a number like the one that is written the name speaks as well, if it is like any.
    names = {card.name for _, card in called}
    last = len(called) + 2
    return [*named, *(Candidate(1 if card.name in names or not names else last, card) for card in like), *called]


def _by_name(cards: Sequence[Card]) -> Iterator[Candidate]:
    """Yield cards that came by the likeness of their names: those of the likest name are all as near."""
    names = {name: far for far, name in enumerate(dict.fromkeys(card.name for card in cards), 2)}
    return (Candidate(names[card.name], card) for card in cards)


def other_games(line: DeckLine, game: str) -> tuple[str, ...]:
    """Return the titles of the games whose number a line has, none where it may be of this game."""
    titles = games_of(line.number) if line.number else ()
    return () if GAMES[game].title in titles else titles


def ranked(found: Sequence[Candidate], line: DeckLine, section: str, objections: Objections) -> list[Card]:
    """Return cards by their names, by what the line says of their numbers, then by what stands against them."""
    if not found:
        return []
    said = set(_DIGITS.findall(folded(f"{retyped(line.number or '')} {line.name or ''}").upper()))

    def order(one: Candidate) -> tuple[int, int, Sequence[bool]]:
        unsaid = -len(said.intersection(one.card.number.split("-"))) if said else 0
        return one.far, unsaid, objections(one.card, section)

    return list(dict.fromkeys(one.card for one in sorted(found, key=order)))
