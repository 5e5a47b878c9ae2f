"""Vocabularies: the types and colours that each game's manual knows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping

from carddb.errors import CardDataError
from validator.cards import Card

GAMES = ("optcg", "dbs", "bos")

# optcg 2-2-2; dbs 4.00, 2-1-2 and 15 to 18, tokens 1.073 10-18; bos "Game cards", "Fighter tokens".
TYPES: Mapping[str, tuple[str, ...]] = {
    "optcg": ("Leader", "Character", "Event", "Stage", "DON!!"),
    "dbs": (
        "Leader",
        "Battle",
        "Extra",
        "Unison",
        "Z-Leader",
        "Z-Battle",
        "Z-Extra",
        "Z-Unison",
        "Token",
    ),
    "bos": (
        "Warrior",
        "Elite Warrior",
        "Warlord",
        "Legendary Warrior",
        "Equipment",
        "Tactic",
        "Battlefield",
        "Token",
    ),
}

# optcg 2-3; dbs 1.073 2-4-1-1, white since BT28. The bos manual has no colours.
COLORS: Mapping[str, tuple[str, ...]] = {
    "optcg": ("Red", "Green", "Blue", "Purple", "Black", "Yellow"),
    "dbs": ("Red", "Blue", "Green", "Yellow", "Black", "White"),
    "bos": (),
}


# The letters of colours in a printed cost ("4(RY)"), as the lists of dbs write them.
_COST_LETTERS: Mapping[str, Mapping[str, str]] = {
    "dbs": {"R": "Red", "B": "Blue", "U": "Blue", "G": "Green", "Y": "Yellow", "K": "Black", "W": "White"},
}

# The types whose cards all have a fact, though a source may not tell it (optcg 2-3, 2-7; dbs 1.073 2-4, 2-11).
_HAVE: Mapping[str, Mapping[str, frozenset[str]]] = {
    "optcg": {"colors": frozenset(TYPES["optcg"]) - {"DON!!"}, "cost": frozenset({"Character", "Event", "Stage"})},
    "dbs": {
        "colors": frozenset(TYPES["dbs"]) - {"Token"},
        "cost": frozenset(TYPES["dbs"]) - {"Leader", "Z-Leader", "Token"},
    },
    "bos": {},
}
_NO_NUMBER = re.compile("[XＸ－-]", re.IGNORECASE)  # a printed cost that is told and has no number


def check_game(game: str) -> None:
    """Raise a CardDataError that names the games, if this is none of them."""
    if game not in GAMES:
        raise CardDataError(f"There is no game {game[:20]!r}; the games are {', '.join(GAMES)}.")


def known(words: tuple[str, ...], word: str) -> str | None:
    """Return a word as the vocabulary spells it, whatever its case; None if it has no such word."""
    return next((own for own in words if own.casefold() == word.casefold()), None)


def unknown(card: Card) -> tuple[str, ...]:
    """Return which facts ("type", "colors", "cost") a card has by its type, and its source does not tell.

    A card of no type that the game has may have any.
    """
    if card.type not in TYPES[card.game]:
        return ("type",)
    return tuple(fact for fact, types in _HAVE[card.game].items() if card.type in types and not _told(card, fact))


def _told(card: Card, fact: str) -> bool:
    if fact == "cost":
        return card.cost is not None or bool(_NO_NUMBER.match(card.cost_text or ""))
    return bool(getattr(card, fact))


def cost_colors(game: str, printed: str) -> tuple[str, ...]:
    """Return the colours of the energy in a printed cost, each once."""
    letters = _COST_LETTERS.get(game, {})
    return tuple(dict.fromkeys(letters[letter] for letter in printed if letter in letters))


def strangers(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each type and colour of these cards that the game does not have."""
    found: dict[tuple[str, str], list[str]] = {}
    for card in cards:
        if card.type not in TYPES[game]:
            found.setdefault(("card type", card.type), []).append(card.label)
        for color in card.colors:
            if color not in COLORS[game]:
                found.setdefault(("colour", color), []).append(card.label)
    for (what, word), labels in found.items():
        has = ", ".join(TYPES[game] if what == "card type" else COLORS[game])
        more = f" and {len(labels) - 1} more" if len(labels) > 1 else ""
        yield f"{labels[0]}{more}: {word[:60]!r} is no {what} of {game}; it has {has}."
