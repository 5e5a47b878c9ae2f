"""Card lines: one line of a list read as cards, in any of the ways people write a count, a number and a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from validator.decklists import counts
from validator.decklists import naming
from validator.decklists.counts import Count
from validator.decklists.naming import Named
from validator.decklists.naming import named
from validator.decklists.source import Row
from validator.decklists.source import Source
from validator.decklists.source import plain
from validator.numbers import SHAPE
from validator.texts import LONGEST_LINE
from validator.texts import doubt

_FLAGS = re.IGNORECASE | re.ASCII

# A whole card with no name, of which a line may hold many: 4xNUM, 4 NUM, 4 x NUM, 4 (NUM).
_ITEM = re.compile(
    rf"([0-9]{{1,9}})( ?{counts.TIMES} ?| |(?<!0))([\[(]?)({SHAPE}){naming.ID}[\])]?(?: ?[,;|] ?| |$)", _FLAGS
)
# Between the cards of one line stands a blank at least, and then a count or behind a mark a number.
_BETWEEN = re.compile(
    rf"(?: ?[,;|/] ?| (?:(?:and|&) )?)(?=[\[(]?[0-9]{{1,3}}[\])]? ?[x*]? |[0-9]{{1,3}}[x*])"
    rf"| ?[,;|/] ?(?={SHAPE})",
    _FLAGS,
)
_COMMENT = re.compile(r" (?://|#|--|<-) ")
_DIGITS = re.compile(r"[0-9]+")
_NO_COUNT = re.compile(r"[-+][0-9]|[0-9]+[.,/][0-9]")
_DON = re.compile(r"(?:([0-9]+) ?x? )?don!{0,2}(?: ?cards?)?(?: ?[:x*-]? ?[\[(]?x?([0-9]+)[\])]?)?", _FLAGS)

DON = "DON!!"
_BARE = "there is neither a count nor a card number"
_SEVERAL = "there are several card numbers; write a line for each card"
_UNCLEAR = "it is not clear how many copies this is; write the count first"
_TWICE = "there are two counts"


class Entry(NamedTuple):
    """A card as a line names it; `digits` are its count, and `form` the way it was written."""

    digits: str
    number: str | None
    name: str | None
    form: str

    @property
    def is_counted(self) -> bool:
        """Whether the line says how many."""
        return "4" in self.form


def read(row: Row, source: Source, *, bare: bool = False) -> list[Entry] | str:
    """Read the cards of a line; where there is none, return a sentence that says why.

    The source's catalogue tells whether digits at either end of a name are a count or a number. With
    `bare` one copy goes without saying, and a name alone is a card even if nobody knows it.
    """
    if found := _items(row.plain):
        return found
    if wrong := doubt(row.plain, LONGEST_LINE):
        return f"the line {wrong}"
    entry = _entry(row, source, bare)
    if (isinstance(entry, str) or not _is_told(entry, source)) and (parts := _parts(row, source)):
        return parts
    if isinstance(entry, str) and (comment := _COMMENT.search(row.plain)):
        before = _entry(_cut(row, 0, comment.start()), source)
        entry = before if isinstance(before, Entry) and before.is_counted else entry
    return entry if isinstance(entry, str) else [entry]


def _items(plain: str) -> list[Entry]:
    """Read a line of nothing but counts and numbers, one card or many; an empty list for any other."""
    found = []
    at = 0
    while item := _ITEM.match(plain, at):
        count, between, bracket, number = item.groups()
        form = "(NUM)" if bracket else "NUM"
        found.append(Entry(count, number, None, f"4{counts.spaced(between)}{form}"))
        at = item.end()
    return found if at == len(plain) else []


def _parts(row: Row, source: Source) -> list[Entry]:
    """Read a line as several cards, each with its count and a number or a known name; otherwise as none."""
    found = []
    for start, end in _spans(row.plain) if _BETWEEN.search(row.plain) else ():
        entry = _entry(_cut(row, start, end), source)
        if isinstance(entry, str) or not (entry.is_counted and _is_told(entry, source)):
            return []
        found.append(entry)
    return found


def _cut(row: Row, start: int, end: int) -> Row:
    return row._replace(shown=row.shown[start:end], plain=row.plain[start:end])


def _spans(plain: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _BETWEEN.finditer(plain):
        yield start, found.start()
        start = found.end()
    yield start, len(plain)


def _is_told(entry: Entry, source: Source) -> bool:
    """Tell whether a card has a number, or a name that the catalogue has."""
    return bool(entry.number) or source.is_name(entry.name or "")


def _entry(row: Row, source: Source, bare: bool = False) -> Entry | str:
    # "2. OP01-016 x4" numbers its lines and says four; "4. OP01-016" can only mean four.
    if start := counts.numbered(row.plain):
        inner = _alone(_cut(row, start, len(row.plain)), source)
        if inner in (_UNCLEAR, _TWICE) or (isinstance(inner, Entry) and inner.is_counted):
            return inner
    return _alone(row, source, bare)


def _alone(row: Row, source: Source, bare: bool = False) -> Entry | str:
    if (don := _DON.fullmatch(row.plain)) and (digits := don[1] or don[2]):
        return Entry(digits, None, DON, DON)
    if _NO_COUNT.match(row.plain):
        return "a count is a whole number with nothing before it"
    count = counts.likeliest(row.plain)
    card = named(count.of(row.shown), count.of(row.plain), source)
    if card.number and source.is_of(card.number, card.name):
        return _counted(count, card)
    if known := _known(count, row, source, numbered=source.has(card.number)):
        return known
    checked = _checked(count, card, source, bare)
    # Where other digits stand about, a count may be a part of the name: "EX23-03 10x Kamehameha - 2".
    if isinstance(checked, str) or len(_DIGITS.findall(card.name or "")) > (not count.digits):
        return _left(card, row, source) or checked
    return checked


def _known(likely: Count, row: Row, source: Source, *, numbered: bool) -> Entry | None:
    """Return the reading of a line that gives the catalogue's name: "10x Kamehameha x2" is two of that card."""
    if source.catalogue is None:
        return None
    for count in counts.readings(row.plain, likely):
        if source.is_name(name := " ".join(count.of(row.shown).split())):
            return _counted(count, Named(None, name, "NAME"))
        if numbered:
            card = named(count.of(row.shown), count.of(row.plain), source)
            if card.number and card.name and source.is_of(card.number, card.name):
                return _counted(count, card)
    return None


def _left(card: Named, row: Row, source: Source) -> Entry | None:
    """Return the card of a line that has one count beside a number and its full name: "Nami《OP01-016》×4"."""
    if card.number is None:
        return None
    name, rest = source.without(card.number, row.plain)
    if naming.another(rest, card.number, source):
        return None
    digits = counts.left(rest, named=name is not None)
    return _counted(Count(digits, 0, 0, "x4"), card._replace(name=name)) if digits else None


def _checked(count: Count, card: Named, source: Source, bare: bool) -> Entry | str:
    """Return a card that the catalogue does not confirm, or what is not clear about it."""
    name = card.name or ""
    if card.number is None and not count.digits:
        is_card = source.is_name(name) or (bare and _is_name(name))
        return Entry("1", None, name, "NAME") if is_card else _BARE
    if card.number is None and not _is_name(name):
        return "there is no card here"
    if card.number is None or not name:
        return _counted(count, card)
    if naming.another(name, card.number, source):
        return _SEVERAL
    if not count.digits:
        return _beside(card, source, bare)
    return _TWICE if _is_twice(count, card, source) else _counted(count, card)


def _is_twice(count: Count, card: Named, source: Source) -> bool:
    """Tell whether a name has another count of its own: "12 4 OP01-016 Nami", "4 OP01-016 Nami x3"."""
    name = plain(card.name or "")
    if counts.second(name) not in (None, count.digits):
        return True
    found = counts.ahead(name)
    if found is None or found.digits == count.digits:
        return False
    return not found.name or source.is_of(card.number, found.name)


def _beside(card: Named, source: Source, bare: bool) -> Entry | str:
    """Return a card whose count stands beside its name: "Nami 4 OP01-016"."""
    name = plain(card.name or "")
    for found in counts.beside(name):
        if found.plain or not found.name or source.is_of(card.number, found.name):
            return _counted(Count(found.digits, 0, 0, "x4"), card._replace(name=found.name))
    if bare or not counts.is_doubtful(name) or source.is_part(card.number, name):
        return _counted(counts.whole(name), card)
    return _UNCLEAR


def _counted(count: Count, card: Named) -> Entry:
    form = f"{card.form} x4" if count.form == "x4" else f"{count.form}{card.form}"
    return Entry(count.digits or "1", card.number, card.name if _is_name(card.name or "") else None, form)


def _is_name(text: str) -> bool:
    return any(map(str.isalpha, text))
