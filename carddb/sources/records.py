"""Records: the cards of a community file with its own fields, and functions that read a field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from carddb.errors import RecordError
from carddb.sources.printings import PrintedCard
from validator.language import phrase
from validator.numbers import OFFICIAL, normal

Record = Mapping[str, Any]


class RecordFormat(NamedTuple):
    """The format (fields of a record) in which one project publishes the cards of one game.

    `title` names it in messages. A file has the format if its first record has all the `fields`. `card` makes a card of
    a record and its place (for messages), or raises RecordError. `remarks` yields notices on the facts of all records
    that are not as printed.
    """

    title: str
    game: str
    fields: frozenset[str]
    card: Callable[[Record, str], PrintedCard]
    remarks: Callable[[Sequence[Record]], Iterator[str]]


def text_field(record: Record, field: str) -> str:
    """Return the text of a field, "" if it is missing or null. Raises RecordError if the field is something else."""
    value = record.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RecordError(phrase("{field} is {value!r}, which is no text", field=field, value=str(value)[:60]))
    return value


def number_field(record: Record, field: str) -> int | None:
    """Return the whole number of a field, None if it is missing or null.

    Raises RecordError if the field is something else, negative or above 9,999,999.
    """
    value = record.get(field)
    if value is not None and (type(value) is not int or not 0 <= value < 10_000_000):
        raise RecordError(
            phrase("{field} is {value!r}, which is no number of a card", field=field, value=str(value)[:60])
        )
    return value


def texts_field(record: Record, field: str) -> tuple[str, ...]:
    """Return the list of texts of a field, () if it is missing, null or empty.

    Raises RecordError if it is something else.
    """
    value = record.get(field) or []
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise RecordError(phrase("{field} is {value!r}, which is no list of texts", field=field, value=str(value)[:60]))
    return tuple(value)


def parse_card_number(game: str, printed: str) -> tuple[str, str]:
    """Return `(number, suffix)` of a printed card number, normalised: `OP01-016_p1` → ("OP01-016", "_p1").

    The suffix is "" if there is none. Raises RecordError if the text does not have the form of the game's numbers.
    """
    card_number, suffix = normal(printed, game)
    if not OFFICIAL[game].fullmatch(card_number):
        raise RecordError(phrase("{number!r} is no card number", number=printed[:60]))
    return card_number, suffix
