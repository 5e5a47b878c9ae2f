"""Catalogues: an immutable index of one snapshot, by number, by name and by likeness."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from carddb import foreign_names
from carddb.card_search import CardSearch, squeezed
from validator.cards import Card
from validator.matching import folded
from validator.numbers import OFFICIAL, normal, retyped

SUGGESTIONS = 5  # a handful
_LETTERS = 4  # for each typo in a word or name: what differs more is another name,
_MOST_TYPOS = 2  # and so it is in a long one
_MOST_AT_HAND = 1024  # words, and whole queries, whose names are remembered
LONGEST_QUERY = 100  # characters; the longest card name has 89
_WORD = re.compile(r"\w+")
_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_FACES = re.compile(" ?/+ ?")
_APART = re.compile(r"(?<=\.) | (?=\()")


class SearchPage(NamedTuple):
    """Some of the cards that a search found, and how many it found in all."""

    cards: Sequence[Card]
    total: int


class Catalogue:
    """The cards of one game as one snapshot has them; implements `validator.cards.Catalogue`.

    `cards` holds each card once: folding printings into their card is the importer's work. A card is
    found by its number and by every printing's, in any spelling; by its name, front, back or both
    ("Front // Back"), or by one in another language; and by what is like either. `as_of` is the day that the
    cards are known of, None where nobody knows. Safe to share between threads.
    """

    def __init__(self, game: str, snapshot: str, cards: Iterable[Card], as_of: date | None = None) -> None:
        self.game = game
        self.snapshot = snapshot
        self.as_of = as_of
        self._cards = tuple(cards)
        self.index: Mapping[str, Card] = _by_spelling(self._cards)
        # Made when first asked for: judging clean decks needs none of them.
        self._bases: Mapping[str, Card] | None = None
        self._names: Mapping[str, tuple[Card, ...]] | None = None
        self._foreign: Mapping[str, tuple[Card, ...]] | None = None
        self._likeness: _Likeness | None = None

    def __reduce__(self) -> tuple[type[Catalogue], tuple[str, str, Sequence[Card], date | None]]:
        """Send the cards alone to another process, which makes the rest anew when it needs it."""
        return Catalogue, (self.game, self.snapshot, self._cards, self.as_of)

    def __len__(self) -> int:
        return len(self._cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards)

    def by_number(self, number: str) -> Card | None:
        """Return the card of a number in any spelling, of any printing."""
        return self.index.get(number) or self._by_base(normal(number, self.game)[0])

    def _by_base(self, base: str) -> Card | None:
        if base in self.index:
            return self.index[base]
        if self._bases is None:
            self._bases = {normal(number, self.game)[0]: card for number, card in self.index.items()}
        return self._bases.get(base)

    def by_name(self, name: str) -> Sequence[Card]:
        """Return the cards of exactly this name, front, back or both, however it is cased or spaced.

        A name that no card has is looked for in other languages.
        """
        if self._names is None:
            self._names = _by_name(self._cards)
        return self._names.get(_name_key(name)) or self._called_elsewhere(name)

    def _called_elsewhere(self, name: str) -> Sequence[Card]:
        if self._foreign is None:
            self._foreign = foreign_names.by_name(self.game, self._cards)
        return self._foreign.get(foreign_names.key(name), ()) if self._foreign else ()

    def suggest(self, text: str, most: int = SUGGESTIONS) -> Sequence[Card]:
        """Return at most so many cards whose number or name is like this text, the likeliest first."""
        if self._likeness is None:
            self._likeness = _Likeness(self.game, self._cards)
        return self._likeness.suggest(text[:LONGEST_QUERY], most)

    def search(
        self,
        q: str = "",
        *,
        text: str = "",
        color: str | None = None,
        type: str | None = None,
        block: str | None = None,
        set: str | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> SearchPage:
        """Return the cards that have every word of `q` in number or name, and whatever else is asked of them.

        Every word of `text` stands in their texts, traits, characters or keywords. Neither case nor accents nor
        signs between letters count, and part of a word is enough. Cards of exactly that number or name come first;
        otherwise the order is the source's.
        """
        q, text = q[:LONGEST_QUERY], text[:LONGEST_QUERY]
        cards = [card for card in self._cards if _has(card, color, type, block, set)]
        if q or text:
            meant = self.by_number(q)  # in any spelling, of any printing
            cards = self._search.found(cards, q, text, meant)
            exact = self._search.called(cards, q)
            cards.sort(key=lambda card: card is not meant and card not in exact)
        return SearchPage(cards[offset : offset + limit], len(cards))

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The blocks of the cards, in their order."""
        return tuple(sorted({card.block for card in self._cards if card.block}, key=lambda one: (len(one), one)))

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The sets of the cards, in the source's order."""
        return tuple(dict.fromkeys(card.set for card in self._cards if card.set))

    @cached_property
    def has_texts(self) -> bool:
        """Whether any card has its text."""
        return any(card.text for card in self._cards)

    @cached_property
    def _search(self) -> CardSearch:
        return CardSearch()


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


def _names_of(card: Card) -> Collection[str]:
    if not card.back_name:
        return (_name_key(card.name),)
    return {_name_key(name) for name in (card.name, card.back_name, f"{card.name}/{card.back_name}")}


def _name_key(name: str) -> str:
    # "Front // Back", "Front/Back" and "Front / Back" are one name, and so are "Mr. 9" and "Mr.9", which one list has.
    key = _APART.sub("", folded(name))
    return _FACES.sub("/", key) if "/" in key else key


def _has(card: Card, color: str | None, kind: str | None, block: str | None, of_set: str | None) -> bool:
    if kind is not None and card.type.casefold() != kind.casefold():
        return False
    if block is not None and (card.block or "").casefold() != block.casefold():
        return False
    if color is not None and color.casefold() not in map(str.casefold, card.colors):
        return False
    return of_set is None or _is_of(card, squeezed(of_set))


def _is_of(card: Card, squeezed_set: str) -> bool:
    return squeezed_set in (squeezed(card.set or ""), card.number.partition("-")[0].lower())


class _Likeness:
    """Numbers and names prepared for comparing; rapidfuzz is imported when first needed.

    Names are compared with their words in alphabetical order, so that "Zoro Roronoa" is quickly found.
    """

    __slots__ = ("_each_name", "_each_number", "_each_word", "_game", "_named", "_names", "_numbers", "_with", "_words")

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
        # Of a list's lines most differ in a number or two, and have the rest of their words again and again.
        self._named = lru_cache(_MOST_AT_HAND)(self._like_all)
        self._with = lru_cache(_MOST_AT_HAND)(self._having)

    def suggest(self, text: str, most: int) -> tuple[Card, ...]:
        likeliest = [card for number in self._numbered(text) for card in self._numbers[number]]
        likeliest = likeliest or [card for name in self._called(text) for card in self._names[name]]
        return tuple(dict.fromkeys(likeliest))[:most]

    def _called(self, text: str) -> Sequence[str]:
        """Return the names that a text is like, in whole or without its remarks: "Nami (2-cost)", "Nami OP01"."""
        words = _words(text)
        bare = tuple(word for word in _words(_REMARK.sub(" ", text)) if not any(map(str.isdigit, word)))
        return self._named(words) or (self._named(bare) if bare != words else ())

    def _numbered(self, text: str) -> list[str]:
        """Return the numbers that are one typo away."""
        if not any(map(str.isdigit, text)):
            return []
        number = normal(text, self._game)[0]
        if (meant := retyped(number)) != number and meant in self._numbers:
            return [meant]
        choices = self._each_number
        if (official := OFFICIAL.get(self._game)) and official.fullmatch(number):
            # Its set is as it should be, so that only the card's own digits may be wrong.
            of_set = number.rpartition("-")[0] + "-"
            choices = _by_length(one for one in self._numbers if one.startswith(of_set))
        return sorted(_like(number, choices, 1))

    def _like_all(self, words: tuple[str, ...]) -> Sequence[str]:
        """Return the names that have all these words or are like them in whole, those with the fewest typos first."""
        query = " ".join(words)
        typos_of = self._with_all(words)
        for name, typos in _like(query, self._each_name, _typos(query)).items():
            typos_of[name] = min(typos, typos_of.get(name, typos))
        return sorted(typos_of, key=lambda name: (typos_of[name], len(name), name))

    def _with_all(self, words: Sequence[str]) -> dict[str, int]:
        typos_of: dict[str, int] | None = None
        for word in sorted(set(words), key=lambda word: word not in self._words):  # first what is only looked up
            like = self._with(word)
            kept = like if typos_of is None else typos_of.keys() & like.keys()
            typos_of = {name: like[name] + (typos_of or {}).get(name, 0) for name in kept}
            if not typos_of:
                break
        return typos_of or {}

    def _having(self, word: str) -> Mapping[str, int]:
        """Return the names that have a word, else those that have one like it, with its typos."""
        like = {word: 0} if word in self._words else _like(word, self._each_word, _typos(word))
        names: dict[str, int] = {}
        for known in sorted(like, key=like.__getitem__, reverse=True):  # of several words of a name the likest counts
            names |= dict.fromkeys(self._words[known], like[known])
        return names


# Texts by their length, by their place among all.
_ByLength = Mapping[int, Mapping[int, str]]


def _by_length(texts: Iterable[str]) -> _ByLength:
    by_length: dict[int, dict[int, str]] = {}
    for at, text in enumerate(texts):
        by_length.setdefault(len(text), {})[at] = text
    return by_length


def _typos(text: str) -> int:
    return min(_MOST_TYPOS, len(text) // _LETTERS)


def _like(query: str, choices: _ByLength, typos: int) -> dict[str, int]:
    """Return the choices with at most so many letters missing, added, wrong or swapped, and how many.

    Only those of nearly the query's length can have so few.
    """
    if not typos:  # whoever asks has looked for the text itself
        return {}
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    lengths = range(len(query) - typos, len(query) + typos + 1)
    found = chain.from_iterable(
        process.extract_iter(query, choices.get(length, {}), scorer=OSA.distance, processor=None, score_cutoff=typos)
        for length in lengths
    )
    likeliest = sorted((distance, at, choice) for choice, distance, at in found)
    return {choice: distance for distance, _, choice in likeliest[:SUGGESTIONS]}


def _words(text: str) -> tuple[str, ...]:
    return tuple(sorted(_WORD.findall(folded(text))))
