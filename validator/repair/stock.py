"""The stock and the plans of a repair: the copies of a deck's cards by section, and the changes to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from validator.bounds import MOST_CELLS
from validator.cards import Card
from validator.deck import SECTIONS, Deck, DeckFacts, DeckLine, Line, meant
from validator.errors import PinError
from validator.findings import NamedCard
from validator.matching import folded


class Stranger(NamedTuple):
    """A card that the catalogue does not tell, by what is the same in any spelling of it."""

    number: str
    name: str


Piece = Card | Stranger
Cell = tuple[Piece, str]  # a card in a section
Counts = Mapping[Cell, int]


def by_number(piece: Piece) -> tuple[str, str]:
    """Order cards as people look for them, whatever the order of the list."""
    return piece.number, piece.name


def place(cell: Cell) -> tuple[int, str, str]:
    """Order cells by section, then by card."""
    return SECTIONS.index(cell[1]), *by_number(cell[0])


def _card_order(held: tuple[Piece, int]) -> tuple[str, str]:
    return by_number(held[0])


class Stock:
    """A deck as a repair sees it: `counts` has each card, known or not, by section; `pieces` has them by card."""

    def __init__(self, facts: DeckFacts) -> None:
        self.facts = facts
        self.types = facts.types
        self._written: dict[Piece, DeckLine] = {}
        self._places: dict[Piece, list[str]] = {}
        held = ((section, sorted(self._count(section).items(), key=_card_order)) for section in facts.used)
        self.counts: Counts = {(piece, section): copies for section, cards in held for piece, copies in cards}

    def _count(self, section: str) -> Mapping[Any, int]:
        """Return the copies of each card of a section, and keep the lines of unknown cards."""
        if (cards := self.facts.alone(section)) is not None:
            return cards
        counts: dict[Piece, int] = {}
        for line, piece in self._lines(section):
            counts[piece] = counts.get(piece, 0) + line.count
            if isinstance(piece, Stranger):
                self._written.setdefault(piece, line)
        return counts

    def _lines(self, section: str) -> Iterable[tuple[DeckLine, Piece]]:
        game = self.facts.catalogue.game
        for line, card in self.facts.understood[section]:
            yield line, card or Stranger(*meant(line, game))

    @cached_property
    def pieces(self) -> Mapping[Piece, Mapping[str, int]]:
        """The deck's cards with their copies by section."""
        pieces: dict[Piece, dict[str, int]] = {}
        for (piece, section), copies in self.counts.items():
            pieces.setdefault(piece, {})[section] = copies
        return pieces

    @cached_property
    def _by_label(self) -> Mapping[tuple[str, str], Piece]:
        """The known cards by number and name."""
        return {(piece.number, piece.name): piece for piece, _ in self.counts if isinstance(piece, Card)}

    @cached_property
    def _by_line(self) -> Mapping[tuple[str, str], Piece]:
        """The cards by the number and name of each line."""
        lines = (one for section in self.facts.used for one in self._lines(section))
        return {(line.number or "", line.name or ""): piece for line, piece in lines}

    @property
    def beyond(self) -> list[Cell]:
        """The end of a list that is far longer than any deck."""
        return list(self.counts)[MOST_CELLS:] if len(self.counts) > MOST_CELLS else []

    def named(self, cards: Iterable[NamedCard]) -> list[Piece]:
        """Return the cards of the deck that a finding names."""
        names = [(card.number, card.name) for card in cards]
        found = [self._by_label.get(name) or self._by_line.get(name) for name in names]
        return list(dict.fromkeys(piece for piece in found if piece))

    def meant_by(self, pins: Iterable[str]) -> list[Piece]:
        """Return the cards of the deck that are named by number or name, in any spelling; a PinError if one is not."""
        spelled: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            spelled.setdefault(folded(piece.name), []).append(piece)
        return list(dict.fromkeys(piece for pin in pins for piece in self._meant_by(pin, spelled)))

    def _meant_by(self, pin: str, spelled: Mapping[str, list[Piece]]) -> list[Piece]:
        catalogue = self.facts.catalogue
        named = (catalogue.by_number(pin), *catalogue.by_name(pin), Stranger(*meant(Line(pin, 1), catalogue.game)))
        found = [piece for piece in named if piece and piece in self.pieces] + spelled.get(folded(pin), [])
        if not found:
            raise PinError(pin)
        return found

    def as_written(self, piece: Piece, count: int | None = None) -> NamedCard:
        """Return the name of a card: what the catalogue has, or what was written for one that it does not tell."""
        line = None if isinstance(piece, Card) else self._written.get(piece)
        return NamedCard(line.number or "", line.name or "", count) if line else NamedCard(*by_number(piece), count)

    def places(self, piece: Piece) -> list[str]:
        """Return the sections where a card stands or may be moved to: those in use, or all if it is out of place."""
        if piece not in self._places:
            self._places[piece] = self._places_of(piece)
        return self._places[piece]

    def _places_of(self, piece: Piece) -> list[str]:
        held = self.pieces[piece]
        if isinstance(piece, Stranger) or self.beyond:
            return list(held)
        fitting = [section for section in self.types if section != "leader" and self.facts.fits(piece, section)]
        if held.keys() <= set(fitting):  # it is in its place, and no section is opened for it
            fitting = [section for section in fitting if self.facts.sizes[section] or section == "main"]
        return list(dict.fromkeys([*held, *fitting]))

    def deck(self, counts: Counts) -> Deck:
        """Return a deck of so many cards, without the lines that nobody takes for cards: they make none illegal."""
        sections: dict[str, list[Line]] = {}
        for cell in sorted(counts, key=place):
            if counts[cell]:
                piece, section = cell
                sections.setdefault(section, []).append(self._line(piece, counts[cell]))
        return Deck(**{section: tuple(lines) for section, lines in sections.items()}, unread=())

    def _line(self, piece: Piece, copies: int) -> Line:
        if isinstance(piece, Card):
            return Line(piece.number or None, copies, piece.name)
        written = self._written.get(piece)
        return (
            Line(written.number, copies, written.name, written.at, written.raw)
            if written
            else Line(None, copies, piece.name)
        )


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
