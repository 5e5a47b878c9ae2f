"""Card lines: one line of a list read as cards, in any of the ways people write a count, a number and a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from validator.decklists.source import Row
from validator.decklists.source import Source
from validator.numbers import OFFICIAL
from validator.numbers import SHAPE
from validator.numbers import normal

_LONGEST = 300  # characters; the longest name of a card has under 100
_FLAGS = re.IGNORECASE | re.ASCII
_ID = r"(?:#[A-Z0-9]*)?"  # a shop's id of the product, hung on the number

_TIMES = r"(?:x(?!D-?[0-9])|\*)"  # "4 XD1-04" is four of XD1-04, not "4 x" of D1-04

# A whole card with no name, of which a line may hold many: 4xNUM, 4 NUM, 4 x NUM, 4 (NUM).
_ITEM = re.compile(rf"([0-9]{{1,9}})(\s*{_TIMES}\s*|\s*)([\[(]?)({SHAPE}){_ID}[\])]?(?:\s*[,;|]\s*|\s+|$)", _FLAGS)

_BULLET = re.compile(r"[-*+•·]\s+")
# A capital X that stands alone before a name is part of it: "4 X Calibur".
_COUNT_FIRST = re.compile(
    rf"([0-9]+)({_TIMES}\s*(?=\S)|\s+(?-i:x|\*)\s+|\s+{_TIMES}\s*(?=[\[(]?{SHAPE})|\s*[.):,;]\s+|\s+-\s+|\s+|(?={SHAPE}))"
    r"|[\[(]([0-9]+)\s*x?[\])]\s*"
    r"|x\s?([0-9]+)\s+",
    _FLAGS,
)
# Other ways to part a count from a name, for where the catalogue knows the name.
_COUNT_APART = (re.compile(r"([0-9]+)\s*x\s+", _FLAGS), re.compile(r"([0-9]+)\s+"))
_COUNT_LAST = re.compile(
    r"(?:\s+[x*]\s*|(?<=[0-9\])])[x*]\s*|\s*[:=]\s*)([0-9]+)$"
    r"|\s+([0-9]+)\s?[x*]$"
    r"|\s*[\[(]\s*x\s*([0-9]+)\s*[\])]$"
    r"|(?<=[0-9A-Z\])])\s+([0-9]+)$",
    _FLAGS,
)
_NUMBER_LAST = re.compile(rf"(?<![A-Z0-9]){SHAPE}{_ID}[\])]?$", _FLAGS)
_NO_COUNT = re.compile(r"[-+][0-9]|[0-9]+[.,/][0-9]")

_IN_BRACKETS = re.compile(rf"[\[({{<]\s*#?({SHAPE}){_ID}\s*[\])}}>]", _FLAGS)
_AT_START = re.compile(rf"({SHAPE}){_ID}(?![A-Z0-9'])", _FLAGS)
_WITHIN = re.compile(rf"(?<![A-Z0-9_.'-])({SHAPE}){_ID}(?![A-Z0-9'])", _FLAGS)
_SET_APART = re.compile(r"\s*[\[(]([A-Z]{1,4}[0-9]{0,2})[\])]\s+#?([0-9]{1,4})(?:\s+\*[A-Z]\*)?$", _FLAGS)
# What stands in a number's place and is none: a set, a kind of product, a kind of printing.
_STUB = re.compile(
    r"\s*[\[(](?:set ?[0-9]{1,3}|[a-z]{1,4} ?[0-9]{1,3}|v\.[0-9]"
    r"|special|promo\w*|foil|parallel|alt(?:ernate)? ?art)[\])]$",
    _FLAGS,
)
_FOIL = re.compile(r"\s\*[A-Z]{1,3}\*$", _FLAGS)
_DON = re.compile(r"(?:([0-9]+)\s*x?\s+)?don!!(?:\s*cards?)?(?:\s*[:x*-]?\s*([0-9]+))?", _FLAGS)
_WORD = re.compile(r"[\[(]?([^\s\[\]()]+)[\])]?")
_LOOSE = ",;|:–—-"
_DIGIT = re.compile(r"[0-9]")

DON = "DON!!"
_BARE = "there is neither a count nor a card number"


class Entry(NamedTuple):
    """A card as a line names it; `digits` are its count, and `form` the way it was written."""

    digits: str
    number: str | None
    name: str | None
    form: str


class _Count(NamedTuple):
    """A count in a line, and where what it counts begins and ends."""

    digits: str
    start: int
    end: int
    form: str

    def of(self, text: str) -> str:
        """Return the part of a line that is counted."""
        return text[self.start : self.end]


class Card(NamedTuple):
    """A card as it is named: by number, by name or both; `form` is the way it was written."""

    number: str | None
    name: str | None
    form: str


def read(row: Row, source: Source, *, bare: bool = False) -> list[Entry] | str:
    """Read the cards of a line; where there is none, return a sentence that says why.

    The source's catalogue tells whether digits at either end of a name are a count or a number. With
    `bare`, a name alone is a card even if nobody knows it.
    """
    if found := _items(row.plain):
        return found
    entry = _entry(row, source)
    if entry == _BARE and bare:
        entry = Entry("1", None, " ".join(row.shown.split()), "NAME")
    return entry if isinstance(entry, str) else [entry]


def _items(plain: str) -> list[Entry]:
    """Read a line of nothing but counts and numbers, one card or many; an empty list for any other."""
    found = []
    at = 0
    while item := _ITEM.match(plain, at):
        count, between, bracket, number = item.groups()
        form = "(NUM)" if bracket else "NUM"
        found.append(Entry(count, number, None, f"4{_spaced(between)}{form}"))
        at = item.end()
    return found if at == len(plain) else []


def _entry(row: Row, source: Source) -> Entry | str:
    if len(row.plain) > _LONGEST:
        return "the line is too long for a card"
    if (don := _DON.fullmatch(row.plain)) and (digits := don[1] or don[2]):
        return Entry(digits, None, DON, DON)
    if _NO_COUNT.match(row.plain):
        return "a count is a whole number with nothing before it"
    count = _count(row.plain)
    named = card(count.of(row.shown), count.of(row.plain), source)
    if named.number is None and source.catalogue is not None:
        # "10x Kamehameha" and "10x Kamehameha x2" are of that name, if there is such a card.
        for other in (_whole(row.plain), count, *_counts_apart(row.plain)):
            if source.is_name(name := " ".join(other.of(row.shown).split())):
                return Entry(other.digits or "1", None, name, _form(other, "NAME"))
    return _checked(count, named)


def _checked(count: _Count, card: Card) -> Entry | str:
    if card.number is None and card.name is None:
        return "there is no card here"
    if card.number is None and not count.digits:
        return _BARE
    if card.name and _AT_START.fullmatch(card.name):
        return "there are two card numbers"
    return Entry(count.digits or "1", card.number, card.name, _form(count, card.form))


def _form(count: _Count, card: str) -> str:
    return f"{card} x4" if count.form == "x4" else f"{count.form}{card}"


def _count(plain: str) -> _Count:
    start = _start(plain)
    if found := _COUNT_FIRST.match(plain, start):
        digits = found[1] or found[3] or found[4]
        return _Count(digits, found.end(), len(plain), f"4{_spaced(found[2])}" if found[1] else "(4)")
    return _count_last(plain) or _whole(plain)


def _count_last(plain: str) -> _Count | None:
    start = _start(plain)
    found = _COUNT_LAST.search(plain, start)
    # "OP01-016 4" is four, "Android 13" is a name.
    if found is None or (found[4] and not _NUMBER_LAST.search(plain, start, found.start())):
        return None
    return _Count(found[1] or found[2] or found[3] or found[4], start, found.start(), "x4")


def _counts_apart(plain: str) -> Iterator[_Count]:
    if last := _count_last(plain):
        yield last
    for pattern in _COUNT_APART:
        if found := pattern.match(plain, _start(plain)):
            yield _Count(found[1], found.end(), len(plain), "4 ")


def _whole(plain: str) -> _Count:
    return _Count("", _start(plain), len(plain), "")


def _start(plain: str) -> int:
    bullet = _BULLET.match(plain)
    return bullet.end() if bullet else 0


def _spaced(between: str) -> str:
    return " ".join(f".{between}.".split())[1:-1].lower().replace("*", "x")


def card(shown: str, plain: str, source: Source) -> Card:
    """Read what a count counts: a number, a name or both, in any order and with any brackets."""
    if not _DIGIT.search(plain):
        return Card(None, _unstubbed(shown, plain, source), "NAME")
    if found := _last(_IN_BRACKETS, plain):
        name = _without(found, shown)
        return Card(found[1], name, f"{'NAME ' if name else ''}{_bracketed(found[0])}")
    if found := _AT_START.match(plain):
        name = _without(found, shown)
        return Card(found[1], name, "NUM NAME" if name else "NUM")
    if (found := _SET_APART.search(plain)) and plain[: found.start()]:
        number = f"{found[1]}-{found[2]}"
        ours = any(pattern.fullmatch(normal(number)[0]) for pattern in OFFICIAL.values())
        return Card(number if ours else None, _without(found, shown), "NAME (SET) 1")
    if (found := _last(_WITHIN, plain)) and not source.is_name(shown):
        return Card(found[1], _without(found, shown), "NAME NUM")
    return _unlikely(shown, plain, source) or Card(None, _unstubbed(shown, plain, source), "NAME")


def _unlikely(shown: str, plain: str, source: Source) -> Card | None:
    """Return the card of a number that looks like none, but that the catalogue has."""
    if source.catalogue is None or source.is_name(shown):
        return None
    found = next((word for word in _WORD.finditer(plain) if source.is_number(word[1])), None)
    return Card(found[1], _without(found, shown), "NAME NUM") if found else None


def _bracketed(text: str) -> str:
    return f"{text[0]}NUM{text[-1]}"


def _last(pattern: re.Pattern[str], plain: str) -> re.Match[str] | None:
    return next(reversed([*pattern.finditer(plain)]), None)


def _unstubbed(shown: str, plain: str, source: Source) -> str | None:
    """Return a name without what only stands in a number's place: "Fused Zamasu (db4)"."""
    found = _STUB.search(plain)
    return _without(found, shown) if found and not source.is_name(shown) else _name(shown)


def _without(found: re.Match[str], shown: str) -> str | None:
    """Return the name that is left when a number is taken out of a line."""
    parts = (_name(shown[: found.start()]), _name(shown[found.end() :]))
    return " ".join(filter(None, parts)) or None


def _name(text: str) -> str | None:
    words = _FOIL.sub("", text).split()
    while words and words[0].strip(_LOOSE) == "":
        del words[0]
    while words and words[-1].strip(_LOOSE) == "":
        del words[-1]
    name = " ".join(words).strip(",;|:")
    return name if any(map(str.isalpha, name)) else None
