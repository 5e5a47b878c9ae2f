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
    """Someone who sends a request to an event: one of ROLES, the id of their key, and a player's registration.

    A player is OWNER of the own registration and PLAYER for others. `key_id` is "" for anyone and the admin.
    `registration_id` is the player's own, "" for staff and anyone. `in_cut`: the player is in the top cut.
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
        """The author of changes in the audit: the role and the id of the key, such as `judge 0a1b…`.

        Only the role without a key.
        """
        return f"{self.role} {self.key_id}".strip()

    def for_registration(self, registration_id: str) -> Caller:
        """Return this caller as OWNER if a player's key is that of the registration, else unchanged.

        "" is no registration.
        """
        own = bool(registration_id) and self.registration_id == registration_id
        return self._replace(role=OWNER) if self.role == PLAYER and own else self


def new_secret() -> str:
    """Return a new random key: 256 bits as 43 characters for a URL."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """Return a new random id: 120 bits as 30 hexadecimal digits."""
    return secrets.token_hex(15)


def is_id(text: str) -> bool:
    """Return True if a text has the form of an id: 30 small hexadecimal digits."""
    return _ID.fullmatch(text) is not None


def hash_key(secret: str) -> str:
    """Return the SHA-256 of a key in hex. Only this hash is stored."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def is_same(secret: str, expected: str) -> bool:
    """Return True if a key is the expected one. False if `expected` is "".

    The comparison takes the same time for all keys, so that it reveals nothing about the expected one.
    """
    return bool(expected) and hmac.compare_digest(hash_key(secret), hash_key(expected))
