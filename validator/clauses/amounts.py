"""Numbers in card texts: costs of cards, and numbers of cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from validator.clauses.combining import Match, combine_any
from validator.clauses.tokens import Cursor, Runs, parse_runs


class Amount(NamedTuple):
    """A number from `least` to `most`. None is no limit on that side."""

    least: int | None = None
    most: int | None = None

    @property
    def over(self) -> int | None:
        """The largest number that is too small. None if there is no lower limit or if there is an upper limit."""
        return None if self.least is None or self.most is not None else self.least - 1


_Bound = tuple[Runs, Callable[[int], Amount]]

_BEFORE: tuple[_Bound, ...] = (
    (parse_runs("at least|greater than or equal to|equal to or greater than"), lambda number: Amount(least=number)),
    (
        parse_runs(
            "at most|up to [a] [total] [of]|a [combined] total of up to|a maximum of|no/not more than [a] [total] [of]|"
            "less than or equal to|equal to or less than"
        ),
        lambda number: Amount(most=number),
    ),
    (parse_runs("more/greater/higher than|over|above|exceeding"), lambda number: Amount(least=number + 1)),
    (parse_runs("less/fewer/lower than|under|below"), lambda number: Amount(most=number - 1)),
)
_AFTER: tuple[_Bound, ...] = (
    (parse_runs("or more/greater/higher/above/over|+"), lambda number: Amount(least=number)),
    (parse_runs("or less/fewer/lower/below/under"), lambda number: Amount(most=number)),
)
_ANY = parse_runs("as many|[an] unlimited [number/amount] [of]|any number/amount [of]")
_EXACTLY = parse_runs("exactly|a total of|a")


def read_costs(cursor: Cursor) -> Match | None:
    """Read "3 or less", "2 to 4" or "4, 6 or 7" as a match on the cost. A single number is exact.

    Return None if there is no cost or if the list is ambiguous.
    """
    first = _read_number(cursor)
    if first is None:
        return None
    amounts = [first]
    if first.least == first.most:
        amounts += [Amount(number, number) for _, number in cursor.read_more(Cursor.take_number)]
    # "4, 6 or more" does not show if 5 is included.
    if len(amounts) > 1 and _read_bound(cursor, _AFTER):
        return None
    return combine_any(_cost_match(*amount) for amount in amounts)


def _cost_match(least: int | None, most: int | None) -> Match:
    """Return the match on a range of costs."""
    return {"cost": {key: end for key, end in (("min", least), ("max", most)) if end is not None}}


def read_amount(cursor: Cursor) -> Amount | None:
    """Read the number before the cards: "up to 7", "as many", "more than 3", "5 or more", "1".

    None if there is none.
    """
    if cursor.take_phrase(_ANY):
        return Amount()
    counted = cursor.try_read(_read_number)
    if counted:
        cursor.take("total")
    return counted


def _read_number(cursor: Cursor) -> Amount | None:
    """Read a number or a range with the words before and after it. None if there is none."""
    if bound := _read_bound(cursor, _BEFORE):
        number = cursor.take_number()
        return None if number is None else bound(number)
    between = cursor.take("between", "from")
    cursor.take_phrase(_EXACTLY)
    least = cursor.take_number()
    if least is None:
        return None
    if bound := _read_bound(cursor, _AFTER):
        return bound(least)
    most = cursor.take_number() if cursor.take("-", "to", *(("and",) if between else ())) else least
    return None if most is None or least > most else Amount(least, most)


def _read_bound(cursor: Cursor, bounds: tuple[_Bound, ...]) -> Callable[[int], Amount] | None:
    """Read one of these phrases, and return the function from a number to its amount. None if there is none."""
    return next((bound for phrases, bound in bounds if cursor.take_phrase(phrases)), None)
