"""Cell kinds: tests of what a single cell of a table can be: a deck list, an ID, a number of copies, a name."""

from __future__ import annotations

import re

from validator.numbers import NUMBER_SHAPE
from validator.tables.section_counts import parse_copies

_LONGEST_LIST = 20_000  # characters of a cell that are searched for card numbers
_LONGEST = 200  # characters of a cell that may be a card's number; form exports have whole questions as headings
_LONGEST_NAME = 80
_USUAL_COPIES = 4  # of a card, at most, in nearly every deck
_MOST_DIGITS = 3  # of a count; IDs have more
_MOST_COPIES = 10  # in a column whose heading does not name a count
_ID = re.compile(r"[0-9]{8,10}", re.ASCII)  # ten digits, of which a spreadsheet program has perhaps lost the first
_NO_NAME = re.compile(r"[0-9]{3}|[@/\n{}\[\]=]|https?:|\A(?:yes|no|true|false|[A-Z]{1,3}|[0-9 .:,/-]*)\Z")
_COUNTED = re.compile(r"([1-9][0-9]?) ?[x×]? (\S.*)|(\S.*?)(?: [x×] ?| ?[x×])([1-9][0-9]?)", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{1,}")


def is_card_number(cell: str) -> bool:
    """Return True if a cell has the number of a card and nothing else."""
    return NUMBER_SHAPE.fullmatch(cell.strip()[:_LONGEST]) is not None


def has_card_number(cell: str) -> bool:
    """Return True if a cell has the number of a card somewhere."""
    return NUMBER_SHAPE.search(cell[:_LONGEST]) is not None


def split_count(cell: str) -> tuple[str, int]:
    """Return the card and the count of a cell that has both, "4 OP01-016" or "Nami x4". ("", 0) for other cells."""
    found = _COUNTED.fullmatch(cell[:_LONGEST])
    return (found[2] or found[3], int(found[1] or found[4])) if found else ("", 0)


def is_list(cell: str) -> bool:
    """Return True if a cell holds a whole deck: lines with numbers of cards, or a link or JSON that has many."""
    if len(NUMBER_SHAPE.findall(cell[:_LONGEST_LIST])) > 2:
        return True
    lines = cell[:_LONGEST_LIST].splitlines()
    return is_link(cell) or (len(lines) > 2 and sum(any(map(str.isdigit, line)) for line in lines) > len(lines) / 2)


def is_link(cell: str) -> bool:
    """Return True if a cell begins as a web address."""
    return cell[:8].lower().startswith(("http://", "https://"))


def has_lines(cell: str) -> bool:
    """Return True if a cell has several lines."""
    return "\n" in cell


def is_player_id(cell: str) -> bool:
    """Return True if a cell is a player's ID, of ten digits or without the zeros that it began with."""
    return _ID.fullmatch(cell) is not None


def is_copies(cell: str) -> bool:
    """Return True if a cell can be a number of copies."""
    return 1 <= copies_in(cell) <= _MOST_COPIES


def is_usual_copies(cell: str) -> bool:
    """Return True if a cell is a number of copies that nearly every deck has."""
    return 1 <= copies_in(cell) <= _USUAL_COPIES


def copies_in(cell: str) -> int:
    """Return the number of copies in a cell of a column that no heading names. 0 for other texts, and for IDs."""
    is_id = cell.isdigit() and len(cell) > _MOST_DIGITS
    return 0 if is_id else parse_copies(cell) or 0


def is_person(cell: str) -> bool:
    """Return True if a cell can be the name of a person."""
    return len(cell) <= _LONGEST_NAME and bool(_LETTERS.search(cell)) and not _NO_NAME.search(cell)


def is_full_name(cell: str) -> bool:
    """Return True if a cell can be a person's whole name, of several words or in a script without blanks."""
    return is_person(cell) and (" " in cell.strip() or not cell.isascii())


def is_wording(cell: str) -> bool:
    """Return True if a cell where a name belongs can be one, even a letter, a handle or a very long name."""
    return bool(_LETTERS.search(cell)) and not is_list(cell)


def is_content(cell: str) -> bool:
    """Return True if a cell is content, not a heading: a card number, a number or a list."""
    return is_card_number(cell) or cell.replace(".", "", 1).isdigit() or is_list(cell)
