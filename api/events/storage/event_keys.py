"""Keys of events: random, shown once and kept as a hash; whoever has one has what its role may do."""

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
    """Who asks: one of ROLES, and the id of the key, with the player's registration where it is a player's.

    A player is `OWNER` before the own registration and `PLAYER` before another's; `in_cut` says whether the player
    is in the top cut.
    """

    role: str = ANYONE
    key_id: str = ""
    registration_id: str = ""
    in_cut: bool = False

    @property
    def is_staff(self) -> bool:
        """Whether this is one of those who run the event."""
        return self.role in STAFF

    @property
    def signature(self) -> str:
        """What is written down of who did something: never a name."""
        return f"{self.role} {self.key_id}".strip()

    def for_registration(self, registration_id: str) -> Caller:
        """Return this caller with the role that they have for one registration."""
        own = bool(registration_id) and self.registration_id == registration_id
        return self._replace(role=OWNER) if self.role == PLAYER and own else self


def new_secret() -> str:
    """Return a new key: 256 random bits as text."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """Return a new name of something, which nobody guesses: 120 random bits as text that is fit for a path."""
    return secrets.token_hex(15)


def is_id(text: str) -> bool:
    """Tell whether a text can be the name of something at all; what cannot is not looked for."""
    return _ID.fullmatch(text) is not None


def hashed(secret: str) -> str:
    """Return what is kept of a key."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def is_same(secret: str, expected: str) -> bool:
    """Tell whether a key is the expected one; it takes as long whatever it is."""
    return bool(expected) and hmac.compare_digest(hashed(secret), hashed(expected))
