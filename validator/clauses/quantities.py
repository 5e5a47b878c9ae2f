"""Numbers in card texts: what a card costs, and how many cards there may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from validator.clauses.tokens import Cursor
from validator.clauses.tokens import runs

_OR_MORE = runs("or more|or greater|or higher|or above|or over|+")
_OR_LESS = runs("or less|or fewer|or lower|or below|or under")
_MORE_THAN = runs("more than|greater than|higher than|over|above|exceeding")
_LESS_THAN = runs("less than|fewer than|lower than|under|below")
_AT_LEAST = runs("at least|greater than or equal to|equal to or greater than")
_AT_MOST = runs(
    "at most|up to|no more than|not more than|less than or equal to|equal to or less than|a maximum of|"
    "a total of up to|up to a total of|no more than a total of|a combined total of up to"
)
_ANY = runs("as many|any number of|any number|an unlimited number of|unlimited|any amount of|an unlimited amount of")
_EXACTLY = runs("exactly|a total of")
_JOINTS = runs("and / or|or|and|&|/")


def costs(at: Cursor) -> dict[str, Any] | None:
    """Read "3 or less", "2 to 4", "4, 6 or 7" as a match on the cost; a number alone is exact."""
    if at.phrase(_AT_LEAST):
        return _bounds(least=at.number())
    if at.phrase(_AT_MOST):
        return _bounds(most=at.number())
    if at.phrase(_MORE_THAN):
        return _bounds(least=_beside(at.number(), 1))
    if at.phrase(_LESS_THAN):
        return _bounds(most=_beside(at.number(), -1))
    if at.take("between", "from"):
        least, most = at.number(), at.number() if at.take("and", "to", "-") else None
        return _range(least, most)
    at.phrase(_EXACTLY)
    return _from(at, at.number())


def _from(at: Cursor, first: int | None) -> dict[str, Any] | None:
    if first is None:
        return None
    if at.phrase(_OR_MORE):
        return _bounds(least=first)
    if at.phrase(_OR_LESS):
        return _bounds(most=first)
    if at.take("-", "to"):
        return _range(first, at.number())
    return _listed(at, [first])


def _listed(at: Cursor, numbers: list[int]) -> dict[str, Any] | None:
    while True:
        back = at.at
        number = at.number() if joined(at) else None
        if number is None:
            at.at = back
            break
        numbers.append(number)
    if at.phrase(_OR_MORE) or at.phrase(_OR_LESS):
        return None
    exact = [{"cost": {"min": number, "max": number}} for number in numbers]
    return exact[0] if len(exact) == 1 else {"any": exact}


def _range(least: int | None, most: int | None) -> dict[str, Any] | None:
    if least is None or most is None or least > most:
        return None
    return {"cost": {"min": least, "max": most}}


def _bounds(least: int | None = None, most: int | None = None) -> dict[str, Any] | None:
    found = {key: value for key, value in (("min", least), ("max", most)) if value is not None}
    return {"cost": found} if found else None


def _beside(number: int | None, step: int) -> int | None:
    return None if number is None else number + step


def joined(at: Cursor) -> str | None:
    """Take what joins the parts of a list; return "and", "or", "/" or ","."""
    comma = at.take(",")
    word = at.phrase(_JOINTS)
    if word is None:
        return comma
    return {"and / or": "or", "&": "and"}.get(word, word)


@dataclass(frozen=True, slots=True)
class Amount:
    """How many: `most` cards, `over` so many, or `limitless`."""

    most: int | None = None
    over: int | None = None
    limitless: bool = False


def amount(at: Cursor) -> Amount | None:
    """Read "up to 7", "as many", "more than 3", "5 or more", "1" before the cards counted."""
    back = at.at
    found = _amount(at)
    if found is None:
        at.at = back
    return found


def _amount(at: Cursor) -> Amount | None:
    if at.phrase(_ANY):
        return Amount(limitless=True)
    if at.phrase(_MORE_THAN):
        number = at.number()
        return None if number is None else Amount(over=number)
    if not at.phrase(_AT_MOST):
        at.phrase(_EXACTLY)
    at.take("a", "the")
    number = at.number()
    if number is None:
        return None
    at.take("total")
    if at.phrase(_OR_MORE):
        return Amount(over=number - 1)
    at.phrase(_OR_LESS)
    return Amount(most=number)
