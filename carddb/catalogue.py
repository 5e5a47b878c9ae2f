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
from validator.documents import Provisional
from validator.matching import fold_text
from validator.numbers import normal
from validator.texts import strip_marks

SUGGESTIONS = 5  # a handful
_FACES = re.compile(" ?/+ ?")
_APART = re.compile(r"(?<=\.) | (?=\()")
_SIGNS = re.compile(r"[\W_]+")
_REMEMBERED_SETS = 1024  # all games have some 150


class SearchPage(NamedTuple):
    """One page of the cards that a search found. `total` counts the found cards of all pages.

    `cards` are only those of the page. They are empty if the page begins after the last found card.
    """

    cards: Sequence[Card]
    total: int


class Catalogue:
    """The cards of one game in one snapshot (an id). Implements `validator.cards.Catalogue`.

    Printings must be merged into cards before. A card is found by its own number and by the numbers of its printings,
    in any spelling. It is also found by its name (front, back, or "Front // Back"), by a name in another language, and
    by similar numbers and names. `as_of` is the day on which the cards were collected, None if unknown. `imported` is
    the UTC day of their first import, None if they ship with deckproof. `provisional` is the notice that the facts are
    second-hand, else None. `index` has the cards by each number, as written. Safe to share between threads.
    """

    def __init__(
        self,
        game: str,
        snapshot: str,
        cards: Iterable[Card],
        as_of: date | None = None,
        imported: date | None = None,
        provisional: Provisional | None = None,
    ) -> None:
        """Index the cards by number. `as_of` is the day of the data, `imported` that of the import, None if unknown.

        `snapshot` is the id of the snapshot. `provisional` is the notice that the facts are second-hand, None if they
        are not.
        """
        self.game = game
        self.snapshot = snapshot
        self.as_of = as_of
        self.imported = imported
        self.provisional = provisional
        self._cards = tuple(cards)
        self.index: Mapping[str, Card] = _index_by_number(self._cards)
        # Made when first asked for: judging clean decks needs none of them.
        self._bases: Mapping[str, Card] | None = None
        self._names: Mapping[str, tuple[Card, ...]] | None = None
        self._foreign: Mapping[str, tuple[Card, ...]] | None = None
        self._likeness: Likeness | None = None

    def __reduce__(self) -> tuple[type[Catalogue], tuple[object, ...]]:
        """Pickle the arguments of `__init__`.

        The indexes are left out. Another process makes them when it needs them.
        """
        return Catalogue, (self.game, self.snapshot, self._cards, self.as_of, self.imported, self.provisional)

    def __len__(self) -> int:
        """Return the number of cards. The printings of a card are counted together as one."""
        return len(self._cards)

    def __iter__(self) -> Iterator[Card]:
        """Return an iterator over the cards, in the source's order."""
        return iter(self._cards)

    def by_number(self, number: str) -> Card | None:
        """Return the card with a number in any spelling, also that of another printing. None if there is no such card.

        Without an exact match, the number is normalised and the suffix of its printing is ignored: `op01-016_p8` →
        OP01-016.
        """
        return self.index.get(number) or self._by_base(normal(number, self.game)[0])

    def _by_base(self, base: str) -> Card | None:
        """Return the card with the number `base`, which has no suffix of a printing. None if there is none.

        The number may also be that of another printing. If it is not in the index as written, the normalised numbers of
        all cards and printings are searched. Their index is built at the first such call and kept.
        """
        if base in self.index:
            return self.index[base]
        if self._bases is None:
            self._bases = {normal(number, self.game)[0]: card for number, card in self.index.items()}
        return self._bases.get(base)

    def by_name(self, name: str) -> Sequence[Card]:
        """Return the cards with exactly this name: front, back, or both with "/" between them.

        Case, repeated blanks, and blanks beside "/", after "." and before "(" do not count. Only if no card has the
        name, names in other languages are searched. Empty if no card has either. The indexes are built at the first
        call.
        """
        if self._names is None:
            self._names = _index_by_name(self._cards)
        return self._names.get(_name_key(name)) or self._by_foreign_name(name)

    def _by_foreign_name(self, name: str) -> Sequence[Card]:
        """Return the cards with exactly this name in another language, empty if there are none.

        Case, accents, signs, spaces and the long-vowel mark "ー" do not count.
        """
        if self._foreign is None:
            self._foreign = foreign_names.by_name(self.game, self._cards)
        return self._foreign.get(foreign_names.key(name), ()) if self._foreign else ()

    def similar(self, text: str) -> Sequence[SimilarName]:
        """Return the card numbers that are one typo away from a text, each with its cards.

        If there are none, return the similar names in any language with the fewest typos, likeliest first, each with
        its cards. Empty if nothing is similar. Only the first LONGEST_QUERY characters count.
        """
        if self._likeness is None:
            self._likeness = Likeness(self.game, self._cards)
        return self._likeness.similar(text[:LONGEST_QUERY])

    def suggest(self, text: str, most: int = SUGGESTIONS) -> Sequence[Card]:
        """Return at most `most` cards, each once, that `similar` finds for a text.

        Cards of different names come first, in the order of `similar`. Further cards with these names follow.
        """
        return candidates.pick_suggestions(self.similar(text), most)

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
        """Return one page of the cards that have every word of `q` in number or name and meet the other conditions.

        Every word of `text` is in their texts, traits, characters or keywords. Case, accents and signs between letters
        are ignored, and a part of a word is enough. Cards with exactly that number or name come first, then cards that
        have the words as whole words of their names. Otherwise the order is that of the source.

        `color` is one of the card's colours, `type` and `block` are exactly those of the card, all in any case. `set`
        is the name of a set, or the beginning of its numbers ("OP01"). An empty `q` or `text`, and None for another
        condition, exclude no card. Only the first LONGEST_QUERY characters of `q` and `text` count. The page begins
        after `offset` found cards and has at most `limit`.
        """
        q, text = q[:LONGEST_QUERY], text[:LONGEST_QUERY]
        cards = [card for card in self._cards if _meets_conditions(card, color, type, block, set)]
        if q or text:
            meant = self.by_number(q)  # in any spelling, of any printing
            cards = self._card_search.filter_cards(cards, q, text, meant)
            exact, whole = self._card_search.cards_named(cards, q), self._card_search.cards_with_whole_words(cards, q)
            cards.sort(key=lambda card: (card is not meant and card not in exact, card not in whole))
        return SearchPage(cards[offset : offset + limit], len(cards))

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The blocks (rotation marks) of the cards, each once, short ones first, then alphabetically."""
        return tuple(sorted({card.block for card in self._cards if card.block}, key=lambda block: (len(block), block)))

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The names of the cards' sets, each once, in the source's order."""
        return tuple(dict.fromkeys(card.set for card in self._cards if card.set))

    @cached_property
    def has_texts(self) -> bool:
        """True if at least one card has a text on its front. The facts that ship have none."""
        return any(card.text for card in self._cards)

    @cached_property
    def _card_search(self) -> _CardSearch:
        """The object that searches cards for words and caches their searchable texts. Made at the first search."""
        return _CardSearch()


def _index_by_number(cards: Iterable[Card]) -> dict[str, Card]:
    """Return the cards by their own numbers and those of their printings, as written.

    A later card replaces an earlier one. Empty numbers are left out.
    """
    index = {}
    for card in cards:
        for number in (*card.printings, card.number):
            if number:
                index[number] = card
    return index


def _index_by_name(cards: Iterable[Card]) -> dict[str, tuple[Card, ...]]:
    """Return the cards by the normalised form (`_name_key`) of each of their names: front, back, and both joined."""
    return _group_pairs((name, card) for card in cards for name in _name_keys(card))


def _group_pairs(pairs: Iterable[tuple[str, Card]]) -> dict[str, tuple[Card, ...]]:
    """Return the cards of `(key, card)` pairs grouped by key, in the order of the pairs."""
    groups: dict[str, list[Card]] = {}
    for key, card in pairs:
        groups.setdefault(key, []).append(card)
    return {key: tuple(group) for key, group in groups.items()}


def _name_keys(card: Card) -> Collection[str]:
    """Return the keys by which a card is found by name: its name, and with a back name also that and both joined.

    Names are normalised by `_name_key`. The joined key is "front/back".
    """
    if not card.back_name:
        return (_name_key(card.name),)
    return {_name_key(name) for name in (card.name, card.back_name, f"{card.name}/{card.back_name}")}


def _name_key(name: str) -> str:
    """Return a name normalised for comparisons: without case, and with a bare "/" between its faces.

    Spaces after "." and before "(" are removed.
    """
    # "Front // Back", "Front/Back" and "Front / Back" are one name, and so are "Mr. 9" and "Mr.9", which one list has.
    key = _APART.sub("", fold_text(name))
    return _FACES.sub("/", key) if "/" in key else key


def _meets_conditions(
    card: Card, color: str | None, card_type: str | None, block: str | None, card_set: str | None
) -> bool:
    """Return True if a card has this type, block and set, and `color` among its colours. None excludes no card.

    Case is ignored, for a set also signs and spaces. `card_set` is the name of the set, or the part of the card number
    before the first dash.
    """
    if card_type is not None and card.type.casefold() != card_type.casefold():
        return False
    if block is not None and (card.block or "").casefold() != block.casefold():
        return False
    if color is not None and color.casefold() not in map(str.casefold, card.colors):
        return False
    return card_set is None or _is_in_set(card, _letters_and_digits(card_set))


def _is_in_set(card: Card, letters_of_set: str) -> bool:
    """Return True if `letters_of_set` is the name of the card's set, or the part of its number before the first dash.

    `letters_of_set` has only letters and digits, without case. "" is the set of a card without one.
    """
    return letters_of_set in (_letters_and_digits(card.set or ""), card.number.partition("-")[0].lower())


@lru_cache(_REMEMBERED_SETS)
def _letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text, without case, accents, spaces and signs. The last results are cached."""
    return _SIGNS.sub("", _fold_text(text))


class _CardSearch:
    """A search for words in the numbers, names and texts of cards.

    Case, accents and signs between letters do not count. The searchable text of each card is made when it is first
    needed, and cached.
    """

    def __init__(self) -> None:
        """Prepare the caches of searchable texts. They are filled by searches."""
        self._names: dict[Card, str] = {}
        self._texts: dict[Card, str] = {}

    def filter_cards(self, cards: Iterable[Card], q: str, text: str, card_of_number: Card | None) -> list[Card]:
        """Return the cards with every word of `q` in number or name, and every word of `text` in their texts or traits.

        Characters and keywords are searched with the texts. `card_of_number` is the card whose number is `q`, None if
        there is none. For this card `q` is not compared, only `text`. A query without words excludes no card. The order
        is that of `cards`.
        """
        in_name, in_text = _query_words(q), _query_words(text)
        return [
            card
            for card in cards
            if (not in_name or card is card_of_number or _contains_words(self._searchable_names(card), in_name))
            and (not in_text or _contains_words(self._searchable_rules(card), in_text))
        ]

    def cards_named(self, cards: Iterable[Card], name: str) -> Collection[Card]:
        """Return those of the cards whose number, front, back or foreign name is exactly this text.

        Case, accents, spaces and signs do not count.
        """
        wanted = f"\n{_letters_and_digits(name)}\n"
        return {card for card in cards if wanted in self._searchable_names(card)}

    def cards_with_whole_words(self, cards: Iterable[Card], q: str) -> Collection[Card]:
        """Return those of the cards that have every word of `q` as a whole word of number or name: "ace", not "palace".

        All of them are returned if `q` has no words. Names in other languages count, too. Case and accents do not.
        """
        parts = [
            re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])") for word in dict.fromkeys(_fold_text(q).split())
        ]
        return {card for card in cards if all(part.search(self._searchable_names(card)) for part in parts)}

    def _searchable_names(self, card: Card) -> str:
        """Return a card's number and all its names as searchable lines, see `_searchable_text`. The text is cached.

        The names are those of front and back, and the foreign ones.
        """
        if card not in self._names:
            self._names[card] = _searchable_text(
                (card.number, card.name, card.back_name or "", *foreign_names.foreign_names_of(card).values())
            )
        return self._names[card]

    def _searchable_rules(self, card: Card) -> str:
        """Return the searchable text of a card's texts, traits, characters and keywords, both sides. It is cached."""
        if card not in self._texts:
            kinds = (*card.traits, *card.back_traits, *card.characters, *card.back_characters, *card.keywords)
            self._texts[card] = _searchable_text((card.text, card.back_text, *kinds))
        return self._texts[card]


def _searchable_text(texts: Iterable[str]) -> str:
    """Return one text with two lines for each given text: without case and accents, and also without signs and spaces.

    All lines of the first kind come first. Empty texts are left out. The result begins and ends with a line break.
    """
    plain = [_fold_text(text) for text in texts if text]
    return "\n".join(("", *plain, *(_SIGNS.sub("", text) for text in plain), ""))


def _contains_words(text: str, words: Sequence[tuple[str, str]]) -> bool:
    """Return True if a text contains every word, in one of its two forms. Parts of longer words count.

    `text` is a result of `_searchable_text`, `words` are pairs of `_query_words`. An empty second form is ignored.
    """
    return all(word in text or (letters and letters in text) for word, letters in words)


def _query_words(text: str) -> list[tuple[str, str]]:
    """Return a pair for each word of a query: the word without case and accents, and the same word without its signs.

    The second part is "" for a word without letters and digits, and for a word with both signs and digits. Without its
    dash, the number BT1-001 would be a part of BT10-010.
    """
    return [(word, _without_signs(word)) for word in _fold_text(text).split()]


def _without_signs(word: str) -> str:
    """Return a word without its signs. Return "" if the word has signs and also a digit."""
    letters = _SIGNS.sub("", word)
    return letters if letters == word or not any(map(str.isdigit, word)) else ""


def _fold_text(text: str) -> str:
    """Return a text without case and accents, with single spaces and one kind of quotes and dashes."""
    return strip_marks(fold_text(text))
