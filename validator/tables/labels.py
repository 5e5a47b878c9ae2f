"""Labels: cells of a table that name its player or say something else of it: "Player: Ann Lee", "Table", "7".

Cells may be of any kind. Only texts are labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from validator.sections import section as section_meant
from validator.tables.cell_kinds import is_card_number, is_copies
from validator.tables.columns import WHO
from validator.tables.headings import COUNT, EVENT, ID, NAME_KEYS, NUMBER, PLAYER, PLAYER_ID, ROLES, is_known, key

Cell = TypeVar("Cell")

_WIDEST = 4  # columns of a label
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


def find_labels(row: Sequence[Cell]) -> Iterator[tuple[str, str, Cell | str]]:
    """Yield `(role, label, value)` for each labelled value in a row about its player: "Player:", "Ann Lee".

    Roles are those of players and of the event. Other notes, such as "Table", have the role MORE. The value is in the
    same cell after the colon, or in a cell after the label. Labels without a value are skipped, and so is "Name" beside
    the heading of a count or number. In the row of a card, "Event" without a colon is the card's type and is skipped.
    """
    for at, cell in enumerate(row):
        label, *rest = _AFTER_LABEL.split(heading_text(cell), maxsplit=1)
        role = _LABELS.get(key(label)) or ROLES.get(key(label), ("", 0))[0]
        if role in (*WHO, MORE) and not (role == EVENT and not rest and _is_card_row(row)):
            value = rest[0].strip() if rest and rest[0].strip() else _find_value(row, at)
            # "Name, Qty" are the headings of a table.
            is_heading = not rest and ROLES.get(key(heading_text(value)), ("", 0))[0] in (COUNT, NUMBER)
            if not _is_blank(value) and not is_heading:
                yield role, label.strip(), value


def _is_card_row(row: Sequence[Cell]) -> bool:
    """Return True if a row has a cell that is a card's number or a count from 1 to 10.

    Counts are ignored if a cell of the row is a label such as "Table".
    """
    texts = list(map(_text, row))
    is_labelled = any(key(text) in _LABELS for text in texts)
    return any(map(is_card_number, texts)) or (not is_labelled and any(map(is_copies, texts)))


def _text(cell: object) -> str:
    """Return the text of a cell, a number without needless zeros. A longer text is cut to 200 characters.

    "" for other types.
    """
    return f"{cell:g}" if type(cell) in (int, float) else cell.strip()[:_LONGEST] if type(cell) is str else ""


def _find_value(row: Sequence[Cell], column: int) -> Cell | str:
    """Return the value of the label at `column`: the next cell, or if it is blank, the first filled of three more.

    Such a later cell is not accepted if it is a heading, a label, or ends with a colon. "" if there is no value.
    """
    near, *far = [*row[column + 1 : column + 1 + _WIDEST], ""]
    if not _is_blank(near):
        return near
    value = next((cell for cell in far if not _is_blank(cell)), "")
    word = heading_text(value).removesuffix(":")
    return "" if _is_title(word) or word != heading_text(value) else value


def leader_text(row: Sequence[str]) -> str:
    """Return the text of a row after the word Leader, in one cell or several: "Leader: OP01-001".

    "" if the first filled cell is not the word Leader in any language, before a possible colon.
    """
    label, *others = list(filter(None, map(str.strip, row))) or [""]
    first, _, rest = label.partition(":")
    return " ".join(filter(None, (rest.strip(), *others))) if section_meant(first) == "leader" else ""


def names_player(row: Sequence[Cell]) -> bool:
    """Return True if a row has a label for a player, a player's ID or an event with its value in that or the next cell.

    A label before a heading, another label or the name of a section does not count, nor does one in the last cell. The
    row may be the headings of a table.
    """
    pairs = zip(map(heading_text, row), map(heading_text, row[1:]), strict=False)
    return any(next(find_labels([label, near]), [MORE])[0] != MORE and not _is_title(near) for label, near in pairs)


def _is_title(word: str) -> bool:
    """Return True if a text is a known heading, a label or the name of a section."""
    return key(word) in _LABELS or is_known(word) or section_meant(word) is not None


def heading_text(cell: object) -> str:
    """Return the text of a cell with one blank for each run of blanks.

    "" for cells that are no text or longer than 200 characters.
    """
    return " ".join(cell.split()) if type(cell) is str and len(cell) <= _LONGEST else ""


def _is_blank(cell: object) -> bool:
    """Return True if a cell is a text of blanks or "". Numbers and None are not blank."""
    return type(cell) is str and not cell.strip()
