"""Naming: what a count counts, read as a card's number, its name or both, in any order and any brackets."""

from __future__ import annotations

import re
from typing import NamedTuple

from validator.decklists.counts import TIMES
from validator.decklists.source import Source
from validator.numbers import OFFICIAL
from validator.numbers import SHAPE
from validator.numbers import normal

_FLAGS = re.IGNORECASE | re.ASCII
ID = r"(?:#[A-Z0-9]*)?"  # a shop's id of the product, hung on the number

_IN_BRACKETS = re.compile(rf"[\[({{<] ?#?({SHAPE}){ID} ?[\])}}>]", _FLAGS)
_AT_START = re.compile(rf"({SHAPE}){ID}(?![A-Z0-9'])", _FLAGS)
_WITHIN = re.compile(rf"(?<![A-Z0-9_.'-])({SHAPE}){ID}(?![A-Z0-9'])", _FLAGS)
_COUNTED = re.compile(rf"(?<![A-Z0-9_.'-])(?:[0-9]{{1,3}}{TIMES})?({SHAPE}){ID}(?![A-Z0-9'])", _FLAGS)
# A number with letters typed for digits or digits for letters, 0P01-016 or BT1-O05: kept as it is, to be asked about.
_MISTYPED = re.compile(
    r"[\[(]?(?<![A-Z0-9])(?=[A-Z]*[0-9])([A-Z0]{1,3}[0-9OIL]{1,3}-[0-9OIL]{2,4})(?![A-Z0-9])[\])]?", _FLAGS
)
_SET_APART = re.compile(r" ?[\[(]([A-Z]{1,4}[0-9]{0,2})[\])] #?([0-9]{1,4})(?: \*[A-Z]\*)?$", _FLAGS)
# What stands in a number's place and is none: a set, a kind of product, a kind of printing.
_STUB = re.compile(
    r" ?[\[(](?:set ?[0-9]{1,3}|[a-z]{1,4} ?[0-9]{1,3}|v\.[0-9]"
    r"|p|special|promo\w*|foil|parallel|alt(?:ernate)? ?art)[\])]$",
    _FLAGS,
)
_ASIDE = re.compile(r" \*[A-Z]{1,3}\*$|https?://[^ ]+", _FLAGS)
_WORD = re.compile(r"[\[(]?([^ \[\]()]+)[\])]?")
_LOOSE = ",;|:–—-"
_DIGIT = re.compile(r"[0-9]")


class Named(NamedTuple):
    """A card as it is named: by number, by name or both; `form` is the way it was written."""

    number: str | None
    name: str | None
    form: str


def named(shown: str, plain: str, source: Source) -> Named:
    """Read what a count counts: a number, a name or both. A name may turn out to be digits alone."""
    if not _DIGIT.search(plain):
        return Named(None, _unstubbed(shown, plain, source), "NAME")
    if found := _last(_IN_BRACKETS, plain):
        name = _without(found, shown)
        return Named(found[1], name, f"{'NAME ' if name else ''}{_bracketed(found[0])}")
    if found := _AT_START.match(plain):
        name = _without(found, shown)
        return Named(found[1], name, "NUM NAME" if name else "NUM")
    if (found := _SET_APART.search(plain)) and plain[: found.start()]:
        number = f"{found[1]}-{found[2]}"
        return Named(number if _is_official(number) else None, _without(found, shown), "NAME (SET) 1")
    if (found := _last(_WITHIN, plain)) and not source.is_name(shown):
        return Named(found[1], _without(found, shown), "NAME NUM")
    return _unlikely(shown, plain, source) or Named(None, _unstubbed(shown, plain, source), "NAME")


def another(name: str, number: str, source: Source) -> bool:
    """Tell whether what is left of a line beside a card's number is, or has, the number of another card."""
    if _AT_START.fullmatch(name):  # of whatever game
        return True
    numbers = [found[1] for found in _COUNTED.finditer(name)] if _DIGIT.search(name) else []
    return any(
        (_is_official(other) or source.has(other)) and normal(other)[0] != normal(number)[0] for other in numbers
    )


def _is_official(number: str) -> bool:
    return any(pattern.fullmatch(normal(number)[0]) for pattern in OFFICIAL.values())


def _unlikely(shown: str, plain: str, source: Source) -> Named | None:
    """Return the card of a number that looks like none, but that the catalogue has or that is one mistyped."""
    if source.is_name(shown):
        return None
    words = _WORD.finditer(plain) if source.catalogue is not None else ()
    found = next((word for word in words if source.is_number(word[1])), None) or _MISTYPED.search(plain)
    return Named(found[1], _without(found, shown), "NAME NUM") if found else None


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
    words = _ASIDE.sub("", text).split()
    while words and words[0].strip(_LOOSE) == "":
        del words[0]
    while words and words[-1].strip(_LOOSE) == "":
        del words[-1]
    name = " ".join(words).strip(",;|:")
    return name if any(map(str.isalnum, name)) else None
