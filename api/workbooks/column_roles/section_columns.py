"""Section columns: the sections of one deck side by side, each under its heading: Leader, Main, Side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from api.workbooks.intake.cells import Cell, cell_in, is_blank, text
from validator.decklists.section_counts import holds_counts
from validator.decklists.sections import ASIDE, is_kind, section
from validator.tables import cell_kinds
from validator.tables.cell_kinds import has_card_number

_SEARCHED = 20  # rows in which the headings are looked for


def recognised(rows: Sequence[Sequence[Cell]]) -> int | None:
    """Return the row, from 0, of the sections under which the cards of one deck stand, None where there is none."""
    for at, row in enumerate(rows[:_SEARCHED]):
        named = [section(text(cell)) for cell in row if not is_blank(cell) and not is_kind(text(cell))]
        filled = sum(not is_blank(cell) for cell in row)
        if len(named) == filled > 1 and "main" in named and None not in named and len({*named}) == filled:
            below = rows[at + 1 :]
            return at if _are_of_one(below) and not _count_copies(row, below) else None
    return None


def _are_of_one(rows: Sequence[Sequence[Cell]]) -> bool:
    """Tell whether cards stand in several rows, none of which holds a whole list."""
    of_cards = [row for row in rows if any(has_card_number(text(cell)) for cell in row)]
    return len(of_cards) > 1 and not any(cell_kinds.is_list(text(cell)) for row in of_cards for cell in row)


def _count_copies(head: Sequence[Cell], rows: Sequence[Sequence[Cell]]) -> bool:
    """Return True if numbers of copies are under the headings of sections, and no card is beside them."""
    named = [at for at, cell in enumerate(head) if not is_blank(cell)]
    beside = [at for at in range(named[0], len(head)) if at not in named]
    return all(holds_counts(_cells(rows, at)) for at in named) and not any(
        has_card_number(cell) for at in beside for cell in _cells(rows, at)
    )


def _cells(rows: Sequence[Sequence[Cell]], column: int) -> list[str]:
    return [text(cell) for row in rows if (cell := cell_in(row, column))]


def in_turn(rows: Sequence[tuple[int, Sequence[Cell]]], start: int) -> Iterator[tuple[int, Sequence[Cell]]]:
    """Yield the rows of a deck, with their numbers, one section under the other; the headings stand in row `start`."""
    yield from rows[:start]
    at, head = rows[start]
    places = [column for column, cell in enumerate(head) if not is_blank(cell)]
    width = max(len(row) for _, row in rows)
    for first, last in pairwise([*places, max(width, places[-1] + 1)]):
        if section(text(head[first])) == ASIDE:
            continue
        yield at, [head[first]]
        yield from ((number, row[first:last]) for number, row in rows[start + 1 :])
