"""Documents: data files, checked for allowed keys and kinds of values, and their notes on provisional data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date, time
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, TypedDict, TypeVar

from validator.bounds import LONGEST_SHOWN_VALUE
from validator.errors import DocumentError, error_text
from validator.field_docs import doc
from validator.language import ENGLISH, Language, join_phrases, parse_message, phrase

Parsed = TypeVar("Parsed")
# The content of a TOML file, and a table in it. A value may be of any type until `check_keys` has checked it.
Document = Mapping[str, Any]
Table = Mapping[str, Any]

HEAD = phrase("head")  # the place of the keys before the first table
CONFIDENCES = ("high", "medium", "low")

_KINDS: Mapping[type, str] = {
    str: phrase('a text in quotes, such as key = "text"'),
    int: phrase("a whole number without quotes"),
    bool: phrase("true or false"),
    date: phrase("a day without quotes and without a time, such as 2026-04-01"),
    list: phrase("a list in [brackets]"),
    dict: phrase("a table with keys of its own"),
}
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,3}")
_GAME = re.compile(r"[a-z]+")
# The messages of tomllib with their values, for the catalogs too. A `{problem}` is another of these messages.
TOML_MESSAGES = (
    "{problem} (at line {line}, column {column})",
    "{problem} (at end of document)",
    "Cannot declare {value} twice",
    "Cannot mutate immutable namespace {value}",
    "Cannot overwrite a value",
    "Cannot redefine namespace {value}",
    "Duplicate inline table key {value}",
    "Escaped character is not a Unicode scalar value",
    "Expected '=' after a key in a key/value pair",
    "Expected ']' at the end of a table declaration",
    "Expected ']]' at the end of an array declaration",
    "Expected newline or end of document after a statement",
    "Expected {value}",
    "Found invalid character {value}",
    "Illegal character {value}",
    "Invalid date or datetime",
    "Invalid hex value",
    "Invalid initial character for a key part",
    "Invalid statement",
    "Invalid value",
    "Unclosed array",
    "Unclosed inline table",
    "Unescaped '\\' in a string",
    "Unterminated string",
)


def load_document(file: Traversable, parse: Callable[[Document], Parsed]) -> Parsed:
    """Return the result of `parse` for the content of a TOML file.

    Raises DocumentError with the name of the file and the place of the mistake, if the file is no TOML or `parse`
    raises one.
    """
    document = parse_toml(file.name, file.read_text("utf-8"))
    try:
        return parse(document)
    except DocumentError as error:
        raise DocumentError(phrase("{place}: {problem}", place=file.name, problem=error_text(error))) from error


def load_game_document(file: Path, game: str, parse: Callable[[Document], Parsed]) -> Parsed | None:
    """Return the result of `parse` for the content of a TOML file of a game. None if there is no file.

    The result is also None if the game's name has other characters than a to z. Raises DocumentError for an invalid
    file, or for one of another game.
    """
    # The name of a game may come from a request, so only letters are used in a path.
    if not _GAME.fullmatch(game) or not file.is_file():
        return None
    return load_document(file, lambda document: parse(check_game(document, game)))


def check_game(document: Document, game: str) -> Document:
    """Return the document unchanged. Raises DocumentError if its game is not `game`, that of its file name."""
    if document.get("game") != game:
        raise DocumentError(phrase('the file name says the game is {game}; write game = "{game}"', game=game))
    return document


def parse_toml(name: str, text: str) -> Document:
    """Return the document of a TOML text. `name` is the name of its file in errors.

    Raises DocumentError if the text is no TOML, or is nested too deeply.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise DocumentError(
            phrase("{file}: the file is nested too deeply; compare it with a list that ships", file=name)
        ) from None
    except ValueError as error:
        raise DocumentError(
            phrase("{file}: {problem}; correct it; a key is written once", file=name, problem=toml_reason(str(error)))
        ) from error


def toml_reason(message: str) -> str:
    """Return a message of tomllib, to be translated later. A message not in TOML_MESSAGES stays English."""
    return parse_message(message, TOML_MESSAGES)


def check_keys(table: Any, place: str, needed: Mapping[str, type], optional: Mapping[str, type] | None = None) -> None:
    """Raise DocumentError if a table has an unknown, missing or empty key, or a value of a wrong type.

    `needed` and `optional` have the type of each key's value. `place` is the table's place in messages. A value that is
    no table is an error, too.
    """
    check_kind(table, place, dict)
    known = {**needed, **(optional or {})}
    for key, value in table.items():
        if key not in known:
            raise DocumentError(
                phrase("{place}: unknown word {key!r}; known are {known}", place=place, key=key, known=", ".join(known))
            )
        check_kind(value, place, known[key], key)
        if value == "":
            raise DocumentError(phrase("{place}: {key} is empty; write it or take it out", place=place, key=key))
    for key in needed:
        if key not in table:
            raise DocumentError(
                phrase("{place}: {key} is missing; write {kind}", place=place, key=key, kind=_KINDS[needed[key]])
            )


def check_kind(value: Any, place: str, kind: type, *keys: str) -> None:
    """Raise DocumentError if the type of a value is not exactly `kind`.

    So a datetime is no date, and true is no number. `kind` is str, int, bool, date, list or dict. `place` is the
    value's place in the message, and `keys` are its keys below that place.
    """
    if type(value) is not kind:
        raise DocumentError(
            phrase(
                "{place}: {value} should be {kind}",
                place=inner_place(place, *keys),
                value=_shorten_value(value),
                kind=_KINDS[kind],
            )
        )


def inner_place(place: str, *keys: str) -> str:
    """Return the place of keys below a place, for messages: "change 1, ban". Either may be a Phrase."""
    return join_phrases((place, *keys), ", ") if keys else place


def _shorten_value(value: Any) -> str:
    """Return a value for an error as it is written in the file, cut after LONGEST_SHOWN_VALUE characters."""
    if isinstance(value, bool):
        return str(value).lower()
    written = value.isoformat() if isinstance(value, (date, time)) else repr(value)
    return written if len(written) <= LONGEST_SHOWN_VALUE else f"{written[:LONGEST_SHOWN_VALUE]}…"


def check_texts(values: list[Any], place: str, *keys: str) -> tuple[str, ...]:
    """Return a list of texts as a tuple. Raises DocumentError if it has any other value. It may be empty."""
    for value in values:
        check_kind(value, place, str, *keys)
    return tuple(values)


def check_titles(table: Table, place: str) -> None:
    """Raise DocumentError if a table is empty or has a value that is no text."""
    if not table:
        raise DocumentError(phrase('{place}: the table is empty; write at least one key = "text"', place=place))
    check_texts(list(table.values()), place)


def check_word(word: str, place: str, known_words: Collection[str], *keys: str) -> None:
    """Raise DocumentError if a word is not one of the known words. The message lists them."""
    if word not in known_words:
        raise DocumentError(
            phrase(
                "{place}: unknown word {key!r}; known are {known}",
                place=inner_place(place, *keys),
                key=word,
                known=", ".join(known_words),
            )
        )


def check_number(number: str, place: str, *keys: str) -> None:
    """Raise DocumentError if a card number is not in the base spelling, such as "AB01-001".

    Only the spelling is checked.
    """
    if not _NUMBER.fullmatch(number):
        raise DocumentError(
            phrase(
                "{place}: {number!r} is no card number; write the base number as printed, such as AB01-001",
                place=inner_place(place, *keys),
                number=number,
            )
        )


def check_source(source: str, place: str) -> None:
    """Raise DocumentError if the address of a source does not begin with https://."""
    if not source.startswith("https://"):
        raise DocumentError(
            phrase("{place}: source {source!r} is no address; write it in full, https://…", place=place, source=source)
        )


class ProvisionalJSON(TypedDict):
    """A note on data from second-hand sources, which may be wrong, as JSON."""

    reason: Annotated[str, doc("A sentence on the sources and on what may be wrong.")]
    missing: Annotated[list[str], doc("The documents that nobody has read.")]


PROVISIONAL = doc("Only if the data rests on second-hand sources.")


@dataclass(frozen=True, slots=True)
class Provisional:
    """A note that data comes from second-hand sources: the reason as a sentence, and the documents still to be read.

    Rulesets, limits lists and card facts may have one.
    """

    reason: str
    missing: tuple[str, ...]

    def as_dict(self) -> ProvisionalJSON:
        """Return the note as JSON. The caller may change it."""
        return {"reason": self.reason, "missing": list(self.missing)}

    def describe(self, translate: Language = ENGLISH) -> str:
        """Return "Provisional: REASON Not read: DOCUMENTS." in a language."""
        reason, documents = translate.template(self.reason), "; ".join(self.missing)
        return translate("Provisional: {reason} Not read: {documents}.", reason=reason, documents=documents)


def parse_provisional(document: Document, location: str) -> Provisional | None:
    """Return the note in the table `provisional` of a parsed file, None if it has none.

    Raises DocumentError if the table is not exactly a text `reason` and a list of texts `missing`. `location` is the
    file's name in the error.
    """
    if "provisional" not in document:
        return None
    table = document["provisional"]
    check_keys(table, inner_place(location, "provisional"), {"reason": str, "missing": list})
    return Provisional(table["reason"], check_texts(table["missing"], location, "provisional", "missing"))
