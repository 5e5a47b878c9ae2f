"""Openings: what an edition says of how a game begins and goes on: first hand, redraw, Life, draws, energy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from validator.documents import check_keys
from validator.errors import DocumentError
from validator.findings import Citation


@dataclass(frozen=True)
class Fact:
    """One statement, and where it is written."""

    says: str
    cite: Citation


@dataclass(frozen=True)
class Cards(Fact):
    """So many cards are taken from the deck; None: as many as the Leader says."""

    cards: int | None = None


@dataclass(frozen=True)
class Redraw(Fact):
    """The first hand may be redrawn so many times: the `whole` of it, or any number of its cards.

    With a `type`, only a hand with `fewer_than` so many cards of it.
    """

    times: int
    whole: bool
    type: str | None = None
    fewer_than: int = 0


@dataclass(frozen=True)
class Growth(Fact):
    """So many each turn, and on the first turn of the player going `first` so many."""

    first: int
    each: int

    def by(self, turn: int, going_first: bool) -> int:
        """Return how many there are in all from a player's first turn to one of the next, that one included."""
        return (self.first if going_first else self.each) + (turn - 1) * self.each


@dataclass(frozen=True)
class Opening:
    """How a game begins; None is what the edition does not have."""

    hand: Cards
    draw: Growth
    redraw: Redraw | None = None
    life: Cards | None = None
    energy: Growth | None = None

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield each statement with its name."""
        for name, fact in vars(self).items():
            if fact is not None:
                yield name, fact


_CITED = {"says": str, "section": str, "document": str}
_KINDS: Mapping[str, tuple[type[Fact], Mapping[str, type], Mapping[str, type]]] = {
    "hand": (Cards, {"cards": int}, {}),
    "draw": (Growth, {"first": int, "each": int}, {}),
    "redraw": (Redraw, {"times": int, "whole": bool}, {"type": str, "fewer_than": int}),
    "life": (Cards, {}, {"cards": int}),
    "energy": (Growth, {"first": int, "each": int}, {}),
}


def parse(tables: Mapping[str, Mapping[str, Any]], where: str) -> Opening:
    """Return the opening that an edition's tables stand for; a DocumentError says how to mend the file."""
    check_keys(tables, where, {"hand": dict, "draw": dict}, dict.fromkeys(("redraw", "life", "energy"), dict))
    return Opening(**{name: _fact(name, table, f"{where}, {name}") for name, table in tables.items()})


def _fact(name: str, table: Mapping[str, Any], where: str) -> Any:
    kind, needed, optional = _KINDS[name]
    check_keys(table, where, _CITED | dict(needed), dict(optional))
    values = {key: table[key] for key in table if key not in _CITED}
    if any(isinstance(value, int) and value < 0 for value in values.values()):
        raise DocumentError(f"{where}: a number is below 0; write a whole number from 0")
    return kind(table["says"], Citation(table["document"], table["section"]), **values)
