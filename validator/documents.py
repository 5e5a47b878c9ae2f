"""Documents: data files, checked for allowed keys and kinds of values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from datetime import date, time
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from validator.bounds import LONGEST_SHOWN_VALUE
from validator.errors import DocumentError

Parsed = TypeVar("Parsed")
# The content of a TOML file, and a table in it. A value may be of any type until `check_keys` has checked it.
Document = Mapping[str, Any]
Table = Mapping[str, Any]

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


def load_document(file: Traversable, parse: Callable[[Document], Parsed]) -> Parsed:
    """Return the parsed content of a data file.

    Raises DocumentError with the name of the file and the place of the mistake.
    """
    document = parse_toml(file.name, file.read_text("utf-8"))
    try:
        return parse(document)
    except DocumentError as error:
        raise DocumentError(f"{file.name}: {error}") from error


def parse_toml(name: str, text: str) -> dict[str, Any]:
    """Return the document of a TOML text. `name` is its file in errors. Raises DocumentError."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise DocumentError(f"{name}: the file is nested too deeply; compare it with a list that ships") from None
    except ValueError as error:
        raise DocumentError(f"{name}: {error}; correct it; a key is written once") from error


def check_keys(table: Any, place: str, needed: Mapping[str, type], optional: Mapping[str, type] | None = None) -> None:
    """Check the keys of a table.

    Raises DocumentError for an unknown, missing or empty key, or a wrong kind of value.
    """
    check_kind(table, place, dict)
    known = {**needed, **(optional or {})}
    for key, value in table.items():
        if key not in known:
            raise DocumentError(f"{place}: unknown word {key!r}; known are {', '.join(known)}")
        check_kind(value, f"{place}, {key}", known[key])
        if value == "":
            raise DocumentError(f"{place}: {key} is empty; write it or take it out")
    for key in needed:
        if key not in table:
            raise DocumentError(f"{place}: {key} is missing; write {_KINDS[needed[key]]}")


def check_kind(value: Any, place: str, kind: type) -> None:
    """Check the kind of a value.

    Raises DocumentError for any other kind. A date with a time is no date, true is no number.
    """
    if type(value) is not kind:
        raise DocumentError(f"{place}: {_shorten_value(value)} should be {_KINDS[kind]}")


def _shorten_value(value: Any) -> str:
    """Return a value as it is written in the file, shortened."""
    if isinstance(value, bool):
        return str(value).lower()
    written = value.isoformat() if isinstance(value, (date, time)) else repr(value)
    return written if len(written) <= LONGEST_SHOWN_VALUE else f"{written[:LONGEST_SHOWN_VALUE]}…"


def check_texts(values: list[Any], place: str) -> tuple[str, ...]:
    """Return a list of texts as a tuple. Raises DocumentError if it has any other value."""
    for value in values:
        check_kind(value, place, str)
    return tuple(values)


def check_titles(table: Table, place: str) -> None:
    """Check a table of texts. Raises DocumentError if it is empty or has any other value."""
    if not table:
        raise DocumentError(f'{place}: the table is empty; write at least one key = "text"')
    check_texts(list(table.values()), place)


def check_word(word: str, place: str, known_words: Collection[str]) -> None:
    """Check a word. Raises DocumentError if it is not one of the known words."""
    if word not in known_words:
        raise DocumentError(f"{place}: unknown word {word!r}; known are {', '.join(known_words)}")


def check_number(number: str, place: str) -> None:
    """Check a card number. Raises DocumentError if it is not in the base spelling."""
    if not _NUMBER.fullmatch(number):
        raise DocumentError(
            f"{place}: {number!r} is no card number; write the base number as printed, such as AB01-001"
        )


def check_source(source: str, place: str) -> None:
    """Check the address of a source. Raises DocumentError if it does not begin with https."""
    if not source.startswith("https://"):
        raise DocumentError(f"{place}: source {source!r} is no address; write it in full, https://…")
