"""Additions: the document of a list file added to the document of a list.

`carddb.list_files` adds imported files and `proposals` adds the changes of organisers. Both documents are parsed TOML.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from validator.documents import HEAD, Document, Table, check_kind
from validator.language import phrase
from validator.limits import list_parser

_REPLACES = "replaces"
_CHANGE = "change"
_KEPT_NEWEST = "known_to"


def add_document(base: Document | None, document: Document, left_out: list[str] | None = None) -> Document:
    """Return the document of a list with the document of a file added. The arguments are not changed.

    Tables are added key by key, and arrays of tables are joined without duplicates. Any other value of the file
    replaces that of the list. Changes are sorted by day. Of two days `known_to` the later one is kept. The file
    replaces the whole list if `base` is None, or if the file has `replaces = true`, a key that is not in the result.
    Raises DocumentError if `replaces` is no bool, or if an added change fails `list_parser.check_change`. With a list
    `left_out`, such changes are left out instead, and their error messages are added to it. Nothing else is checked.
    """
    check_kind(document.get(_REPLACES, False), HEAD, bool, _REPLACES)
    own = {key: value for key, value in document.items() if key != _REPLACES}
    if base is None or document.get(_REPLACES):
        return own
    merged = {**base, **{key: _merge(base[key], value) if key in base else value for key, value in own.items()}}
    days = [table[_KEPT_NEWEST] for table in (base, own) if type(table.get(_KEPT_NEWEST)) is date]
    if len(days) > 1:
        merged[_KEPT_NEWEST] = max(days)
    if isinstance(own.get(_CHANGE), list) and isinstance(base.get(_CHANGE), list):
        merged[_CHANGE] = _merge_changes(base[_CHANGE], own[_CHANGE], merged, left_out)
    return merged


def _merge(value: Any, added: Any) -> Any:
    """Return the value of a list with the value of a file added. Tables and arrays of tables are joined.

    Keys of the file replace equal keys with their whole value. Equal tables of an array are kept once. Any other value
    is only that of the file.
    """
    if isinstance(value, dict) and isinstance(added, dict):
        return {**value, **added}
    if _is_tables(value) and _is_tables(added):
        return [*value, *(table for table in added if table not in value)]
    return added


def _is_tables(value: Any) -> bool:
    """Return True if a value is a list of tables. True for an empty list."""
    return isinstance(value, list) and all(isinstance(table, dict) for table in value)


def _merge_changes(
    base: Sequence[Table], added: Sequence[Any], document: Document, left_out: list[str] | None
) -> list[Table]:
    """Return the changes of a list with the changes of a file, sorted by day.

    Entries of the file that a change of the list with the same days, region and `best_of` has already are left out. So
    a file may be added twice. `document` is that of the list with the file, against which changes are checked. Raises
    DocumentError with the place in the file if `list_parser.check_change` refuses a change. With a list `left_out`, the
    change is left out and the message added to it.
    """
    fitting = []
    for index, table in enumerate(added, start=1):
        with list_parser.leave_out(left_out):
            list_parser.check_change(table, phrase("change {index}", index=index), document)
            fitting.append(table)
    new = [table for table in (_without_known_entries(table, base) for table in fitting) if table]
    return sorted([*base, *new], key=_first_day)


def _without_known_entries(table: Table, base: Sequence[Table]) -> Table | None:
    """Return a change without the entries that a change in `base` with the same `_key_of_change` has already.

    None if no entry is left. A change that had no entries is returned unchanged, because `list_parser.parse` refuses
    it.
    """
    if not any(table.get(word) for word in list_parser.ENTRY_WORDS):
        return table
    remaining = dict(table)
    for known in base:
        if _key_of_change(known) == _key_of_change(table):
            for word in list_parser.ENTRY_WORDS:
                if word in remaining and word in known:
                    remaining[word] = _remove_known(remaining[word], known[word])
    return remaining if any(remaining.get(word) for word in list_parser.ENTRY_WORDS) else None


def _remove_known(entries: Any, known_entries: Any) -> Any:
    """Return the entries (a table or an array) that are not among the known ones. Groups are compared card by card.

    If the two differ in type, all entries are returned.
    """
    if isinstance(entries, dict) and isinstance(known_entries, dict):
        return dict(_unknown_entries(entries, known_entries))
    if isinstance(entries, list) and isinstance(known_entries, list):
        return [entry for entry in entries if entry not in known_entries]
    return entries


def _unknown_entries(entries: Table, known_entries: Table) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of `entries` that are not equal in `known_entries`.

    In nested tables only the differences are kept.
    """
    for key, value in entries.items():
        if key not in known_entries:
            yield key, value
        elif isinstance(value, dict) and isinstance(known_entries[key], dict) and value != known_entries[key]:
            if left := dict(_unknown_entries(value, known_entries[key])):
                yield key, left
        elif value != known_entries[key]:
            yield key, value


def _key_of_change(table: Table) -> tuple[Any, ...]:
    """Return the values that two changes must share to be one: the region, `best_of`, and the days.

    None for a missing value.
    """
    return tuple(table.get(key) for key in ("region", "best_of", "effective_from", "not_before", "no_later_than"))


def _first_day(table: Table) -> date:
    """Return the day by which changes are sorted: `effective_from`, else `no_later_than`. date.max if it is no date.

    Raises KeyError if the change has neither.
    """
    day = table.get("effective_from") or table["no_later_than"]
    return day if type(day) is date else date.max
