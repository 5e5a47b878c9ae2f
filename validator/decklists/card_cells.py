"""Card cells: the card of a table's row, from the cell for its number and the cell for its name.

Called by the readers of pasted tables and of JSON, and by `api.workbooks` for spreadsheets, so all read a cell alike.
"""

from __future__ import annotations

import re

from validator.decklists import cardline
from validator.decklists.cardline import CountedCard
from validator.decklists.naming import parse_name
from validator.decklists.source import Source, row
from validator.formulas import unguard_formula
from validator.matching import fold_text
from validator.tables.cell_kinds import NUMBER_CELL

# A text with both a letter and a digit may be a mistyped number. A rarity, or the number of a row, is none.
_MAY_BE_NUMBER = re.compile(r"(?=.*[0-9]).*[^\W\d_]")


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


def parse_counted_cell(cell: str, source: Source) -> CountedCard | None:
    """Return the card of a cell that may also have its count, "4 Nami". Without a count it is one copy.

    None if the cell has several cards, or if the count is not clear.
    """
    cards = cardline.parse_cards(row(0, unguard_formula(cell)), source, is_count_optional=True)
    return cards[0] if isinstance(cards, list) and len(cards) == 1 else None
