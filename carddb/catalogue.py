"""Catalogues: an immutable index of one snapshot, by number, by name and by likeness."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

from carddb import foreign_names
from carddb.bounds import LONGEST_QUERY
from carddb.likeness import Likeness
from validator import candidates
from validator.cards import Card, SimilarName
from validator.matching import folded
from validator.numbers import normal
from validator.texts import unmarked

SUGGESTIONS = 5  # a handful
_FACES = re.compile(" ?/+ ?")
_APART = re.compile(r"(?<=\.) | (?=\()")
_SIGNS = re.compile(r"[\W_]+")
_REMEMBERED_SETS = 1024  # all games have some 150


class SearchPage(NamedTuple):
    """Some of the cards that a search found, and how many it found in all."""

    cards: Sequence[Card]
    total: int


class Catalogue:
    """The cards of one game as one snapshot has them; implements `validator.cards.Catalogue`.

    `cards` holds each card once: folding printings into their card is the importer's work. A card is
    found by its number and by every printing's, in any spelling; by its name, front, back or both
    ("Front // Back"), or by one in another language; and by what is like either. `as_of` is the day that the
    cards are known of, None where nobody knows; `imported` that of their import, None if they ship with deckproof.
    Safe to share between threads.
    """

    def __init__(
        self,
        game: str,
        snapshot: str,
        cards: Iterable[Card],
        as_of: date | None = None,
        imported: date | None = None,
    ) -> None:
        self.game = game
        self.snapshot = snapshot
        self.as_of = as_of
        self.imported = imported
        self._cards = tuple(cards)
        self.index: Mapping[str, Card] = _by_spelling(self._cards)
        # Made when first asked for: judging clean decks needs none of them.
        self._bases: Mapping[str, Card] | None = None
        self._names: Mapping[str, tuple[Card, ...]] | None = None
        self._foreign: Mapping[str, tuple[Card, ...]] | None = None
        self._likeness: Likeness | None = None

    def __reduce__(self) -> tuple[type[Catalogue], tuple[str, str, Sequence[Card], date | None, date | None]]:
        """Pickle the cards only. Another process makes the indexes again when it needs them."""
        return Catalogue, (self.game, self.snapshot, self._cards, self.as_of, self.imported)

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

    def similar(self, text: str) -> Sequence[SimilarName]:
        """Return the card numbers, else the card names, that are similar to this text, the likeliest first."""
        if self._likeness is None:
            self._likeness = Likeness(self.game, self._cards)
        return self._likeness.similar(text[:LONGEST_QUERY])

    def suggest(self, text: str, most: int = SUGGESTIONS) -> Sequence[Card]:
        """Return at most `most` cards whose number or name is similar to this text: one of each name, then others."""
        return candidates.suggested(self.similar(text), most)

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
        """Return the cards that have every word of `q` in number or name, and that fulfil the other conditions.

        Every word of `text` is in their texts, traits, characters or keywords. Neither case nor accents nor
        signs between letters count, and part of a word is enough. Cards of exactly that number or name come first,
        then those with the words as whole parts of their names; otherwise the order is the source's.
        """
        q, text = q[:LONGEST_QUERY], text[:LONGEST_QUERY]
        cards = [card for card in self._cards if _has(card, color, type, block, set)]
        if q or text:
            meant = self.by_number(q)  # in any spelling, of any printing
            cards = self._search.filter_cards(cards, q, text, meant)
            exact, whole = self._search.cards_named(cards, q), self._search.cards_with_whole_words(cards, q)
            cards.sort(key=lambda card: (card is not meant and card not in exact, card not in whole))
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
    def _search(self) -> _CardSearch:
        return _CardSearch()


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
    return of_set is None or _is_of(card, _squeezed(of_set))


def _is_of(card: Card, squeezed_set: str) -> bool:
    return squeezed_set in (_squeezed(card.set or ""), card.number.partition("-")[0].lower())


@lru_cache(_REMEMBERED_SETS)
def _squeezed(text: str) -> str:
    """Return the letters and digits of a text, without case and accents."""
    return _SIGNS.sub("", _plain(text))


class _CardSearch:
    """A search for words in cards. Case, accents and signs between letters do not count.

    The searchable text of a card is made when it is first needed.
    """

    def __init__(self) -> None:
        self._names: dict[Card, str] = {}
        self._texts: dict[Card, str] = {}

    def filter_cards(self, cards: Iterable[Card], q: str, text: str, meant: Card | None) -> list[Card]:
        """Return the cards with every word of `q` in number or name, and every word of `text` in their texts.

        The card `meant`, whose number `q` is, needs no words of `q`.
        """
        in_name, in_text = _words(q), _words(text)
        return [
            card
            for card in cards
            if (not in_name or card is meant or _has_all(self._name(card), in_name))
            and (not in_text or _has_all(self._text(card), in_text))
        ]

    def cards_named(self, cards: Iterable[Card], name: str) -> Collection[Card]:
        """Return the cards of exactly this name, front or back."""
        wanted = f"\n{_squeezed(name)}\n"
        return {card for card in cards if wanted in self._name(card)}

    def cards_with_whole_words(self, cards: Iterable[Card], q: str) -> Collection[Card]:
        """Return the cards of which every word of `q` is a whole part of the number or name: "ace", not "palace"."""
        parts = [re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])") for word in dict.fromkeys(_plain(q).split())]
        return {card for card in cards if all(part.search(self._name(card)) for part in parts)}

    def _name(self, card: Card) -> str:
        if card not in self._names:
            self._names[card] = _searchable(
                (card.number, card.name, card.back_name or "", *foreign_names.of(card).values())
            )
        return self._names[card]

    def _text(self, card: Card) -> str:
        if card not in self._texts:
            kinds = (*card.traits, *card.back_traits, *card.characters, *card.back_characters, *card.keywords)
            self._texts[card] = _searchable((card.text, card.back_text, *kinds))
        return self._texts[card]


def _searchable(texts: Iterable[str]) -> str:
    """Return each text as two lines: in plain letters and signs, and as letters only."""
    plain = [_plain(text) for text in texts if text]
    return "\n".join(("", *plain, *(_SIGNS.sub("", text) for text in plain), ""))


def _has_all(text: str, words: Sequence[tuple[str, str]]) -> bool:
    return all(word in text or (letters and letters in text) for word, letters in words)


def _words(text: str) -> list[tuple[str, str]]:
    """Return the words of a query, each as it is and as letters only. A number with signs has no second form.

    Without its dash a number would be a part of others: BT1-001 of BT10-010.
    """
    return [(word, _letters(word)) for word in _plain(text).split()]


def _letters(word: str) -> str:
    letters = _SIGNS.sub("", word)
    return letters if letters == word or not any(map(str.isdigit, word)) else ""


def _plain(text: str) -> str:
    return unmarked(folded(text))
