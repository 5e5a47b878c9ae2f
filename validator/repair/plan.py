"""The plan of a repair: the cards of the repaired deck, and the changes that lead to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from validator.repair.stock import Cell, Counts, Piece, Stock, place

# The cost of a change. All lower preferences together cost less.
CHANGE = 1 << 24
OUT = 8  # a move is better than a removal
FROM_MAIN = 1  # a change of another section is better than a change of the main deck


class Move(NamedTuple):
    """Copies of a card that change their section."""

    piece: Piece
    origin: str
    target: str
    copies: int


@dataclass(frozen=True)
class Plan:
    """The copies of each card by section after the changes. `open` are the numbers of cards still to add by section."""

    stock: Stock
    counts: Counts
    open: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def _differences(self) -> Mapping[Piece, dict[str, int]]:
        """The cards whose copies change, with the difference of their copies by section."""
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
        """The cards that change their section."""
        return tuple(move for piece, changes in self._differences.items() for move in _find_moves(piece, changes))

    @cached_property
    def outs(self) -> Mapping[Cell, int]:
        """The copies that are removed, by card and section."""
        left = {cell: -change for cell, change in self._changed_cells() if change < 0}
        for move in self.moves:
            left[move.piece, move.origin] -= move.copies
        return {cell: copies for cell, copies in left.items() if copies}

    @cached_property
    def ins(self) -> Mapping[Cell, int]:
        """The copies of named cards that are added, by card and section."""
        left = {cell: change for cell, change in self._changed_cells() if change > 0}
        for move in self.moves:
            left[move.piece, move.target] -= move.copies
        return {cell: copies for cell, copies in left.items() if copies}

    def _changed_cells(self) -> Iterator[tuple[Cell, int]]:
        """Yield each cell that changes, with the difference of its copies."""
        for piece, changes in self._differences.items():
            for section, change in changes.items():
                yield (piece, section), change

    @cached_property
    def changes(self) -> int:
        """The number of cards that are removed, moved or added."""
        named = sum(self.outs.values()) + sum(self.ins.values()) + sum(move.copies for move in self.moves)
        return named + sum(self.open.values())

    @cached_property
    def cost(self) -> int:
        """The sort key of plans: the changes first, then removals before moves and changes of the main deck."""
        out = sum(self.outs.values())
        from_main = sum(-changes["main"] for changes in self._differences.values() if changes.get("main", 0) < 0)
        return self.changes * CHANGE + out * OUT + from_main * FROM_MAIN


def _find_moves(piece: Piece, changes: Mapping[str, int]) -> Iterator[Move]:
    """Yield the moves of a card from sections that lose copies to sections that gain copies."""
    going = {section: -change for section, change in changes.items() if change < 0}
    for target, wanted in changes.items():
        for origin in going:
            copies = min(wanted, going[origin])
            if copies > 0:
                yield Move(piece, origin, target, copies)
                going[origin] -= copies
                wanted -= copies
