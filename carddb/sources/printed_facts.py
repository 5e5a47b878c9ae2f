"""Printed facts: types, colours, costs and lists as a source writes them, made those that a game has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from validator.cards import Card
from validator.games import GAMES
from validator.texts import nfkc

# The official dbs list has a stray dash ("0-") and full-width digits among its costs.
_COST = re.compile(r"([0-9]{1,2}|X|-)(?:\([^()]{0,40}\)|-)?", re.IGNORECASE)
_POWER = re.compile(r"[0-9]{1,7}")
_LIFE = re.compile(r"[0-9]{1,2}")


def spelled(words: tuple[str, ...], word: str) -> str | None:
    """Return a word as the vocabulary spells it, whatever its case; None if it has no such word."""
    return next((own for own in words if own.casefold() == word.casefold()), None)


def colors(game: str, text: str) -> tuple[str, ...]:
    """Return colours written with "/" as the game spells them; one that it does not have stays as it is."""
    return tuple(spelled(GAMES[game].colors, word) or word for word in listed(text))


def listed(text: str) -> tuple[str, ...]:
    """Return the parts of a list written with "/"."""
    return tuple(part for part in map(str.strip, text.split("/")) if part)


def cost(game: str, kind: str, printed: str) -> int | None:
    """Return the number of a printed cost; None where there is none, or it is X; else a ValueError."""
    if not printed or kind in GAMES[game].costless:
        return None
    match = _COST.fullmatch(nfkc(printed))
    if not match:
        raise ValueError(f"{printed[:60]!r} is no cost; it is written as printed: 3, 4(RR), X(R)")
    if match[1] == "-":
        return GAMES[game].dash
    return int(match[1]) if match[1].isdigit() else None


def life(game: str, kind: str, printed: str) -> int | None:
    """Return the Life that a card has printed where others have a cost; None where it has none; else a ValueError."""
    if printed in ("", "-") or kind not in GAMES[game].costless:
        return None
    if not _LIFE.fullmatch(printed):
        raise ValueError(f"{printed[:60]!r} is no Life; it is a number")
    return int(printed)


def power(text: str) -> int | None:
    """Return a printed power; None where there is none, or a dash; else a ValueError."""
    if text in ("", "-"):
        return None
    if not _POWER.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is no power; it is a number")
    return int(text)


def strangers(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each type and colour of these cards that the game does not have."""
    known = {"card type": GAMES[game].types, "colour": GAMES[game].colors}
    labels: dict[tuple[str, str], list[str]] = {}
    for card in cards:
        for what, word in (("card type", card.type), *(("colour", color) for color in card.colors)):
            if word not in known[what]:
                labels.setdefault((what, word), []).append(card.label)
    for (what, word), (first, *others) in labels.items():
        more = f" and {len(others)} more" if others else ""
        yield f"{first}{more}: {word[:60]!r} is no {what} of {game}; it has {', '.join(known[what])}."
