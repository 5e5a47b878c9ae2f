"""The response sender: sends one answer without a thread, and gives up on a client that does not take it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import orjson

from api.service.answers.problem_details import MEDIA_TYPE, ProblemJSON, problem, with_request_id
from api.web.edge.middleware import GUARDS, UNKEPT
from api.web.edge.request_body import HeldBytes

PATIENCE = 20.0  # seconds in which a client takes a piece of its answer
PIECE = 65_536  # bytes

Message = dict[str, Any]  # of ASGI
Headers = list[tuple[bytes, bytes]]
Send = Callable[[Any], Awaitable[None]]


def encode_headers(headers: Iterable[tuple[str, str]]) -> Headers:
    """Return headers as ASGI has them."""
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]


class ResponseSender:
    """Sends one answer, as the `send` of ASGI does, and adds headers to it.

    After the client has left, or takes too long, it drops the rest of the answer, so that the application can finish.
    `has_body` is False for the answer to a HEAD request. `status` is 0 until the answer begins, `size` counts the bytes
    of its body that were sent.
    """

    def __init__(self, send: Send, held: HeldBytes, address: str, headers: Headers, has_body: bool = True) -> None:
        self._send = send
        self._held = held
        self._address = address
        self._headers = headers
        self._has_body = has_body
        self._start: Message | None = None
        self.status = 0
        self.size = 0
        self.begun_at = 0.0
        self.is_lost = False

    async def __call__(self, message: Any) -> None:
        """Send a message of the answer. Its start waits for its body: a client that has seen neither can ask again."""
        if message["type"] == "http.response.start":
            self._start = message
        elif not self.is_lost:
            await self._send_body(message.get("body", b""), not message.get("more_body", False))

    def add_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """Add headers to the answer that is to come."""
        self._headers += encode_headers(headers)

    async def answer(self, status: int, headers: Headers, body: bytes) -> None:
        """Send a whole answer; where another one has begun, give that up."""
        if self.status:
            self.is_lost = True
            return
        headers = [*headers, (b"content-length", b"%d" % len(body))]
        self._start = {"type": "http.response.start", "status": status, "headers": headers}
        await self._send_body(body if self._has_body else b"", True)

    async def problem(self, document: ProblemJSON, headers: Iterable[tuple[str, str]] = ()) -> None:
        """Send a problem document as the whole answer."""
        more = (("Content-Type", MEDIA_TYPE), *headers, *GUARDS.items(), *UNKEPT.items())
        await self.answer(document["status"], encode_headers(more), orjson.dumps(with_request_id(document)))

    async def _send_body(self, body: bytes, is_last: bool) -> None:
        if len(body) <= PIECE:
            await self._send_piece(body, is_last)
            return
        if not self._held.take(self._address, len(body)):
            await self._send_no_room()
            return
        try:
            for at in range(0, len(body), PIECE):
                await self._send_piece(body[at : at + PIECE], is_last and at + PIECE >= len(body))
        finally:
            self._held.give_back(self._address, len(body))

    async def _send_no_room(self) -> None:
        if self._start is not None:
            document = problem(503, "The server holds as many unread answers as it has room for; try again later.")
            await self.problem(document, [("Retry-After", "10")])
        self.is_lost = True

    async def _send_piece(self, piece: bytes, is_last: bool) -> None:
        if self.is_lost:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                if self._start is not None:
                    await self._begin(self._start)
                await self._send({"type": "http.response.body", "body": piece, "more_body": not is_last})
        except (TimeoutError, OSError):
            self.is_lost = True
            return
        self.size += len(piece)

    async def _begin(self, start: Message) -> None:
        self._start = None
        self.status = start["status"]
        self.begun_at = asyncio.get_running_loop().time()
        await self._send({**start, "headers": [*start["headers"], *self._headers]})
