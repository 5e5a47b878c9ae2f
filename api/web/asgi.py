"""The ASGI application: what the server calls for each request, with Flask behind it.

It receives bodies and sends answers in coroutines, so that slow clients hold no thread. It answers clean requests for
verdicts itself; all others go to Flask, in a thread, once their body is whole. The bridge to Flask is a2wsgi: it frees
its thread before the client has taken the answer, which asgiref does not.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import secrets
import string
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from a2wsgi import WSGIMiddleware
from werkzeug.wsgi import ClosingIterator

from api.service.answers.problem_details import ProblemJSON, problem
from api.service.clock import arrived_at
from api.service.errors import BodyRefused
from api.service.logs import request_id
from api.service.ndjson import Batch, Block, LineBlocks
from api.service.request_log import UNMATCHED, RequestLog
from api.web.app import REFUSAL, ROUTE
from api.web.edge.client_address import find_client
from api.web.edge.middleware import GUARDS
from api.web.edge.rate_limits import UNLIMITED_PATHS, RequestLimit, limit_headers, limit_problem
from api.web.edge.request_body import HeldBytes, Receive, RequestBody
from api.web.edge.response_sender import ResponseSender, Send, encode_headers
from api.web.edge.secure_listener import SecureListener
from api.web.edge.silent_connections import SilentConnections
from api.web.fast_answers import BATCH, LONGEST, VALIDATE, FastAnswers, Style
from api.web.operations.metrics import RefusalReason
from api.web.pages.problem_page import FOR_PROGRAMS
from api.web.services import services
from carddb.writer_queue import shared_budget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from flask import Flask

BODY = "deckproof.body"  # in the scope of a request
THREADS = 128  # most of them wait for a database or for a child that answers a large request
_MOST_IN_FLASK = 1_000  # requests that have a thread or wait for one: as many as come while a server starts again
_UNBOUNDED = 0  # pieces of an answer that wait for the client: with a bound, a thread waits too, even if that has left
_PIECE = 32_768  # bytes of a batch that are judged together, before another batch has its turn
_DATABASE_PATIENCE = 10.0  # seconds; in a last minute, who is sent away comes again and makes the queue longer
_FORM_FIELDS = 1_000_000  # bytes that a form may have beside its file
_ALIVE_HEADERS = [(b"content-type", b"application/json"), *encode_headers(GUARDS.items())]
_RETRY = [("Retry-After", "10")]
_COLLECT_AFTER = 50  # requests that were cut off, each with up to 300 kB
_REASONS: dict[int, RefusalReason] = {408: "slow_body", 413: "too_large", 429: "rate_limit", 503: "busy"}
_GONE = 499  # what logs and metrics have for a client that left before its answer

_HOST = re.compile(rb"(?:[A-Za-z0-9_.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{0,5})?")
_AUTHORITY = re.compile(r"https?://[^/]*", re.IGNORECASE)
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Exchange:
    """A request and what its answer is sent with. `whole_at` is when it was received to its end."""

    scope: dict[str, Any]
    headers: dict[bytes, bytes]
    address: str
    receive: Receive
    sender: ResponseSender
    whole_at: float


class Application:
    """The ASGI application of one worker process, whose server listens on some ports.

    `secure` is the listener for https that the application serves itself; None if there is no such listener.
    """

    def __init__(self, flask: Flask, ports: Iterable[int] = (), secure: SecureListener | None = None) -> None:
        with flask.app_context():
            self.services = here = services()
        self.secure = secure
        self._settings = here.settings
        self._metrics = here.metrics
        self._log = RequestLog(here.settings)
        self._fast = FastAnswers(here)
        # Typed anew: a2wsgi has types of its own for what WSGI and ASGI say.
        self._flask: Any = WSGIMiddleware(cast("Any", with_body(flask)), workers=THREADS, send_queue_size=_UNBOUNDED)
        self._in_flask = 0
        self._cut_off = 0
        self._batch_threads = ThreadPoolExecutor(2, "batches")
        self._verdict_threads = ThreadPoolExecutor(4, "verdicts")  # which do not wait for batches
        self._held = HeldBytes()
        self._silent = SilentConnections(ports)
        rate = here.settings.rate_limit
        self._limit = RequestLimit(rate, here.settings.redis_url) if rate else None
        self._largest = max(here.settings.max_body, here.settings.max_workbook) + _FORM_FIELDS

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request, take no WebSocket, and follow the start and the end of the server."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            await self._follow_server(receive, send)

    async def _follow_server(self, receive: Receive, send: Send) -> None:
        """Watch the connections of the server from its start to its end."""
        await receive()
        watching = asyncio.create_task(self._silent.watch())
        if self.secure:
            await self.secure.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        watching.cancel()
        self._log.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["client"]:
            self._silent.add_peer(scope["client"])
        if not scope["path"].startswith("/"):  # a client may send a whole URL (RFC 9112, 3.2.2)
            scope["path"] = _AUTHORITY.sub("", scope["path"], count=1) or "/"
        id = _identify(scope)
        request_id.set(id.decode())
        client = find_client(scope, self._settings.trusted_proxies)
        scope["client"], scope["scheme"] = client
        address = client.address[0] if client.address else ""
        sender = ResponseSender(send, self._held, address, [(b"x-request-id", id)], scope["method"] != "HEAD")
        now = asyncio.get_running_loop().time
        exchange = Exchange(scope, _join_headers(scope["headers"]), address, receive, sender, now())
        try:
            if not await self._refuse(exchange):
                await self._receive_and_answer(exchange)
        except Exception:
            _log.exception("A request could not be answered")
            await sender.problem(problem(500, "The server made a mistake; its log has more."))
        finally:
            method, route = scope["method"], scope.get(ROUTE, UNMATCHED)
            status, seconds = sender.status or _GONE, (sender.begun_at or now()) - exchange.whole_at
            self._metrics.answered(method, route, status, seconds)
            self._log.log_request(method, route, status, seconds, sender.size, id.decode())
        if sender.is_lost:
            raise asyncio.CancelledError  # lets the server close the connection

    async def _refuse(self, exchange: Exchange) -> bool:
        """Refuse a request to no host, or beyond the limit of its address; return True if it was refused."""
        scope, sender = exchange.scope, exchange.sender
        host = exchange.headers.get(b"host")
        if not _HOST.fullmatch(host) if host is not None else scope["http_version"] != "1.0":
            await sender.problem(problem(400, "Send a Host header with the name of this server."))
            return True
        if self._limit is None or scope["path"] in UNLIMITED_PATHS:
            return False
        waits, count = self._limit.waits, self._limit.hit
        counted = await asyncio.to_thread(count, exchange.address) if waits else count(exchange.address)
        sender.add_headers(limit_headers(counted))
        if counted.exceeded:
            self._count_refusal(429)
            await self._send_refusal(exchange, limit_problem(counted))
        return counted.exceeded

    async def _receive_and_answer(self, exchange: Exchange) -> None:
        scope = exchange.scope
        path, is_post = scope["path"], scope["method"] == "POST" and not self._is_for_operators(scope)
        if path == "/healthz" and scope["method"] in ("GET", "HEAD"):
            scope[ROUTE] = path
            await exchange.sender.answer(200, _ALIVE_HEADERS, b'{"status":"ok"}')
            return
        style = self._fast.style(path, exchange.headers, scope["query_string"]) if is_post else None
        most = self._settings.max_batch if path == BATCH else self._largest
        with closing(RequestBody(exchange.receive, most, self._held, exchange.address)) as body:
            try:
                if int(exchange.headers.get(b"content-length", b"0")) > most:
                    await self._answer_by_flask(exchange, body)
                elif style and path == BATCH:
                    await self._answer_batch(exchange, body, style)
                else:
                    await self._receive_then_answer(exchange, body, style)
            finally:
                if not body.is_whole:
                    self._collect_connections()

    async def _receive_then_answer(self, exchange: Exchange, body: RequestBody, style: Style | None) -> None:
        try:
            await body.receive_all()
        except BodyRefused as refused:
            self._count_refusal(refused.status)
            if refused.status == 413:  # the route says how much it takes
                await self._answer_by_flask(exchange, body)
            else:
                await self._send_refusal(exchange, problem(refused.status, refused.detail))
            return
        exchange.whole_at = asyncio.get_running_loop().time()
        if not (style and await self._answer_verdict(exchange, body, style)):
            await self._answer_by_flask(exchange, body)

    async def _answer_verdict(self, exchange: Exchange, body: RequestBody, style: Style) -> bool:
        """Answer a clean request for a verdict; return False, and answer nothing, if its body is not clean."""
        clean = self._fast.verdict(body.content()) if body.size <= LONGEST else None
        if clean is None:
            return False
        verdict = clean.verdict
        if verdict.legal:
            written = clean.written(style.language)
        else:  # looking for fixes takes some milliseconds
            loop = asyncio.get_running_loop()
            written = await loop.run_in_executor(self._verdict_threads, clean.written, style.language)
        exchange.scope[ROUTE] = VALIDATE
        self._metrics.judged(verdict)
        self._metrics.count_fast_path(VALIDATE)
        await exchange.sender.answer(200, style.headers, written)
        return True

    async def _answer_batch(self, exchange: Exchange, body: RequestBody, style: Style) -> None:
        """Answer a batch while it is received."""
        exchange.scope[ROUTE] = BATCH
        self._metrics.count_fast_path(BATCH)
        batch, lines, sender = self._fast.batch(style.language), LineBlocks(), exchange.sender
        await sender({"type": "http.response.start", "status": 200, "headers": style.headers})
        try:
            async with aclosing(body.pieces(_PIECE)) as pieces:
                async for piece in pieces:
                    await self._answer_block(sender, batch, lines.add(piece))
                    if sender.is_lost:
                        return
            await self._answer_block(sender, batch, lines.rest())
        except BodyRefused as refused:
            self._count_refusal(refused.status)
            broken_off = batch.broken_off(lines.lines, refused.status, refused.detail)
            await sender({"type": "http.response.body", "body": broken_off.lines, "more_body": True})
        await sender({"type": "http.response.body", "body": b""})

    async def _answer_block(self, sender: ResponseSender, batch: Batch, block: Block | None) -> None:
        if block is None:
            return
        answered = await asyncio.get_running_loop().run_in_executor(self._batch_threads, batch.block, *block)
        self._metrics.answered_block(answered)
        await sender({"type": "http.response.body", "body": answered.lines, "more_body": True})

    async def _answer_by_flask(self, exchange: Exchange, body: RequestBody) -> None:
        scope, sender = exchange.scope, exchange.sender
        if self._in_flask >= _MOST_IN_FLASK:
            self._count_refusal(503)
            await sender.problem(problem(503, "The server has too much to do; try again later."), _RETRY)
            return
        scope[BODY] = body
        if not scope["query_string"].isascii():  # some clients do not quote it
            scope["query_string"] = quote(scope["query_string"], safe=string.printable).encode()
        self._in_flask += 1
        try:
            with shared_budget(_DATABASE_PATIENCE), arrived_at(datetime.now(UTC)):
                await self._flask(scope, exchange.receive, sender)
        finally:
            self._in_flask -= 1
        await body.discard_rest()

    def _is_for_operators(self, scope: dict[str, Any]) -> bool:
        """Return True if a request came in at the address where Flask answers operators alone."""
        address = self._settings.operations_address
        return address is not None and scope["server"][1] == address.port

    def _count_refusal(self, status: int) -> None:
        if status in _REASONS:
            self._metrics.count_refusal(_REASONS[status])

    def _collect_connections(self) -> None:
        """Free the memory of connections that were cut off, now and then: it stays in cycles until it is collected."""
        self._cut_off += 1
        if self._cut_off % _COLLECT_AFTER == 0:
            gc.collect()

    async def _send_refusal(self, exchange: Exchange, document: ProblemJSON) -> None:
        """Send a problem document, which Flask makes a page of where pages are, and drop what comes of the body."""
        with closing(RequestBody(exchange.receive, 0, self._held, exchange.address)) as body:
            if exchange.scope["path"].startswith(FOR_PROGRAMS):
                await exchange.sender.problem(document, _RETRY if document["status"] == 503 else ())
                await body.discard_rest()
            else:
                exchange.scope[REFUSAL] = document
                await self._answer_by_flask(exchange, body)


def with_body(app: WSGIApplication) -> WSGIApplication:
    """Return a WSGI application that reads the body that was received; even of a chunked one the length is known."""

    def called(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        body: RequestBody = environ["asgi.scope"][BODY]
        file = body.open()
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        environ |= {"wsgi.input": file, "wsgi.errors": sys.stderr, "CONTENT_LENGTH": str(body.length)}
        return ClosingIterator(app(environ, start_response), file.close)

    return called


def _join_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return the headers by name; the values of a name that comes several times are joined, as they are for Flask."""
    joined: dict[bytes, bytes] = {}
    for name, value in headers:
        joined[name] = joined[name] + b"," + value if name in joined else value
    return joined


def _identify(scope: dict[str, Any]) -> bytes:
    """Return the id of a request, the client's if it is one; from now on it is the only X-Request-Id of the scope."""
    headers = scope["headers"]
    given: list[bytes] = [value for name, value in headers if name == b"x-request-id"]
    if len(given) == 1 and _REQUEST_ID.fullmatch(given[0]):
        return given[0]
    request_id = secrets.token_hex(8).encode()
    scope["headers"] = [(name, value) for name, value in headers if name != b"x-request-id"]
    scope["headers"].append((b"x-request-id", request_id))
    return request_id
