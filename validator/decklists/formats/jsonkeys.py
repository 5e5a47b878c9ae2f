"""JSON keys: what programs call the number, the count, the name and the place of a card."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from validator.deck import MOST_COPIES
from validator.decklists.section_counts import counted_section
from validator.decklists.source import sound
from validator.numbers import NUMBER_SHAPE
from validator.tables import headings
from validator.tables.headings import CARD, COUNT, NUMBER

_WIDEST = 3  # digits of a count
LONGEST = 200  # characters of an entry kept as raw text

# What programs call these, small and without marks.
_NUMBERS = ("number", "cardid", "cardnumber", "cardnum", "cardcode", "cardno", "code", "id", "card")
_IMAGES = ("img", "image")  # where all else fails: a file named after the number
_COUNTS = ("count", "qty", "quantity", "copies", "amount", "amountindeck")
_NAMES = ("name", "cardname", "title")
_PLACES = ("section", "zone", "board")
_SIDES = ("side", "sideboard", "issideboard", "isside", "insideboard", "sidedeck")  # beside a count: yes or no
_SETS = ("set", "setcode", "setid")  # where the number is the card's own digits alone
NESTED = ("card", "carddata")
_KNOWN = frozenset((*_NUMBERS, *_IMAGES, *_COUNTS, *_NAMES, *_PLACES, *_SETS, *NESTED))
# By these words keys say the same in other words: "copiesInDeck", "カード番号".
_SAYS = {NUMBER: "number", CARD: "name"}
# The objects of a table of Tabletop Simulator, and those that lie in one of them.
_OBJECTS = ("ObjectStates", "ContainedObjects")
_TOLD = ("Description", "Nickname", "GMNotes", "CustomDeck")  # where such an object may have the number
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_MARKS = re.compile(r"[^a-z0-9]+")


def words(key: str) -> str:
    """Return a key as words: "mainDeck" and "main_deck" are "main deck"."""
    return " ".join(_WORD.findall(key[:LONGEST])) or key[:LONGEST]


def folded(key: str) -> str:
    """Return a key small and without marks."""
    return _MARKS.sub("", key.casefold())


def flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry with its keys folded, and what a card nested in it says where itself is silent."""
    keys = {folded(key): value for key, value in entry.items()}
    every = entry
    for nested in NESTED:
        if isinstance(inner := keys.get(nested), dict):
            del keys[nested]
            keys = {folded(key): value for key, value in inner.items()} | keys
            every = {**inner, **every}
    return keys if keys.keys() <= _KNOWN else keys | _said(every, keys)


def spread(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an entry with counts by section as its own keys: `{"quantity": {"main": 4, "side": 1}}`."""
    if not any(isinstance(value, dict) for value in entry.values()):
        return entry
    own: dict[str, Any] = {}
    for key, value in entry.items():
        own |= value if isinstance(value, dict) and _counts_sections(value) else {key: value}
    return own


def _counts_sections(value: Mapping[str, Any]) -> bool:
    """Return True if a mapping has nothing but sections with whole numbers."""
    return bool(value) and all(counted_section(words(key)) and _whole(each) is not None for key, each in value.items())


def _said(entry: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an entry and its nested card say by other keys; a list is a count that several say differently."""
    said: dict[str, list[Any]] = {}
    for key, value in entry.items():
        if (meant := _meant(key[:LONGEST])) and meant not in keys:
            said.setdefault(meant, []).append(value)
    return {meant: each[0] if all(value == each[0] for value in each) else each for meant, each in said.items()}


def role(key: str) -> str | None:
    """Return "number", "name" or "count" for a key of one of these, None for any other."""
    each = {"number": _NUMBERS, "name": _NAMES, "count": _COUNTS}
    return next((role for role, keys in each.items() if folded(key) in keys), _meant(key[:LONGEST]))


@lru_cache(maxsize=256)  # a list has the same keys in every entry
def _meant(key: str) -> str | None:
    if folded(key) in _KNOWN:
        return None
    role, rank = headings.called(words(key)) or ("", 0)
    if headings.says_count(words(key).casefold().split()) or (role == COUNT and rank < headings.SURE):
        return "count"
    return _SAYS.get(role)


def place(keys: Mapping[str, Any]) -> Any:
    """Return what an entry says of its section."""
    return _first(keys, _PLACES)


def name(keys: Mapping[str, Any]) -> str:
    """Return the name that an entry says, "" where it has none."""
    return _text(_first(keys, _NAMES)).strip()


def number(keys: Mapping[str, Any]) -> str:
    """Return the number that an entry says, "" where it has none."""
    number = _text(_first(keys, _NUMBERS)).strip().lstrip("#").partition("#")[0]
    set = _text(_first(keys, _SETS)).strip()
    if set and number[:1].isdigit() and NUMBER_SHAPE.fullmatch(together := f"{set}-{number}"):
        return together
    image = NUMBER_SHAPE.match(_text(_first(keys, _IMAGES)))
    return number or (image[0] if image else "")


def counts(keys: Mapping[str, Any]) -> Sequence[Any]:
    """Return what an entry says of its copies: nothing, a count, or several that differ."""
    count = next((keys[key] for key in _COUNTS if key in keys), ())
    return count if isinstance(count, list | tuple) else (count,)


def says_name(keys: Mapping[str, Any]) -> bool:
    """Tell whether an entry has a name."""
    return isinstance(_first(keys, _NAMES), str)


def unexplained(keys: Mapping[str, Any]) -> dict[str, int]:
    """Return what in an entry without a count may be one: whole numbers that are neither printed nor places."""
    numbers = {key: number for key, value in keys.items() if (number := _whole(value)) is not None}
    return {
        key: number
        for key, number in numbers.items()
        if 0 < number <= MOST_COPIES and key not in _KNOWN and not headings.says_fact((key,))
    }


def _whole(value: Any) -> int | None:
    """Return the whole number that a value is, also if it is written as text, None for any other value."""
    if isinstance(value, str) and len(value) <= _WIDEST and value.isascii() and value.isdigit():
        return int(value)
    return value if type(value) is int else None


def side(keys: Mapping[str, Any]) -> str:
    """Return what an entry answers to whether its card is in the side deck, "" if it does not."""
    value = _first(keys, _SIDES)
    return ("yes" if value else "no") if isinstance(value, bool) else cell(value)


def cell(value: Any) -> str:
    """Return a value as a cell of a table has it: "" for null, "?" for what is neither a text nor a number."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else "?"


def has_cards(entry: Mapping[str, Any]) -> bool:
    """Return True if an entry holds lists or mappings besides one of its own card."""
    return any(
        isinstance(value, list) or (isinstance(value, dict) and folded(key) not in NESTED)
        for key, value in entry.items()
    )


def objects(value: Mapping[str, Any]) -> Sequence[Any]:
    """Return what lies in a save or in a pile of Tabletop Simulator; nothing for any other mapping."""
    return next((held for key in _OBJECTS if isinstance(held := value.get(key), list)), ())


def of_object(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the entry that a card of Tabletop Simulator is, None for any other mapping."""
    if "CardID" not in value or "Nickname" not in value:
        return None
    told = (NUMBER_SHAPE.search(json.dumps(value.get(key), ensure_ascii=False)[:LONGEST]) for key in _TOLD)
    number = next((found[0] for found in told if found), "")
    return {"number": number, "name": _text(value["Nickname"]).replace(number, " ").strip(" -[]()")}


def _first(keys: Mapping[str, Any], wanted: Sequence[str]) -> Any:
    return next((keys[key] for key in wanted if keys.get(key) is not None), None)


def _text(value: Any) -> str:
    return sound(value) if isinstance(value, str) else str(value) if type(value) is int else ""
