"""Section counts: columns of a table that count the copies of each card in one section: Leader, Main, Side.

`columns` finds them for all tables, and the reader of JSON for the keys of entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from validator import texts
from validator.bounds import MOST_COPIES
from validator.language import Phrase, phrase
from validator.sections import ASIDE, is_kind, section, split_words, word
from validator.tables.headings import has_count_word, key, words
from validator.texts import to_plain_characters

NO_COUNT = phrase("no count found")
NO_COPIES = phrase("the count is 0")
TWO_SECTIONS = phrase("the section and the column of the count do not match")
_UNCLEAR = phrase("the count may be of the main deck or of all sections (name the columns Main and Side)")


def zero_copies(rows: int) -> Phrase:
    """Return the message about rows that count 0 copies and are left out.

    It is shown once, for the first of `rows` rows.
    """
    return NO_COPIES if rows == 1 else phrase("the count is 0, as in {more} more rows", more=rows - 1)


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
    nel, nella, na, de, du, del, per, por, pour, x, count, qty, quantity, copies, q, ta
    """)
)
_NO_DECK = ("no", "deck")
_NO_SECTION = frozenset(("card", " ".join(_NO_DECK)))  # headings of other columns that lists use for a section
# Endings of Japanese, Chinese and Korean headings behind a section, without a blank: "メイン枚数".
_ENDINGS = tuple(map(key, split_words("枚数, 张数, 張數, 数量, 數量, 수량, 장수, 매수, 枚, 数")))
MAIN_WORDS = frozenset(("deck", "main", "played"))
_TOTALS = frozenset(
    map(key, split_words("total, totals, sum, gesamt, summe, totale, suma, somme, 合計, 总数, 總數, 合计, 합계"))
)


def parse_copies(cell: str) -> int | None:
    """Return the number of copies in a cell: 4 for "4", "x4", "4 pcs", "4枚", "4.0" or "四". 0 for blanks or dashes.

    None for any other text, and for texts of more than 24 characters.
    """
    if len(cell) > _LONGEST:
        return None
    return int(cell) if cell.isascii() and cell.isdigit() else _parse_marked_copies(cell)


@lru_cache(maxsize=1024)  # the cells of a column are alike, and are tested for several roles
def _parse_marked_copies(cell: str) -> int | None:
    """Return the number of copies in a short cell that has other characters than digits, as `parse_copies` does."""
    if _FOREIGN_DIGIT.search(cell):
        return None
    text = " ".join(to_plain_characters(texts.with_digits(cell.translate(texts.INVISIBLE))).split())
    if numeral := texts.numeral(text):
        return numeral
    if _NONE.fullmatch(text):
        return 0
    found = _COPIES.fullmatch(text)
    return int(found[1]) if found else None


@lru_cache(maxsize=512)  # tables and entries have the same headings
def counted_section(title: str) -> str | None:
    """Return the section whose copies a heading counts: "Main", "Side Qty", "メイン枚数". None for other headings.

    Cards beside the deck ("Maybeboard") and types of card are no sections. The last 512 headings are cached.
    """
    whole = words(title)
    telling = " ".join(
        _strip_count_word(each) for each in whole if each not in _ANY_SECTION and not has_count_word((each,))
    )
    for text in filter(None, (telling, " ".join(whole))):
        named = None if is_kind(text) or word(text) in _NO_SECTION else section(text)
        if named and named != ASIDE:
            return named
    return None


def _strip_count_word(text: str) -> str:
    """Return a word without a Japanese, Chinese or Korean word for a count at its end: "メイン枚数" is "メイン"."""
    return next((text.removesuffix(end) for end in _ENDINGS if text.endswith(end)), text)


def holds_counts(cells: Sequence[str]) -> bool:
    """Return True if at least half of the filled cells are numbers of copies or dashes, and not all of them are dashes.

    Empty cells are ignored. False if all cells are empty.
    """
    filled = [cell for cell in cells if cell]
    counts = [cell for cell in filled if parse_copies(cell) is not None]
    return 2 * len(counts) >= len(filled) and any(not _NONE.fullmatch(to_plain_characters(cell)) for cell in counts)


def is_total(title: str) -> bool:
    """Return True if a heading is a known wording for a sum, such as "Total"."""
    return key(title) in _TOTALS


def find_section_counts(
    titles: Sequence[str], free: Collection[int], plain_counts: Collection[int], sample: Callable[[int], Sequence[str]]
) -> dict[int, str]:
    """Return the section of each column that counts the copies of one section, by position. Empty if there are none.

    The heading of such a column names the section, and at least half of its filled cells are counts (`holds_counts`).
    `free` are the positions of possible columns. `plain_counts` are those of headings for a count without a section,
    such as "Qty". "Deck Qty" or "Main Qty" among them counts the main deck beside columns of other sections. `sample`
    returns the cells of a position without blank ones. Blank columns are included only beside filled ones. Columns of
    only 1 and 0 may mean yes and no. They count copies only if one is for the main deck, and there are several sections
    or no plain count. Empty also if other texts are between the columns, because each section then has its own cards,
    and if "Deck" is the only heading beside a plain count.
    """
    found = _find_counting_columns(titles, free, plain_counts, sample)
    if not found or _has_cards_between(titles, found, sample):
        return {}
    is_main = "main" in found.values()
    is_alone = len(set(found.values())) < 2
    if _are_flags(titles, found, sample) and not (is_main and not (is_alone and plain_counts)):
        return {}
    if not plain_counts:
        return found
    if is_main:
        return {} if is_alone and all(key(titles[column]) == "deck" for column in found) else found
    of_main = [column for column in plain_counts if not MAIN_WORDS.isdisjoint(words(titles[column]))]
    return dict(sorted((found | dict.fromkeys(of_main, "main")).items()))


def _find_counting_columns(
    titles: Sequence[str], free: Collection[int], plain_counts: Collection[int], sample: Callable[[int], Sequence[str]]
) -> dict[int, str]:
    """Return the section of each column whose heading names a section and whose cells are counts, by position.

    Blank columns are included only beside filled ones. The arguments are those of `find_section_counts`.
    """
    named = {
        column: each for column in free if column not in plain_counts and (each := counted_section(titles[column]))
    }
    counting = [column for column in named if holds_counts(sample(column))]
    if not counting:
        return {}
    found = {column: each for column, each in named.items() if column in counting or _are_all_blank(sample(column))}
    if "main" in found.values():
        return found
    # "# Deck" beside "# Side" counts too. Without "# Side" it may number decks.
    numbered = [column for column in free if words(titles[column]) == _NO_DECK and holds_counts(sample(column))]
    return found | dict.fromkeys(numbered, "main")


def _are_flags(titles: Sequence[str], columns: Collection[int], sample: Callable[[int], Sequence[str]]) -> bool:
    """Return True if columns may mean yes and no: no cell is 2 or more, and no heading has a word for counts."""
    return not any(_has_several_copies(sample(column)) or has_count_word(words(titles[column])) for column in columns)


def _has_cards_between(
    titles: Sequence[str], count_columns: Collection[int], sample: Callable[[int], Sequence[str]]
) -> bool:
    """Return True if a column without a heading, within the range of these columns, has other cells than counts.

    False if `count_columns` is empty.
    """
    between = range(min(count_columns), max(count_columns)) if count_columns else ()
    return any(not titles[at] and sample(at) and not holds_counts(sample(at)) for at in between)


def count_doubt(cell: str) -> Phrase:
    """Return the problem with a cell that is no number of copies from 1 to 255: it is blank, or has another value."""
    if not cell:
        return phrase("the count is missing; write a number from 1 to {most}", most=MOST_COPIES)
    return phrase("“{value}” is not a number from 1 to {most}", value=texts.shorten_value(cell), most=MOST_COPIES)


def is_count(cell: str) -> bool:
    """Return True if a cell is a number of copies, which may be 0. False for blanks and dashes."""
    return parse_copies(cell) is not None and not _NONE.fullmatch(to_plain_characters(cell))


def _are_all_blank(cells: Sequence[str]) -> bool:
    """Return True if all cells are blank or dashes. True if there are none."""
    return all(_NONE.fullmatch(to_plain_characters(cell)) for cell in cells)


def _has_several_copies(cells: Sequence[str]) -> bool:
    """Return True if at least one cell is a number of copies of 2 or more."""
    return any((parse_copies(cell) or 0) > 1 for cell in cells)


def read_copies(
    columns: Mapping[int, str | None], cell: Callable[[int], str], total: str | None = None
) -> Copies | str:
    """Return the copies in a row as `(section, copies)` pairs, or a message with the reason why they are unclear.

    `columns` has the section of each column by position. `cell` returns the row's text at a position. Columns of one
    section are added. Sections with 0 copies are left out, so the result is empty if all counts are 0. `total` is the
    cell of a count without a section, None if the table has none. The section is None if only the total is filled. If
    all cells are blank or dashes, the reason is `NO_COUNT`.
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
    """Return the copies of a row that has both a total and counts of sections, or a message why they are unclear.

    `placed` are the copies by section, `whole` is the total, `cells` are the texts of the section counts. `has_main` is
    True if a column counts the main deck. Then the total must be the sum. Else a sum larger than the total means that
    the total is of the main deck, and any other sum is unclear. If no section has copies, the result is the total with
    the section None. With `has_main`, that requires that all `cells` are blank.
    """
    of_sections = sum(counted for _, counted in placed)
    if not of_sections and not (has_main and any(map(str.strip, cells))):
        return [(None, whole)]
    if has_main and of_sections != whole:
        return phrase("the counts of the sections add up to {sum}, not to {total}", sum=of_sections, total=whole)
    if has_main:
        return placed
    return [("main", whole), *placed] if of_sections > whole else _UNCLEAR


def contradicts(count_section: str | None, row_section: str | None) -> bool:
    """Return True if a row names the side deck and its copies are counted in the column of another section.

    `count_section` is None for a count without a section. `row_section` is None if the row names no section.
    """
    return row_section == "side" and count_section not in (None, "side")


def choose_section(count_section: str | None, row_section: str | None) -> str | None:
    """Return the section of copies: that of the column with the count, or that of the row itself.

    The row's section is used if the count is of the main deck or of no section, and if it is outside the deck. None if
    neither has a section.
    """
    if row_section == ASIDE or count_section in (None, "main"):
        return row_section or count_section
    return count_section
