"""Search: the words that cards are found by, whatever their case, their accents and the signs between letters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from carddb import foreign_names
from validator.cards import Card
from validator.matching import folded
from validator.texts import unmarked

_SIGNS = re.compile(r"[\W_]+")
_MOST_SETS = 1024  # those of all games are some 150


@lru_cache(_MOST_SETS)
def squeezed(text: str) -> str:
    """Return a text as it is looked for: its letters and digits alone, without case and accents."""
    return _SIGNS.sub("", _plain(text))


class CardSearch:
    """The texts of cards as they are looked through, each made when it is first needed."""

    def __init__(self) -> None:
        self._names: dict[Card, str] = {}
        self._texts: dict[Card, str] = {}

    def found(self, cards: Iterable[Card], q: str, text: str, meant: Card | None) -> list[Card]:
        """Return the cards that have every word of `q` in number or name, and every word of `text` in what they say.

        The card that `q` is `meant` for needs no such words.
        """
        in_name, in_text = _words(q), _words(text)
        return [
            card
            for card in cards
            if (not in_name or card is meant or _has_all(self._name(card), in_name))
            and (not in_text or _has_all(self._text(card), in_text))
        ]

    def called(self, cards: Iterable[Card], name: str) -> Collection[Card]:
        """Return the cards of exactly this name, front or back."""
        wanted = f"\n{squeezed(name)}\n"
        return {card for card in cards if wanted in self._name(card)}

    def having_parts(self, cards: Iterable[Card], q: str) -> Collection[Card]:
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
    """Return texts a line each, as plain letters and signs, and as letters alone."""
    plain = [_plain(text) for text in texts if text]
    return "\n".join(("", *plain, *(_SIGNS.sub("", text) for text in plain), ""))


def _has_all(text: str, words: Sequence[tuple[str, str]]) -> bool:
    return all(word in text or (letters and letters in text) for word, letters in words)


def _words(text: str) -> list[tuple[str, str]]:
    """Return the words of a query, as they are and, but for a number that is written with its signs, as letters alone.

    Without its dash a number is a part of others: BT1-001 of BT10-010.
    """
    return [(word, _letters(word)) for word in _plain(text).split()]


def _letters(word: str) -> str:
    letters = _SIGNS.sub("", word)
    return letters if letters == word or not any(map(str.isdigit, word)) else ""


def _plain(text: str) -> str:
    return unmarked(folded(text))
