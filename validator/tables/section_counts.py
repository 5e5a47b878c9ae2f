"""Section counts: columns of a table that count the copies of each card in one section: Leader, Main, Side.

`columns` finds them for all tables, and the reader of JSON for the keys of entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from validator import texts
from validator.language import Phrase, phrase
from validator.sections import ASIDE, is_kind, section, split_words, word
from validator.tables.headings import key, says_count, words
from validator.texts import to_plain_characters

NO_COUNT = phrase("no count found")
TWO_SECTIONS = phrase("the section and the column of the count do not match")
_UNCLEAR = phrase("the count may be of the main deck or of all sections (name the columns Main and Side)")


def zero_copies(rows: int) -> Phrase:
    """Return the reason for the first of `rows` rows that count 0 copies and are left out."""
    if rows == 1:
        return phrase("the count is 0")
    return phrase("the count is 0, as in {more} more rows", more=rows - 1)


Copies = Sequence[tuple[str | None, int]]  # by section, None if the section follows from the card's type

_UNITS = (
    r"[x*╳]|[枚張张장매]|pcs?|pieces?|ea|ex|exemplare?|exemplaires?|stk|stück|st|cards?|copy|copies|cop|copias?|copie"
    r"|karten?|cartes?|cartas?|carte|szt|sztuki?|шт"
)
_COPIES = re.compile(rf"'?[(\[]?[x*╳]? ?([0-9]{{1,9}})(?:[.,]0*)? ?(?:{_UNITS})?\.?[)\]]?", re.IGNORECASE)
_FOREIGN_DIGIT = re.compile(r"[^\D0-9０-９]|[¹²³⁰-₉①-⓿❶-➓]")
_LONGEST = 24  # characters of a cell that may be a count
_NONE = re.compile(r"-*")  # all dashes are one in plain text
# Words of headings without a section: "Copies in the main deck", "Main deck cards".
_ANY_SECTION = frozenset(
    split_words("""
    deck, list, decklist, card, cards, number, nombre, numero, no, num, your, the, of, in, im, en, dans, le, la, el,
    nel, nella, na, de, du, del, per, por, pour, x, count, qty, quantity, copies
    """)
)
_NO_DECK = ("no", "deck")
_NO_SECTION = frozenset(("card", " ".join(_NO_DECK)))  # headings of other columns that lists use for a section
# Endings of Japanese, Chinese and Korean headings behind a section, without a blank: "メイン枚数".
_ENDINGS = tuple(map(key, split_words("枚数, 张数, 張數, 数量, 數量, 수량, 장수, 매수, 枚, 数")))
_OF_MAIN = frozenset(("deck", "main", "played"))
_TOTALS = frozenset(
    map(key, split_words("total, totals, sum, gesamt, summe, totale, suma, somme, 合計, 总数, 總數, 合计, 합계"))
)


def parse_copies(cell: str) -> int | None:
    """Return the copies that a cell counts, 0 for a blank or a dash, None for any other text."""
    if len(cell) > _LONGEST:
        return None
    if cell.isascii() and cell.isdigit():
        return int(cell)
    if _FOREIGN_DIGIT.search(cell):
        return None
    text = " ".join(to_plain_characters(texts.with_digits(cell)).split())
    if numeral := texts.numeral(text):
        return numeral
    if _NONE.fullmatch(text):
        return 0
    found = _COPIES.fullmatch(text)
    return int(found[1]) if found else None


@lru_cache(maxsize=512)  # tables and entries have the same headings
def counted_section(title: str) -> str | None:
    """Return the section whose copies a heading counts: "Main", "Side Qty", "メイン枚数". None for other headings."""
    whole = words(title)
    telling = " ".join(_without_ending(each) for each in whole if each not in _ANY_SECTION and not says_count((each,)))
    for text in filter(None, (telling, " ".join(whole))):
        named = None if is_kind(text) or word(text) in _NO_SECTION else section(text)
        if named and named != ASIDE:
            return named
    return None


def _without_ending(text: str) -> str:
    """Return a heading without a plural or case ending."""
    return next((text.removesuffix(end) for end in _ENDINGS if text.endswith(end)), text)


def holds_counts(cells: Sequence[str]) -> bool:
    """Return True if half of the cells that are not blank or more are numbers of copies, and some have a digit."""
    filled = [cell for cell in cells if cell]
    counts = [cell for cell in filled if parse_copies(cell) is not None]
    return 2 * len(counts) >= len(filled) and any(not _NONE.fullmatch(to_plain_characters(cell)) for cell in counts)


def is_total(title: str) -> bool:
    """Return True if a heading is that of a sum over sections."""
    return key(title) in _TOTALS


def find_section_counts(
    titles: Sequence[str], free: Collection[int], counted: Collection[int], sample: Callable[[int], Sequence[str]]
) -> dict[int, str]:
    """Return the columns that count copies of one section, with the section. Empty if there are none.

    `free` are the possible columns. `counted` are columns with a heading for a count without a section. `sample`
    returns the cells of a column that are not blank. A column of 1 and 0 may mean yes and no. Such columns count copies
    only if one is for the main deck, and there are several sections or no other count. Sections side by side, with a
    count and a card each, are no such columns.
    """
    named = {column: each for column in free if column not in counted and (each := counted_section(titles[column]))}
    found = {column: each for column, each in named.items() if holds_counts(sample(column))}
    are_flags = not any(_is_many(sample(column)) or says_count(words(titles[column])) for column in found)
    if found:
        found = {column: each for column, each in named.items() if column in found or _is_empty(sample(column))}
    if (
        found and "main" not in found.values()
    ):  # "# Deck" beside "# Side" counts too. Without "# Side" it may number decks.
        found |= {
            column: "main" for column in free if words(titles[column]) == _NO_DECK and holds_counts(sample(column))
        }
    if _has_cards_between(titles, found, sample):
        return {}
    is_main = "main" in found.values()
    is_alone = len(set(found.values())) < 2
    if are_flags and not (is_main and (not is_alone or not counted)):
        return {}
    if not counted or not found:
        return found
    if is_main:
        return {} if is_alone and all(key(titles[column]) == "deck" for column in found) else found
    of_main = [column for column in counted if not _OF_MAIN.isdisjoint(words(titles[column]))]
    return dict(sorted((found | dict.fromkeys(of_main, "main")).items()))


def _has_cards_between(titles: Sequence[str], found: Collection[int], sample: Callable[[int], Sequence[str]]) -> bool:
    """Return True if a column without a heading, between two columns of counts, holds something else than counts."""
    between = range(min(found), max(found)) if found else ()
    return any(not titles[at] and sample(at) and not holds_counts(sample(at)) for at in between)


def is_count(cell: str) -> bool:
    """Return True if a cell is a number of copies, which may be 0. Blanks and dashes are none."""
    return parse_copies(cell) is not None and not _NONE.fullmatch(to_plain_characters(cell))


def _is_empty(cells: Sequence[str]) -> bool:
    """Return True if all cells are blank or dashes."""
    return all(_NONE.fullmatch(to_plain_characters(cell)) for cell in cells)


def _is_many(cells: Sequence[str]) -> bool:
    """Return True if some cell counts more than one copy."""
    return any((parse_copies(cell) or 0) > 1 for cell in cells)


def read_copies(
    columns: Mapping[int, str | None], cell: Callable[[int], str], total: str | None = None
) -> Copies | str:
    """Return the copies in a row by section, or the reason why they are not clear.

    `total` is the cell of a count without a section, None if the table has none. Empty if the counts of all sections
    are 0.
    """
    copies: dict[str | None, int] = {}
    for column, named in columns.items():
        counted = parse_copies(cell(column))
        if counted is None:
            return phrase("{cell!r} is not a number of copies", cell=cell(column))
        copies[named] = copies.get(named, 0) + counted
    placed = [(named, counted) for named, counted in copies.items() if counted]
    whole = parse_copies(total or "")
    if whole is None:
        return phrase("{cell!r} is not a number of copies", cell=total)
    if not whole:
        has_digit = any(any(map(str.isdigit, to_plain_characters(cell(column)))) for column in columns)
        return placed if placed or has_digit else NO_COUNT
    return _with_total(placed, whole, [cell(column) for column in columns], "main" in columns.values())


def _with_total(placed: Copies, whole: int, cells: Sequence[str], has_main: bool) -> Copies | str:
    """Return the copies of a row that has both a total and counts of sections, or the reason why they are not clear."""
    of_sections = sum(counted for _, counted in placed)
    if not of_sections and not (has_main and any(map(str.strip, cells))):
        return [(None, whole)]
    if has_main and of_sections != whole:
        return phrase("the counts of the sections add up to {sum}, not to {total}", sum=of_sections, total=whole)
    if has_main:
        return placed
    return [("main", whole), *placed] if of_sections > whole else _UNCLEAR


def contradicts(counted: str | None, named: str | None) -> bool:
    """Return True if a row names the side deck and its copies are counted for another section."""
    return named == "side" and counted not in (None, "side")


def choose_section(counted: str | None, named: str | None) -> str | None:
    """Return the section of counted copies. A row that names a section itself overrides the main deck's count."""
    return named or counted if counted in (None, "main") else counted
