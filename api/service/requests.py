"""Requests: parsed JSON read as decks and requests, in one pass, with a pointer to everything wrong.

Nothing here knows the rules of a game.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from functools import lru_cache
from typing import Any
from typing import NamedTuple

import orjson
from msgspec import UNSET

from api.service.errors import MOST_ERRORS
from api.service.errors import Invalid
from api.service.errors import NotJson
from api.service.errors import Wrong
from validator.deck import MOST_COPIES
from validator.deck import MOST_LINES
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import Line
from validator.rules import Policy
from validator.texts import doubt

LONGEST_TEXT = 200  # characters of a number, a name or any other short text
LONGEST_DECKLIST = 200_000  # characters, as the readers take them; a list of 1,000 lines has under 60,000
MOST_DELAY = 3650  # days
EARLIEST = date(1990, 1, 1)
LATEST = date(2999, 12, 31)

_LINE_KEYS = frozenset({"number", "name", "count"})
_SECTIONS = frozenset(SECTIONS)
_TERM_KEYS = frozenset({"ruleset", "game", "on", "region", "format", "policy"})
REQUEST_KEYS = _TERM_KEYS | {"deck", "decklist", "explain"}
# Control characters and lone surrogates: nobody types them, and neither a log nor a sheet can bear them.
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Errors = list[Wrong]


class Asked(NamedTuple):
    """The terms as a request asks for them; None is what it leaves open."""

    ruleset: str | None = None
    game: str | None = None
    on: date | None = None
    region: str | None = None
    format: str | None = None
    policy: Policy | None = None


class Validation(NamedTuple):
    """A validate request: the terms asked for, and a deck or a text that is one."""

    asked: Asked
    deck: Deck | None
    decklist: str | None
    explain: bool


class Swap(NamedTuple):
    """A swap request: the terms asked for, and the deck before and after, each a deck or a text that is one."""

    asked: Asked
    before: Deck | str
    after: Deck | str
    explain: bool


def parsed(body: bytes | str) -> Any:
    """Return what a JSON text holds; NotJson says where it ends being JSON."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise NotJson(f"This is not JSON: {error}.") from None


def validation(data: Any, known: frozenset[str] = REQUEST_KEYS) -> Validation:
    """Read a validate request, which may have entries that others read; Invalid has all that is wrong with it."""
    if type(data) is not dict:
        raise Invalid(
            [Wrong("", f"Write a JSON object with ruleset or game, and deck or decklist, not {_kind(data)}.")]
        )
    errors: Errors = []
    if not data.keys() <= known:
        errors += _unknown(data, known, "", "this request")
    asked = _asked(data, errors)
    deck, decklist = _deck_or_list(data, errors)
    explain = _explain(data, errors)
    if errors:
        raise Invalid(errors)
    return Validation(asked, deck, decklist, explain)


def swap(data: Any) -> Swap:
    """Read a swap request; Invalid has all that is wrong with it."""
    if type(data) is not dict:
        raise Invalid([Wrong("", f"Write a JSON object with ruleset or game, before and after, not {_kind(data)}.")])
    errors: Errors = []
    if not data.keys() <= _SWAP_KEYS:
        errors += _unknown(data, _SWAP_KEYS, "", "a swap request")
    asked = _asked(data, errors)
    before, after = (_deck_or_text(data, key, errors) for key in ("before", "after"))
    explain = _explain(data, errors)
    if errors:
        raise Invalid(errors)
    return Swap(asked, before, after, explain)


def deck(data: Any, pointer: str = "/deck") -> Deck:
    """Read a deck; Invalid has all that is wrong with it."""
    errors: Errors = []
    found = _deck(data, pointer, errors)
    if errors:
        raise Invalid(errors)
    return found


def text(value: Any, pointer: str, errors: Errors, longest: int = LONGEST_TEXT) -> str:
    """Return a text that can be written; what is wrong with another is added to `errors`."""
    if type(value) is not str:
        errors.append(Wrong(pointer, f"Write a text, not {_kind(value)}."))
    elif not value.strip():
        errors.append(Wrong(pointer, "This is empty; write something or leave it out."))
    elif wrong := doubt(value, longest):
        errors.append(Wrong(pointer, f"This {wrong}."))
    elif not value.isprintable() and (found := _UNWRITABLE.search(value)):
        errors.append(Wrong(pointer, f"This has the unprintable character U+{ord(found[0]):04X}; take it out."))
    else:
        return value
    return ""


def is_writable(value: Any) -> bool:
    """Tell whether something is a text with nothing wrong with it."""
    errors: Errors = []
    text(value, "", errors)
    return not errors


def decklist(value: Any, pointer: str, errors: Errors) -> str:
    """Return the text of a decklist; what is wrong with another value is added to `errors`."""
    if type(value) is not str:
        errors.append(Wrong(pointer, f"Write the decklist as a text, not as {_kind(value)}."))
    elif len(value) > LONGEST_DECKLIST:
        errors.append(Wrong(pointer, f"This has {len(value)} characters; at most {LONGEST_DECKLIST} are read."))
    else:
        return value
    return ""


@lru_cache(maxsize=1024)
def day(written: str) -> date:
    """Return the day that an ISO date means; a ValueError says what to write."""
    if not _DAY.fullmatch(written):
        raise ValueError("Write a date as 2026-01-15.")
    try:
        found = date.fromisoformat(written)
    except ValueError:
        raise ValueError(f"{written} is no day of the calendar.") from None
    if not EARLIEST <= found <= LATEST:
        raise ValueError(f"Write a date from {EARLIEST} to {LATEST}.")
    return found


def _asked(data: Mapping[str, Any], errors: Errors) -> Asked:
    if "policy" not in data:
        with suppress(TypeError, Invalid):  # something that no term can be; what follows says so
            return terms(*[data.get(key, UNSET) for key in _PLAIN_TERMS])
    found = {key: read(data[key], errors) for key, read in _TERMS.items() if key in data}
    if "ruleset" not in found and "game" not in found:
        errors.append(_NEITHER)
    return Asked(**found)


_NEITHER = Wrong("/ruleset", "Name a ruleset, or a game whose ruleset of the day is meant.")
_PLAIN_TERMS = ("ruleset", "game", "on", "region", "format")


# What is refused is not remembered: nobody fills the memory with what he may not ask.
@lru_cache(maxsize=1024)
def terms(*values: object) -> Asked:
    """Return the terms that ruleset, game, on, region and format are; Invalid where one is wrong.

    UNSET stands for what is left out.
    """
    given = {key: value for key, value in zip(_PLAIN_TERMS, values, strict=True) if value is not UNSET}
    errors: Errors = []
    found = {key: _TERMS[key](value, errors) for key, value in given.items()}
    if not found.keys() & {"ruleset", "game"}:
        errors.append(_NEITHER)
    if errors:
        raise Invalid(errors)
    return Asked(**found)


def _short(key: str) -> Callable[[Any, Errors], str]:
    return lambda value, errors: text(value, f"/{key}", errors)


def _on(value: Any, errors: Errors) -> date | None:
    try:
        return day(value)
    except TypeError:
        errors.append(Wrong("/on", f"Write a date as 2026-01-15, not {_kind(value)}."))
    except ValueError as error:
        errors.append(Wrong("/on", str(error)))
    return None


_POLICY: Mapping[str, tuple[type, int]] = {
    "side_max": (int, MOST_COPIES),
    "copies_across_side": (bool, 1),
    "release_delay_days": (int, MOST_DELAY),
    "release": (bool, 1),
    "limits": (bool, 1),
    "swap_one_for_one": (bool, 1),
}


def _policy(value: Any, errors: Errors) -> Policy | None:
    if type(value) is not dict:
        errors.append(Wrong("/policy", f"Write an object, not {_kind(value)}."))
        return None
    errors += _unknown(value, _POLICY, "/policy", "a policy")
    known = {key: _whole(value[key]) for key in _POLICY if key in value}
    wrong = [Wrong(f"/policy/{key}", _wanted(*_POLICY[key])) for key in known if not _is(known[key], *_POLICY[key])]
    errors += wrong
    return None if wrong else Policy(**known)


def _is(value: Any, kind: type, most: int) -> bool:
    return type(value) is kind and value in range(most + 1)


def _wanted(kind: type, most: int) -> str:
    return "Write true or false." if kind is bool else f"Write a whole number from 0 to {most}."


_TERMS: Mapping[str, Callable[[Any, Errors], Any]] = {
    "ruleset": _short("ruleset"),
    "game": _short("game"),
    "on": _on,
    "region": _short("region"),
    "format": _short("format"),
    "policy": _policy,
}
_SWAP_KEYS = _TERM_KEYS | {"before", "after", "explain"}


def _deck_or_list(data: Mapping[str, Any], errors: Errors) -> tuple[Deck | None, str | None]:
    if "deck" in data:
        if "decklist" in data:
            errors.append(Wrong("/decklist", "Give deck or decklist, not both."))
        return _deck(data["deck"], "/deck", errors), None
    if "decklist" in data:
        return None, decklist(data["decklist"], "/decklist", errors)
    errors.append(Wrong("/deck", "Give a deck, or a decklist as text."))
    return None, None


def _deck_or_text(data: Mapping[str, Any], key: str, errors: Errors) -> Deck | str:
    if key not in data:
        errors.append(Wrong(f"/{key}", "Give the deck, or its decklist as text."))
        return ""
    if type(data[key]) is str:
        return decklist(data[key], f"/{key}", errors)
    return _deck(data[key], f"/{key}", errors)


def _explain(data: Mapping[str, Any], errors: Errors) -> bool:
    explain = data.get("explain", False)
    if explain is not False and explain is not True:
        errors.append(Wrong("/explain", "Write true or false."))
    return explain is True


def _deck(data: Any, pointer: str, errors: Errors) -> Deck:
    if type(data) is not dict:
        errors.append(Wrong(pointer, f"Write an object with the sections {', '.join(SECTIONS)}, not {_kind(data)}."))
        return Deck()
    if not data.keys() <= _SECTIONS:
        errors += _unknown(data, _SECTIONS, pointer, "a deck")
    if sum([len(items) for items in data.values() if type(items) is list]) > MOST_LINES:
        errors.append(Wrong(pointer, f"A deck has at most {MOST_LINES} lines."))
        return Deck()
    used = [section for section in SECTIONS if section in data]
    read: dict[str, Any] = {section: _section(data[section], f"{pointer}/{section}", errors) for section in used}
    return Deck(**read)


def _section(items: Any, pointer: str, errors: Errors) -> tuple[Line, ...]:
    if type(items) is not list:
        errors.append(Wrong(pointer, f"Write a list of lines, not {_kind(items)}."))
        return ()
    return tuple(_line(item, f"{pointer}/{at}", errors) for at, item in enumerate(items))


def _line(item: Any, pointer: str, errors: Errors) -> Line:
    if type(item) is not dict:
        errors.append(Wrong(pointer, f'Write a line as {{"number": …, "count": …}}, not {_kind(item)}.'))
        return _NO_LINE
    before = len(errors)
    if not item.keys() <= _LINE_KEYS:
        errors += _unknown(item, _LINE_KEYS, pointer, "a line")
    number = _text_or_none(item, "number", pointer, errors)
    name = _text_or_none(item, "name", pointer, errors)
    if number is None and name is None:
        errors.append(Wrong(pointer, "Name the card of this line by number or by name."))
    count = _count(item, f"{pointer}/count", errors)
    if len(errors) > before:
        return _NO_LINE
    return Line(number, count, name)


_NO_LINE = Line(None, 0)  # stands for one that is refused


def _text_or_none(item: Mapping[str, Any], key: str, pointer: str, errors: Errors) -> str | None:
    value = item.get(key)
    return None if value is None else text(value, f"{pointer}/{key}", errors)


def _whole(value: Any) -> Any:
    """Return a number without a fraction as an integer, which JSON does not tell from 4.0, and all else as it is."""
    return int(value) if type(value) is float and value.is_integer() else value


def _count(item: Mapping[str, Any], pointer: str, errors: Errors) -> int:
    count = _whole(item.get("count"))
    if type(count) is int and 1 <= count <= MOST_COPIES:
        return count
    said = f"not {_shown(count)}" if "count" in item else "there is none"
    errors.append(Wrong(pointer, f"Write the count as a whole number from 1 to {MOST_COPIES}, {said}."))
    return 0


def _unknown(data: Mapping[Any, Any], known: Iterable[str], pointer: str, what: str) -> Errors:
    foreign = [key for key in data if key not in known][:MOST_ERRORS]
    names = ", ".join(sorted(known))
    return [Wrong(f"{pointer}/{escaped(key)}", f"There is no such entry in {what}; it has {names}.") for key in foreign]


def escaped(key: str) -> str:
    """Return a key as a JSON pointer writes it (RFC 6901), shortened where it is absurd."""
    return _UNWRITABLE.sub("�", key[:LONGEST_TEXT]).replace("~", "~0").replace("/", "~1")


_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "this")


def _shown(value: Any) -> str:
    """Return a wrong value as a sentence may quote it."""
    if isinstance(value, bool) or value is None or isinstance(value, int | float):
        return str(value).lower()[:40]
    return _kind(value)
