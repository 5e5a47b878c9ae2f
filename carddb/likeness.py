"""Likeness: the card numbers and names that are similar to a written text, for suggestions and searches.

Only `carddb.catalogue` uses it. Names are compared by their parts, so that a part of a name is enough and each part may
have a typo: "lufy" is similar to "Monkey.D.Luffy". Names in other languages are compared like those of the catalogue.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import NamedTuple

from carddb import foreign_names
from validator.cards import Card, SimilarName
from validator.matching import fold_text
from validator.names import REMARKS
from validator.numbers import OFFICIAL, correct_number, normal
from validator.texts import strip_marks

_MOST_NUMBERS = 5  # numbers that are one typo away
_MOST_NAMES = 25  # names that are similar to one text
_MOST_WORDS = 12  # words of a query that are compared
_MOST_SIMILAR = 60  # known words or whole names that one text may be
_MOST_TYPOS = 2  # in one word or name
_LETTERS = 4  # for each typo in a word or name; shorter words with a typo are other words
_SIGNS = 3  # for each typo in a script whose words are short
_SHORTEST = 3  # letters of a query that may have a typo
_BEGINNING = 4  # letters with which a word is recognised by its beginning
_WHOLE = 4  # a name that has no other parts counts as if it had four times as many cards
_REMEMBERED = 1024  # queries, and words of queries, whose names are remembered
_WORD = re.compile(r"[^\W_]+")
_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_IS_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")  # kana and Han, which have no blanks between words

_ByLength = Mapping[int, Sequence[str]]


class _Name(NamedTuple):
    """A name of cards in one language, with its words, its cards, and the number of printings of all these cards.

    `parts` are the words without case and accents. Names of the same words in another order are one name, with the
    `text` of the first. `cards` has each card once. A card without known printings counts as one in `printings`.
    """

    text: str
    parts: frozenset[str]
    cards: tuple[Card, ...]
    printings: int


class Likeness:
    """The numbers and names of a game's cards, indexed to find those similar to a text. Searches import rapidfuzz."""

    def __init__(self, game: str, cards: Sequence[Card]) -> None:
        """Index the numbers and names of cards by length and by word, for searches of similar ones.

        Foreign names, too.
        """
        self._game = game
        self._numbers: dict[str, list[Card]] = {}
        for card in cards:
            if card.number:
                self._numbers.setdefault(card.number, []).append(card)
        self._each_number = _group_by_length(self._numbers)
        self._names = _index_names(cards)
        self._whole: dict[str, list[int]] = {}
        self._with_word: dict[str, list[int]] = {}
        for place, name in enumerate(self._names):
            self._whole.setdefault("".join(_split_words(name.text)), []).append(place)
            for word in name.parts:
                self._with_word.setdefault(word, []).append(place)
        self._each_whole = _group_by_length(self._whole)
        self._each_word = _group_by_length(self._with_word)
        self._words = sorted(self._with_word)
        self._unspaced = [word for word in self._words if _IS_CJK.search(word)]
        # Most lines of a list differ in a number or two, and share the other words.
        self._named = lru_cache(_REMEMBERED)(self._similar_names)
        self._meant = lru_cache(_REMEMBERED)(self._similar_words)

    def similar(self, text: str) -> Sequence[SimilarName]:
        """Return the card numbers one typo away from a text, each with its cards.

        If there are none, return the similar names with the fewest typos, each with its cards, likeliest first. If no
        name fits, names are searched again without remarks in brackets, words such as "leader", and words with digits.
        Results for names are cached.
        """
        if numbers := self._similar_numbers(text):
            return [SimilarName(1, self._numbers[number]) for number in numbers]
        words = tuple(_split_words(text))
        bare = tuple(filter(_may_be_part_of_name, _split_words(_REMARK.sub(" ", text))))
        return self._named(words) or (self._named(bare) if bare != words else ())

    def _similar_numbers(self, text: str) -> list[str]:
        """Return at most _MOST_NUMBERS known numbers one typo away from a text, sorted.

        Empty if the text contains no digit. If correcting letters like O for 0 gives a known number, only that is
        returned. If the number is of the official form, only numbers of the same set are compared.
        """
        if not any(map(str.isdigit, text)):
            return []
        number = normal(text, self._game)[0]
        if (meant := correct_number(number)) != number and meant in self._numbers:
            return [meant]
        choices = self._each_number
        if (official := OFFICIAL.get(self._game)) and official.fullmatch(number):
            # The set is as it should be, so that only the card's own digits may be wrong.
            of_set = number.rpartition("-")[0] + "-"
            choices = _group_by_length(known for known in self._numbers if known.startswith(of_set))
        return sorted(_similar_texts(number, choices, 1))[:_MOST_NUMBERS]

    def _similar_names(self, words: Sequence[str]) -> Sequence[SimilarName]:
        """Return the names with the fewest typos that have all these words or are similar as a whole, likeliest first.

        Each is a SimilarName of its typos and cards. Names of exactly the same cards are returned once, at most
        _MOST_NAMES. Names of many printings, and those without further words, are likelier.
        """
        typos_of = self._names_with_words(words)
        query = "".join(words)
        for whole, typos in _similar_texts(query, self._each_whole).items():
            for place in self._whole[whole]:
                typos_of[place] = min(typos, typos_of.get(place, typos))
        least = min(typos_of.values(), default=0)
        nearest = (self._names[place] for place, typos in typos_of.items() if typos == least)
        parts = len(set(words))
        likeliest = nsmallest(
            _MOST_NAMES, nearest, key=lambda name: (-_weigh_name(name, parts), len(name.text), name.text)
        )
        each = dict.fromkeys(name.cards for name in likeliest)  # cards have names in several languages
        return tuple(SimilarName(least, cards) for cards in each)

    def _names_with_words(self, words: Sequence[str]) -> dict[int, int]:
        """Return the sum of typos of each name that has every word, by the position of the name in `self._names`.

        Known words must first match exactly. Only if no name has all words then, they may be similar, too. Only the
        first _MOST_WORDS words count.
        """
        meant = {word: self._meant(word) for word in words[:_MOST_WORDS]}
        exact = [{word: 0} if word in self._with_word else similar for word, similar in meant.items()]
        return self._add_up_typos(exact) or self._add_up_typos(meant.values())

    def _add_up_typos(self, word_choices: Iterable[Mapping[str, int]]) -> dict[int, int]:
        """Return the sum of typos of each name that has a word of every mapping, by the position of the name.

        `word_choices` has a mapping for each word of the query: the known words that it may be, each with its typos. Of
        several words of a name the one with the fewest typos counts. Empty if no name has them all.
        """
        typos_of: dict[int, int] | None = None
        for meant in sorted(word_choices, key=len):
            with_word: dict[int, int] = {}
            for word in sorted(meant, key=meant.__getitem__, reverse=True):  # the word with the fewest typos counts
                with_word |= dict.fromkeys(self._with_word[word], meant[word])
            kept = with_word if typos_of is None else typos_of.keys() & with_word.keys()
            typos_of = {place: with_word[place] + (typos_of or {}).get(place, 0) for place in kept}
            if not typos_of:
                break
        return typos_of or {}

    def _similar_words(self, word: str) -> Mapping[str, int]:
        """Return the known words that a word may be, each with its number of typos: 0 for the word itself.

        Words with a few typos (`_similar_texts`) are among them. Known words that begin with a `word` of _BEGINNING
        letters or more have one typo, at most _MOST_SIMILAR of them. In Japanese or Chinese, known words that contain a
        `word` of two characters or more have none instead.
        """
        found = {word: 0} if word in self._with_word else {}
        if _IS_CJK.search(word):
            found |= {known: 0 for known in self._unspaced if word in known and len(word) > 1}
        elif len(word) >= _BEGINNING:
            first = bisect_left(self._words, word)
            begun = self._words[first : first + _MOST_SIMILAR]
            found = {known: 1 for known in begun if known.startswith(word)} | found
        return _similar_texts(word, self._each_word) | found


def _index_names(cards: Iterable[Card]) -> list[_Name]:
    """Return the names of cards in all languages, front and back, each with all cards that have it.

    Names of the same words are one name, with the text of the first.
    """
    grouped: dict[frozenset[str], dict[Card, None]] = {}
    texts: dict[frozenset[str], str] = {}
    for card in cards:
        for name in (card.name, card.back_name, *foreign_names.foreign_names_of(card).values()):
            if name and (parts := frozenset(_split_words(name))):
                texts.setdefault(parts, name)
                grouped.setdefault(parts, {})[card] = None
    return [
        _Name(texts[parts], parts, tuple(same), sum(max(1, len(card.printings)) for card in same))
        for parts, same in grouped.items()
    ]


def _weigh_name(name: _Name, words: int) -> int:
    """Return the weight of a name: its printings, times _WHOLE if it has at most as many words as the query.

    `words` is the number of different words of the query.
    """
    return name.printings * (_WHOLE if len(name.parts) <= words else 1)


def _may_be_part_of_name(word: str) -> bool:
    """Return True if a word has no digit and is no remark, such as "leader" or "alt"."""
    return word not in REMARKS and not any(map(str.isdigit, word))


def _split_words(text: str) -> list[str]:
    """Return the words of a text, without case and accents. Signs separate words."""
    return _WORD.findall(strip_marks(fold_text(text)))


def _group_by_length(texts: Iterable[str]) -> _ByLength:
    """Return texts in lists by their number of characters, in order."""
    by_length: dict[int, list[str]] = {}
    for text in texts:
        by_length.setdefault(len(text), []).append(text)
    return by_length


def _allowed_typos(query: str, length: int) -> int:
    """Return the largest number of typos between a query and a text of this length: 0, 1 or _MOST_TYPOS (2).

    It is one for each _LETTERS letters of the longer text, in Japanese or Chinese for each _SIGNS. A query of fewer
    than _SHORTEST letters may have none.
    """
    if len(query) < _SHORTEST:
        return 0
    return min(_MOST_TYPOS, max(len(query), length) // (_SIGNS if _IS_CJK.search(query) else _LETTERS))


def _similar_texts(query: str, choices: _ByLength, most: int = _MOST_TYPOS) -> dict[str, int]:
    """Return those of the choices that are similar to a query, each with its number of typos, 0 for the query itself.

    Typos are letters missing, added, wrong or swapped. `choices` are texts by their length. `most` is the largest
    number of typos. Short queries may have fewer (see `_allowed_typos`), and those that may have none give no result.
    At most _MOST_SIMILAR texts are returned, fewest typos first.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found: list[tuple[int, str]] = []
    for length in range(len(query) - most, len(query) + most + 1):  # others differ in more letters
        typos = min(most, _allowed_typos(query, length))
        if length in choices and typos >= abs(length - len(query)) and typos:
            near = process.extract(
                query, choices[length], scorer=OSA.distance, processor=None, score_cutoff=typos, limit=_MOST_SIMILAR
            )
            found += [(distance, known) for known, distance, _ in near]
    return {known: distance for distance, known in sorted(found)[:_MOST_SIMILAR]}
