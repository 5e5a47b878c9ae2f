"""Card cells: what cells say of cards, each read once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from api.workbooks.intake.cells import Cell, is_blank, text
from api.workbooks.intake.faults import quoted
from validator import decklists
from validator.cards import Card, Catalogue
from validator.deck import MOST_LINES, Deck, DeckLine
from validator.decklists.formulas import unguarded
from validator.decklists.placing import Misplaced, placed
from validator.numbers import SHAPE
from validator.tables import headings
from validator.texts import LONGEST_NAME, doubt

_SHAPE = re.compile(SHAPE, re.IGNORECASE | re.ASCII)


class CellDoubt(NamedTuple):
    """Why a cell cannot be used, as a part of a sentence, and in which column it stands."""

    detail: str
    role: str = headings.CARD


class CardInCell(NamedTuple):
    """A card as a row names it, and how many, where that stands in the same cell."""

    number: str | None
    name: str | None
    copies: int = 1


class CardCells:
    """What cells say of the cards of a game; equal cells are read once."""

    def __init__(self, game: str | None, catalogue: Catalogue | None) -> None:
        self.know(game, catalogue)

    def know(self, game: str | None, catalogue: Catalogue | None) -> None:
        """Take what cells say for cards of this game from now on."""
        self.game = game
        self.catalogue = catalogue
        self.named: Callable[[Cell, Cell], CardInCell | CellDoubt] = cache(self._named)
        self.counted: Callable[[Cell], CardInCell | CellDoubt] = cache(self._counted)
        self.listed: Callable[[str], Deck | str] = cache(self._listed)

    def is_card(self, name: str) -> bool:
        """Tell whether the catalogue has a card of this name."""
        return self.catalogue is not None and bool(name) and bool(self.catalogue.by_name(name[:LONGEST_NAME]))

    def names(self, card: CardInCell | CellDoubt | DeckLine) -> set[str]:
        """Return the names in the catalogue of a card as it is written, none where it is not known."""
        return set() if isinstance(card, CellDoubt) else {one.name for one in self._known(card)}

    def copies(self, deck: Deck, by_number: bool) -> Counter[str]:
        """Return how often a deck has each card of the catalogue, by number or by name; nobody lists DON!! alike."""
        copies: Counter[str] = Counter()
        for section, line in deck.lines():
            for card in self._known(line)[:1] if section != "don" else ():
                copies[card.number if by_number else card.name] += line.count
        return copies

    def _known(self, card: CardInCell | DeckLine) -> Sequence[Card]:
        if self.catalogue is None:
            return ()
        if card.number:
            known = self.catalogue.by_number(card.number)
            return (known,) if known else ()
        return self.catalogue.by_name(card.name or "")

    def _named(self, number: Cell, name: Cell) -> CardInCell | CellDoubt:
        """Return the card that a number and a name mean; either may be blank, or hold both."""
        written = unguarded(text(number) or text(name))
        if not written:
            return CellDoubt("there is no card in this row")
        if wrong := doubt(written, LONGEST_NAME):
            return CellDoubt(f"{quoted(written)} {wrong}")
        beside = "" if is_blank(number) else text(name)
        as_written = CardInCell(None, written) if is_blank(number) else CardInCell(written, beside or None)
        if as_written.number and _SHAPE.fullmatch(written):
            return as_written
        return self._numbered(written, beside) or as_written

    def _numbered(self, written: str, beside: str) -> CardInCell | None:
        """Return the card of a text that has its number somewhere in it; its name may stand beside it."""
        lines = self._lines(f"1 {written}") if _has_digit(written) else []
        if len(lines) == 1 and lines[0].number:
            return CardInCell(lines[0].number, beside or lines[0].name)
        return None

    def _counted(self, cell: Cell) -> CardInCell | CellDoubt:
        """Return the card of a cell that may have its count too: "4 Nami", "OP01-016 x4"."""
        written = unguarded(text(cell))
        if not written or doubt(written, LONGEST_NAME):
            return self._named("", cell)
        lines = self._lines(written)
        if len(lines) == 1:
            return CardInCell(lines[0].number, lines[0].name, lines[0].count)
        if lines or _has_digit(written):
            return CellDoubt(f"{quoted(written)} is not one card with its count")
        return CardInCell(None, written)

    def _listed(self, written: str) -> Deck | str:
        """Return the deck that a text is, or why it is none."""
        try:
            deck = decklists.parse(written, self.game, self.catalogue).deck
        except ValueError as error:
            return str(error)
        return bounded(deck) if any(deck.lines()) else f"there is no card in {quoted(written)}"

    def _lines(self, written: str) -> list[DeckLine]:
        return [line for _, line in decklists.parse(written, self.game, self.catalogue).deck.lines()]


def _has_digit(written: str) -> bool:
    return any(map(str.isdigit, written))


def bounded(deck: Deck) -> Deck | str:
    """Return a deck, or that it has too many lines."""
    lines = sum(1 for _ in deck.lines())
    return deck if lines <= MOST_LINES else f"a deck has at most {MOST_LINES:,} lines, and this has {lines:,}"


def section(cell: Cell, side: Cell) -> str | CellDoubt | None:
    """Return the section that a row names, None where it names none, as `placed` has it."""
    named = placed(text(cell), text(side))
    if isinstance(named, Misplaced):
        return CellDoubt(f"{quoted(text(side if named.role == headings.SIDE else cell))} {named.detail}", named.role)
    return named
