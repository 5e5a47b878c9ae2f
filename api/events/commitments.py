"""Commitments: a salted hash of each registered list, published before an event; opened after it, anybody can check.

A commitment is the SHA-256 of a text of UTF-8 lines, so that no more than `sha256sum` is needed to check it:
SCHEME, the event's id, the registration's id, the salt, and the list, a line a card: section, number or name, count.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from api.service.errors import Unusable
from validator.deck import SECTIONS, Deck, meant

SCHEME = "deckproof-commitment-1"
SALT_BYTES = 16  # at least, that nobody may guess: lists are few enough to be tried one by one
LARGEST = 50_000_000  # bytes of a file; 5,000 lists of the most lines that decks have
_HASH = re.compile("[0-9a-f]{64}")
_SALT = re.compile(r"[0-9A-Za-z_-]{22,128}")


class OpenedList(NamedTuple):
    """A list whose commitment is opened: whose, its salt, and the list's lines."""

    registration: str
    salt: str
    lines: tuple[str, ...]
    player: str = ""

    def commitment(self, event: str) -> str:
        """Return the hash that was published of it."""
        told = "\n".join((SCHEME, event, self.registration, self.salt, *self.lines))
        return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "registration": self.registration,
            "player": self.player,
            "salt": self.salt,
            "list": list(self.lines),
        }


def lines(deck: Deck, game: str) -> tuple[str, ...]:
    """Return a deck as it is hashed: each card once a section, whatever the order, the spelling and the printing."""
    counts: dict[tuple[int, str], int] = {}
    for section, line in deck.lines():
        card = SECTIONS.index(section), " ".join("".join(meant(line, game)).split())
        counts[card] = counts.get(card, 0) + line.count
    return tuple(f"{SECTIONS[at]}\t{card}\t{counts[at, card]}" for at, card in sorted(counts))


def published(event: str, lists: Iterable[OpenedList]) -> dict[str, Any]:
    """Return what is published before an event: no more than the hashes, and how they are made."""
    hashes = {one.registration: one.commitment(event) for one in lists}
    return {"scheme": SCHEME, "event": event, "commitments": hashes}


def opened(event: str, lists: Iterable[OpenedList]) -> dict[str, Any]:
    """Return what is published after it: the same hashes, and what opens them."""
    every = list(lists)
    return {**published(event, every), "opened": [one.as_dict() for one in every]}


class Verification(NamedTuple):
    """What came of checking opened lists: registrations whose list is the one committed to, and the others.

    `unopened` were committed to and are not opened, `unannounced` are opened and were never committed to.
    """

    event: str
    matching: tuple[str, ...]
    differing: tuple[str, ...]
    unopened: tuple[str, ...]
    unannounced: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether every list that was opened is the one committed to; one more may still be closed."""
        return not self.differing and not self.unannounced

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {"holds": self.holds, **self._asdict()}


class Commitments(NamedTuple):
    """A file of commitments: the event, the hashes by registration, and the lists that are opened."""

    event: str
    hashes: Mapping[str, str]
    lists: tuple[OpenedList, ...]

    def verified(self, before: Commitments | None = None) -> Verification:
        """Check the lists that are opened against the hashes published `before`, or against those beside them.

        Unusable says so where those are of another event.
        """
        kept = before or self
        if kept.event != self.event:
            raise Unusable(f"These are lists of the event {self.event} and commitments of {kept.event}.")
        names = {one.registration for one in self.lists}
        found = {one.registration: _matches(one, self.event, kept.hashes) for one in self.lists}
        return Verification(
            self.event,
            tuple(name for name, matches in found.items() if matches),
            tuple(name for name, matches in found.items() if matches is False),
            tuple(name for name in kept.hashes if name not in names),
            tuple(name for name, matches in found.items() if matches is None),
        )


def _matches(one: OpenedList, event: str, hashes: Mapping[str, str]) -> bool | None:
    """Tell whether a list is the one that was committed to; None where none was."""
    if one.registration not in hashes:
        return None
    return hmac.compare_digest(one.commitment(event), hashes[one.registration])


def read(data: bytes) -> Commitments:
    """Read a file of commitments, opened or not; Unusable says what it has wrong."""
    if len(data) > LARGEST:
        raise Unusable(f"it has {len(data):,} bytes; a file of commitments has at most {LARGEST:,}")
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        raise Unusable("it is not JSON") from None
    if not isinstance(said, dict) or said.get("scheme") != SCHEME:
        raise Unusable(f'it is no file of commitments: its "scheme" is not {SCHEME}')
    event, hashes, lists = said.get("event"), said.get("commitments", {}), said.get("opened", [])
    if not isinstance(event, str) or "\n" in event or not isinstance(lists, list):
        raise Unusable('it has no "event", or its "opened" is no list')
    if not _are_hashes(hashes):
        raise Unusable('its "commitments" are not SHA-256 hashes by registration')
    found = tuple(_opened(lists))
    if len({one.registration for one in found}) < len(found):
        raise Unusable("it opens the list of one registration twice")
    return Commitments(event, hashes, found)


def _are_hashes(said: Any) -> bool:
    return isinstance(said, dict) and all(isinstance(one, str) and _HASH.fullmatch(one) for one in said.values())


def _opened(said: list[Any]) -> Iterator[OpenedList]:
    for at, one in enumerate(said, 1):
        fields = one if isinstance(one, dict) else {}
        name, salt, written = fields.get("registration"), fields.get("salt"), fields.get("list")
        player = fields.get("player", "")
        is_list = isinstance(written, list) and all(isinstance(line, str) and "\n" not in line for line in written)
        if not (isinstance(name, str) and isinstance(salt, str) and isinstance(player, str) and is_list):
            raise Unusable(f'its opened list {at} lacks "registration", "salt" or "list"')
        if "\n" in name or not _SALT.fullmatch(salt):
            raise Unusable(f"its opened list {at} has a salt or a registration that cannot be one")
        yield OpenedList(name, salt, tuple(written or ()), player)
