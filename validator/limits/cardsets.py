"""Card sets: when each came out, which block it belongs to, which packs its cards are sold in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from datetime import date
from types import MappingProxyType
from typing import Any

from validator.documents import DocumentError
from validator.documents import check_keys
from validator.documents import check_kind
from validator.documents import check_texts
from validator.documents import check_titles
from validator.documents import check_word

_HEAD = {"game": str, "notes": list, "sources": dict, "sets": dict}
_NEEDED = {"label": str}
_OPTIONAL = {"released": date, "source": str, "block": int, "packs": list}
_CODE = re.compile(r"[A-Z]{2,4}[0-9]{2}")


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards, the part of their numbers before the dash.

    `released` is an ISO date and `source` where that date is from; `packs` are the ids under which the
    official card list sells its cards.
    """

    code: str
    label: str
    released: str | None = None
    source: str | None = None
    block: str | None = None
    packs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """The sets of one game by code; a game without such a file has none."""

    game: str
    by_code: Mapping[str, CardSet] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    _packs: Mapping[str, str] = field(default_factory=dict, repr=False)

    def of(self, number: str) -> CardSet | None:
        """Return the set of a card number, None for promos and unknown sets."""
        return self.by_code.get(number.partition("-")[0])

    def released(self, number: str, packs: Iterable[str] = ()) -> str | None:
        """Return a number's first day, ISO: its set's own, else that of the earliest of its packs."""
        found = self.of(number)
        if found is None:
            return None
        return found.released or min((self._packs[pack] for pack in packs if pack in self._packs), default=None)

    def block(self, number: str) -> str | None:
        """Return the block of a number's set, None where there is no rule."""
        found = self.of(number)
        return found.block if found else None


def parse(document: Mapping[str, Any]) -> Sets:
    """Return the sets of a parsed file; a DocumentError says how to mend the file."""
    check_keys(document, "head", _HEAD)
    check_titles(document["sources"], "sources")
    made = {code: _set(code, table, document["sources"]) for code, table in document["sets"].items()}
    return Sets(
        game=document["game"],
        by_code=MappingProxyType(made),
        notes=check_texts(document["notes"], "notes"),
        _packs=MappingProxyType(_pack_dates(made.values())),
    )


def _set(code: str, table: Any, sources: Mapping[str, str]) -> CardSet:
    if not _CODE.fullmatch(code):
        raise DocumentError(f"set {code!r}: write the code as card numbers begin, such as AB01")
    check_keys(table, f"set {code}", _NEEDED, _OPTIONAL)
    if ("released" in table) != ("source" in table):
        raise DocumentError(f"set {code}: a released day and its source go together; write both or neither")
    source = table.get("source")
    if source:
        check_word(source, f"set {code}, source", sources)
    return CardSet(
        code=code,
        label=table["label"],
        released=table["released"].isoformat() if source else None,
        source=sources[source] if source else None,
        block=_block(table, code),
        packs=_pack_ids(table, code),
    )


def _block(table: Mapping[str, Any], code: str) -> str | None:
    block = table.get("block")
    if block is not None and block < 1:
        raise DocumentError(f"set {code}: block {block} should be 1 or more")
    return None if block is None else str(block)


def _pack_ids(table: Mapping[str, Any], code: str) -> tuple[str, ...]:
    packs = table.get("packs", [])
    for pack in packs:
        check_kind(pack, f"set {code}, packs", str)
        if not pack.isdecimal() or packs.count(pack) > 1:
            raise DocumentError(f"set {code}: pack {pack!r} should be an id of digits, written once")
    return tuple(packs)


def _pack_dates(sets: Iterable[CardSet]) -> dict[str, str]:
    """Return the first day of every pack: that of the earliest dated set it sells."""
    found: dict[str, str] = {}
    for one in sets:
        for pack in one.packs:
            if one.released:
                found[pack] = min(one.released, found.get(pack, one.released))
    return found
