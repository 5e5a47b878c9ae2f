"""Card sets: their release days by region, their blocks, and the packs in which their cards are sold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from validator.documents import HEAD, Document, Table, check_keys, check_kind, check_texts, check_word
from validator.errors import DocumentError
from validator.findings import Citation
from validator.language import phrase

# The region of the card lists that catalogues are made from. The catalogues' days are of this region.
ENGLISH = "en"
_CATALOGUE = Citation("Card catalogue", "released")

_HEAD = {"game": str, "notes": list, "sources": dict, "sets": dict}
_MORE_HEAD = {"card_list": str}
_SOURCE = {"region": str, "title": str}
_NEEDED = {"label": str}
_OPTIONAL = {"released": dict, "block": int, "packs": list}
_CODE = re.compile(r"[A-Z]{2,4}[0-9]{2}")
_DAY = attrgetter("day")


class Release(NamedTuple):
    """A first day of sale, in ISO format, with its source."""

    day: str
    cite: Citation


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards.

    `code` is the part of their numbers before the dash, such as "OP01", and `label` its official name. `released` has
    the first day of sale by region. `block` is the number of the set's block, None if it is not known. `packs` are the
    ids of the products on the official card list that contain its cards.
    """

    code: str
    label: str
    released: Mapping[str, Release] = field(default_factory=dict)
    block: str | None = None
    packs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """The sets of one game by code. There are none if the game has no file of sets.

    `notes` are sentences of the file. `card_list` is the source of release days that come from the card catalogue.
    """

    game: str
    by_code: Mapping[str, CardSet] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    card_list: Citation = _CATALOGUE
    _packs: Mapping[tuple[str, str], Release] = field(default_factory=dict, repr=False)

    def find_set(self, number: str) -> CardSet | None:
        """Return the set of a card number by the part before the dash. None for promotion cards and unknown sets."""
        return self.by_code.get(number.partition("-")[0])

    def first_english_day(self, number: str, packs: Iterable[str] = ()) -> str | None:
        """Return the first English day of sale of a card number, in ISO format. None if it is not known.

        It is the day of its set. Without one, it is the earliest day of `packs`, the ids of the products with the card.
        Packs are ignored if the set of the number is not known.
        """
        releases = self._find_releases(self.find_set(number), ENGLISH, packs)
        return min((release.day for release in releases), default=None)

    def release(self, number: str, region: str, listed_day: str | None = None) -> Release | None:
        """Return the first day of sale of a card number in a region, with its source. None if it is not known.

        In English the day is `listed_day`, the day in the catalogue, and None if that is None. Its source is that of
        the set or of a pack with the same day, else `card_list`. In other regions `listed_day` is ignored: the day is
        that of the set, else the earliest of the packs with the set.
        """
        found = self.find_set(number)
        known = self._find_releases(found, region, found.packs if found else ())
        if region != ENGLISH:
            return min(known, key=_DAY, default=None)
        if listed_day is None:
            return None
        return next((release for release in known if release.day == listed_day), Release(listed_day, self.card_list))

    def release_source(self, region: str) -> Citation | None:
        """Return a citation of all sources of the sets' days in a region. None if no day is known.

        The default for English is the source of the catalogue's days.
        """
        sets = [card_set.released[region] for card_set in self.by_code.values() if region in card_set.released]
        titles = sorted({release.cite.document for release in sets})
        if titles:
            return Citation("; ".join(titles), "Release")
        return self.card_list if region == ENGLISH else None

    def _find_releases(self, card_set: CardSet | None, region: str, packs: Iterable[str]) -> list[Release]:
        """Return the release of a set in a region, else those of each of `packs` with a known day.

        Empty if the set is None.
        """
        if card_set is None:
            return []
        if region in card_set.released:
            return [card_set.released[region]]
        return [self._packs[pack, region] for pack in packs if (pack, region) in self._packs]

    def block(self, number: str) -> str | None:
        """Return the number of the block of a card number's set, as a text.

        None if the set or its block is not known.
        """
        found = self.find_set(number)
        return found.block if found else None


def parse(document: Document) -> Sets:
    """Return the sets of a parsed file. Raises DocumentError with the place of a mistake and its correction."""
    check_keys(document, HEAD, _HEAD, _MORE_HEAD)
    for key, source in document["sources"].items():
        check_keys(source, phrase("source {key}", key=key), _SOURCE)
    made = {code: _parse_set(code, table, document["sources"]) for code, table in document["sets"].items()}
    return Sets(
        game=document["game"],
        by_code=MappingProxyType(made),
        notes=check_texts(document["notes"], "notes"),
        card_list=Citation("Official card list", document["card_list"]) if "card_list" in document else _CATALOGUE,
        _packs=MappingProxyType(_pack_days(made.values())),
    )


def _parse_set(code: str, table: Any, sources: Mapping[str, Mapping[str, str]]) -> CardSet:
    """Return the set of a table. `sources` are the tables of sources by key.

    Raises DocumentError if the table is invalid.
    """
    if not _CODE.fullmatch(code):
        raise DocumentError(phrase("set {code!r}: write the code as card numbers begin, such as AB01", code=code))
    check_keys(table, _place_of_set(code), _NEEDED, _OPTIONAL)
    return CardSet(
        code=code,
        label=table["label"],
        released=MappingProxyType(dict(_parse_releases(code, table, sources))),
        block=_parse_block(table, code),
        packs=_parse_packs(table, code),
    )


@lru_cache(maxsize=256)
def _place_of_set(code: str) -> str:
    """Return the place of a set in a file, for messages. The result is cached."""
    return phrase("set {code}", code=code)


def _parse_releases(code: str, table: Table, sources: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, Release]]:
    """Yield `(region, release)` for each first day of a set. `sources` are the tables of sources by key.

    Raises DocumentError for an unknown source, a value that is no day, or a second day in one region.
    """
    days = table.get("released", {})
    for key, day in days.items():
        check_word(key, _place_of_set(code), sources, "released")
        check_kind(day, _place_of_set(code), date, "released", key)
        source = sources[key]
        if [sources[other]["region"] for other in days].count(source["region"]) > 1:
            raise DocumentError(
                phrase(
                    "set {code}: two sources give a day in {region}; keep the better one",
                    code=code,
                    region=source["region"],
                )
            )
        yield source["region"], Release(day.isoformat(), Citation(source["title"], table["label"]))


def _parse_block(table: Table, code: str) -> str | None:
    """Return the number of the block in the table of a set, as a text. None if it has none.

    Raises DocumentError if the number is less than 1.
    """
    block = table.get("block")
    if block is not None and block < 1:
        raise DocumentError(phrase("set {code}: block {block} should be 1 or more", code=code, block=block))
    return None if block is None else str(block)


def _parse_packs(table: Table, code: str) -> tuple[str, ...]:
    """Return the ids of the packs in the table of a set.

    Raises DocumentError for an id that is no str of digits, or a duplicate.
    """
    packs = table.get("packs", [])
    for pack in packs:
        check_kind(pack, _place_of_set(code), str, "packs")
        if not pack.isdecimal() or packs.count(pack) > 1:
            raise DocumentError(
                phrase("set {code}: pack {pack!r} should be an id of digits, written once", code=code, pack=pack)
            )
    return tuple(packs)


def _pack_days(sets: Iterable[CardSet]) -> dict[tuple[str, str], Release]:
    """Return the first day of sale by pack id and region: that of the earliest set in the pack with a known day."""
    found: dict[tuple[str, str], Release] = {}
    for card_set in sets:
        for region, release in card_set.released.items():
            for pack in card_set.packs:
                found[pack, region] = min(release, found.get((pack, region), release), key=_DAY)
    return found
