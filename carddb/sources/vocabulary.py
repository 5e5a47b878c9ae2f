"""Vocabulary: what a source writes, held against the types and colours that its game has."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator

from validator.cards import Card
from validator.games import GAMES


def known(words: tuple[str, ...], word: str) -> str | None:
    """Return a word as the vocabulary spells it, whatever its case; None if it has no such word."""
    return next((own for own in words if own.casefold() == word.casefold()), None)


def strangers(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each type and colour of these cards that the game does not have."""
    of = GAMES[game]
    found: dict[tuple[str, str], list[str]] = {}
    for card in cards:
        if card.type not in of.types:
            found.setdefault(("card type", card.type), []).append(card.label)
        for color in card.colors:
            if color not in of.colors:
                found.setdefault(("colour", color), []).append(card.label)
    for (what, word), labels in found.items():
        has = ", ".join(of.types if what == "card type" else of.colors)
        more = f" and {len(labels) - 1} more" if len(labels) > 1 else ""
        yield f"{labels[0]}{more}: {word[:60]!r} is no {what} of {game}; it has {has}."
