"""Card columns: one player's cards in several columns of counts and cards side by side, as forms print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from api.workbooks.column_roles.header import labelled, leader
from api.workbooks.intake.cells import Cell, cell_in, count, is_blank, text
from validator.decklists.headlines import heading, is_total, names_fact
from validator.tables.cell_kinds import has_card_number
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import CARD, COUNT, NUMBER, PLAYER_ID, called

_SEARCHED = 20  # rows in which the headings are looked for
_OF_CARDS = (COUNT, NUMBER, CARD)  # in the order in which a line has them


class CardColumns(NamedTuple):
    """The row of the headings, from 0, and the columns of each group by what they hold."""

    titles: int
    groups: Sequence[Mapping[str, int]]


def recognised(rows: Sequence[Sequence[Cell]]) -> CardColumns | None:
    """Return where one player's cards stand in groups of columns, None where they do not."""
    for at, row in enumerate(rows[:_SEARCHED]):
        groups = _groups(row)
        if len(groups) > 1 and (at == 0 or _is_of_one(rows[at - 1])):
            return CardColumns(at, groups)
    return None


def _groups(row: Sequence[Cell]) -> Sequence[Mapping[str, int]]:
    """Return the groups of a row of headings, none where they are not alike or are of several players."""
    meant = [called(text(cell)) or ("", 0) for cell in row]
    if any(role in (*SOMEBODY, PLAYER_ID) for role, _ in meant):
        return ()
    best = dict(sorted(meant, reverse=True))  # of each meaning the plainest wording
    groups: list[dict[str, int]] = [{}]
    for column, (role, rank) in enumerate(meant):
        if role in _OF_CARDS and rank == best[role]:
            if role in groups[-1]:
                groups.append({})
            groups[-1][role] = column
    return groups if _are_alike(groups) else ()


def _are_alike(groups: Sequence[Mapping[str, int]]) -> bool:
    """Tell whether groups hold the same in the same order, counts and something of the card."""
    return len({tuple(group) for group in groups}) == 1 and COUNT in groups[0] and len(groups[0]) > 1


def _is_of_one(above: Sequence[Cell]) -> bool:
    """Tell whether no names of players stand over the groups."""
    filled = [cell for cell in above if not is_blank(cell)]
    return len(filled) < 2 or any(labelled(above)) or bool(leader(above)) or all(heading(text(cell)) for cell in filled)


def in_turn(rows: Sequence[tuple[int, Sequence[Cell]]], found: CardColumns) -> Iterator[tuple[int, Sequence[Cell]]]:
    """Yield the rows of a deck, with their numbers, one group under the other, each below what stands over it."""
    above = rows[found.titles - 1][1] if found.titles else ()
    has_sections = bool(above) and all(heading(text(cell)) for cell in above if not is_blank(cell))
    for at, row in rows[: found.titles - has_sections]:
        if leader(row) or any(has_card_number(text(cell)) for cell in row):
            yield at, row
    for group in found.groups:
        section = cell_in(above, min(group.values())) if has_sections else ""
        if not is_blank(section):
            yield rows[found.titles][0], [section]
        yield from _of_group(rows[found.titles + 1 :], group)


def _of_group(
    rows: Iterable[tuple[int, Sequence[Cell]]], group: Mapping[str, int]
) -> Iterator[tuple[int, Sequence[Cell]]]:
    """Yield what the rows have in the columns of a group, where they have a card."""
    places = [group[role] for role in _OF_CARDS if role in group]
    for at, row in rows:
        copies, *card = (cell_in(row, place) for place in places)
        is_filled = bool(count(copies)) or not all(map(is_blank, card))
        if is_filled and not _is_of_form(row):
            yield at, [copies, *card]


def _is_of_form(row: Sequence[Cell]) -> bool:
    """Tell whether a row under the cards has a total, or room for a signature."""
    words = list(filter(None, map(text, row)))
    return is_total(" ".join(words)) or names_fact(words[0].removesuffix(":"))
