"""Catalogues: an immutable index of one snapshot, by number, by name and by likeness."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from validator.cards import Card
from validator.matching import folded
from validator.numbers import OFFICIAL
from validator.numbers import normal

SUGGESTIONS = 5  # a handful
_LETTERS = 4  # for each typo in a word or name: what differs more is another name,
_MOST_TYPOS = 2  # and so it is in a long one
LONGEST_QUERY = 100  # characters; the longest card name has 89
_WORD = re.compile(r"\w+")
_FACES = re.compile(" ?/+ ?")


class Page(NamedTuple):
    """Some of the cards that a search found, and how many it found in all."""

    cards: Sequence[Card]
    total: int


class Catalogue:
    """The cards of one game as one snapshot has them; implements `validator.cards.Catalogue`.

    `cards` holds each card once: folding printings into their card is the importer's work. A card is
    found by its number and by every printing's, in any spelling; by its name, front, back or both
    ("Front // Back"); and by what is like either. Safe to share between threads.
    """

    __slots__ = ("_bases", "_cards", "_likeness", "_names", "_said", "game", "index", "snapshot")

    def __init__(self, game: str, snapshot: str, cards: Iterable[Card]) -> None:
        self.game = game
        self.snapshot = snapshot
        self._cards = tuple(cards)
        self.index: Mapping[str, Card] = _by_spelling(self._cards)
        self._bases = {normal(number, game)[0]: card for number, card in self.index.items()}
        self._names = _by_name(self._cards)
        # Made when first asked for: judging clean decks needs neither.
        self._likeness: _Likeness | None = None
        self._said: dict[Card, str] | None = None

    def __len__(self) -> int:
        return len(self._cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards)

    def by_number(self, number: str) -> Card | None:
        """Return the card of a number in any spelling, of any printing."""
        return self.index.get(number) or self._bases.get(normal(number, self.game)[0])

    def by_name(self, name: str) -> Sequence[Card]:
        """Return the cards of exactly this name, front, back or both, however it is cased or spaced."""
        return self._names.get(_name_key(name), ())

    def suggest(self, text: str) -> Sequence[Card]:
        """Return a few cards whose number or name is like this text, the likeliest first."""
        if self._likeness is None:
            self._likeness = _Likeness(self.game, self._cards)
        return self._likeness.suggest(text[:LONGEST_QUERY])

    def search(
        self,
        q: str = "",
        *,
        color: str | None = None,
        type: str | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> Page:
        """Return the cards that have every word of `q` in number or name, and the colour and type asked.

        Cards of exactly that number or name come first; otherwise the order is the source's.
        """
        q = q[:LONGEST_QUERY]
        words = folded(q).split()
        found = [card for card in self._cards if _has(card, color, type)]
        if words:
            said = self._sayings()
            found = [card for card in found if all(word in said[card] for word in words)]
            exact = {*self.by_name(q), self.by_number(q)}
            found.sort(key=lambda card: card not in exact)
        return Page(found[offset : offset + limit], len(found))

    def _sayings(self) -> Mapping[Card, str]:
        if self._said is None:
            self._said = {card: folded(f"{card.number} {card.name} {card.back_name or ''}") for card in self._cards}
        return self._said


def _by_spelling(cards: Iterable[Card]) -> dict[str, Card]:
    index = {}
    for card in cards:
        for number in (*card.printings, card.number):
            if number:
                index[number] = card
    return index


def _by_name(cards: Iterable[Card]) -> dict[str, tuple[Card, ...]]:
    return _grouped((name, card) for card in cards for name in _names_of(card))


def _grouped(pairs: Iterable[tuple[str, Card]]) -> dict[str, tuple[Card, ...]]:
    groups: dict[str, list[Card]] = {}
    for key, card in pairs:
        groups.setdefault(key, []).append(card)
    return {key: tuple(group) for key, group in groups.items()}


def _names_of(card: Card) -> set[str]:
    if not card.back_name:
        return {_name_key(card.name)}
    return {_name_key(name) for name in (card.name, card.back_name, f"{card.name}/{card.back_name}")}


def _name_key(name: str) -> str:
    # "Front // Back", "Front/Back" and "Front / Back" are one name.
    return _FACES.sub("/", folded(name))


def _has(card: Card, color: str | None, kind: str | None) -> bool:
    if kind is not None and card.type.casefold() != kind.casefold():
        return False
    return color is None or color.casefold() in (known.casefold() for known in card.colors)


class _Likeness:
    """Numbers and names prepared for comparing; rapidfuzz is imported when first needed.

    Names are compared with their words in alphabetical order, so that "Zoro Roronoa" is quickly found.
    """

    __slots__ = ("_each_name", "_each_number", "_each_word", "_game", "_names", "_numbers", "_words")

    def __init__(self, game: str, cards: Sequence[Card]) -> None:
        self._game = game
        self._numbers = _grouped((card.number, card) for card in cards if card.number)
        self._names = _grouped(
            (" ".join(_words(name)), card) for card in cards for name in (card.name, card.back_name) if name
        )
        self._words: dict[str, set[str]] = {}
        for name in self._names:
            for word in name.split():
                self._words.setdefault(word, set()).add(name)
        self._each_number = _by_length(self._numbers)
        self._each_name = _by_length(self._names)
        self._each_word = _by_length(self._words)

    def suggest(self, text: str) -> tuple[Card, ...]:
        likeliest = [card for number in self._numbered(text) for card in self._numbers[number]]
        likeliest = likeliest or [card for name in self._named(_words(text)) for card in self._names[name]]
        return tuple(dict.fromkeys(likeliest))[:SUGGESTIONS]

    def _numbered(self, text: str) -> list[str]:
        """Return the numbers that are one typo away."""
        if not any(map(str.isdigit, text)):
            return []
        number = normal(text, self._game)[0]
        choices = self._each_number
        if (official := OFFICIAL.get(self._game)) and official.fullmatch(number):
            # Its set is as it should be, so that only the card's own digits may be wrong.
            of_set = number.rpartition("-")[0] + "-"
            choices = _by_length(one for one in self._numbers if one.startswith(of_set))
        return sorted(_like(number, choices, 1))

    def _named(self, words: Sequence[str]) -> list[str]:
        """Return the names that have all these words or are like them in whole, those with the fewest typos first."""
        query = " ".join(words)
        found = self._with_all(words)
        for name, typos in _like(query, self._each_name, _typos(query)).items():
            found[name] = min(typos, found.get(name, typos))
        return sorted(found, key=lambda name: (found[name], len(name), name))

    def _with_all(self, words: Sequence[str]) -> dict[str, int]:
        each = [self._with(word) for word in dict.fromkeys(words)]
        names = set.intersection(*map(set, each)) if each else ()
        return {name: sum(typos[name] for typos in each) for name in names}

    def _with(self, word: str) -> dict[str, int]:
        """Return the names that have a word, else those that have one like it, with its typos."""
        like = {word: 0} if word in self._words else _like(word, self._each_word, _typos(word))
        found: dict[str, int] = {}
        for known in sorted(like, key=like.__getitem__, reverse=True):  # of several words of a name the likest counts
            found |= dict.fromkeys(self._words[known], like[known])
        return found


# Texts by their length, each with its place among all.
_ByLength = Mapping[int, Sequence[tuple[int, str]]]


def _by_length(texts: Iterable[str]) -> _ByLength:
    found: dict[int, list[tuple[int, str]]] = {}
    for at, text in enumerate(texts):
        found.setdefault(len(text), []).append((at, text))
    return found


def _typos(text: str) -> int:
    return min(_MOST_TYPOS, len(text) // _LETTERS)


def _like(query: str, choices: _ByLength, typos: int) -> dict[str, int]:
    """Return the choices with at most so many letters missing, added, wrong or swapped, and how many.

    Only those of nearly the query's length can have so few.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    lengths = range(len(query) - typos, len(query) + typos + 1)
    near = [text for _, text in sorted(chain.from_iterable(choices.get(length, ()) for length in lengths))]
    found = process.extract(query, near, scorer=OSA.distance, processor=None, limit=SUGGESTIONS, score_cutoff=typos)
    return {choice: distance for choice, distance, _ in found}


def _words(text: str) -> list[str]:
    return sorted(_WORD.findall(folded(text)))
