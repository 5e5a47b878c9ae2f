"""Foreign names: what cards are called in other languages than the catalogue's, read when first asked for.

`GAME.csv` has a row for a card number and a column for a language; a cell is empty where nobody knows the name, and
where it is just the English one.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from validator.cards import Card
from validator.matching import folded
from validator.texts import unmarked

_HERE = Path(__file__).parent
_SIGNS = re.compile(r"[\W_]+")


@lru_cache(maxsize=16)
def known(game: str) -> Mapping[str, Mapping[str, str]]:
    """Return the names of a game's cards by number and language, none where no table of them ships."""
    file = _HERE / f"{game}.csv"
    if not game.isalpha() or not file.is_file():
        return {}
    with file.open(encoding="utf-8", newline="") as table:
        rows = csv.DictReader(table)
        return {row.pop("number"): {code: name for code, name in row.items() if name} for row in rows}


def languages() -> tuple[str, ...]:
    """Return the codes of the languages in which any game's cards have names."""
    return tuple(sorted({code for file in _HERE.glob("*.csv") for code in _codes(file)}))


def _codes(file: Path) -> list[str]:
    with file.open(encoding="utf-8", newline="") as table:
        return next(csv.reader(table))[1:]


def of(card: Card) -> Mapping[str, str]:
    """Return what a card is called in other languages, by their codes."""
    return known(card.game).get(card.number, {})


def by_name(game: str, cards: Iterable[Card]) -> Mapping[str, tuple[Card, ...]]:
    """Return cards by the `key` of each of their foreign names."""
    names = known(game)
    found: dict[str, dict[Card, None]] = {}
    for card in cards if names else ():
        for name in names.get(card.number, {}).values():
            found.setdefault(key(name), {})[card] = None
    return {name: tuple(alike) for name, alike in found.items()}


def key(name: str) -> str:
    """Return a name as it is compared: its letters alone, in whatever width, with whatever dot or dash in between."""
    return _SIGNS.sub("", unmarked(folded(name)).replace("ー", ""))
