"""Community files: card data as other people's projects publish it, each format recognised by its content."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

import orjson

from carddb.errors import CardDataError
from carddb.errors import RecordError
from carddb.problems import problems_in
from carddb.sources.pages import Page
from carddb.sources.printings import Found

Record = Mapping[str, Any]


class Format(NamedTuple):
    """How one project writes cards of one game.

    A file is of the format if its first record has all the `fields`. `card` makes a record a card, or
    raises a RecordError; `remarks` says what of a file's cards is not as printed.
    """

    title: str
    game: str
    fields: frozenset[str]
    card: Callable[[Record, str], Found]
    remarks: Callable[[Sequence[Record]], Iterator[str]]


def read(records: Sequence[Record], of: Format, name: str, game: str) -> Page:
    """Return the cards of a file's records; a CardDataError says which of them cannot be read."""
    if of.game != game:
        raise CardDataError(f"{name} is {of.title}: cards of {of.game}, not of {game}.")
    found: list[Found] = []
    problems: list[str] = []
    for at, record in enumerate(records, 1):
        try:
            found.append(of.card(record, f"{name}, card {at}"))
        except ValueError as error:
            problems.append(f"card {at}: {error}")
    if problems:
        raise CardDataError(problems_in(name, problems))
    return Page(tuple(found), tuple(f"{name}: {remark}" for remark in of.remarks(records)))


def is_json(data: bytes) -> bool:
    """Tell whether a file looks like JSON."""
    return data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")


def records_in(data: bytes, name: str) -> list[Record]:
    """Return the records of a JSON file, a list of them or an object that has them by id; none if it has others."""
    try:
        document = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise CardDataError(f"{name} is no JSON ({error}).") from None
    if isinstance(document, dict):
        document = list(document.values())
    return document if all(isinstance(record, dict) for record in document) else []


def text(record: Record, field: str) -> str:
    """Return a text, "" where there is none; a RecordError if the field is something else."""
    value = record.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RecordError(f"{field} is {str(value)[:60]!r}, which is no text")
    return value


def whole(record: Record, field: str) -> int | None:
    """Return a number, None where there is none; a RecordError if the field is something else."""
    value = record.get(field)
    if value is not None and (type(value) is not int or not 0 <= value < 10_000_000):
        raise RecordError(f"{field} is {str(value)[:60]!r}, which is no number of a card")
    return value


def texts(record: Record, field: str) -> tuple[str, ...]:
    """Return a list of texts; a RecordError if the field is something else."""
    value = record.get(field) or []
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise RecordError(f"{field} is {str(value)[:60]!r}, which is no list of texts")
    return tuple(value)
