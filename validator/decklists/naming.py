"""Naming: what a count counts, read as a card's number, its name or both, in any order and any brackets."""

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
# A number with letters typed for digits or digits for letters, 0P01-016 or BT1-O05: kept as it is, to be asked about.
_MISTYPED = re.compile(
    r"[\[(]?(?<![A-Z0-9])(?=[A-Z]*[0-9])([A-Z0]{1,3}[0-9OIL]{1,3}-[0-9OIL]{2,4})(?![A-Z0-9])[\])]?", _FLAGS
)
_SET_APART = re.compile(
    r" ?(?:[\[(]([A-Z]{1,4}[0-9]{0,2})[\])] #?([0-9]{1,4})|[\[(]#?([0-9]{1,4})[\])] [\[(]([A-Z]{1,4}[0-9]{0,2})[\])])"
    r"(?: \*[A-Z]\*)?$",
    _FLAGS,
)
# What stands in a number's place and is none: a set, a kind of product, a kind of printing.
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
    """A card by number, by name or both; `form` is the way it was written."""

    number: str | None
    name: str | None
    form: str


def named(shown: str, plain: str, source: Source) -> SpelledCard:
    """Return what a count counts, read once however often a line is read: a number, a name or both."""
    texts = shown, plain
    if texts not in source.spelled:
        source.spelled[texts] = _spelled(shown, plain, source)
    return source.spelled[texts]


def _spelled(shown: str, plain: str, source: Source) -> SpelledCard:
    """Read a number, a name or both. A name may turn out to be digits alone."""
    if _DIGIT.search(plain):
        for reading in (_in_brackets, _at_start, _set_apart, _within):
            if card := reading(shown, plain, source):
                return card
    return SpelledCard(None, _unstubbed(shown, plain, source), "NAME")


def _in_brackets(shown: str, plain: str, source: Source) -> SpelledCard | None:
    found = _last(_IN_BRACKETS, plain)
    if found is None:
        return None
    name = _without(found, shown)
    return SpelledCard(found[1], name, f"{'NAME ' if name else ''}{found[0][0]}NUM{found[0][-1]}")


def _at_start(shown: str, plain: str, source: Source) -> SpelledCard | None:
    found = _AT_START.match(plain)
    if found is None:
        return None
    name = _without(found, shown)
    return SpelledCard(found[1], name, "NUM NAME" if name else "NUM")


def _set_apart(shown: str, plain: str, source: Source) -> SpelledCard | None:
    found = _SET_APART.search(plain)
    if found is None or not found.start():
        return None
    number = f"{found[1] or found[4]}-{found[2] or found[3]}"
    return SpelledCard(number if is_official(number) else None, _without(found, shown), SET_APART)


def _within(shown: str, plain: str, source: Source) -> SpelledCard | None:
    """Return the card of a number within a name, looking like one or (as the catalogue has it, or mistyped) not."""
    if source.is_name(shown):
        return None
    found = _last(_WITHIN, plain)
    if found is None and source.catalogue is not None:
        found = next((word for word in _WORD.finditer(plain) if source.is_number(word[1])), None)
    found = found or _MISTYPED.search(plain)
    return SpelledCard(found[1], _without(found, shown), "NAME NUM") if found else None


def another(name: str, number: str, source: Source) -> bool:
    """Tell whether what is left of a line beside a card's number is, or has, the number of another card."""
    if _AT_START.fullmatch(name):  # of whatever game
        return True
    numbers = [found[1] for found in _COUNTED.finditer(name)] if _DIGIT.search(name) else []
    base = normal(number)[0]
    return any(normal(other)[0] != base and (is_official(other) or source.has(other)) for other in numbers)


@lru_cache(maxsize=512)  # a line is read in several ways
def is_official(number: str) -> bool:
    """Tell whether this is the number of a card of some game, as far as its spelling tells it."""
    base = normal(number)[0]
    return any(pattern.fullmatch(base) for pattern in OFFICIAL.values())


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
    words = _ASIDE.sub("", text).split()
    while words and words[0].strip(_LOOSE) == "":
        del words[0]
    while words and words[-1].strip(_LOOSE) == "":
        del words[-1]
    name = " ".join(words).strip(",;|:")
    return name if any(map(str.isalnum, name)) else None
