"""Documents: data files, checked for allowed keys and kinds of values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from datetime import date
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from validator.errors import DocumentError

Parsed = TypeVar("Parsed")

CONFIDENCES = ("high", "medium", "low")

_KINDS: Mapping[type, str] = {
    str: 'a text in quotes, such as key = "text"',
    int: "a whole number without quotes",
    bool: "true or false",
    date: "a day without quotes and without a time, such as 2026-04-01",
    list: "a list in [brackets]",
    dict: "a table with keys of its own",
}
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,3}")


def load(file: Traversable, parse: Callable[[Mapping[str, Any]], Parsed]) -> Parsed:
    """Return the parsed content of a data file.

    Raises DocumentError with the name of the file and the place of the mistake.
    """
    try:
        return parse(tomllib.loads(file.read_text("utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise DocumentError(f"{file.name}: {error}; correct it; a key is written once") from error
    except DocumentError as error:
        raise DocumentError(f"{file.name}: {error}") from error


def check_keys(table: Any, where: str, needed: Mapping[str, type], optional: Mapping[str, type] | None = None) -> None:
    """Check the keys of a table.

    Raises DocumentError for an unknown, missing or empty key, or a wrong kind of value.
    """
    check_kind(table, where, dict)
    known = {**needed, **(optional or {})}
    for key, value in table.items():
        if key not in known:
            raise DocumentError(f"{where}: unknown word {key!r}; known are {', '.join(known)}")
        check_kind(value, f"{where}, {key}", known[key])
        if value == "":
            raise DocumentError(f"{where}: {key} is empty; write it or take it out")
    for key in needed:
        if key not in table:
            raise DocumentError(f"{where}: {key} is missing; write {_KINDS[needed[key]]}")


def check_kind(value: Any, where: str, kind: type) -> None:
    """Check the kind of a value.

    Raises DocumentError for any other kind. A date with a time is no date, true is no number.
    """
    if type(value) is not kind:
        raise DocumentError(f"{where}: {value!r} should be {_KINDS[kind]}")


def check_texts(values: list[Any], where: str) -> tuple[str, ...]:
    """Return a list of texts as a tuple. Raises DocumentError if it has any other value."""
    for value in values:
        check_kind(value, where, str)
    return tuple(values)


def check_titles(table: Mapping[str, Any], where: str) -> None:
    """Check a table of texts. Raises DocumentError if it is empty or has any other value."""
    if not table:
        raise DocumentError(f'{where}: the table is empty; write at least one key = "text"')
    check_texts(list(table.values()), where)


def check_word(word: str, where: str, known: Collection[str]) -> None:
    """Check a word. Raises DocumentError if it is not one of the known words."""
    if word not in known:
        raise DocumentError(f"{where}: unknown word {word!r}; known are {', '.join(known)}")


def check_number(number: str, where: str) -> None:
    """Check a card number. Raises DocumentError if it is not in the base spelling."""
    if not _NUMBER.fullmatch(number):
        raise DocumentError(
            f"{where}: {number!r} is no card number; write the base number as printed, such as AB01-001"
        )


def check_source(source: str, where: str) -> None:
    """Check the address of a source. Raises DocumentError if it does not begin with https."""
    if not source.startswith("https://"):
        raise DocumentError(f"{where}: source {source!r} is no address; write it in full, https://…")
