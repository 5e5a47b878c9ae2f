"""Headers: where in a sheet the headings of its columns stand, and what labels above them say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from api.workbooks.intake.cells import Cell, cell_in, is_blank, text
from api.workbooks.intake.faults import letters
from validator.decklists.sections import section as section_meant
from validator.language import phrase
from validator.tables import cell_kinds, column_samples, columns
from validator.tables.cell_kinds import has_card_number
from validator.tables.column_samples import IsCard, Sample
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import WHO, Columns
from validator.tables.headings import (
    CARD,
    COUNT,
    DECKLIST,
    ID,
    NAME_KEYS,
    NUMBER,
    PLAYER,
    PLAYER_ID,
    ROLES,
    is_known,
    key,
)
from validator.tables.untitled_columns import infer_player_columns

_SEARCHED = 40  # rows in which the headings are looked for
_MOST_BESIDE = 4  # cells of a row that says who a player is
_WIDEST = 4  # columns of a label
_LOOKED_AT = 500  # rows that show the columns of a table without headings
_SAMPLE = 50  # rows that tell what an ambiguous column holds
_AFTER_LABEL = re.compile(r"[:：]| [-–—=] ")
_LONGEST = 200  # characters of a heading; form exports have whole questions

# What labels beside the player's name on a sheet of one player say.
MORE = "more"
_LABELS = {
    **dict.fromkeys(NAME_KEYS, PLAYER),
    ID: PLAYER_ID,
    **dict.fromkeys(("date", "day", "datum", "fecha", "data", "table", "tablenumber", "tisch", "mesa"), MORE),
    **dict.fromkeys(("place", "venue", "location", "store", "shop", "city", "country", "region", "ort", "lieu"), MORE),
    **dict.fromkeys(
        ("note", "notes", "remarks", "comment", "comments", "team", "email", "phone", "seat", "seed"), MORE
    ),
    **dict.fromkeys(("deckname", "archetype", "decktype", "format", "round", "judge"), MORE),
}
_REASONS: Mapping[str, str] = {
    DECKLIST: phrase("lists stand in it"),
    NUMBER: phrase("card numbers stand in it"),
    CARD: phrase("names of cards stand in it"),
    COUNT: phrase("small numbers stand in it"),
    PLAYER_ID: phrase("numbers of players stand in it"),
    PLAYER: phrase("names stand in it"),
}


@dataclass(frozen=True)
class Header:
    """The headings of a table: its columns, the rows that they stand in, from 0, and why the cells told a column."""

    columns: Columns
    start: int
    end: int
    why: Mapping[int, str] = field(default_factory=dict)


def find(rows: Sequence[Sequence[Cell]], is_card: IsCard = lambda name: False) -> Header | None:
    """Return the headings of a table, with or without rows of title above them, in one row or in two.

    `is_card` tells whether a text is the name of a card: it decides what a column "Name" holds.
    """
    return _by_headings(rows, is_card) or _by_contents(rows, is_card)


def _reasons(layout: Columns) -> dict[int, str]:
    """Return the reason for each role that only the cells of its column show."""
    return {
        at: _REASONS[role]
        for role, places in layout.roles.items()
        for at in places
        if at in layout.from_cells and role in _REASONS
    }


def first_row(rows: Sequence[Sequence[Cell]]) -> Header:
    """Return the first row that is not blank as headings, for columns that a user chooses."""
    start = next((at for at, row in enumerate(rows) if not all(map(is_blank, row))), 0)
    titles, end = _single(rows, start)
    return Header(Columns(titles), start, end)


def find_untitled(rows: Sequence[Sequence[Cell]], is_card: IsCard) -> Header | None:
    """Return the columns of a table of several players without headings. None if there is no such table."""
    start = next((at for at, row in enumerate(rows[:_SEARCHED]) if _is_of_table(row)), None)
    if start is None:
        return None
    table = [words for row in rows[start : start + _LOOKED_AT] if any(words := list(map(text, row)))]
    roles = infer_player_columns(table, is_card)
    if not roles:
        return None
    width = max(map(len, table))
    layout = Columns(list(map(letters, range(width))), {role: [at] for role, at in roles.items()})
    layout.unknown = [at for at in layout.free() if any(at < len(row) and row[at] for row in table)]
    if DECKLIST in roles:
        start = _first_list(rows[: start + 1], roles[DECKLIST])
    return Header(layout, start, start, dict.fromkeys(roles.values(), "as its cells tell"))


def _is_of_table(row: Sequence[Cell]) -> bool:
    """Return True if a row has a card or a list, and another cell."""
    filled = [text(cell) for cell in row if not is_blank(cell)]
    return len(filled) > 1 and any(cell_kinds.is_card_number(cell) or cell_kinds.is_list(cell) for cell in filled)


def _first_list(rows: Sequence[Sequence[Cell]], column: int) -> int:
    """Return the first row with a list in a column, else the last row: a list without a name is reported."""
    lists = (at for at, row in enumerate(rows) if cell_kinds.is_list(text(cell_in(row, column))))
    return next(lists, len(rows) - 1)


def _by_headings(rows: Sequence[Sequence[Cell]], is_card: IsCard) -> Header | None:
    best: Header | None = None
    # Two rows are taken as one heading only where they say more than any one row does.
    for candidates in (_single, _double):
        for start in range(min(len(rows), _SEARCHED)):
            titles, end = candidates(rows, start)
            meanings = column_samples.count_meanings(titles)
            if meanings < 2 or (best is not None and meanings < best.columns.certain):
                continue
            layout = columns.infer_columns(titles, _sample(rows, end), is_card)
            if layout.are_named and (best is None or layout.certain > best.columns.certain):
                best = Header(layout, start, end, _reasons(layout))
    return best


def _by_contents(rows: Sequence[Sequence[Cell]], is_card: IsCard) -> Header | None:
    """Return the first row of words below which columns have what a table of decks needs."""
    for start, row in enumerate(rows[:_SEARCHED]):
        if not _may_be_headings(row, is_card) or _is_label_of_several(rows, start):
            continue
        titles, end = _single(rows, start)
        layout = columns.infer_columns(titles, _sample(rows, end), is_card)
        named = layout.places(*SOMEBODY)
        if not layout.is_list and _are_cards(named, _sample(rows, end), is_card):
            continue  # "Surname" and a name stand over cards; beside lists a player may be called as a card
        if layout.are_headings or (layout.is_list and DECKLIST in layout.roles):
            return Header(layout, start, end, _reasons(layout))
    return None


def _may_be_headings(row: Sequence[Cell], is_card: IsCard) -> bool:
    """Return True if a row has several words and no card, count or list, which are under headings."""
    words = [text(cell) for cell in row if not is_blank(cell)]
    return len(words) > 1 and not any(
        word.endswith(":") or cell_kinds.is_content(word) or is_card(word) for word in words
    )


def _are_cards(places: Sequence[int], sample: Sample, is_card: IsCard) -> bool:
    """Return True if a column that is called one of players has mostly cards or counts."""
    return any(
        2 * sum(has_card_number(cell) or is_card(cell) or cell.isdigit() for cell in sample(at)) > len(sample(at))
        for at in places
        if sample(at)
    )


def _is_label_of_several(rows: Sequence[Sequence[Cell]], start: int) -> bool:
    """Return True if a row is "Player" and a name, like another row: headings are above all players once."""
    filled = [text(cell) for cell in rows[start] if not is_blank(cell)]
    if len(filled) > _MOST_BESIDE or not any(role in SOMEBODY for role, _, _ in labelled(rows[start])):
        return False
    others = ([text(cell) for cell in row if not is_blank(cell)] for row in rows[start + 1 :])
    return any(other[:1] == filled[:1] and other[1:] != filled[1:] for other in others)


def _single(rows: Sequence[Sequence[Cell]], start: int) -> tuple[list[str], int]:
    return [_title(cell) for cell in rows[start]], start + 1


def _double(rows: Sequence[Sequence[Cell]], start: int) -> tuple[list[str], int]:
    """Read headings under group headings: "Card" over "Number", "Name" and "Count"."""
    upper, end = _single(rows, start)
    if end >= len(rows) or _says_who(rows[start]):
        return [], end
    lower, end = _single(rows, end)
    width = max(len(upper), len(lower))
    upper += [""] * (width - len(upper))
    lower += [""] * (width - len(lower))
    pairs = zip(_spread(upper), upper, lower, strict=True)
    return [_joined(group, title) if title else alone for group, alone, title in pairs], end


def _says_who(row: Sequence[Cell]) -> bool:
    """Return True if a row is of a player, "Player" and right beside it a name, and no heading over others."""
    pairs = zip(map(_title, row), map(_title, row[1:]), strict=False)
    return any(next(labelled([label, near]), [MORE])[0] != MORE and not _is_title(near) for label, near in pairs)


def _is_title(word: str) -> bool:
    """Return True if a word is what columns, labels or sections are called."""
    return key(word) in _LABELS or is_known(word) or section_meant(word) is not None


def _title(cell: Cell) -> str:
    return " ".join(text(cell).split()) if type(cell) is str and len(cell) <= _LONGEST else ""


def _spread(titles: Sequence[str]) -> Iterator[str]:
    """Return group headings, each over all the columns up to the next."""
    return accumulate(titles, lambda group, title: title or group)


def _joined(group: str, title: str) -> str:
    both = f"{group} {title}".strip()
    return both if key(both) in ROLES else title


def _sample(rows: Sequence[Sequence[Cell]], start: int) -> Sample:
    below = rows[start : start + _SAMPLE]
    return lambda column: [text(row[column]) for row in below if column < len(row) and row[column] != ""]


def labelled(row: Sequence[Cell]) -> Iterator[tuple[str, str, Cell]]:
    """Yield the labelled values of a row about its player, as role, label and value. Other notes have the role MORE.

    A cell "Player" or "Player:" has the name in the next, or both stand in one.
    """
    for at, cell in enumerate(row):
        label, *rest = _AFTER_LABEL.split(_title(cell), maxsplit=1)
        role = _LABELS.get(key(label)) or ROLES.get(key(label), ("", 0))[0]
        if role in (*WHO, MORE):
            value = rest[0].strip() if rest and rest[0].strip() else _beside(row, at)
            if not is_blank(value):
                yield role, label.strip(), value


def _beside(row: Sequence[Cell], column: int) -> Cell:
    """Return the value of a label: the next cell, or the first after blanks, "" if it is a label."""
    near, *far = [*row[column + 1 : column + 1 + _WIDEST], ""]
    if not is_blank(near):
        return near
    value = next((cell for cell in far if not is_blank(cell)), "")
    word = _title(value).removesuffix(":")
    return "" if _is_title(word) or word != _title(value) else value


def leader(row: Sequence[Cell]) -> str:
    """Return the text of a row after the word Leader, in one cell or several: "Leader: OP01-001". Default: ""."""
    label, *others = [text(cell) for cell in row if not is_blank(cell)] or [""]
    first, _, rest = label.partition(":")
    return " ".join(filter(None, (rest.strip(), *others))) if section_meant(first) == "leader" else ""
