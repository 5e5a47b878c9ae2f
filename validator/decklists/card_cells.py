"""Card cells: the card of a table's row, from the cell for its number and the cell for its name.

Called by the readers of pasted tables and of JSON, and by `api.workbooks` for spreadsheets, so all read a cell alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from validator import texts
from validator.bounds import MOST_COPIES
from validator.decklists import cardline
from validator.decklists.naming import parse_name
from validator.decklists.source import Source, row
from validator.formulas import unguard_formula
from validator.language import phrase
from validator.matching import fold_text
from validator.tables.cell_kinds import NUMBER_CELL
from validator.tables.headings import CARD
from validator.tables.section_counts import parse_copies
from validator.texts import LONGEST_NAME, shorten_value

# A text with both a letter and a digit may be a mistyped number. A rarity, or the number of a row, is none.
_MAY_BE_NUMBER = re.compile(r"(?=.*[0-9]).*[^\W\d_]")
NO_CARD = phrase("there is no card in this row")


class CellDoubt(NamedTuple):
    """The reason why a cell cannot be used, as a part of a sentence, and the role of its column, such as CARD.

    The role is "" if the reason is about several cells of a row.
    """

    detail: str
    role: str = CARD


class WrittenCard(NamedTuple):
    """A card as it is written in a cell, by number, by name or both. It need not be in the catalogue.

    `number` or `name` is None if it is not written. `copies` is None if the cell has no count.
    """

    number: str | None
    name: str | None
    copies: int | None = None


class CardCells:
    """The parser of cells with a card. Results are cached, so equal cells are parsed once.

    Both functions return a CellDoubt if a cell is blank, or too long for a card.
    """

    def __init__(self, source: Source) -> None:
        """`source` has the known cards. Creates the cached functions as attributes."""
        self.source = source
        self.parse_card: Callable[[str, str], WrittenCard | CellDoubt] = cache(self._parse_card)
        self.parse_counted_card: Callable[[str], WrittenCard | CellDoubt] = cache(self._parse_counted_card)

    def _parse_card(self, number: str, name: str) -> WrittenCard | CellDoubt:
        """Return the card of a number cell and a name cell. Either may be blank or contain both number and name.

        `copies` is always None. A cell must not have more than 200 characters, or characters that no card has.
        """
        cells = [unguard_formula(cell) for cell in (number, name) if cell]
        if not any(cells):
            return CellDoubt(NO_CARD)
        for cell in cells:
            if wrong := texts.doubt(cell, LONGEST_NAME):
                return CellDoubt(phrase("“{value}” {wrong}", value=shorten_value(cell), wrong=wrong))
        return WrittenCard(*parse_card_cells(number, name, self.source))

    def _parse_counted_card(self, cell: str) -> WrittenCard | CellDoubt:
        """Return the card of a cell that may have its count too: "4 Nami", "OP01-016 x4".

        Return a CellDoubt also if the cell has several cards, or a count that is not clear or not from 1 to 255.
        """
        written = unguard_formula(cell)
        if not written or texts.doubt(written, LONGEST_NAME):
            return self._parse_card("", cell)
        cards = cardline.parse_cards(row(0, written), self.source, is_count_optional=True)
        if isinstance(cards, list) and len(cards) == 1:
            [card] = cards
            copies = (parse_copies(card.digits) or 0) if card.is_counted else None
            if copies is None or 1 <= copies <= MOST_COPIES:
                return WrittenCard(card.number, card.name, copies)
        return CellDoubt(phrase("“{value}” is not one card with its count", value=shorten_value(written)))


def parse_card_cells(number: str, name: str, source: Source) -> tuple[str | None, str | None]:
    """Return the card's number and its name, each None if it is missing, from the cells for both.

    Either cell may be "", or have the number and also the name. A text in place of the number that is no number is
    kept as the number if it may be a mistyped one, or if it is the name of another card. The card is then unknown.
    Beside a name it is otherwise ignored. Without a name, it is the name if the catalogue has it, else the number.
    """
    written, named = row(0, unguard_formula(number)), row(0, unguard_formula(name))
    if found := NUMBER_CELL.fullmatch(written.plain):
        return found[1], named.shown or None
    if not written.plain:
        card = parse_name(named.shown, named.plain, source)
        return card.number, card.name
    if source.is_number(written.plain):
        return written.plain, named.shown or None
    card = parse_name(written.shown, written.plain, source)
    if card.number and not (card.name or "").isdigit():
        return card.number, named.shown or card.name
    return _parse_without_number(written.shown, named.shown, source)


def _parse_without_number(number_text: str, name: str, source: Source) -> tuple[str | None, str | None]:
    """Return `(number, name)` of a card, if `number_text`, the text in place of the number, has no number.

    If `name` is "", the text is the name if the catalogue has it, else the number. If `name` has a known number, or the
    text cannot be a mistyped number or another card's name, the text is ignored. Otherwise it is the number.
    """
    if not name:
        return (None, number_text) if source.is_name(number_text) else (number_text, None)
    card = parse_name(name, row(0, name).plain, source)
    if card.number and source.has(card.number):
        return card.number, card.name
    is_other_card = source.is_name(number_text) and fold_text(number_text) != fold_text(card.name or "")
    return (number_text, name) if _MAY_BE_NUMBER.match(number_text) or is_other_card else (None, card.name)
