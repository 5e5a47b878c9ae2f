"""Counts: how many copies a line of a list says, in any of the ways people write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from validator.decklists.sections import listed
from validator.numbers import SHAPE

_FLAGS = re.IGNORECASE | re.ASCII

TIMES = r"(?:x(?!D-?[0-9])|\*)"  # "4 XD1-04" is four of XD1-04, not "4 x" of D1-04

# A capital X that stands alone before a name is part of it: "4 X Calibur".
_FIRST = re.compile(
    rf"([0-9]++)({TIMES} ?(?=[^ ])| (?-i:x|\*) | {TIMES} ?(?=[\[(]?{SHAPE})| ?[.):,;] | - "
    rf"| ?(?:copies|copy of|pcs) (?:of )?| ?[枚张張장] ?| |(?<!0)(?={SHAPE}))"
    r"|[\[(] ?x? ?([0-9]+) ?x?[\])] ?"
    r"|x ?([0-9]+) ?(?:[枚張张장] ?| )",
    _FLAGS,
)
_ORDINAL = re.compile(r"(?:\(?[0-9]{1,3}[.):]|[0-9]{1,3} -) (?=[^ ])")
# The suffix of a printing, whose letters an x for a count may follow: "BT1-005_PRx3".
_BEHIND_SUFFIX = "(?:" + "|".join(f"(?<=[0-9A-Z][-_][A-Z]{{{letters}}})" for letters in (1, 2, 3)) + ")"
_LAST = re.compile(
    rf"(?: [x*] ?|(?<=[0-9\])])[x*] ?|{_BEHIND_SUFFIX}[x*]| ?[:=] ?)([0-9]+)$"
    r"| ([0-9]+) ?[x*]$"
    r"| ?[\[(] ?(?:x ?([0-9]+)|([0-9]+) ?x) ?[\])]$"
    r"|(?<=[0-9A-Z\])]) ([0-9]+)$"
    r"| ?[\[(]?(?:\b|(?<![a-z])[x*] ?)([0-9]+) ?(?:copies|copy|pcs|[枚张張장])[\])]?$",
    _FLAGS,
)
_WIDEST = 24  # characters that a count at the end of a line may take
_NUMBER_LAST = re.compile(rf"(?<![A-Z0-9]){SHAPE}(?:#[A-Z0-9]*)?[\])]?$", _FLAGS)

# One to four, in the languages that cards of these games are sold in.
_NUMERALS = (
    "one ein eine un une uno um een jeden",
    "two zwei deux dos due dois twee dwa",
    "three drei trois tres tre três drie trzy",
    "four vier quatre cuatro quattro quatro cztery",
)
_SPELLED = {word: str(count) for count, words in enumerate(_NUMERALS, 1) for word in words.split()}
_WORD = "|".join(_SPELLED)
# Other ways to part a count from a name, for where the catalogue knows the name.
_APART = (
    re.compile(r"(?<![0-9])([0-9]+) ?x ", _FLAGS),
    re.compile(r"(?<![0-9])([0-9]+) ", _FLAGS),
    re.compile(rf"({_WORD}) (?:x )?", re.IGNORECASE),
)
_APART_LAST = re.compile(r" ?[\[(]([0-9]+)[\])]$|(?: [-/|]|(?<![.,…]) ?[.,…]+|(?<=[^ ]) ) ?([0-9]+)$", _FLAGS)

# A count beside what is left of a line when its number is taken out: "Nami x4", "(4) Nami", "Nami - 4", "4 Nami".
_TOKEN = (
    rf"(?:[\[(]?x ?([1-9][0-9]?)[\])]?|[\[(]?([1-9][0-9]?) ?x[\])]?|[\[(]([1-9][0-9]?|{_WORD})[\])]"
    rf"|([1-9][0-9]?)|({_WORD})(?: ?x(?= |$))?)"
)
_BEFORE = re.compile(rf"{_TOKEN}(?:( (?:cop(?:ies|y)(?: of)?|of)(?: |$))| ?[-:=,;|/] ?| |$)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?:^|( ?[:=] ?| - ?)| ?[,;|/] ?| ){_TOKEN}(?: ?[枚張张장]| cop(?:ies|y)| of)?$", re.IGNORECASE)
_TWICE = re.compile(r"(?:^| )(?:x ?([0-9]+)|([0-9]+) ?x|(?:[-=]>|→) ?([0-9]+))$", _FLAGS)
_AGAIN = re.compile(rf"(?<![\w.-])([0-9]{{1,3}}) ?(?:{TIMES} ?)?[\[(]?{SHAPE}", _FLAGS)
_SUM = r"(?<![0-9])[0-9]{1,7}(?:[.,][0-9]{1,7}){0,2}"
_MONEY = r"(?:[$€£¥円元원]|(?:eur|usd|gbp|chf|jpy|pln|cad|aud)\b)"
_PRICE = re.compile(rf"[$€£¥] ?{_SUM}|{_SUM} ?{_MONEY}(?! ?[0-9])|\b[0-9]{{1,7}}\.(?!0\b)[0-9]{{1,7}}\b", re.IGNORECASE)
# What may stand beside a count and says nothing more: a word for copies, a rarity.
_NOTHING_MORE = frozenset(
    listed("""
    枚, 張, 张, 장, pc, pcs, ea, each, ex, qty, stk, stück, copy, copies, of, szt, stuks, шт, ใบ, عدد, lá, lembar,
    c, uc, r, sr, sec, l, sp, tr, pr, spr, scr
    """)
)
_SIGNED = re.compile(r"(?<![\w.,])(?:x ?([1-9][0-9]?)|([1-9][0-9]?) ?x)(?!\w)", _FLAGS)
_ALONE = re.compile(r"(?<![\w.#+-])(?<![0-9],)([1-9][0-9]?)(?=(?:pcs?|ex|ea|[枚張张장])?(?!\w))", _FLAGS)
_DIGITS = re.compile(r"[0-9]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_STARTS = re.compile(r"\W*[0-9]")
_MANY = "|".join(word for word, digits in _SPELLED.items() if digits != "1")
# What stands in a count's place and is none that could be taken.
UNTOLD = (
    r"(?:(?:x ?)?\?{1,3}x?|x|i{2,4}|i?vi{0,3}|n/a|no|some|few|many|several|all|tbd|ps|full set|play ?set"
    r"|½|[一二三四五][枚張张]?)"
)
# What may be a count, or the mark of one; digits of a word ("V2") or of a number ("016", "#402") are none.
_DOUBTFUL = re.compile(
    rf"^[\[(]?{UNTOLD}(?![^ .:)\]])|(?<![^ \[(]){UNTOLD}[.:]?[\])]?$|\bplay ?set|^(?:{_MANY})x? | (?:{_MANY})$"
    r"|(?<![a-wyz0-9.#])(?:00?|0[1-9]|[1-9][0-9]?)(?![0-9])|(?<![0-9.])[1-9]\.0(?![0-9])",
    _FLAGS,
)


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
    """Return the count of a line as far as the line alone tells it."""
    return _first(plain) or _last(plain) or whole(plain)


def numbered(plain: str) -> int:
    """Return where a line begins behind what may be its own number: 3 for "2. OP01-016 x4", 0 for most lines."""
    found = _ORDINAL.match(plain)
    return found.end() if found else 0


def readings(plain: str, likely: Count) -> Iterable[Count]:
    """Return all that the count of a line may be, if the catalogue knows what is then counted, each once.

    `likely` is the likeliest: the one that stands first, if one does.
    """
    apart = (pattern.match(plain) for pattern in _APART)
    behind = _APART_LAST.search(plain, max(0, len(plain) - _WIDEST))
    each = (
        whole(plain),
        likely,
        _last(plain) if likely.start else None,
        *(Count(_digits(found[1]), found.end(), len(plain), "4 ") for found in apart if found),
        behind and Count(behind[1] or behind[2], 0, behind.start(), "x4"),
    )
    counts: dict[tuple[int, int], Count] = {}
    for count in filter(None, each):
        counts.setdefault((count.start, count.end), count)
    return counts.values()


def beside(name: str) -> Iterator[Beside]:
    """Yield the counts that may stand at either end of what is left of a line without its number."""
    if before := ahead(name):
        yield before
    if found := _BEHIND.search(name):
        apart, *token = found.groups()
        yield _beside(token, name[: found.start()], apart=bool(apart))


def ahead(name: str) -> Beside | None:
    """Return the count that may stand before the name."""
    found = _BEFORE.match(name)
    if found is None:
        return None
    *token, of_copies = found.groups()
    return _beside(token, name[found.end() :], apart=bool(of_copies))


def _beside(token: Sequence[str | None], name: str, *, apart: bool) -> Beside:
    *_, bare, word = token
    digits = next(filter(None, token))
    return Beside(_digits(digits), name, apart or not (bare or word))


def left(rest: str, *, named: bool) -> str | None:
    """Return the digits of the one count in what is left of a line without its card's number and name.

    Beside a card that is `named` in full, "x4" is the count whatever else is said: "x4 - great card".
    """
    rest = _PRICE.sub(" ", rest)
    if "~" in rest:  # struck out
        return None
    if signed := [found[1] or found[2] for found in _SIGNED.finditer(rest)]:
        is_one = named and len(signed) == 1 and not _STARTS.match(_SIGNED.sub(" ", rest))
        return signed[0] if is_one else None
    alone = _ALONE.findall(rest)
    is_one = len(alone) == 1 == len(_DIGITS.findall(rest))
    return alone[0] if is_one and _NOTHING_MORE.issuperset(_LETTERS.findall(rest.casefold())) else None


def again(name: str) -> Iterator[str]:
    """Yield the digits of counts before a number that stands again beside it: "4 OP01-016 -> 3 OP01-016"."""
    return (found[1] for found in _AGAIN.finditer(name))


def second(name: str) -> str | None:
    """Return the digits of a count that plainly stands behind a name: "Nami x3"."""
    found = _TWICE.search(name)
    return found and (found[1] or found[2] or found[3])


def has_sign(text: str) -> bool:
    """Return True if a text has a count with its sign: "x4", "4x"."""
    return _SIGNED.search(text) is not None


def is_doubtful(name: str) -> bool:
    """Tell whether a name has digits, not those of a price, that could be a count."""
    return bool(_DOUBTFUL.search(_PRICE.sub(" ", name)))


def spaced(between: str) -> str:
    """Return how a count is parted from what it counts: "x", " x ", " "."""
    return " ".join(f".{between}.".split())[1:-1].lower().replace("*", "x")


def _first(plain: str) -> Count | None:
    found = _FIRST.match(plain)
    if found is None:
        return None
    form = f"4{spaced(found[2])}" if found[1] else "(4)"
    return Count(found[1] or found[3] or found[4], found.end(), len(plain), form)


def _last(plain: str) -> Count | None:
    found = _LAST.search(plain, max(0, len(plain) - _WIDEST))
    # "OP01-016 4" is four, "Android 13" is a name.
    if found is None or (found[5] and not _NUMBER_LAST.search(plain, 0, found.start())):
        return None
    return Count(next(filter(None, found.groups())), 0, found.start(), "x4")


def _digits(word: str) -> str:
    return _SPELLED.get(word.casefold(), word)
