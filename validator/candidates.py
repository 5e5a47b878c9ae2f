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
from validator.matching import fold_text
from validator.numbers import correct_number, games_of

# The objections to a card in a section of a deck, the gravest first.
Objections = Callable[[Card, str], Sequence[bool]]

_DIGITS = re.compile(r"(?:(?<![A-Z])[A-Z]++)?[0-9]+")


class Candidate(NamedTuple):
    """A card that a line may mean, and its distance from the written text. 0 is a card of exactly that name."""

    far: int
    card: Card


def pick_suggestions(similar: Iterable[SimilarName], most: int) -> list[Card]:
    """Return at most `most` cards of similar names: one of each name, then more of the likeliest."""
    return put_names_first([candidate.card for candidate in _cards_of_names(similar)], most)[:most]


def put_names_first(cards: Sequence[Card], names: int) -> list[Card]:
    """Return all cards, the first card of each of the first `names` names before all others."""
    first: dict[str, Card] = {}
    for card in cards:
        if len(first) < names:
            first.setdefault(card.name, card)
    return list(dict.fromkeys([*first.values(), *cards]))


def find_candidates(line: DeckLine, catalogue: Catalogue) -> list[Candidate]:
    """Return the cards that a line may mean: by exact name, by similar number, by similar name."""
    if other_games(line, catalogue.game):
        return []
    named = [Candidate(0, card) for card in catalogue.by_name(line.name or "")[:MOST_CARDS_OF_NAME]]
    similar = list(_cards_of_names(catalogue.similar(line.written)))
    if not line.number:
        return named + similar
    called = list(_cards_of_names(catalogue.similar(line.name))) if line.name and not named else []
    # For cards of a similar number the name is compared too, if it is similar to any name.
    names = {card.name for _, card in called}
    last = max((far for far, _ in called), default=0) + 1
    return [*named, *(Candidate(1 if card.name in names or not names else last, card) for _, card in similar), *called]


def _cards_of_names(similar: Iterable[SimilarName]) -> Iterator[Candidate]:
    """Yield the cards of similar names, at most MOST_SIMILAR_CARDS."""
    every = (Candidate(2 + name.typos, card) for name in similar for card in name.cards[:MOST_CARDS_OF_NAME])
    return islice(every, MOST_SIMILAR_CARDS)


def other_games(line: DeckLine, game: str) -> tuple[str, ...]:
    """Return the titles of the games with such card numbers. () if the number may be of this game."""
    titles = games_of(line.number) if line.number else ()
    return () if GAMES[game].title in titles else titles


def rank_candidates(
    candidates: Sequence[Candidate],
    line: DeckLine,
    section: str,
    objections: Objections,
    sets: Collection[str] = (),
) -> list[Card]:
    """Return cards sorted by similarity of name, by the digits of their numbers in the line, then by objections.

    Of equal cards, those of the deck's `sets` come first.
    """
    if not candidates:
        return []
    written = set(_DIGITS.findall(fold_text(f"{correct_number(line.number or '')} {line.name or ''}").upper()))

    def order(candidate: Candidate) -> tuple[int, int, Sequence[bool], bool]:
        """Return the sort key of a candidate. The likeliest card has the smallest key."""
        digits_missing = -len(written.intersection(candidate.card.number.split("-"))) if written else 0
        return (
            candidate.far,
            digits_missing,
            objections(candidate.card, section),
            set_code_of(candidate.card) not in sets,
        )

    return list(dict.fromkeys(candidate.card for candidate in sorted(candidates, key=order)))


def set_code_of(card: Card) -> str:
    """Return the set code of a card: the part of its number before the last dash, "" if there is none."""
    return card.number.rpartition("-")[0]
