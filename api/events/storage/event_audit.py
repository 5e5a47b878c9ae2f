"""The audit of an event: the actions with their keys and times. The hash of each entry includes the entry before it.

An entry has no name and no list, only a digest of the written rows. So the chain stays valid when a player's data is
deleted. Anybody who has noted the head of the chain can detect each later change of an entry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import orjson

from api.events.event_json import AuditEntryJSON

FIRST = "0" * 64  # what the first entry is chained to

# The actions of entries, except those of new keys, which `new_key_action` names by their roles.
EVENT_BEGUN, EVENT_CHANGED, EXPORTED, IMPORTED_UNVERIFIED = (
    "event begun",
    "event changed",
    "exported",
    "imported unverified",
)
REGISTERED, REVISED, SETTLED, MERGED, REMOVED = "registered", "revised", "settled", "merged", "removed"
CHECK_BEGUN, CHECK_CHANGED, SEED_CHANGED = "check begun", "check changed", "seed changed"
PLAYERS_IMPORTED, IMPORT_UNDONE = "players imported", "import undone"
PLAYERS_EXPECTED, KEY_REVOKED = "players expected", "key revoked"
EVENT_DELETED, EVENT_RESTORED = "event deleted", "event restored"


class AuditEntry(NamedTuple):
    """An action at an event. `number` counts from 1, `at` is an ISO moment in UTC.

    `by` is the author: a role and the id of a key. `about` is the id of a registration, a key or an import, "" for the
    event. `digest` is a hash of the written content. `hash` covers the entry and the hash of the entry before it.
    """

    number: int
    at: str
    by: str
    action: str
    about: str
    digest: str
    hash: str

    def as_json(self) -> AuditEntryJSON:
        """Return the entry as JSON, with all its fields."""
        return {
            "number": self.number,
            "at": self.at,
            "by": self.by,
            "action": self.action,
            "about": self.about,
            "digest": self.digest,
            "hash": self.hash,
        }


def digest(content: object) -> str:
    """Return the SHA-256 of a value's JSON form in hex."""
    return hashlib.sha256(orjson.dumps(content)).hexdigest()


def chain_hash(previous: str, event_id: str, number: int, *texts: str) -> str:
    """Return the hash of an audit entry in hex. `number` is its number, `texts` its fields from `at` to `digest`.

    `previous` is the hash of the entry before it, FIRST for the first entry.
    """
    return hashlib.sha256(orjson.dumps([previous, event_id, number, *texts])).hexdigest()


def find_broken_entry(event_id: str, entries: Iterable[AuditEntry], length: int, head: str) -> int | None:
    """Return the number of the first entry whose hash or number does not fit the chain, None if all fit.

    `entries` are the whole audit in order. `length` and `head` are the stored number of entries and the hash of the
    last one. If these differ, the number after the last given entry is returned.
    """
    previous, count = FIRST, 0
    for count, entry in enumerate(entries, start=1):
        if entry.number != count or entry.hash != chain_hash(previous, event_id, *entry[:-1]):
            return count
        previous = entry.hash
    return None if (count, previous) == (length, head) else count + 1


def new_key_action(role: str) -> str:
    """Return the action of an audit entry for a new key of a role, such as "judge key made"."""
    return f"{role} key made"
