"""Counts: the number of copies in a line of a list, in any common spelling.

Called by `cardline`, `naming` and `listing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from validator.numbers import SHAPE
from validator.sections import split_words

_FLAGS = re.IGNORECASE | re.ASCII

TIMES = r"(?:x(?!D-?[0-9])|\*)"  # "4 XD1-04" is four of XD1-04, not "4 x" of D1-04

# A single capital X before a name is part of the name: "4 X Calibur".
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
# Other separators of a count and a name, tried only if the catalogue has the name.
_SEPARATED = (
    re.compile(r"(?<![0-9])([0-9]+) ?x ", _FLAGS),
    re.compile(r"(?<![0-9])([0-9]+) ", _FLAGS),
    re.compile(rf"({_WORD}) (?:x )?", re.IGNORECASE),
)
_SEPARATED_LAST = re.compile(r" ?[\[(]([0-9]+)[\])]$|(?: [-/|]|(?<![.,…]) ?[.,…]+|(?<=[^ ]) ) ?([0-9]+)$", _FLAGS)

# A count beside the rest of a line after its card number is removed: "Nami x4", "(4) Nami", "Nami - 4", "4 Nami".
_TOKEN = (
    rf"(?:[\[(]?x ?([1-9][0-9]?)[\])]?|[\[(]?([1-9][0-9]?) ?x[\])]?|[\[(]([1-9][0-9]?|{_WORD})[\])]"
    rf"|([1-9][0-9]?)|({_WORD})(?: ?x(?= |$))?)"
)
_BEFORE = re.compile(rf"{_TOKEN}(?:( (?:cop(?:ies|y)(?: of)?|of)(?: |$))| ?[-:=,;|/] ?| |$)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?:^|( ?[:=] ?| - ?)| ?[,;|/] ?| ){_TOKEN}(?: ?[枚張张장]| cop(?:ies|y)| of)?$", re.IGNORECASE)
_SECOND = re.compile(r"(?:^| )(?:x ?([0-9]+)|([0-9]+) ?x|(?:[-=]>|→) ?([0-9]+))$", _FLAGS)
_REPEATED = re.compile(rf"(?<![\w.-])([0-9]{{1,3}}) ?(?:{TIMES} ?)?[\[(]?{SHAPE}", _FLAGS)
_SUM = r"(?<![0-9])[0-9]{1,7}(?:[.,][0-9]{1,7}){0,2}"
_MONEY = r"(?:[$€£¥円元원]|(?:eur|usd|gbp|chf|jpy|pln|cad|aud)\b)"
_PRICE = re.compile(rf"[$€£¥] ?{_SUM}|{_SUM} ?{_MONEY}(?! ?[0-9])|\b[0-9]{{1,7}}\.(?!0\b)[0-9]{{1,7}}\b", re.IGNORECASE)
# Words beside a count that change nothing: words for copies, rarities.
_IGNORED_WORDS = frozenset(
    split_words("""
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
# Texts in the place of a count that have no clear value.
UNCLEAR_COUNT = (
    r"(?:(?:x ?)?\?{1,3}x?|x|i{2,4}|i?vi{0,3}|n/a|no|some|few|many|several|all|tbd|ps|full set|play ?set"
    r"|½|[一二三四五][枚張张]?)"
)
# A possible count, or the mark of one. Digits of a word ("V2") or of a number ("016", "#402") are no count.
_DOUBTFUL = re.compile(
    rf"^[\[(]?{UNCLEAR_COUNT}(?![^ .:)\]])|(?<![^ \[(]){UNCLEAR_COUNT}[.:]?[\])]?$"
    rf"|\bplay ?set|^(?:{_MANY})x? | (?:{_MANY})$"
    r"|(?<![a-wyz0-9.#])(?:00?|0[1-9]|[1-9][0-9]?)(?![0-9])|(?<![0-9.])[1-9]\.0(?![0-9])",
    _FLAGS,
)


class Count(NamedTuple):
    """A count in a line, and the part of the line that it counts.

    `digits` is the count as written, but "3" for "three", and "" if the line has none. `start` and `end` are the
    positions of the counted text. `form` is the spelling of the count, with 4 for any number. It is "4" and a
    separator, such as "4x" or "4 ", or "(4)", before the text, also for "x4 Nami". It is "x4" for any count behind the
    text, and "" without a count.
    """

    digits: str
    start: int
    end: int
    form: str

    def counted_text(self, text: str) -> str:
        """Return the part of a line from `start` to before `end`, which is the line without its count."""
        return text[self.start : self.end]


class Beside(NamedTuple):
    """A possible count, from 1 to 99, beside a name, and the name without the count.

    `digits` is the count, also for a count that is a word: "three" is "3". `name` is "" if nothing else is in the text.
    `plain` is True if the text can only be a count, as "x4" or "(4)". Bare digits and words could be part of the name.
    """

    digits: str
    name: str
    plain: bool


def no_count(plain: str) -> Count:
    """Return a Count without digits and form. Its counted text is the whole line."""
    return Count("", 0, len(plain), "")


def likeliest_count(plain: str) -> Count:
    """Return the count at the start of a line, else the count at its end, else an empty Count. No catalogue is used."""
    return _count_at_start(plain) or _count_at_end(plain) or no_count(plain)


def line_number_end(plain: str) -> int:
    """Return the position behind the line's own number and the blank after it: 3 for "2. OP01-016 x4".

    0 if the line begins with no such number. It has up to three digits and a mark such as "." or ":".
    """
    found = _ORDINAL.match(plain)
    return found.end() if found else 0


def possible_counts(plain: str, likely: Count) -> Iterable[Count]:
    """Return the possible counts of a line, one for each different counted text.

    A count is right only if the catalogue has the counted name, which the caller checks. The first Count is empty, the
    second is `likely`, the likeliest count of the line. Counts in words ("three") and with rare separators follow.
    """
    separated = (pattern.match(plain) for pattern in _SEPARATED)
    behind = _SEPARATED_LAST.search(plain, max(0, len(plain) - _WIDEST))
    each = (
        no_count(plain),
        likely,
        _count_at_end(plain) if likely.start else None,
        *(Count(_to_digits(found[1]), found.end(), len(plain), "4 ") for found in separated if found),
        behind and Count(behind[1] or behind[2], 0, behind.start(), "x4"),
    )
    counts: dict[tuple[int, int], Count] = {}
    for count in filter(None, each):
        counts.setdefault((count.start, count.end), count)
    return counts.values()


def counts_beside(name: str) -> Iterator[Beside]:
    """Yield the possible count at the start of a name, then the one at its end.

    The text is a line from which the card number is removed. Nothing is yielded for an end without a count.
    """
    if before := count_before(name):
        yield before
    if found := _BEHIND.search(name):
        apart, *token = found.groups()
        yield _make_beside(token, name[: found.start()], is_separate=bool(apart))


def count_before(name: str) -> Beside | None:
    """Return the possible count from 1 to 99 at the start of a text, and the text behind it as the name.

    A word such as "three" counts, too. None if the text begins with no count.
    """
    found = _BEFORE.match(name)
    if found is None:
        return None
    *token, of_copies = found.groups()
    return _make_beside(token, name[found.end() :], is_separate=bool(of_copies))


def _make_beside(token: Sequence[str | None], name: str, *, is_separate: bool) -> Beside:
    """Return a Beside from the groups of a match of `_TOKEN`, the only group that is set being the count.

    The last two groups are bare digits and a word, which can be part of a name. They are `plain` only if `is_separate`,
    when a separator such as ": " proves the count.
    """
    *_, bare, word = token
    digits = next(filter(None, token))
    return Beside(_to_digits(digits), name, is_separate or not (bare or word))


def only_count(rest: str, *, has_name: bool) -> str | None:
    """Return the digits of the only count, from 1 to 99, in a line without the card's number and name.

    None if the count is unclear, or if a part is struck out ("~"). Prices are ignored. If `has_name`, the line had the
    card's full name, and "x4" is the count beside any other words: "x4 - great card". Otherwise "x4" is unclear. Bare
    digits count only beside words such as "pcs" or a rarity.
    """
    rest = _PRICE.sub(" ", rest)
    if "~" in rest:  # struck out
        return None
    if signed := [found[1] or found[2] for found in _SIGNED.finditer(rest)]:
        is_one = has_name and len(signed) == 1 and not _STARTS.match(_SIGNED.sub(" ", rest))
        return signed[0] if is_one else None
    alone = _ALONE.findall(rest)
    is_one = len(alone) == 1 == len(_DIGITS.findall(rest))
    return alone[0] if is_one and _IGNORED_WORDS.issuperset(_LETTERS.findall(rest.casefold())) else None


def counts_before_numbers(name: str) -> Iterator[str]:
    """Yield the digits of each count directly before a card number in a text: "3" for "-> 3 OP01-016"."""
    return (found[1] for found in _REPEATED.finditer(name))


def count_behind(name: str) -> str | None:
    """Return the digits of a count with its sign at the end of a text: "3" for "Nami x3" or "Nami -> 3".

    None if there is none.
    """
    found = _SECOND.search(name)
    return found and (found[1] or found[2] or found[3])


def has_sign(text: str) -> bool:
    """Return True if a text contains a count from 1 to 99 beside an "x": "x4", "4x"."""
    return _SIGNED.search(text) is not None


def is_doubtful(name: str) -> bool:
    """Return True if a text has a number up to 99, or a word that could be a count: "3", "?", "some", "playset".

    Prices, numbers of three digits, and digits within words or card numbers are ignored.
    """
    return bool(_DOUBTFUL.search(_PRICE.sub(" ", name)))


def normalise_separator(separator: str) -> str:
    """Return the separator between a count and the counted text in one spelling: "x", " x ", " ".

    Upper case becomes lower case, "*" becomes "x", and blanks become single.
    """
    return " ".join(f".{separator}.".split())[1:-1].lower().replace("*", "x")


def _count_at_start(plain: str) -> Count | None:
    """Return the count at the start of a line, such as "4x ", "4 " or "(4)". None if there is none."""
    match = _FIRST.match(plain)
    if match is None:
        return None
    form = f"4{normalise_separator(match[2])}" if match[1] else "(4)"
    return Count(match[1] or match[3] or match[4], match.end(), len(plain), form)


def _count_at_end(plain: str) -> Count | None:
    """Return the count in the last 24 characters of a line, such as " x4" or "(x4)". None if there is none.

    Bare digits are a count only behind a card number: "OP01-016 4" is four copies, "Android 13" is a name.
    """
    match = _LAST.search(plain, max(0, len(plain) - _WIDEST))
    # "OP01-016 4" is four, "Android 13" is a name.
    if match is None or (match[5] and not _NUMBER_LAST.search(plain, 0, match.start())):
        return None
    return Count(next(filter(None, match.groups())), 0, match.start(), "x4")


def _to_digits(word: str) -> str:
    """Return "1" to "4" for a number word of `_SPELLED`, in any case and language there.

    Other texts are returned unchanged.
    """
    return _SPELLED.get(word.casefold(), word)
