"""Corrections: facts that the sources of a game are known to have wrong, with the reason and the evidence.

Snapshots keep what their source said; what is wrong in it is corrected whenever it is judged with. So
a correction holds for cards that were imported before it, and ends when the source is mended.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from typing import cast

from carddb import construction
from carddb.sources import rows
from validator import documents
from validator import limits
from validator.cards import Card
from validator.errors import DocumentError

HERE = Path(__file__).parent

_NEEDED = {"numbers": list, "fact": str, "wrong": str, "right": str, "reason": str, "evidence": list}
# What may be corrected, and how a spreadsheet's cell of it is read.
_READERS: Mapping[str, Callable[[str, str], Any]] = {"type": rows.card_type, "colors": rows.colors}

Corrections = Mapping[str, Sequence["Correction"]]


@dataclass(frozen=True, slots=True)
class Correction:
    """One fact of one card: what its sources have wrong, what is right, why, and where that can be seen."""

    number: str
    fact: str
    wrong: Any
    right: Any
    reason: str
    evidence: tuple[str, ...]

    def corrected(self, card: Card) -> Card:
        """Return the card with the right fact; one that has not the wrong one stays as it is."""
        if getattr(card, self.fact) != self.wrong:
            return card
        return construction.read(replace(card, **{self.fact: self.right}))


@lru_cache(maxsize=16)
def load(game: str, folder: Path = HERE) -> Corrections:
    """Return a game's corrections by card number, none where there is no file; DocumentError on a bad file."""
    return limits.of_game(game, "", _parsed, folder) or {}


def corrected(card: Card) -> Card:
    """Return a card as it is judged with, its wrong facts corrected."""
    for one in load(card.game).get(card.number, ()):
        card = one.corrected(card)
    return card


def remarks(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield what is corrected of these cards, as their source has them, and what need not or cannot be any more."""
    corrections = load(game)
    both = [(card, one) for card in cards for one in corrections.get(card.number, ())]
    wrong = [one.number for card, one in both if getattr(card, one.fact) == one.wrong]
    right = [one.number for card, one in both if getattr(card, one.fact) == one.right]
    if wrong:
        yield f"What is known to be wrong is corrected: {', '.join(wrong)}."
    if right:
        yield f"Their source is right, and no correction is needed any more: {', '.join(right)}."
    for card, one in both:
        if getattr(card, one.fact) not in (one.wrong, one.right):
            yield f"{card.label}: its {one.fact} is neither what a correction replaces nor what it puts, and stays."


def _parsed(document: Mapping[str, Any]) -> Corrections:
    documents.check_keys(document, "the file", {"game": str, "correction": list})
    found: dict[str, list[Correction]] = {}
    for at, table in enumerate(document["correction"], 1):
        for one in _corrections(document["game"], table, f"correction {at}"):
            known = found.setdefault(one.number, [])
            if any(other.fact == one.fact for other in known):
                raise DocumentError(f"correction {at}: {one.number}, {one.fact} is corrected twice; keep one of them")
            known.append(one)
    return found


def _corrections(game: str, table: Any, where: str) -> Iterator[Correction]:
    documents.check_keys(table, where, _NEEDED)
    documents.check_word(table["fact"], f"{where}, fact", _READERS)
    if not table["reason"].strip():
        raise DocumentError(f"{where}: the reason is empty; say how it is known")
    wrong, right = (_value(game, table, key, where) for key in ("wrong", "right"))
    if wrong == right:
        raise DocumentError(f"{where}: wrong and right are the same; write what the source has, and what is true")
    evidence = _texts(table, "evidence", where)
    for number in _texts(table, "numbers", where):
        documents.check_number(number, where)
        yield Correction(number, table["fact"], wrong, right, table["reason"], evidence)


def _value(game: str, table: Mapping[str, str], key: str, where: str) -> Any:
    try:
        return _READERS[table["fact"]](game, table[key])
    except ValueError as error:
        raise DocumentError(f"{where}, {key}: {error}") from None


def _texts(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    texts = documents.check_texts(cast("list[Any]", table[key]), f"{where}, {key}")
    if not all(map(str.strip, texts)) or not texts:
        raise DocumentError(f"{where}, {key}: write at least one text, and none that is empty")
    return texts
