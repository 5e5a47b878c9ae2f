"""Keys of events: random texts that are shown once and stored as hashes. A key gives the permissions of its role."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import NamedTuple

ANYONE, PLAYER, OWNER, JUDGE, ORGANISER, ADMIN = "anyone", "player", "owner", "judge", "organiser", "admin"
ROLES = (ANYONE, PLAYER, OWNER, JUDGE, ORGANISER, ADMIN)
STAFF = frozenset((JUDGE, ORGANISER, ADMIN))

_ID = re.compile("[0-9a-f]{30}")


class Caller(NamedTuple):
    """A caller: one of ROLES, the id of the key, and the registration of a player's key.

    A player is `OWNER` of the own registration and `PLAYER` for others. `in_cut`: the player is in the top cut.
    """

    role: str = ANYONE
    key_id: str = ""
    registration_id: str = ""
    in_cut: bool = False

    @property
    def is_staff(self) -> bool:
        """True if the caller is a judge, an organiser or the admin."""
        return self.role in STAFF

    @property
    def signature(self) -> str:
        """The role and the id of the key, as the audit has them. Never a name."""
        return f"{self.role} {self.key_id}".strip()

    def for_registration(self, registration_id: str) -> Caller:
        """Return this caller with the role that they have for one registration."""
        own = bool(registration_id) and self.registration_id == registration_id
        return self._replace(role=OWNER) if self.role == PLAYER and own else self


def new_secret() -> str:
    """Return a new key: 256 random bits as text."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """Return a new random id: 120 bits as text for a path."""
    return secrets.token_hex(15)


def is_id(text: str) -> bool:
    """Return True if a text has the form of an id."""
    return _ID.fullmatch(text) is not None


def hash_key(secret: str) -> str:
    """Return the hash of a key, which is stored."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def is_same(secret: str, expected: str) -> bool:
    """Return True if a key is the expected one. The comparison takes the same time for all keys."""
    return bool(expected) and hmac.compare_digest(hash_key(secret), hash_key(expected))
