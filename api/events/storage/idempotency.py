"""Idempotency: a request that is sent again gets the stored first answer, and is not executed again.

An answer may contain keys that are shown only once. So it is stored encrypted, and cannot be read from the database
without the keys of the request and its sender. These keys are not stored.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

import orjson
import sqlalchemy as sa

from api.events.bounds import MOST_KEPT
from api.events.storage.event_tables import AnswerRow
from api.service.errors import Invalid, LimitReached, Wrong
from validator.language import phrase

KEPT = timedelta(days=1)
_LARGE = 65_536  # bytes: of smaller answers there are no more than what is done at an event
_FORGOTTEN = phrase(
    "This was done when it was sent first. The answer is not stored any more, because a player was deleted since then. "
    "Get the current state, and use a new key for another request."
)
_OTHER = Wrong(
    "/Idempotency-Key", phrase("This key came with another request already. Use a new key for each request.")
)


class Reply(NamedTuple):
    """An HTTP answer: its status, its body as JSON bytes (b"" for none) and its headers by name."""

    status: int
    body: bytes
    headers: dict[str, str] = {}  # noqa: RUF012  # never changed


class RepeatableRequest(NamedTuple):
    """A request with an Idempotency-Key, which may be sent again.

    `secret` contains the Idempotency-Key, the sender's own key, method and path in plain text. `content` is the SHA-256
    of the body in hex.
    """

    secret: str
    content: str

    @classmethod
    def from_request(cls, key: str, sender: str, target: str, content: bytes) -> RepeatableRequest:
        """Return a request that is identified by its Idempotency-Key `key`, its `sender` and its `target`.

        `sender` is the sender's own key, `target` the method and path, `content` the body.
        """
        secret = orjson.dumps([key, sender, target]).decode()
        return cls(secret, hashlib.sha256(content).hexdigest())

    @property
    def id(self) -> str:
        """The id of the stored answer: a hash of the secret in hex."""
        return hashlib.sha256(b"id " + self.secret.encode()).hexdigest()

    def encrypt(self, data: bytes, salt: str) -> bytes:
        """Return data encrypted with a stream made of the request's secret and a salt. A second call decrypts it."""
        stream = hashlib.shake_256(f"seal {salt} {self.secret}".encode()).digest(len(data))
        return (int.from_bytes(data) ^ int.from_bytes(stream)).to_bytes(len(data))


def find_answer(connection: sa.Connection, request: RepeatableRequest) -> Reply | None:
    """Return the stored first answer to a request, None if the request is new.

    Raises LimitReached if the request was done and its answer was deleted. Raises Invalid if its Idempotency-Key came
    with another content.
    """
    row = connection.execute(sa.select(AnswerRow.__table__).where(AnswerRow.id == request.id)).first()
    if row is None:
        return None
    if not row.sealed:
        raise LimitReached(_FORGOTTEN)
    if row.content != request.content:
        raise Invalid([_OTHER])
    status, body, headers = orjson.loads(request.encrypt(row.sealed, row.salt))
    return Reply(status, body.encode(), headers)


def store_answer(
    connection: sa.Connection,
    request: RepeatableRequest,
    reply: Reply,
    event_id: str,
    moment: datetime,
    has_done: bool = True,
) -> None:
    """Encrypt and store the first answer to a request, with the event it belongs to.

    Raises LimitReached if the event has no room for more answers. An answer of up to 64 KiB is always stored if
    `has_done` is True: the request has written to the event's audit.
    """
    data, salt = orjson.dumps([reply.status, reply.body.decode(), reply.headers]), secrets.token_hex(16)
    if len(data) > _LARGE or not has_done:
        _check_room(connection, event_id, len(data))
    row = {"id": request.id, "event_id": event_id, "at": moment.isoformat(), "content": request.content, "salt": salt}
    connection.execute(sa.insert(AnswerRow), {**row, "sealed": request.encrypt(data, salt)})


def _check_room(connection: sa.Connection, event_id: str, size: int) -> None:
    """Raise LimitReached if the stored answers of an event, with another of `size` bytes, exceed MOST_KEPT."""
    taken = sa.select(sa.func.sum(sa.func.length(AnswerRow.sealed))).where(AnswerRow.event_id == event_id)
    if (connection.scalar(taken) or 0) + size > MOST_KEPT:
        raise LimitReached(
            phrase("No more answers of this event are stored today. Send the request without an Idempotency-Key.")
        )


def forget_answers(connection: sa.Connection, event_id: str) -> None:
    """Delete the stored answers of an event, but not the ids of the requests.

    So a repeated request is not done again.
    """
    nothing = {"content": "", "salt": "", "sealed": b""}
    connection.execute(sa.update(AnswerRow).where(AnswerRow.event_id == event_id).values(**nothing))


def forget(connection: sa.Connection, moment: datetime) -> None:
    """Delete the answers of all events that are older than a day at a moment, with the ids of their requests."""
    connection.execute(sa.delete(AnswerRow).where(AnswerRow.at < (moment - KEPT).isoformat()))
