"""The plan of a repair: what a deck comes to hold, and by which changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from validator.repair.stock import Cell, Counts, Piece, Stock, place

# What a change costs; all that comes after it in the order of preferences together is less.
CHANGE = 1 << 24
OUT = 8  # rather move a card than take it out,
FROM_MAIN = 1  # and rather touch another section than the deck itself


class Move(NamedTuple):
    """Copies of a card that change their section."""

    piece: Piece
    origin: str
    target: str
    copies: int


@dataclass(frozen=True)
class Plan:
    """How many copies stand where after the changes; `open` are the places that are still to be filled, by section."""

    stock: Stock
    counts: Counts
    open: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def _changed(self) -> Mapping[Piece, dict[str, int]]:
        """The cards whose copies change anywhere, by section: what comes less what goes."""
        found: dict[Piece, dict[str, int]] = {}
        held, counts = self.stock.counts, self.counts
        changes = {cell: -copies for cell, copies in held.items() if counts.get(cell) != copies}
        changes |= {cell: copies - held.get(cell, 0) for cell, copies in counts.items() if held.get(cell) != copies}
        for cell in sorted(changes, key=place):
            if changes[cell]:
                found.setdefault(cell[0], {})[cell[1]] = changes[cell]
        return found

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """What changes its section."""
        return tuple(move for piece, changes in self._changed.items() for move in _moves(piece, changes))

    @cached_property
    def outs(self) -> Mapping[Cell, int]:
        """What is taken out, from where."""
        left = {cell: -change for cell, change in self._cells() if change < 0}
        for move in self.moves:
            left[move.piece, move.origin] -= move.copies
        return {cell: copies for cell, copies in left.items() if copies}

    @cached_property
    def ins(self) -> Mapping[Cell, int]:
        """What is put in by name, and where."""
        left = {cell: change for cell, change in self._cells() if change > 0}
        for move in self.moves:
            left[move.piece, move.target] -= move.copies
        return {cell: copies for cell, copies in left.items() if copies}

    def _cells(self) -> Iterator[tuple[Cell, int]]:
        for piece, changes in self._changed.items():
            for section, change in changes.items():
                yield (piece, section), change

    @cached_property
    def changes(self) -> int:
        """How many cards are taken out, moved or put in."""
        named = sum(self.outs.values()) + sum(self.ins.values()) + sum(move.copies for move in self.moves)
        return named + sum(self.open.values())

    @cached_property
    def cost(self) -> int:
        """The changes, and then what is rather not done."""
        out = sum(self.outs.values())
        from_main = sum(-changes["main"] for changes in self._changed.values() if changes.get("main", 0) < 0)
        return self.changes * CHANGE + out * OUT + from_main * FROM_MAIN


def _moves(piece: Piece, changes: Mapping[str, int]) -> Iterator[Move]:
    """Yield what must be moved of a card where one section loses of it and another gains."""
    going = {section: -change for section, change in changes.items() if change < 0}
    for target, wanted in changes.items():
        for origin in going:
            copies = min(wanted, going[origin])
            if copies > 0:
                yield Move(piece, origin, target, copies)
                going[origin] -= copies
                wanted -= copies
