"""Commitments: a salted hash of each registered list, published before an event; opened after it, anybody can check.

A commitment is the SHA-256 of the salt, a line break and the list, so that no more than `sha256sum` is needed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

from api.service.errors import Unusable

LARGEST = 20_000_000  # bytes of a file; 5,000 lists have a fifth of them
_ALGORITHM = "sha-256"
_HASH = re.compile("[0-9a-f]{64}")
# Lists are few enough to be tried one by one: a salt has 128 bits at least.
_SALT = re.compile(r"[0-9A-Za-z_-]{22,128}")


def commitment(salt: str, list_text: str) -> str:
    """Return what is published of a list; it tells nothing of it."""
    return hashlib.sha256(f"{salt}\n{list_text}".encode("utf-8", "replace")).hexdigest()


class OpenedList(NamedTuple):
    """A list with the salt that opens its commitment."""

    salt: str
    text: str

    def opens(self, published: str) -> bool:
        """Tell whether this is the list that was committed to."""
        return hmac.compare_digest(commitment(self.salt, self.text), published)


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
    """The commitments of an event by registration, and the lists that are opened."""

    event: str
    hashes: Mapping[str, str]
    lists: Mapping[str, OpenedList]

    def verified(self, before: Commitments | None = None) -> Verification:
        """Check the lists that are opened against the hashes published `before`, or against those beside them.

        Unusable says so where those are of another event.
        """
        kept = before or self
        if kept.event != self.event:
            raise Unusable(f"the lists are of the event {self.event} and the commitments of {kept.event}")
        opened: dict[bool, list[str]] = {True: [], False: []}
        for name in filter(kept.hashes.__contains__, self.lists):
            opened[self.lists[name].opens(kept.hashes[name])].append(name)
        closed = tuple(name for name in kept.hashes if name not in self.lists)
        unannounced = tuple(name for name in self.lists if name not in kept.hashes)
        return Verification(self.event, tuple(opened[True]), tuple(opened[False]), closed, unannounced)


def read(data: bytes) -> Commitments:
    """Read what an event publishes as its commitments, opened or not; Unusable says what it has wrong."""
    if len(data) > LARGEST:
        raise Unusable(f"it has more than the {LARGEST:,} bytes that commitments may have")
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        raise Unusable("it is not JSON") from None
    if not isinstance(said, dict) or said.get("hash") != _ALGORITHM:
        raise Unusable(f'it has no commitments: its "hash" is not {_ALGORITHM}')
    event, listed = said.get("event"), said.get("commitments")
    if not _is_name(event) or not isinstance(listed, list):
        raise Unusable('it lacks "event" or "commitments"')
    hashes: dict[str, str] = {}
    lists: dict[str, OpenedList] = {}
    for name, published, opened in _rows(listed):
        if name in hashes:
            raise Unusable("it commits to one registration twice")
        hashes[name] = published
        if opened:
            lists[name] = opened
    return Commitments(event, hashes, lists)


def _rows(listed: list[Any]) -> Iterator[tuple[str, str, OpenedList | None]]:
    for at, one in enumerate(listed, 1):
        row = one if isinstance(one, dict) else {}
        name, published, opened = row.get("registration"), row.get("commitment"), row.get("opened")
        if not _is_name(name) or not isinstance(published, str) or not _HASH.fullmatch(published):
            raise Unusable(f"its entry {at} has no registration, or no SHA-256 hash as its commitment")
        yield name, published, None if opened is None else _opened(opened, at)


def _is_name(said: Any) -> TypeGuard[str]:
    """Tell whether something is called by this; what nobody can print is no name."""
    return isinstance(said, str) and said.isprintable()


def _opened(said: Any, at: int) -> OpenedList:
    salt, text = (said.get("salt"), said.get("list")) if isinstance(said, dict) else (None, None)
    if not isinstance(salt, str) or not _SALT.fullmatch(salt) or not isinstance(text, str):
        raise Unusable(f"its entry {at} is opened without a list, or without a salt of 22 characters or more")
    return OpenedList(salt, text)
