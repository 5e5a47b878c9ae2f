"""Secrets of webhooks, and what is signed with them, as the Standard Webhooks specification has it.

A secret is made of the secret key and the webhook's id whenever it is needed: the database has only a hash of it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import datetime
from typing import NamedTuple

from api.service.secret_key import secret_key
from api.service.settings import Settings

_PREFIX = "whsec_"
_VERSION = "v1"


class WebhookSecrets(NamedTuple):
    """The secrets that follow from the secret key that the settings name."""

    settings: Settings

    def shown(self, id: str) -> str:
        """Return the secret of a webhook as receivers take it."""
        return _PREFIX + base64.b64encode(self._of(id)).decode()

    def fingerprint(self, id: str) -> str:
        """Return by what it is known whether a secret is still the one that was shown."""
        return hashlib.sha256(self._of(id)).hexdigest()

    def signed(self, id: str, message_id: str, at: datetime, body: bytes) -> dict[str, str]:
        """Return the headers that go with a message to a webhook, sent at a moment."""
        timestamp = str(int(at.timestamp()))
        signature = hmac.digest(self._of(id), f"{message_id}.{timestamp}.".encode() + body, "sha256")
        return {
            "webhook-id": message_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": f"{_VERSION},{base64.b64encode(signature).decode()}",
        }

    def _of(self, id: str) -> bytes:
        return hmac.digest(secret_key(self.settings).encode(), f"deckproof webhook {id}".encode(), "sha256")
