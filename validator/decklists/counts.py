"""Counts: how many copies a line of a list says, in any of the ways people write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence
from typing import NamedTuple

from validator.numbers import SHAPE

_FLAGS = re.IGNORECASE | re.ASCII

TIMES = r"(?:x(?!D-?[0-9])|\*)"  # "4 XD1-04" is four of XD1-04, not "4 x" of D1-04

# A capital X that stands alone before a name is part of it: "4 X Calibur".
_FIRST = re.compile(
    rf"([0-9]+)({TIMES}\s*(?=\S)|\s+(?-i:x|\*)\s+|\s+{TIMES}\s*(?=[\[(]?{SHAPE})|\s*[.):,;]\s+|\s+-\s+"
    rf"|\s?(?:copies|copy of|pcs)\s+(?:of\s+)?|\s?[枚张張장]\s*|\s+|(?<!0)(?={SHAPE}))"
    r"|[\[(]([0-9]+)\s*x?[\])]\s*"
    r"|x\s?([0-9]+)\s+",
    _FLAGS,
)
_ORDINAL = re.compile(r"[0-9]+[.)]\s+")
_LAST = re.compile(
    r"(?:\s+[x*]\s*|(?<=[0-9\])])[x*]\s*|\s*[:=]\s*)([0-9]+)$"
    r"|\s+([0-9]+)\s?[x*]$"
    r"|\s*[\[(]\s*x\s*([0-9]+)\s*[\])]$"
    r"|(?<=[0-9A-Z\])])\s+([0-9]+)$"
    r"|\s*[\[(]?\b([0-9]+)\s?(?:copies|copy|pcs|[枚张張장])[\])]?$",
    _FLAGS,
)
_WIDEST = 24  # characters that a count at the end of a line may take
_NUMBER_LAST = re.compile(rf"(?<![A-Z0-9]){SHAPE}(?:#[A-Z0-9]*)?[\])]?$", _FLAGS)

# One to four, in the languages that cards of these games are sold in.
_SAID = {
    word: str(count)
    for count, words in enumerate(
        (
            "one ein eine un une uno um",
            "two zwei deux dos due dois",
            "three drei trois tres tre três",
            "four vier quatre cuatro quattro quatro",
        ),
        1,
    )
    for word in words.split()
}
_WORD = "|".join(_SAID)
# Other ways to part a count from a name, for where the catalogue knows the name.
_APART = (
    re.compile(r"([0-9]+)\s*x\s+", _FLAGS),
    re.compile(r"([0-9]+)\s+", _FLAGS),
    re.compile(rf"({_WORD})\s+(?:x\s+)?", re.IGNORECASE),
)
_APART_LAST = re.compile(r"\s*[\[(]([0-9]+)[\])]$|(?:\s+[-/|]|(?<![.,…])\s?[.,…]+)\s*([0-9]+)$", _FLAGS)

# A count beside what is left of a line when its number is taken out: "Nami x4", "(4) Nami", "Nami - 4", "4 Nami".
_TOKEN = rf"(?:x\s?([1-9][0-9]?)|([1-9][0-9]?)\s?x|[\[(]([1-9][0-9]?)[\])]|([1-9][0-9]?)|({_WORD}))"
_BEFORE = re.compile(rf"{_TOKEN}(?:\s*[-:=,;|/]\s*|\s+|$)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?:^|(\s*[:=]\s*|\s+-\s*)|\s*[,;|/]\s*|\s+){_TOKEN}$", re.IGNORECASE)
_TWICE = re.compile(r"(?:^|\s)(?:x\s?([0-9]+)|([0-9]+)\s?x)$", _FLAGS)
_SUM = r"(?<![0-9])[0-9]{1,7}(?:[.,][0-9]{1,7}){0,2}"
_PRICE = re.compile(rf"[$€£¥]\s?{_SUM}|{_SUM}\s?[$€£¥]|\b[0-9]{{1,7}}\.[0-9]{{1,7}}\b")
# Digits that may be a count, or the mark of one; those of a word ("V2") or of a number ("016", "#402") are none.
_DOUBTFUL = re.compile(r"^x$|(?<![a-wyz0-9.#])(?:0|[1-9][0-9]?)(?![0-9])", _FLAGS)


class Count(NamedTuple):
    """A count in a line ("" for none), where what it counts begins and ends, and the way it was written."""

    digits: str
    start: int
    end: int
    form: str

    def of(self, text: str) -> str:
        """Return the part of a line that is counted."""
        return text[self.start : self.end]


class Beside(NamedTuple):
    """A count that stands beside a name, and the name without it.

    What is `plain` cannot be anything else; other digits could be part of the name.
    """

    digits: str
    name: str
    plain: bool


def whole(plain: str) -> Count:
    """Return a line as one that has no count."""
    return Count("", 0, len(plain), "")


def likeliest(plain: str) -> Count:
    """Return the count of a line as far as the line alone tells it.

    "2. OP01-016 x4" numbers its lines and says four; "4. OP01-016" can only mean four.
    """
    found = _FIRST.match(plain)
    if found is None:
        return _last(plain, 0) or whole(plain)
    if _ORDINAL.match(plain) and (inner := _first(plain, found.end()) or _last(plain, found.end())):
        return inner
    return _counted(found, plain)


def readings(plain: str, likely: Count) -> Iterator[Count]:
    """Yield all that the count of a line may be, if the catalogue knows what is then counted."""
    yield whole(plain)
    if likely.digits:
        yield likely
    for found in (_first(plain, 0), _last(plain, 0)):
        if found and found != likely:
            yield found
    for pattern in _APART:
        if match := pattern.match(plain):
            yield Count(_digits(match[1]), match.end(), len(plain), "4 ")
    if match := _APART_LAST.search(plain, max(0, len(plain) - _WIDEST)):
        yield Count(match[1] or match[2], 0, match.start(), "x4")


def beside(name: str) -> Iterator[Beside]:
    """Yield the counts that may stand at either end of what is left of a line without its number."""
    if found := _BEFORE.match(name):
        yield _beside(found.groups(), name[found.end() :], apart=False)
    if found := _BEHIND.search(name):
        apart, *token = found.groups()
        yield _beside(token, name[: found.start()], apart=bool(apart))


def _beside(token: Sequence[str | None], name: str, *, apart: bool) -> Beside:
    *_, bare, word = token
    digits = next(filter(None, token))
    return Beside(_digits(digits), name, apart or not (bare or word))


def second(name: str) -> str | None:
    """Return the digits of a count that plainly stands behind a name: "Nami x3"."""
    found = _TWICE.search(name)
    return found and (found[1] or found[2])


def is_doubtful(name: str) -> bool:
    """Tell whether a name has digits, not those of a price, that could be a count."""
    return bool(_DOUBTFUL.search(_PRICE.sub(" ", name)))


def spaced(between: str) -> str:
    """Return how a count is parted from what it counts: "x", " x ", " "."""
    return " ".join(f".{between}.".split())[1:-1].lower().replace("*", "x")


def _first(plain: str, start: int) -> Count | None:
    found = _FIRST.match(plain, start)
    return _counted(found, plain) if found else None


def _counted(found: re.Match[str], plain: str) -> Count:
    digits = found[1] or found[3] or found[4]
    return Count(digits, found.end(), len(plain), f"4{spaced(found[2])}" if found[1] else "(4)")


def _last(plain: str, start: int) -> Count | None:
    found = _LAST.search(plain, max(start, len(plain) - _WIDEST))
    # "OP01-016 4" is four, "Android 13" is a name.
    if found is None or (found[4] and not _NUMBER_LAST.search(plain, start, found.start())):
        return None
    return Count(next(filter(None, found.groups())), start, found.start(), "x4")


def _digits(word: str) -> str:
    return _SAID.get(word.casefold(), word)
