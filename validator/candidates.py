"""Candidates: the cards that a line or a search may mean, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from validator.bounds import MOST_CARDS_OF_NAME, MOST_SIMILAR_CARDS
from validator.cards import Card, Catalogue, SimilarName
from validator.deck import DeckLine
from validator.games import GAMES
from validator.matching import folded
from validator.numbers import games_of, retyped

# What stands against a card in a section of a deck, the gravest first.
Objections = Callable[[Card, str], Sequence[bool]]

_DIGITS = re.compile(r"(?:(?<![A-Z])[A-Z]++)?[0-9]+")


class Candidate(NamedTuple):
    """A card that a line may mean, and how far it is from what was written: 0 is a card of that very name."""

    far: int
    card: Card


def suggested(similar: Iterable[SimilarName], most: int) -> list[Card]:
    """Return at most `most` cards of similar names: one of each name, then more of the likeliest."""
    return of_each_name([one.card for one in _of_similar(similar)], most)[:most]


def of_each_name(cards: Sequence[Card], names: int) -> list[Card]:
    """Return cards so that the first card of each of the first names comes before all other cards."""
    first: dict[str, Card] = {}
    for card in cards:
        if len(first) < names:
            first.setdefault(card.name, card)
    return list(dict.fromkeys([*first.values(), *cards]))


def near(line: DeckLine, catalogue: Catalogue) -> list[Candidate]:
    """Return the cards that a line may mean, by its name where there are any of it, by its number, by likeness."""
    if other_games(line, catalogue.game):
        return []
    named = [Candidate(0, card) for card in catalogue.by_name(line.name or "")[:MOST_CARDS_OF_NAME]]
    similar = list(_of_similar(catalogue.similar(line.written)))
    if not line.number:
        return named + similar
    called = list(_of_similar(catalogue.similar(line.name))) if line.name and not named else []
    # Of a number like the one that is written the name speaks as well, if it is like any.
    names = {card.name for _, card in called}
    last = max((far for far, _ in called), default=0) + 1
    return [*named, *(Candidate(1 if card.name in names or not names else last, card) for _, card in similar), *called]


def _of_similar(similar: Iterable[SimilarName]) -> Iterator[Candidate]:
    every = (Candidate(2 + one.typos, card) for one in similar for card in one.cards[:MOST_CARDS_OF_NAME])
    return islice(every, MOST_SIMILAR_CARDS)


def other_games(line: DeckLine, game: str) -> tuple[str, ...]:
    """Return the titles of the games whose number a line has, none where it may be of this game."""
    titles = games_of(line.number) if line.number else ()
    return () if GAMES[game].title in titles else titles


def ranked(
    found: Sequence[Candidate],
    line: DeckLine,
    section: str,
    objections: Objections,
    sets: Collection[str] = (),
) -> list[Card]:
    """Return cards by their names, by what the line says of their numbers, then by what stands against them.

    Of cards that are alike in this, those of the deck's `sets` come first, then those of the likelier name.
    """
    if not found:
        return []
    said = set(_DIGITS.findall(folded(f"{retyped(line.number or '')} {line.name or ''}").upper()))

    def order(one: Candidate) -> tuple[int, int, Sequence[bool], bool]:
        unsaid = -len(said.intersection(one.card.number.split("-"))) if said else 0
        return one.far, unsaid, objections(one.card, section), set_of(one.card) not in sets

    return list(dict.fromkeys(one.card for one in sorted(found, key=order)))


def set_of(card: Card) -> str:
    """Return the code of a card's set, as its number has it."""
    return card.number.rpartition("-")[0]
