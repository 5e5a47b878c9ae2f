"""Cells: parse the value of one cell as text, count, name, id, card or empty answer."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from api.sheets.person_names import cleaned
from api.workbooks.intake.faults import quoted
from carddb.files.spreadsheets import cell_text
from validator import decklists, texts
from validator.cards import Card, Catalogue
from validator.deck import MOST_COPIES, MOST_LINES, Deck, DeckLine
from validator.decklists.formulas import unguarded
from validator.decklists.placing import Misplaced, placed
from validator.decklists.section_counts import parse_copies
from validator.decklists.sections import listed
from validator.decklists.sections import section as section_meant
from validator.numbers import SHAPE
from validator.tables import headings
from validator.tables.headings import words
from validator.texts import LONGEST_CELL, LONGEST_NAME

Cell: TypeAlias = str | int | float | datetime.date | datetime.time | datetime.timedelta

_MOST_DIGITS = 15  # of a number; further ones a spreadsheet program has made noughts of
_TRUTHS = ("TRUE", "FALSE")


class Text(NamedTuple):
    """A text of a cell. `doubt` is the problem with the text, "" for none. If `usable` is true, it is used anyway."""

    text: str
    doubt: str = ""
    usable: bool = True


def cell_in(row: Sequence[Cell], column: int) -> Cell:
    """Return the cell of a row in a column, "" if the row is shorter."""
    return row[column] if column < len(row) else ""


def is_blank(cell: Cell) -> bool:
    """Return True if a cell has no visible text."""
    return cell == "" or (type(cell) is str and not cell.strip())


def text(cell: Cell) -> str:
    """Return the text of a cell, as a person would type it."""
    return cell.strip() if type(cell) is str else cell_text(cell)


def count(cell: Cell) -> int | None:
    """Return the number of copies in a cell, None if it is no number from 1 to 255.

    4, 4.0, "4,0", "04", " 4 ", "4x", "×4", "4枚", "4 pcs" and full-width digits are four; TRUE, 4.5 and a date nothing.
    """
    if isinstance(cell, int | float):
        whole = int(cell) if math.isfinite(cell) and cell == int(cell) else 0
    else:
        whole = (parse_copies(cell) or 0) if type(cell) is str else 0
    return whole if 1 <= whole <= MOST_COPIES else None


def count_doubt(cell: Cell) -> str:
    """Return the problem with a cell without a valid count."""
    if is_blank(cell):
        return f"the count is missing; write a number from 1 to {MOST_COPIES}"
    return f"{quoted(text(cell))} is not a number from 1 to {MOST_COPIES}"


def name(cell: Cell) -> Text:
    """Return the name of a player or an event, without invisible characters."""
    written = unguarded(text(cell))
    if len(written) > LONGEST_CELL:
        return Text("", doubt(written), usable=False)
    read = cleaned(written)
    if len(read) > LONGEST_NAME:
        return Text("", f"{quoted(read)} has {len(read)} characters; a name has at most {LONGEST_NAME}", usable=False)
    return Text(read)


def identity(cell: Cell) -> Text:
    """Return a player's id as text, with a doubt if a spreadsheet program changed the type of the cell."""
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta) or cell in _TRUTHS:
        kind = "true or false" if cell in _TRUTHS else "a date or time"
        return Text("", f"{quoted(text(cell))} is {kind}, not an id; format the column as text", usable=False)
    if isinstance(cell, float) and abs(cell) >= 10**_MOST_DIGITS:
        detail = f"a number keeps {_MOST_DIGITS} digits, so this id has lost some; format the column as text"
        return Text("", f"{quoted(f'{cell:.15g}')}: {detail}", usable=False)
    if isinstance(cell, int | float):
        doubt = "is a number: zeros that it began with are lost; format the column as text"
        return Text(text(cell), f"{quoted(text(cell))} {doubt}")
    return name(cell)


def note(cell: Cell) -> str:
    """Return the text of a cell without a role, on one line of at most LONGEST_CELL characters."""
    return cleaned(unguarded(text(cell))[:LONGEST_CELL])


def doubt(written: str) -> str:
    """Return the reason why the text of a cell cannot be read, "" if it can."""
    wrong = texts.doubt(written, LONGEST_CELL)
    return wrong and f"this {wrong}"


_LONGEST = 40
_MARKS = re.compile(r"[-–—―/.\s_]*")
_ALONE = listed("""
    none, no, nope, nothing, nil, null, n a, na, not applicable, empty, false, 0, 0 cards, none at all,
    keine, keiner, keines, keins, kein, nein, nichts, entfällt, ohne, leer,
    aucun, aucune, non, rien, néant, vide, sans, sans objet,
    ninguno, ninguna, ningún, nada, vacío, sin, no tengo, no aplica,
    nessuno, nessuna, niente, vuoto, senza,
    nenhum, nenhuma, não, não tenho, vazio, sem, brak, nie,
    なし, 無し, 無, ナシ, 特になし, ありません, いいえ, 无, 沒有, 没有, 無い, 없음, 없습니다, 없어요, 아니요, 무
    """)
_BEFORE = listed(
    "no, without, kein, keinen, keine, ohne, pas de, aucun, sans, sin, ningún, nessun, senza, sem, nenhum, brak"
)
_BEHIND = listed("なし, 無し, ナシ, 无, 無, 沒有, 没有, 없음")


def _key(text: str) -> str:
    return " ".join(words(text))


_KEYS = frozenset(map(_key, _ALONE))
_PARTED = re.compile(rf"(?:{'|'.join(map(_key, _BEFORE))}) (.+)|(.+?) ?(?:{'|'.join(map(_key, _BEHIND))})")


def is_empty_answer(written: str) -> bool:
    """Return True if an answer in the place of cards means that there are none."""
    if len(written) > _LONGEST:
        return False
    if _MARKS.fullmatch(written) or _key(written) in _KEYS:
        return True
    parted = _PARTED.fullmatch(_key(written))
    return parted is not None and section_meant(parted[1] or parted[2]) is not None


_SHAPE = re.compile(SHAPE, re.IGNORECASE | re.ASCII)


class CellDoubt(NamedTuple):
    """The reason why a cell cannot be used, as a part of a sentence, and the role of its column."""

    detail: str
    role: str = headings.CARD


class CardInCell(NamedTuple):
    """A card of a cell, with the number of copies if the cell contains it."""

    number: str | None
    name: str | None
    copies: int = 1


class CardCells:
    """The parser of cells with cards of a game. Equal cells are parsed once."""

    def __init__(self, game: str | None, catalogue: Catalogue | None) -> None:
        self.set_game(game, catalogue)

    def set_game(self, game: str | None, catalogue: Catalogue | None) -> None:
        """Use the cards of this game from now on. Clears the caches."""
        self.game = game
        self.catalogue = catalogue
        self.parse_card: Callable[[Cell, Cell], CardInCell | CellDoubt] = cache(self._parse_card)
        self.parse_counted_card: Callable[[Cell], CardInCell | CellDoubt] = cache(self._parse_counted_card)
        self.parse_deck: Callable[[str], Deck | str] = cache(self._parse_deck)

    def is_card(self, name: str) -> bool:
        """Return True if the catalogue has a card of this name."""
        return self.catalogue is not None and bool(name) and bool(self.catalogue.by_name(name[:LONGEST_NAME]))

    def card_names(self, card: CardInCell | CellDoubt | DeckLine) -> set[str]:
        """Return the names in the catalogue of a written card. Empty if the card is unknown."""
        return set() if isinstance(card, CellDoubt) else {one.name for one in self._find_cards(card)}

    def count_copies(self, deck: Deck, by_number: bool) -> Counter[str]:
        """Return the copies of each card of a deck, by number or by name. DON!! cards are not counted."""
        copies: Counter[str] = Counter()
        for section, line in deck.lines():
            for card in self._find_cards(line)[:1] if section != "don" else ():
                copies[card.number if by_number else card.name] += line.count
        return copies

    def _find_cards(self, card: CardInCell | DeckLine) -> Sequence[Card]:
        if self.catalogue is None:
            return ()
        if card.number:
            known = self.catalogue.by_number(card.number)
            return (known,) if known else ()
        return self.catalogue.by_name(card.name or "")

    def _parse_card(self, number: Cell, name: Cell) -> CardInCell | CellDoubt:
        """Return the card of a number and a name. Either cell may be blank or contain both."""
        written = unguarded(text(number) or text(name))
        if not written:
            return CellDoubt("there is no card in this row")
        if wrong := texts.doubt(written, LONGEST_NAME):
            return CellDoubt(f"{quoted(written)} {wrong}")
        beside = "" if is_blank(number) else text(name)
        as_written = CardInCell(None, written) if is_blank(number) else CardInCell(written, beside or None)
        if as_written.number and _SHAPE.fullmatch(written):
            return as_written
        return self._parse_numbered_card(written, beside) or as_written

    def _parse_numbered_card(self, written: str, beside: str) -> CardInCell | None:
        """Return the card of a text with a card number, else None. `beside` is the text of the name cell."""
        lines = self._parse_lines(f"1 {written}") if _has_digit(written) else []
        if len(lines) == 1 and lines[0].number:
            return CardInCell(lines[0].number, beside or lines[0].name)
        return None

    def _parse_counted_card(self, cell: Cell) -> CardInCell | CellDoubt:
        """Return the card of a cell that may have its count too: "4 Nami", "OP01-016 x4"."""
        written = unguarded(text(cell))
        if not written or texts.doubt(written, LONGEST_NAME):
            return self._parse_card("", cell)
        lines = self._parse_lines(written)
        if len(lines) == 1:
            return CardInCell(lines[0].number, lines[0].name, lines[0].count)
        if lines or _has_digit(written):
            return CellDoubt(f"{quoted(written)} is not one card with its count")
        return CardInCell(None, written)

    def _parse_deck(self, written: str) -> Deck | str:
        """Return the deck of a text, or the reason why it is none."""
        try:
            deck = decklists.parse(written, self.game, self.catalogue).deck
        except ValueError as error:
            return str(error)
        return bounded(deck) if any(deck.lines()) else f"there is no card in {quoted(written)}"

    def _parse_lines(self, written: str) -> list[DeckLine]:
        return [line for _, line in decklists.parse(written, self.game, self.catalogue).deck.lines()]


def _has_digit(written: str) -> bool:
    return any(map(str.isdigit, written))


def bounded(deck: Deck) -> Deck | str:
    """Return a deck, or that it has too many lines."""
    lines = sum(1 for _ in deck.lines())
    return deck if lines <= MOST_LINES else f"a deck has at most {MOST_LINES:,} lines, and this has {lines:,}"


def section(cell: Cell, side: Cell) -> str | CellDoubt | None:
    """Return the section in the cells of a row, None if they are blank. Contradictory cells return a doubt."""
    named = placed(text(cell), text(side))
    if isinstance(named, Misplaced):
        return CellDoubt(f"{quoted(text(side if named.role == headings.SIDE else cell))} {named.detail}", named.role)
    return named
