"""Naming: the counted text of a line, parsed as a card number, a name or both, in any order and brackets.

Called by `cardline` and by the reader of tables.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from validator.decklists.counts import TIMES
from validator.decklists.source import Source
from validator.numbers import OFFICIAL, SHAPE, normal

_FLAGS = re.IGNORECASE | re.ASCII
ID = r"(?:#[A-Z0-9]*)?"  # a shop's id of the product, hung on the number

_IN_BRACKETS = re.compile(rf"[\[({{<] ?#?({SHAPE}){ID} ?[\])}}>]", _FLAGS)
_AT_START = re.compile(rf"({SHAPE}){ID}(?![A-Z0-9'])", _FLAGS)
_WITHIN = re.compile(rf"(?<![A-Z0-9_.'-])({SHAPE}){ID}(?![A-Z0-9'])", _FLAGS)
_COUNTED = re.compile(
    rf"(?<![A-Z0-9_.'-])(?:[0-9]{{1,3}}{TIMES})?({SHAPE}){ID}(?=x[0-9]{{1,3}}(?![A-Z0-9])|(?![A-Z0-9']))", _FLAGS
)
# A number with letters typed for digits or digits for letters: 0P01-016 or BT1-O05.
# The number is kept unchanged, so that a finding can ask about it.
_MISTYPED = re.compile(
    r"[\[(]?(?<![A-Z0-9])(?=[A-Z]*[0-9])([A-Z0]{1,3}[0-9OIL]{1,3}-[0-9OIL]{2,4})(?![A-Z0-9])[\])]?", _FLAGS
)
_SET_APART = re.compile(
    r" ?(?:[\[(]([A-Z]{1,4}[0-9]{0,2})[\])] #?([0-9]{1,4})|[\[(]#?([0-9]{1,4})[\])] [\[(]([A-Z]{1,4}[0-9]{0,2})[\])])"
    r"(?: \*[A-Z]\*)?$",
    _FLAGS,
)
# Texts in the place of a number that are no number: a set, a kind of product, a kind of printing.
_STUB = re.compile(
    r" ?[\[(](?:set ?[0-9]{1,3}|[a-z]{1,4} ?[0-9]{1,3}|v\.[0-9]"
    r"|p|special|promo\w*|foil|parallel|alt(?:ernate)? ?art)[\])]$",
    _FLAGS,
)
_ASIDE = re.compile(r" \*[A-Z]{1,3}\*$|https?://[^ ]+", _FLAGS)
_WORD = re.compile(r"[\[(]?([^ \[\]()]+)[\])]?")
SET_APART = "NAME (SET) 1"  # the form of a card whose number is in two parts
_LOOSE = ",;|:–—-"
_DIGIT = re.compile(r"[0-9]")


class SpelledCard(NamedTuple):
    """A card as it is written, not looked up: its number, its name or both. A missing one is None.

    Both are None for a text without a letter or digit. `form` is the spelling, with NUM for the number and NAME for the
    name, such as "NUM NAME" or "NAME (NUM)". It is SET_APART for a number in two parts.
    """

    number: str | None
    name: str | None
    form: str


def parse_name(text: str, plain: str, source: Source) -> SpelledCard:
    """Return the card number, the name or both in a text from which the count is removed.

    `text` is the text to show, and `plain` the same text in plain characters, of the same length. The result is cached
    in `source.spelled`.
    """
    key = text, plain
    if key not in source.spelled:
        source.spelled[key] = _parse_name(text, plain, source)
    return source.spelled[key]


def _parse_name(text: str, plain: str, source: Source) -> SpelledCard:
    """Return the first card that is found: a number in brackets, at the start, in two brackets, within the name.

    Without a number, the whole text is the name, even digits only. The name is None if no letter or digit is left.
    """
    if _DIGIT.search(plain):
        for reading in (_number_in_brackets, _number_at_start, _separate_set, _number_within_name):
            if card := reading(text, plain, source):
                return card
    return SpelledCard(None, _without_stub(text, plain, source), "NAME")


def _number_in_brackets(text: str, plain: str, source: Source) -> SpelledCard | None:
    """Return the card of a number in brackets: "Nami (OP01-016)". The last one counts.

    The name may be before and after. None if no brackets contain a text that is shaped like a card number.
    """
    match = _last_match(_IN_BRACKETS, plain)
    if match is None:
        return None
    name = _without_match(match, text)
    return SpelledCard(match[1], name, f"{'NAME ' if name else ''}{match[0][0]}NUM{match[0][-1]}")


def _number_at_start(text: str, plain: str, source: Source) -> SpelledCard | None:
    """Return the card of a number at the start of a text: "OP01-016 Nami". None if the text begins with no number."""
    match = _AT_START.match(plain)
    if match is None:
        return None
    name = _without_match(match, text)
    return SpelledCard(match[1], name, "NUM NAME" if name else "NUM")


def _separate_set(text: str, plain: str, source: Source) -> SpelledCard | None:
    """Return the card of a set and a number at the end of a text, one or both in brackets: "Nami (OP01) 016".

    The number of the result is None if no game has such a number. Return None if there is no such end, or nothing
    before.
    """
    match = _SET_APART.search(plain)
    if match is None or not match.start():
        return None
    number = f"{match[1] or match[4]}-{match[2] or match[3]}"
    return SpelledCard(number if is_official(number) else None, _without_match(match, text), SET_APART)


def _number_within_name(text: str, plain: str, source: Source) -> SpelledCard | None:
    """Return the card of a number somewhere in a text: "Nami OP01-016".

    None if there is none, or if the text is a known name. The last text that is shaped like a card number counts, else
    the first word that is a number of the catalogue. Else it is a mistyped number such as "0P01-016", which is kept
    unchanged.
    """
    if source.is_name(text):
        return None
    match = _last_match(_WITHIN, plain)
    if match is None and source.catalogue is not None:
        match = next((word for word in _WORD.finditer(plain) if source.is_number(word[1])), None)
    match = match or _MISTYPED.search(plain)
    return SpelledCard(match[1], _without_match(match, text), "NAME NUM") if match else None


def has_other_number(name: str, number: str, source: Source) -> bool:
    """Return True if a text contains the number of another card than `number`, or consists only of a card number.

    `name` is the text beside `number`. Another number counts if some game spells numbers like it, or if the catalogue
    has it.
    """
    if _AT_START.fullmatch(name):  # of whatever game
        return True
    numbers = [found[1] for found in _COUNTED.finditer(name)] if _DIGIT.search(name) else []
    if not numbers:
        return False
    base = normal(number)[0]
    return any(normal(other)[0] != base and (is_official(other) or source.has(other)) for other in numbers)


@lru_cache(maxsize=512)  # a line is read in several ways
def is_official(number: str) -> bool:
    """Return True if a number is spelled like the card numbers of some game. Such a card need not exist.

    The result is cached.
    """
    base = normal(number)[0]
    return any(pattern.fullmatch(base) for pattern in OFFICIAL.values())


def _last_match(pattern: re.Pattern[str], plain: str) -> re.Match[str] | None:
    """Return the last match of a pattern in a text, None if there is none."""
    return next(reversed([*pattern.finditer(plain)]), None)


def _without_stub(text: str, plain: str, source: Source) -> str | None:
    """Return the name in a text without brackets at the end that hold no number, such as "(db4)" or "(foil)".

    They are kept if the catalogue has the whole text as a name. None if no letter or digit is left.
    """
    match = _STUB.search(plain)
    return _without_match(match, text) if match and not source.is_name(text) else _clean_name(text)


def _without_match(match: re.Match[str], text: str) -> str | None:
    """Return the cleaned name that is left of a text before and after a match. None if no letter or digit is left."""
    parts = (_clean_name(text[: match.start()]), _clean_name(text[match.end() :]))
    return " ".join(filter(None, parts)) or None


def _clean_name(text: str) -> str | None:
    """Return a card name with single blanks and without punctuation at both ends. Web addresses are removed.

    A mark such as "*F*" at the end is removed, too. None if no letter or digit is left.
    """
    words = _ASIDE.sub("", text).split()
    while words and words[0].strip(_LOOSE) == "":
        del words[0]
    while words and words[-1].strip(_LOOSE) == "":
        del words[-1]
    name = " ".join(words).strip(",;|:")
    return name if any(map(str.isalnum, name)) else None
