"""Numbers in card texts: what a card costs, and how many cards there may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from validator.clauses.combining import Match, either
from validator.clauses.tokens import Cursor, Runs, runs


class Amount(NamedTuple):
    """A number from `least` to `most`; any number, with neither."""

    least: int | None = None
    most: int | None = None

    @property
    def over(self) -> int | None:
        """The number that it is more than, None where it has an upper end."""
        return None if self.least is None or self.most is not None else self.least - 1


_Bound = tuple[Runs, Callable[[int], Amount]]

_BEFORE: tuple[_Bound, ...] = (
    (runs("at least|greater than or equal to|equal to or greater than"), lambda number: Amount(least=number)),
    (
        runs(
            "at most|up to [a] [total] [of]|a [combined] total of up to|a maximum of|no/not more than [a] [total] [of]|"
            "less than or equal to|equal to or less than"
        ),
        lambda number: Amount(most=number),
    ),
    (runs("more/greater/higher than|over|above|exceeding"), lambda number: Amount(least=number + 1)),
    (runs("less/fewer/lower than|under|below"), lambda number: Amount(most=number - 1)),
)
_BEHIND: tuple[_Bound, ...] = (
    (runs("or more/greater/higher/above/over|+"), lambda number: Amount(least=number)),
    (runs("or less/fewer/lower/below/under"), lambda number: Amount(most=number)),
)
_ANY = runs("as many|[an] unlimited [number/amount] [of]|any number/amount [of]")
_EXACTLY = runs("exactly|a total of|a")


def costs(at: Cursor) -> Match | None:
    """Read "3 or less", "2 to 4", "4, 6 or 7" as a match on the cost; a number alone is exact."""
    first = _number(at)
    if first is None:
        return None
    amounts = [first]
    if first.least == first.most:
        amounts += [Amount(number, number) for _, number in at.more(Cursor.number)]
    # "4, 6 or more": is 5 among them?
    if len(amounts) > 1 and _bound(at, _BEHIND):
        return None
    return either(_cost(*amount) for amount in amounts)


def _cost(least: int | None, most: int | None) -> Match:
    return {"cost": {key: end for key, end in (("min", least), ("max", most)) if end is not None}}


def amount(at: Cursor) -> Amount | None:
    """Read "up to 7", "as many", "more than 3", "5 or more", "1" before the cards counted."""
    if at.phrase(_ANY):
        return Amount()
    counted = at.tried(_number)
    if counted:
        at.take("total")
    return counted


def _number(at: Cursor) -> Amount | None:
    if bound := _bound(at, _BEFORE):
        number = at.number()
        return None if number is None else bound(number)
    between = at.take("between", "from")
    at.phrase(_EXACTLY)
    least = at.number()
    if least is None:
        return None
    if bound := _bound(at, _BEHIND):
        return bound(least)
    most = at.number() if at.take("-", "to", *(("and",) if between else ())) else least
    return None if most is None or least > most else Amount(least, most)


def _bound(at: Cursor, bounds: tuple[_Bound, ...]) -> Callable[[int], Amount] | None:
    return next((bound for phrases, bound in bounds if at.phrase(phrases)), None)
