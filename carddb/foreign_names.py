"""Foreign names: the names of cards in other languages, read when they are first needed.

`GAME.csv` has a row for each card number and a column for each language. A cell is empty if the name is unknown or the
same as in English.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from validator.cards import Card
from validator.matching import fold_text
from validator.texts import strip_marks

_FOLDER = Path(__file__).parent / "data" / "foreign_names"
_SIGNS = re.compile(r"[\W_]+")


@lru_cache(maxsize=16)
def load_names(game: str) -> Mapping[str, Mapping[str, str]]:
    """Return the names of a game's cards in other languages: by card number, and for each number by language code.

    Empty if the game has no table. Languages without a name of their own are left out. The result is cached.
    """
    file = _FOLDER / f"{game}.csv"
    if not game.isalpha() or not file.is_file():
        return {}
    with file.open(encoding="utf-8", newline="") as table:
        rows = csv.DictReader(table)
        return {row.pop("number"): {code: name for code, name in row.items() if name} for row in rows}


def languages() -> tuple[str, ...]:
    """Return the codes of the languages in which any game's cards have names, sorted."""
    return tuple(sorted({code for file in _FOLDER.glob("*.csv") for code in _language_codes(file)}))


def _language_codes(file: Path) -> list[str]:
    """Return the language codes in the header of a CSV table of names: all columns but the first."""
    with file.open(encoding="utf-8", newline="") as table:
        return next(csv.reader(table))[1:]


def foreign_names_of(card: Card) -> Mapping[str, str]:
    """Return the names of a card in other languages, by language code. Empty if none is known."""
    return load_names(card.game).get(card.number, {})


def by_name(game: str, cards: Iterable[Card]) -> Mapping[str, tuple[Card, ...]]:
    """Return those of the cards that have foreign names, by the normalised form (`key`) of each such name.

    Cards of one name are in the order given, each once. Empty if the game has no table.
    """
    names = load_names(game)
    found: dict[str, dict[Card, None]] = {}
    for card in cards if names else ():
        for name in names.get(card.number, {}).values():
            found.setdefault(key(name), {})[card] = None
    return {name: tuple(same) for name, same in found.items()}


def key(name: str) -> str:
    """Return a name normalised for comparisons: its letters and digits, without case, accents and long-vowel marks.

    Full-width characters become normal ones.
    """
    return _SIGNS.sub("", strip_marks(fold_text(name)).replace("ー", ""))
