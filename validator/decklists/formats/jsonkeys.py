"""JSON keys: the names that programs use for the number, the count, the name and the section of a card.

Called by `jsoncards`, `jsondecks` and `stacks`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from validator.deck import MOST_COPIES
from validator.decklists.source import sound
from validator.numbers import NUMBER_SHAPE
from validator.tables import headings
from validator.tables.headings import CARD, COUNT, NUMBER
from validator.tables.section_counts import counted_section

_WIDEST = 3  # digits of a count
LONGEST = 200  # characters of an entry kept as raw text

# The names that programs use, in lower case and without marks.
_NUMBERS = ("number", "cardid", "cardnumber", "cardnum", "cardcode", "cardno", "code", "id", "card")
_IMAGES = ("img", "image")  # last resort: a file named after the number
_COUNTS = ("count", "qty", "quantity", "copies", "amount", "amountindeck")
_NAMES = ("name", "cardname", "title")
_PLACES = ("section", "zone", "board")
_SIDES = ("side", "sideboard", "issideboard", "isside", "insideboard", "sidedeck")  # beside a count: yes or no
_SETS = ("set", "setcode", "setid")  # if the number is only the card's own digits
NESTED = ("card", "carddata")
_KNOWN = frozenset((*_NUMBERS, *_IMAGES, *_COUNTS, *_NAMES, *_PLACES, *_SETS, *NESTED))
# Roles of keys with other wordings: "copiesInDeck", "カード番号".
_ROLE_NAMES = {NUMBER: "number", CARD: "name"}
# The objects of a table of Tabletop Simulator, and those that lie in one of them.
_OBJECTS = ("ObjectStates", "ContainedObjects")
_NUMBER_FIELDS = (
    "Description",
    "Nickname",
    "GMNotes",
    "CustomDeck",
)  # fields of such an object that may have the number
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_MARKS = re.compile(r"[^a-z0-9]+")


def split_key(key: str) -> str:
    """Return the words of a key, separated by blanks, in their case: "mainDeck" is "main Deck".

    Only the first 200 characters are used. Characters other than Latin letters and digits are dropped. A key of only
    such characters is returned as it is.
    """
    return " ".join(_WORD.findall(key[:LONGEST])) or key[:LONGEST]


def normalise_key(key: str) -> str:
    """Return a key in lower case, with only Latin letters and digits: "card_Number" is "cardnumber". It may be ""."""
    return _MARKS.sub("", key.casefold())


def flatten_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry with normalised keys.

    A mapping under "card" or "carddata" adds its keys, if the entry lacks them. Keys with another wording, such as
    "copiesInDeck", are added under the role "number", "name" or "count", if the entry has no such key.
    """
    keys = {normalise_key(key): value for key, value in entry.items()}
    every = entry
    for nested in NESTED:
        if isinstance(inner := keys.get(nested), dict):
            del keys[nested]
            keys = {normalise_key(key): value for key, value in inner.items()} | keys
            every = {**inner, **every}
    return keys if keys.keys() <= _KNOWN else keys | _find_other_wordings(every, keys)


def spread_counts(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an entry in which a mapping of counts by section is replaced by its own keys.

    `{"quantity": {"main": 4, "side": 1}}` becomes `{"main": 4, "side": 1}`. An entry without one is returned unchanged.
    """
    if not any(isinstance(value, dict) for value in entry.values()):
        return entry
    own: dict[str, Any] = {}
    for key, value in entry.items():
        own |= value if isinstance(value, dict) and _counts_sections(value) else {key: value}
    return own


def _counts_sections(value: Mapping[str, Any]) -> bool:
    """Return True if all keys of a mapping are sections, and all values whole numbers or their digits.

    False for an empty one.
    """
    return bool(value) and all(
        counted_section(split_key(key)) and _to_whole_number(each) is not None for key, each in value.items()
    )


def _find_other_wordings(entry: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an entry by role, "number", "name" or "count", for keys with other wordings: "copiesInDeck".

    Roles in `keys`, the normalised entry, are left out. If keys of one role have different values, the value is a list.
    """
    values_by_role: dict[str, list[Any]] = {}
    for key, value in entry.items():
        if (meant := _role_of_wording(key[:LONGEST])) and meant not in keys:
            values_by_role.setdefault(meant, []).append(value)
    return {
        meant: each[0] if all(value == each[0] for value in each) else each for meant, each in values_by_role.items()
    }


def key_role(key: str) -> str | None:
    """Return "number", "name" or "count" for a key with that meaning. None for any other key."""
    each = {"number": _NUMBERS, "name": _NAMES, "count": _COUNTS}
    return next((role for role, keys in each.items() if normalise_key(key) in keys), _role_of_wording(key[:LONGEST]))


@lru_cache(maxsize=256)  # a list has the same keys in every entry
def _role_of_wording(key: str) -> str | None:
    """Return "number", "name" or "count" for a key that programs are not known to use but that has such a wording.

    None for any other key, and for known keys. The result is cached.
    """
    if normalise_key(key) in _KNOWN:
        return None
    role, rank = headings.find_wording(split_key(key)) or ("", 0)
    if headings.has_count_word(split_key(key).casefold().split()) or (role == COUNT and rank < headings.SURE):
        return "count"
    return _ROLE_NAMES.get(role)


def section_value(keys: Mapping[str, Any]) -> Any:
    """Return the value, of any type, under "section", "zone" or "board" in a flattened entry. None if it has none."""
    return _first_value(keys, _PLACES)


def entry_name(keys: Mapping[str, Any]) -> str:
    """Return the name of a flattened entry's card without blanks around it.

    "" if it has none, or if the name is neither a text nor a whole number.
    """
    return _to_text(_first_value(keys, _NAMES)).strip()


def entry_number(keys: Mapping[str, Any]) -> str:
    """Return the card number of a flattened entry as written, without a shop's id behind "#". "" if it has none.

    A number that begins with a digit is joined to the entry's set if that is a card number: "OP01-016". Without a
    number, the name of an image file is used, if it begins like a card number.
    """
    number = _to_text(_first_value(keys, _NUMBERS)).strip().lstrip("#").partition("#")[0]
    set = _to_text(_first_value(keys, _SETS)).strip()
    if set and number[:1].isdigit() and NUMBER_SHAPE.fullmatch(together := f"{set}-{number}"):
        return together
    image = NUMBER_SHAPE.match(_to_text(_first_value(keys, _IMAGES)))
    return number or (image[0] if image else "")


def entry_counts(keys: Mapping[str, Any]) -> Sequence[Any]:
    """Return the count of a flattened entry, unparsed, in a sequence of one. Empty if it has none.

    Of several known keys, such as "count" and "qty", only the first counts. A list is returned as its values. Such a
    list is also the value of keys with other wordings that differ.
    """
    count = next((keys[key] for key in _COUNTS if key in keys), ())
    return count if isinstance(count, list | tuple) else (count,)


def has_name(keys: Mapping[str, Any]) -> bool:
    """Return True if a flattened entry has a text under a key for a name."""
    return isinstance(_first_value(keys, _NAMES), str)


def possible_counts(keys: Mapping[str, Any]) -> dict[str, int]:
    """Return the numbers in a flattened entry that could be its count, by key. The caller gives only uncounted entries.

    They are whole numbers from 1 to MOST_COPIES under keys that are neither known nor facts printed on cards.
    """
    numbers = {key: number for key, value in keys.items() if (number := _to_whole_number(value)) is not None}
    return {
        key: number
        for key, number in numbers.items()
        if 0 < number <= MOST_COPIES and key not in _KNOWN and not headings.has_fact_word((key,))
    }


def _to_whole_number(value: Any) -> int | None:
    """Return a value as a whole number, if it is one or a text of at most three digits. None for any other value."""
    if isinstance(value, str) and len(value) <= _WIDEST and value.isascii() and value.isdigit():
        return int(value)
    return value if type(value) is int else None


def side_answer(keys: Mapping[str, Any]) -> str:
    """Return the value for the side deck in a flattened entry: "yes" or "no" for a boolean, else as `to_cell` does.

    "" if it has none.
    """
    value = _first_value(keys, _SIDES)
    return ("yes" if value else "no") if isinstance(value, bool) else to_cell(value)


def to_cell(value: Any) -> str:
    """Return a value as a cell of a table: "" for null, a text without blanks around it, or a number as text.

    4.0 is "4". A boolean, a list or a mapping is "?".
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else "?"


def has_nested_values(entry: Mapping[str, Any]) -> bool:
    """Return True if an entry holds a list or a mapping.

    A mapping under "card" or "carddata" is the entry's own card.
    """
    return any(
        isinstance(value, list) or (isinstance(value, dict) and normalise_key(key) not in NESTED)
        for key, value in entry.items()
    )


def find_objects(value: Mapping[str, Any]) -> Sequence[Any]:
    """Return the objects in a save or in a pile of Tabletop Simulator. Empty for any other mapping."""
    return next((held for key in _OBJECTS if isinstance(held := value.get(key), list)), ())


def card_of_object(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a mapping with the "number" and the "name" of a card object of Tabletop Simulator.

    Such an object has the keys "CardID" and "Nickname". None for any other mapping. The number is "" if no field of the
    object contains one. It is removed from the name.
    """
    if "CardID" not in value or "Nickname" not in value:
        return None
    matches = (NUMBER_SHAPE.search(json.dumps(value.get(key), ensure_ascii=False)[:LONGEST]) for key in _NUMBER_FIELDS)
    number = next((found[0] for found in matches if found), "")
    name = _to_text(value["Nickname"])
    return {"number": number, "name": (name.replace(number, " ") if number else name).strip(" -[]()")}


def _first_value(keys: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the first value under the keys `names` that is not null, in the order of `names`.

    None if there is none.
    """
    return next((keys[key] for key in names if keys.get(key) is not None), None)


def _to_text(value: Any) -> str:
    """Return a text, or a whole number as text. "" for any other value, also for a boolean."""
    return sound(value) if isinstance(value, str) else str(value) if type(value) is int else ""


def has_number(value: Any) -> bool:
    """Return True if a value contains a card number, in a text or a key at any depth."""
    return NUMBER_SHAPE.search(dump(value)) is not None


def dump(value: Any) -> str:
    """Return a value as JSON text, "…" if it is nested too deeply."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"
