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
    """A card that a line may mean, and its distance `far` from the written text. A smaller distance is likelier.

    0 is a card of exactly the written name, 1 a card of a number similar to the written one. For other similar cards it
    is 2 more than the typos. See `find_candidates` for numbers with another name.
    """

    far: int
    card: Card


def pick_suggestions(similar: Iterable[SimilarName], most: int) -> list[Card]:
    """Return at most `most` cards of similar names: the first card of each name, then further cards of these names.

    Within both parts the cards keep the order of `similar`, which begins with the likeliest name. Only the first
    MOST_SIMILAR_CARDS cards are considered.
    """
    return put_names_first([candidate.card for candidate in _cards_of_names(similar)], most)[:most]


def put_names_first(cards: Sequence[Card], most_names: int) -> list[Card]:
    """Return all cards without duplicates, the first card of each name before all others.

    Only the first `most_names` names are put first. Otherwise the order is kept.
    """
    first: dict[str, Card] = {}
    for card in cards:
        if len(first) < most_names:
            first.setdefault(card.name, card)
    return list(dict.fromkeys([*first.values(), *cards]))


def find_candidates(line: DeckLine, catalogue: Catalogue) -> list[Candidate]:
    """Return the cards that a line may mean: those of exactly its name, of a similar number, and of a similar name.

    They are unsorted, and a card may be in the result more than once. It is empty if the number can only be of another
    game. If the written name is similar to any name, a card of a similar number but of none of these names gets the
    largest distance.
    """
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
    """Yield each card of similar names with the distance 2 + typos, at most MOST_SIMILAR_CARDS in all.

    Of one name there are at most MOST_CARDS_OF_NAME.
    """
    every = (Candidate(2 + name.typos, card) for name in similar for card in name.cards[:MOST_CARDS_OF_NAME])
    return islice(every, MOST_SIMILAR_CARDS)


def other_games(line: DeckLine, game: str) -> tuple[str, ...]:
    """Return the titles of the games that the line's number can be of, those that are not judged included.

    () if the number can be of the game with the id `game`, of no game, or is missing.
    """
    titles = games_of(line.number) if line.number else ()
    return () if GAMES[game].title in titles else titles


def rank_candidates(
    candidates: Sequence[Candidate],
    line: DeckLine,
    section: str,
    objections: Objections,
    sets: Collection[str] = (),
) -> list[Card]:
    """Return the candidates' cards without duplicates, the likeliest first.

    They are sorted by distance, then by the parts of their numbers that the line contains, then by `objections`. These
    are the bools for a card and the section, the gravest first, and False is likelier. Of equal cards, those whose set
    code is in `sets`, the deck's sets, come first.
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
    """Return the set code of a card: its number up to the last dash ("OP01" of "OP01-016"). "" if there is no dash."""
    return card.number.rpartition("-")[0]
