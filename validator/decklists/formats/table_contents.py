"""Contents: what the columns of a table hold, told by what stands in them where no heading says it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from validator.cards import Card
from validator.deck import MOST_COPIES
from validator.decklists import counts, sections
from validator.decklists.source import Source, row
from validator.numbers import SHAPE
from validator.tables import headings
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, NUMBER, SECTION, TYPE

A_COUNT = re.compile(r"x?\s*([0-9]+)(?:\.0+)?\s*x?", re.IGNORECASE | re.ASCII)
A_NUMBER = re.compile(rf"({SHAPE})(?:#[A-Z0-9]*)?", re.IGNORECASE | re.ASCII)
_MONEY = re.compile(r"[$€£¥]")
_MOST_OF = 10  # all but one of so many
_FEW = 3  # rows from which on a column without a known heading tells what it holds
_WIDEST = 3  # digits of a count


def tell_counts(found: Columns, rows: Sequence[tuple[str, Sequence[str]]], source: Source) -> None:
    """Take for the counts columns of any other name that can be nothing else, where no card stands in two rows.

    `rows` are the cells of each, behind the card that it names.
    """
    named = [card for card, _ in rows]
    if len(rows) < _FEW or len(set(named)) < len(rows):
        return
    held = {at: [cells[at] for _, cells in rows] for at in found.free() if not _is_fact(found.titles[at])}
    counted = _not_printed({at: cells for at, cells in held.items() if _are_counts(cells)}, named, source)
    if counted:
        found.roles[COUNT] = counted


def columns(rows: Sequence[Sequence[str]], source: Source) -> Columns | None:
    """Tell the columns of a table without a header by what is in them: counts, and numbers or names.

    Of two columns that could both be counts nobody knows which it is, unless one numbers the rows, or all but one
    have what is printed on the cards.
    """
    places: dict[str, list[int]] = {}
    held = list(zip(*rows, strict=True))
    for at, cells in enumerate(held):
        places.setdefault(_held(cells), []).append(at)
    if NUMBER in places and len(places.get(COUNT, ())) > 1:
        places[COUNT] = _not_printed({at: held[at] for at in places[COUNT]}, held[places[NUMBER][0]], source)
    if len(places.get(COUNT, ())) != 1 or not (NUMBER in places or _are_names(rows, places.get(CARD, ()), source)):
        return None
    if NUMBER in places and CARD in places:
        places[CARD].sort(key=lambda at: -_names(held[at], held[places[NUMBER][0]], source))
    return Columns((), {role: places[role][:1] for role in (COUNT, NUMBER, CARD, SECTION, TYPE) if role in places})


def _is_fact(title: str) -> bool:
    return headings.says_fact(headings.words(title))


def _are_counts(cells: Sequence[str]) -> bool:
    """Tell whether cells can be counts of copies: whole numbers that are none too large, and not those of the rows."""
    digits = (found[1] for cell in cells if (found := A_COUNT.fullmatch(cell)))
    return _held(cells) == COUNT and all(len(one) <= _WIDEST and 0 < int(one) <= MOST_COPIES for one in digits)


def _names(cells: Sequence[str], numbers: Sequence[str], source: Source) -> int:
    """Return how many cells of a column are the names of the numbers in another."""
    return sum(bool(cell) and source.is_of(number, cell) for cell, number in zip(cells, numbers, strict=True))


def _held(cells: Sequence[str]) -> str:
    """Return what a column without a heading holds by its cells, "" for nothing or the numbers of the rows."""
    if all(map(A_COUNT.fullmatch, cells)):
        numbers_rows = len(cells) > 2 and all(cell == str(at) for at, cell in enumerate(cells, 1))
        return "" if numbers_rows else COUNT
    if all(map(A_NUMBER.fullmatch, cells)):
        return NUMBER
    return (_said_of_places(cells) or CARD) if any(cells) else ""


def _said_of_places(cells: Sequence[str]) -> str:
    """Return whether cells say the sections of cards, or only the types, which say less than a heading over them."""
    if not all(map(sections.section, cells)):
        return ""
    own = [cell for cell in cells if not sections.is_kind(cell)]
    return SECTION if any(sections.section(cell) == "side" or sections.begins_main(cell) for cell in own) else TYPE


def _not_printed(columns: Mapping[int, Sequence[str]], named: Sequence[str], source: Source) -> list[int]:
    """Return the columns of those that have something else than what is printed on the cards of their rows."""
    cards = list(map(source.card, named))
    return [at for at, cells in columns.items() if not _is_printed(cells, cards)]


def _is_printed(cells: Sequence[str], cards: Sequence[Card | None]) -> bool:
    """Tell whether a column has what is printed on the cards of its rows, cost, power or Life; 0 stands for none."""
    printed = [
        cell in {str(fact or 0) for fact in (card.cost, card.power, card.life)}
        for cell, card in zip(cells, cards, strict=True)
        if card
    ]
    return _MOST_OF * sum(printed) >= (_MOST_OF - 1) * len(printed) > 0


def _are_names(rows: Sequence[Sequence[str]], places: Sequence[int], source: Source) -> bool:
    """Tell whether the one column beside the counts has cards and no lines with a count or a price of their own."""
    if len(rows[0]) != 2 or not places:
        return False
    lines = (row(0, cells[places[0]]) for cells in rows)
    return not any(
        _MONEY.search(line.plain) or (counts.likeliest(line.plain).digits and not source.is_name(line.shown))
        for line in lines
    )
