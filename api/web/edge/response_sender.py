"""The response sender: sends one answer without a thread. It gives up if the client does not receive the answer.

Called by the ASGI application.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import orjson

from api.service.answers.problem_details import MEDIA_TYPE, ProblemJSON, problem, translate_problem, with_request_id
from api.web.edge.middleware import GUARDS, NO_STORE
from api.web.edge.request_body import HeldBytes
from api.web.language_choice import HEADERS as LANGUAGE_HEADERS
from validator.language import ENGLISH, Language, phrase

PATIENCE = 20.0  # seconds in which a client takes a piece of its answer
PIECE = 65_536  # bytes

Message = dict[str, Any]  # an ASGI message
Headers = list[tuple[bytes, bytes]]
Send = Callable[[Any], Awaitable[None]]


def encode_headers(headers: Iterable[tuple[str, str]]) -> Headers:
    """Return headers as ASGI has them: bytes, with the names in lower case."""
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]


class ResponseSender:
    """Sends one answer like the `send` of ASGI. Adds `headers` to it, and limits its memory and time.

    `is_lost` is set if the client has left or takes more than 20 seconds for a piece, or if the sender breaks the
    answer off. The rest is then dropped. `has_body` is False for the answer to HEAD. `status` is 0 until the answer
    begins. `size` counts the sent bytes of the body. `begun_at` is the time of the event loop at which the answer
    began.
    """

    def __init__(self, send: Send, buffered: HeldBytes, address: str, headers: Headers, has_body: bool = True) -> None:
        """Prepare to send an answer. `buffered` counts its unsent bytes for the client's `address`."""
        self._send = send
        self._held = buffered
        self._address = address
        self._headers = headers
        self._has_body = has_body
        self._start: Message | None = None
        self.status = 0
        self.size = 0
        self.begun_at = 0.0
        self.is_lost = False

    async def __call__(self, message: Any) -> None:
        """Send an ASGI message of the answer. Its start is kept and sent with the first piece of its body.

        So a client that has received no byte can repeat the request. Messages are dropped if the client is lost.
        """
        if message["type"] == "http.response.start":
            self._start = message
        elif not self.is_lost:
            await self._send_body(message.get("body", b""), not message.get("more_body", False))

    def add_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """Add headers to those of the answer. No effect after its start was sent."""
        self._headers += encode_headers(headers)

    async def answer(self, status: int, headers: Headers, body: bytes) -> None:
        """Send a whole answer with its Content-Length. HEAD requests get no body.

        If another answer has begun, nothing is sent and `is_lost` is set, which breaks off the other answer.
        """
        if self.status:
            self.is_lost = True
            return
        headers = [*headers, (b"content-length", b"%d" % len(body))]
        self._start = {"type": "http.response.start", "status": status, "headers": headers}
        await self._send_body(body if self._has_body else b"", True)

    async def problem(
        self, document: ProblemJSON, headers: Iterable[tuple[str, str]] = (), translate: Language = ENGLISH
    ) -> None:
        """Send a problem document as JSON in a language, with the request id, as the whole answer. It is not cached.

        If another answer has begun, that is broken off as by `answer`.
        """
        more = (("Content-Type", MEDIA_TYPE), *LANGUAGE_HEADERS[translate.code], *headers, *GUARDS.items())
        body = orjson.dumps(with_request_id(translate_problem(document, translate)))
        await self.answer(document["status"], encode_headers((*more, *NO_STORE.items())), body)

    async def _send_body(self, body: bytes, is_last: bool) -> None:
        """Send a part of the body in pieces of 65,536 bytes. `is_last`: the answer ends with this part.

        If there is no room to hold a larger part in memory, send a 503 problem or break off the answer.
        """
        if len(body) <= PIECE:
            await self._send_piece(body, is_last)
            return
        if not self._held.reserve(self._address, len(body)):
            await self._send_no_room()
            return
        try:
            for position in range(0, len(body), PIECE):
                await self._send_piece(body[position : position + PIECE], is_last and position + PIECE >= len(body))
        finally:
            self._held.release(self._address, len(body))

    async def _send_no_room(self) -> None:
        """Send a 503 problem if the answer has not begun. In any case set `is_lost`, which breaks the answer off."""
        if self._start is not None:
            document = problem(503, phrase("The server has no room for more unread answers. Try again later."))
            await self.problem(document, [("Retry-After", "10")])
        self.is_lost = True

    async def _send_piece(self, piece: bytes, is_last: bool) -> None:
        """Send a piece of the body, after the start of the answer if that was not sent yet.

        Nothing if the client is lost. Sets `is_lost` if the client has left or does not take the piece in 20 seconds.
        Else adds to `size`.
        """
        if self.is_lost:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                if self._start is not None:
                    await self._send_start(self._start)
                await self._send({"type": "http.response.body", "body": piece, "more_body": not is_last})
        except (TimeoutError, OSError):
            self.is_lost = True
            return
        self.size += len(piece)

    async def _send_start(self, start: Message) -> None:
        """Send the status and the headers, those of the sender included. Sets `status` and `begun_at`."""
        self._start = None
        self.status = start["status"]
        self.begun_at = asyncio.get_running_loop().time()
        await self._send({**start, "headers": [*start["headers"], *self._headers]})
