"""Cell kinds: tests of what a single cell of a table can be: a deck list, an ID, a number of copies, a name."""

from __future__ import annotations

import re

from validator.deck import MOST_COPIES
from validator.numbers import NUMBER_SHAPE, SHAPE
from validator.sections import split_words
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
NUMBER_CELL = re.compile(rf"({SHAPE})(?:#[A-Z0-9]*)?", re.IGNORECASE | re.ASCII)  # a card number, or one with a mark
_YES = frozenset(
    split_words("true, yes, y, 1, x, ×, sim, si, sí, sì, oui, ja, checked, wahr, vrai, verdadero, vero, はい, 是, 예")
    + list("✓✔☑✅✕✖☒○◯〇●◉")
)
_NO = frozenset(
    split_words("false, no, n, 0, não, nao, non, nein, unchecked, falsch, faux, falso, いいえ, 否, 아니요")
    + list("-–—✗✘☐❌□")
)
_VARIANTS = str.maketrans("", "", "\ufe0e\ufe0f")  # characters that choose the form of a mark: text or emoji
_LETTERS = re.compile(r"[^\W\d_]{1,}")


def is_card_number(cell: str) -> bool:
    """Return True if a cell is only a card number by its shape, such as "OP01-016". No catalogue is used."""
    return NUMBER_SHAPE.fullmatch(cell.strip()[:_LONGEST]) is not None


def has_card_number(cell: str) -> bool:
    """Return True if the first 200 characters of a cell contain a card number by its shape, such as "4x OP01-016"."""
    return NUMBER_SHAPE.search(cell[:_LONGEST]) is not None


def split_count(cell: str) -> tuple[str, int]:
    """Return `(card, count)` of a cell that has both, such as "4 OP01-016", "4x Nami" or "Nami x4".

    The count is from 1 to 99. The card is any text, and is not checked. Other cells are ("", 0). Characters after the
    first 200 are ignored.
    """
    found = _COUNTED.fullmatch(cell[:_LONGEST])
    return (found[2] or found[3], int(found[1] or found[4])) if found else ("", 0)


def is_list(cell: str) -> bool:
    """Return True if a cell can be a whole deck list, which is also assumed of each web address.

    Such a cell has three card numbers, or at least three lines, more than half of them with a digit. Only the first
    20,000 characters are searched.
    """
    if len(NUMBER_SHAPE.findall(cell[:_LONGEST_LIST])) > 2:
        return True
    lines = cell[:_LONGEST_LIST].splitlines()
    return is_link(cell) or (len(lines) > 2 and sum(any(map(str.isdigit, line)) for line in lines) > len(lines) / 2)


def is_link(cell: str) -> bool:
    """Return True if a cell begins with "http://" or "https://" in any case."""
    return cell[:8].lower().startswith(("http://", "https://"))


def has_lines(cell: str) -> bool:
    """Return True if a cell contains a line break."""
    return "\n" in cell


def is_player_id(cell: str) -> bool:
    """Return True if a cell is 8 to 10 ASCII digits: a player's ID, of which two leading zeros may be lost."""
    return _ID.fullmatch(cell) is not None


def is_yes(cell: str) -> bool:
    """Return True if a cell is a mark or a word for yes, such as "x", "✓", "TRUE" or "oui"."""
    return cell.translate(_VARIANTS).casefold() in _YES


def is_no(cell: str) -> bool:
    """Return True if a cell is a mark or a word for no, such as "-", "☐", "FALSE" or "non". False for a blank cell."""
    return cell.translate(_VARIANTS).casefold() in _NO


def is_copies(cell: str) -> bool:
    """Return True if a cell can be a number of copies from 1 to 10, such as "4" or "4x"."""
    return 1 <= copies_in(cell) <= _MOST_COPIES


def is_usual_copies(cell: str) -> bool:
    """Return True if a cell is a number of copies from 1 to 4, such as "4" or "4x"."""
    return 1 <= copies_in(cell) <= _USUAL_COPIES


def is_possible_count(cell: str) -> bool:
    """Return True if a cell can be a number of copies that a line of a deck may have, from 1 to `MOST_COPIES`."""
    return 1 <= copies_in(cell) <= MOST_COPIES


def copies_in(cell: str) -> int:
    """Return the number of copies that a cell states, such as 4 for "4", "4x" or "4枚", with no upper bound for "500x".

    0 is for blank cells, other texts, and numbers of more than three digits, which may be IDs.
    """
    is_id = cell.isdigit() and len(cell) > _MOST_DIGITS
    return 0 if is_id else parse_copies(cell) or 0


def is_person(cell: str) -> bool:
    """Return True if a cell can be the name of a person: a text with a letter, of at most 80 characters.

    Texts with three digits in a row, "@", "/", "=", braces, square brackets, a line break or a web address are no
    names. Nor are "yes", "no", "true" and "false" in lower case, and one to three capital letters.
    """
    return len(cell) <= _LONGEST_NAME and bool(_LETTERS.search(cell)) and not _NO_NAME.search(cell)


def is_full_name(cell: str) -> bool:
    """Return True if a cell passes `is_person` and has a blank within or a character that is not ASCII."""
    return is_person(cell) and (" " in cell.strip() or not cell.isascii())


def is_wording(cell: str) -> bool:
    """Return True if a cell has a letter and is no deck list. One letter, a handle and a long text are accepted."""
    return bool(_LETTERS.search(cell)) and not is_list(cell)


def is_content(cell: str) -> bool:
    """Return True if a cell is content, not a heading: a card number, digits with at most one dot, or a deck list."""
    return is_card_number(cell) or cell.replace(".", "", 1).isdigit() or is_list(cell)
