"""The stock and the plans of a repair: the copies of each card of a deck by section, and the changes to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from validator.bounds import MOST_CELLS
from validator.cards import Card
from validator.deck import SECTIONS, Deck, DeckFacts, DeckLine, Line, unknown_card_key
from validator.errors import PinError
from validator.findings import NamedCard
from validator.matching import fold_text


class Stranger(NamedTuple):
    """A card of the list that is not certain: the catalogue lacks it, or has several of its name.

    Only one of both fields is filled, the other is "". `name` is filled if the list has no number. Both are in
    normalised spelling. A DON!! card that a repair adds is one too, with its type as the name.
    """

    number: str
    name: str


Piece = Card | Stranger
Cell = tuple[Piece, str]  # a card in a section
Counts = Mapping[Cell, int]


def card_sort_key(piece: Piece) -> tuple[str, str]:
    """Return the sort key of a card: number, then name."""
    return piece.number, piece.name


def cell_sort_key(cell: Cell) -> tuple[int, str, str]:
    """Return the sort key of a pair of card and section: the section's index in SECTIONS, then number and name."""
    return SECTIONS.index(cell[1]), *card_sort_key(cell[0])


class Stock:
    """The cards of a deck for a repair.

    `counts` has the copies by `(card, section)`, also of cards that are not in the catalogue. `facts` is the resolved
    deck. `types` are the types of cards that each section of the ruleset takes.
    """

    def __init__(self, facts: DeckFacts) -> None:
        """Count the copies of each card in each section of a resolved deck.

        The order is by section, then by number and name.
        """
        self.facts = facts
        self.types = facts.types
        self._written: dict[Piece, DeckLine] = {}
        self._places: dict[Piece, list[str]] = {}
        self.counts: Counts = {
            (piece, section): copies
            for section in facts.used
            for piece, copies in sorted(self._count_section(section).items(), key=lambda item: card_sort_key(item[0]))
        }

    def _count_section(self, section: str) -> Mapping[Any, int]:
        """Return the copies of each card of a section, and record the first line of each unknown card."""
        if (cards := self.facts.known_cards(section)) is not None:
            return cards
        counts: dict[Piece, int] = {}
        for line, piece in self._lines(section):
            counts[piece] = counts.get(piece, 0) + line.count
            if isinstance(piece, Stranger):
                self._written.setdefault(piece, line)
        return counts

    def _lines(self, section: str) -> Iterable[tuple[DeckLine, Piece]]:
        """Yield the lines of a section, each with its card. A card that is not in the catalogue is a Stranger."""
        game = self.facts.catalogue.game
        for line, card in self.facts.resolved_lines[section]:
            yield line, card or Stranger(*unknown_card_key(line, game))

    @cached_property
    def pieces(self) -> Mapping[Piece, Mapping[str, int]]:
        """The copies by section of each card in the deck, by card."""
        pieces: dict[Piece, dict[str, int]] = {}
        for (piece, section), copies in self.counts.items():
            pieces.setdefault(piece, {})[section] = copies
        return pieces

    @cached_property
    def _by_label(self) -> Mapping[tuple[str, str], Piece]:
        """The cards of the deck that the catalogue has, by the catalogue's number and name."""
        return {(piece.number, piece.name): piece for piece, _ in self.counts if isinstance(piece, Card)}

    @cached_property
    def _by_line(self) -> Mapping[tuple[str, str], Piece]:
        """The cards of the deck by the number and name that the list writes for them, "" for a missing one."""
        lines = (line_and_piece for section in self.facts.used for line_and_piece in self._lines(section))
        return {(line.number or "", line.name or ""): piece for line, piece in lines}

    @property
    def excess_cells(self) -> list[Cell]:
        """The pairs `(card, section)` after the first MOST_CELLS. Empty unless the list is far longer than any deck."""
        return list(self.counts)[MOST_CELLS:] if len(self.counts) > MOST_CELLS else []

    def find_pieces(self, cards: Iterable[NamedCard]) -> list[Piece]:
        """Return the cards of the deck that a finding names, each once.

        Named cards that the deck does not have are left out. Both the catalogue's and the list's spelling of number and
        name are found.
        """
        names = [(card.number, card.name) for card in cards]
        found = [self._by_label.get(name) or self._by_line.get(name) for name in names]
        return list(dict.fromkeys(piece for piece in found if piece))

    def find_pinned(self, pins: Iterable[str]) -> list[Piece]:
        """Return the cards of the deck with these numbers or names, in any spelling, each once.

        Raises PinError for the first pin that is not in the deck.
        """
        spelled: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            spelled.setdefault(fold_text(piece.name), []).append(piece)
        return list(dict.fromkeys(piece for pin in pins for piece in self._find_pin(pin, spelled)))

    def _find_pin(self, pin: str, spelled: Mapping[str, list[Piece]]) -> list[Piece]:
        """Return the cards of the deck with this number or name. A name may be that of several cards.

        `spelled` has the deck's cards by normalised name. Raises PinError if there is no such card.
        """
        catalogue = self.facts.catalogue
        named = (
            catalogue.by_number(pin),
            *catalogue.by_name(pin),
            Stranger(*unknown_card_key(Line(pin, 1), catalogue.game)),
        )
        found = [piece for piece in named if piece and piece in self.pieces] + spelled.get(fold_text(pin), [])
        if not found:
            raise PinError(pin)
        return found

    def as_written(self, piece: Piece, count: int | None = None) -> NamedCard:
        """Return a card as a NamedCard with a number of copies, None for no number.

        Its number and name are the catalogue's. For a card that the catalogue lacks, they are those of its first line
        in the list.
        """
        line = None if isinstance(piece, Card) else self._written.get(piece)
        return NamedCard(line.number or "", line.name or "", count) if line else NamedCard(*card_sort_key(piece), count)

    def places(self, piece: Piece) -> list[str]:
        """Return the sections in which copies of a card are, then those to which they may be moved.

        The result is cached. Empty sections other than the main deck are included only if the card is in a section that
        does not take its type. No card is moved to the leader section. A card that is not in the catalogue, or in a
        list far longer than any deck, is not moved.
        """
        if piece not in self._places:
            self._places[piece] = self._find_places(piece)
        return self._places[piece]

    def _find_places(self, piece: Piece) -> list[str]:
        """Return the sections where copies of a card may be, computed without the cache of `places`."""
        copies_by_section = self.pieces[piece]
        if isinstance(piece, Stranger) or self.excess_cells:
            return list(copies_by_section)
        fitting = [section for section in self.types if section != "leader" and self.facts.fits(piece, section)]
        if copies_by_section.keys() <= set(fitting):  # it is in its place, and no section is opened for it
            fitting = [section for section in fitting if self.facts.sizes[section] or section == "main"]
        return list(dict.fromkeys([*copies_by_section, *fitting]))

    def deck(self, counts: Counts) -> Deck:
        """Return a deck with these copies by `(card, section)`, sorted by section and card. It has no unread lines."""
        sections: dict[str, list[Line]] = {}
        for cell in sorted(counts, key=cell_sort_key):
            if counts[cell]:
                piece, section = cell
                sections.setdefault(section, []).append(self._make_line(piece, counts[cell]))
        return Deck.from_sections(sections)

    def _make_line(self, piece: Piece, copies: int) -> Line:
        """Return the line of a deck for copies of a card.

        An unknown card keeps its written number, name, line number and text.
        """
        if isinstance(piece, Card):
            return Line(piece.number or None, copies, piece.name)
        written = self._written.get(piece)
        return (
            Line(written.number, copies, written.name, written.at, written.raw)
            if written
            else Line(None, copies, piece.name)
        )


# The cost of a change. All lower preferences together cost less.
CHANGE = 1 << 24
OUT = 8  # a move is better than a removal
FROM_MAIN = 1  # a change of another section is better than a change of the main deck


class Move(NamedTuple):
    """Copies of a card that a plan moves from the section `origin` to the section `target`."""

    piece: Piece
    origin: str
    target: str
    copies: int


@dataclass(frozen=True)
class Plan:
    """A changed deck, as one way to repair it.

    `stock` is the deck before the changes. `counts` are the copies by `(card, section)` after the changes. A missing
    pair or 0 is no copy. `open` are the numbers of cards still to add by section, of any cards that fit.
    """

    stock: Stock
    counts: Counts
    open: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def _differences(self) -> Mapping[Piece, dict[str, int]]:
        """The difference of the copies by section, for each card whose copies change. Removed copies are negative."""
        found: dict[Piece, dict[str, int]] = {}
        before, after = self.stock.counts, self.counts
        changes = {cell: -copies for cell, copies in before.items() if after.get(cell) != copies}
        changes |= {cell: copies - before.get(cell, 0) for cell, copies in after.items() if before.get(cell) != copies}
        for cell in sorted(changes, key=cell_sort_key):
            if changes[cell]:
                found.setdefault(cell[0], {})[cell[1]] = changes[cell]
        return found

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of cards from one section to another.

        Copies that only leave or only enter the deck are no moves.
        """
        return tuple(move for piece, changes in self._differences.items() for move in _find_moves(piece, changes))

    @cached_property
    def outs(self) -> Mapping[Cell, int]:
        """The copies that are removed from the deck, by `(card, section)`. Moved copies are not counted."""
        left = {cell: -change for cell, change in self._changed_cells() if change < 0}
        for move in self.moves:
            left[move.piece, move.origin] -= move.copies
        return {cell: copies for cell, copies in left.items() if copies}

    @cached_property
    def ins(self) -> Mapping[Cell, int]:
        """The copies of named cards that are added to the deck, by `(card, section)`.

        Moved copies and `open` are not counted.
        """
        left = {cell: change for cell, change in self._changed_cells() if change > 0}
        for move in self.moves:
            left[move.piece, move.target] -= move.copies
        return {cell: copies for cell, copies in left.items() if copies}

    def _changed_cells(self) -> Iterator[tuple[Cell, int]]:
        """Yield `((card, section), difference)` for each card in a section whose copies change.

        Removed copies are negative.
        """
        for piece, changes in self._differences.items():
            for section, change in changes.items():
                yield (piece, section), change

    @cached_property
    def changes(self) -> int:
        """The number of copies that are removed, moved or added, with those in `open`."""
        named = sum(self.outs.values()) + sum(self.ins.values()) + sum(move.copies for move in self.moves)
        return named + sum(self.open.values())

    @cached_property
    def cost(self) -> int:
        """The sort key of plans, of which the smallest is best.

        Fewer changes come first, then fewer removals instead of moves, then fewer copies that leave the main deck.
        """
        out = sum(self.outs.values())
        from_main = sum(-changes["main"] for changes in self._differences.values() if changes.get("main", 0) < 0)
        return self.changes * CHANGE + out * OUT + from_main * FROM_MAIN


def _find_moves(piece: Piece, changes: Mapping[str, int]) -> Iterator[Move]:
    """Yield the moves of a card from sections that lose copies to sections that gain copies.

    `changes` are the differences of its copies by section.
    """
    going = {section: -change for section, change in changes.items() if change < 0}
    for target, wanted in changes.items():
        for origin in going:
            copies = min(wanted, going[origin])
            if copies > 0:
                yield Move(piece, origin, target, copies)
                going[origin] -= copies
                wanted -= copies
