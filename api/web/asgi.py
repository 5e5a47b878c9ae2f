"""The ASGI application: the server calls it for each request. Flask is behind it.

It receives bodies and sends answers in coroutines, so that slow clients occupy no thread. It answers clean requests for
verdicts itself. All other requests go to Flask in a thread after their bodies are received. The bridge to Flask is
a2wsgi: it frees its thread before the client has received the answer, which asgiref does not.
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
from api.service.clock import request_arrived_at
from api.service.errors import BodyRefused
from api.service.logs import request_id
from api.service.ndjson import Batch, Block, LineBlocks
from api.service.request_log import UNMATCHED, RequestLog
from api.web.app import FOR_PROGRAMS, REFUSAL, ROUTE
from api.web.edge.client_address import Scope, find_client
from api.web.edge.connections import SecureListener, SilentConnections
from api.web.edge.middleware import GUARDS
from api.web.edge.rate_limits import UNLIMITED_PATHS, RequestLimit, limit_headers, limit_problem
from api.web.edge.request_body import HeldBytes, Receive, RequestBody
from api.web.edge.response_sender import ResponseSender, Send, encode_headers
from api.web.fast_answers import BATCH, LONGEST, VALIDATE, FastAnswers, Style
from api.web.language_choice import unparsed_language
from api.web.operations.metrics import RefusalReason
from api.web.services import services
from carddb.database_waits import shared_budget
from validator.language import phrase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from flask import Flask

BODY = "deckproof.body"  # the key of the body in the scope of a request
THREADS = 128  # most of them wait for a database or for a child that answers a large request
_MOST_IN_FLASK = 1_000  # requests that have a thread or wait for one, enough for a restart of the server
_UNBOUNDED = 0  # no limit on waiting pieces of an answer; with a limit, a thread waits even if the client has left
_PIECE = 32_768  # bytes of a batch that are judged together, before the next batch
_DATABASE_PATIENCE = 10.0  # seconds; before a deadline, rejected clients retry and make the queue longer
_FORM_FIELDS = 1_000_000  # bytes that a form may have beside its file
_ALIVE_HEADERS = [(b"content-type", b"application/json"), *encode_headers(GUARDS.items())]
_BUSY = phrase("The server has too much to do right now. Try again later.")
_RETRY = [("Retry-After", "10")]
_COLLECT_AFTER = 50  # requests that were cut off, each with up to 300 kB
_REASONS: dict[int, RefusalReason] = {408: "slow_body", 413: "too_large", 429: "rate_limit", 503: "busy"}
_GONE = 499  # the status in logs and metrics if a client left before the answer

_HOST = re.compile(rb"(?:[A-Za-z0-9_.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{0,5})?")
_AUTHORITY = re.compile(r"https?://[^/]*", re.IGNORECASE)
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Exchange:
    """A request and the sender of its answer.

    `headers`: those of the request by lower-case name. `address`: the client's IP address, "" over a Unix socket.
    `whole_at`: the time of the event loop at which the body was received completely, at first the time of the request's
    head.
    """

    scope: Scope
    headers: dict[bytes, bytes]
    address: str
    receive: Receive
    sender: ResponseSender
    whole_at: float

    async def send_problem(self, document: ProblemJSON, headers: Iterable[tuple[str, str]] = ()) -> None:
        """Send a problem document as JSON, in the language of the request. `headers` are added to the answer.

        If another answer has begun, that is broken off.
        """
        accepted = self.headers.get(b"accept-language", b"")
        await self.sender.problem(document, headers, unparsed_language(self.scope["query_string"], accepted))


class Application:
    """The ASGI application of one worker process. It answers some requests itself and gives all others to Flask.

    `ports` are the ports of the server on which connections without a request are closed. `secure` is the listener for
    https that this application starts itself, None if there is none.
    """

    def __init__(self, flask: Flask, ports: Iterable[int] = (), secure: SecureListener | None = None) -> None:
        """Create the threads for Flask, batches and verdicts, the fast answers, the rate limit and the request log."""
        with flask.app_context():
            self.services = app_services = services()
        self.secure = secure
        self._settings = app_services.settings
        self._metrics = app_services.metrics
        self._log = RequestLog(app_services.settings)
        self._fast = FastAnswers(app_services)
        # Cast because a2wsgi has other types for WSGI and ASGI.
        self._flask: Any = WSGIMiddleware(cast("Any", with_body(flask)), workers=THREADS, send_queue_size=_UNBOUNDED)
        self._flask_count = 0
        self._incomplete_count = 0
        self._batch_threads = ThreadPoolExecutor(2, "batches")
        self._verdict_threads = ThreadPoolExecutor(4, "verdicts")  # separate, so that verdicts do not wait for batches
        self._held = HeldBytes()
        self._silent = SilentConnections(ports)
        rate = app_services.settings.rate_limit
        self._limit = RequestLimit(rate, app_services.settings.redis_url) if rate else None
        self._largest = max(app_services.settings.max_body, app_services.settings.max_workbook) + _FORM_FIELDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request, refuse a WebSocket by closing it, or follow the server's lifespan (ASGI)."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            await self._follow_server(receive, send)

    async def _follow_server(self, receive: Receive, send: Send) -> None:
        """Begin to close silent connections and start the https listener (if any) when the server starts.

        When the server ends, stop closing connections and close the request log.
        """
        await receive()
        watching = asyncio.create_task(self._silent.watch())
        if self.secure:
            await self.secure.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        watching.cancel()
        self._log.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request, and record its status and duration in metrics and log.

        A failed answer becomes a 500 problem, or is broken off if it has begun. If the client leaves before the answer,
        the recorded status is 499. Replaces client, scheme and X-Request-Id in the scope by those that count: forwarded
        by a trusted proxy, or a new id. A whole URL as the path is cut to its path. Raises CancelledError if the client
        is lost, so that the server closes the connection.
        """
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
            await exchange.send_problem(problem(500, phrase("The server made a mistake. Its log has more.")))
        finally:
            method, route = scope["method"], scope.get(ROUTE, UNMATCHED)
            status, seconds = sender.status or _GONE, (sender.begun_at or now()) - exchange.whole_at
            self._metrics.count_request(method, route, status, seconds)
            self._log.log_request(method, route, status, seconds, sender.size, id.decode())
        if sender.is_lost:
            raise asyncio.CancelledError  # lets the server close the connection

    async def _refuse(self, exchange: Exchange) -> bool:
        """Answer with 400 if the Host header is invalid or missing (allowed in HTTP/1.0), with 429 over the rate limit.

        Return True if the request was refused. Counts the request for the rate limit, and adds the headers of the limit
        to its answer. Paths in UNLIMITED_PATHS are not limited, and no path if the settings have no limit.
        """
        scope, sender = exchange.scope, exchange.sender
        host = exchange.headers.get(b"host")
        if not _HOST.fullmatch(host) if host is not None else scope["http_version"] != "1.0":
            await exchange.send_problem(problem(400, phrase("Send a Host header with the name of this server.")))
            return True
        if self._limit is None or scope["path"] in UNLIMITED_PATHS:
            return False
        waits, count = self._limit.may_wait, self._limit.hit
        counted = await asyncio.to_thread(count, exchange.address) if waits else count(exchange.address)
        sender.add_headers(limit_headers(counted))
        if counted.is_exceeded:
            self._count_refusal(429)
            await self._send_refusal(exchange, limit_problem(counted))
        return counted.is_exceeded

    async def _receive_and_answer(self, exchange: Exchange) -> None:
        """Answer /healthz directly, a batch line by line, a clean request for a verdict fast, all others by Flask.

        Only a POST that did not come in at the port for operators can be a batch or a fast verdict. A request over its
        size limit by its Content-Length goes to Flask, which answers 413. Counts bodies that did not arrive whole.
        """
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
        """Receive the whole body, then answer by a fast verdict if `style` is given and the body is clean.

        All other requests are answered by Flask. If receiving fails (BodyRefused), the request is refused with a
        problem. The refusal is counted, unless its status is 400. `style` None: always Flask.
        """
        try:
            await body.receive_all()
        except BodyRefused as refused:
            self._count_refusal(refused.status)
            if refused.status == 413:  # the message of the route contains its limit
                await self._answer_by_flask(exchange, body)
            else:
                await self._send_refusal(exchange, problem(refused.status, refused.detail))
            return
        exchange.whole_at = asyncio.get_running_loop().time()
        if not (style and await self._answer_verdict(exchange, body, style)):
            await self._answer_by_flask(exchange, body)

    async def _answer_verdict(self, exchange: Exchange, body: RequestBody, style: Style) -> bool:
        """Answer a clean request for a verdict without Flask, and return True.

        `style` has the language and the headers. Return False, without an answer, for a body over 4,096 bytes or one
        that is not clean (see `FastAnswers.verdict`). Counts the verdict in the metrics. The fixes for an illegal deck
        are searched in a thread.
        """
        clean = self._fast.verdict(body.content()) if body.size <= LONGEST else None
        if clean is None:
            return False
        verdict = clean.verdict
        if verdict.legal:
            verdict_json = clean.to_json(style.language)
        else:  # looking for fixes takes some milliseconds
            loop = asyncio.get_running_loop()
            verdict_json = await loop.run_in_executor(self._verdict_threads, clean.to_json, style.language)
        exchange.scope[ROUTE] = VALIDATE
        self._metrics.count_verdict(verdict)
        self._metrics.count_fast_path(VALIDATE)
        await exchange.sender.answer(200, style.headers, verdict_json)
        return True

    async def _answer_batch(self, exchange: Exchange, body: RequestBody, style: Style) -> None:
        """Answer each line of an NDJSON body with a verdict while the rest of the body is still received.

        Blank lines get no answer. Stops if the client is lost. If receiving fails (BodyRefused), the last line of the
        answer has the error. The status is 200 anyway.
        """
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
            error_line = batch.broken_off_answer(lines.lines, refused.status, refused.detail)
            await sender({"type": "http.response.body", "body": error_line.lines, "more_body": True})
        await sender({"type": "http.response.body", "body": b""})

    async def _answer_block(self, sender: ResponseSender, batch: Batch, block: Block | None) -> None:
        """Judge the lines of a block in a thread, count their verdicts, and send one answer line for each.

        Blank lines get no answer. `block` None is ignored.
        """
        if block is None:
            return
        block_answer = await asyncio.get_running_loop().run_in_executor(self._batch_threads, batch.answer_block, *block)
        self._metrics.count_block(block_answer)
        await sender({"type": "http.response.body", "body": block_answer.lines, "more_body": True})

    async def _answer_by_flask(self, exchange: Exchange, body: RequestBody) -> None:
        """Let Flask answer a request in a thread, then drop the rest of its body.

        `body` may be incomplete: Flask answers 413. Sends 503 instead if 1,000 requests are already with Flask. Quotes
        non-ASCII bytes of the query in the scope. All waits of the request for a database together take at most 10
        seconds.
        """
        scope, sender = exchange.scope, exchange.sender
        if self._flask_count >= _MOST_IN_FLASK:
            self._count_refusal(503)
            await exchange.send_problem(problem(503, _BUSY), _RETRY)
            return
        scope[BODY] = body
        if not scope["query_string"].isascii():  # some clients do not quote it
            scope["query_string"] = quote(scope["query_string"], safe=string.printable).encode()
        self._flask_count += 1
        try:
            with shared_budget(_DATABASE_PATIENCE), request_arrived_at(datetime.now(UTC)):
                await self._flask(scope, exchange.receive, sender)
        finally:
            self._flask_count -= 1
        await body.discard_rest()

    def _is_for_operators(self, scope: Scope) -> bool:
        """Return True if a request came in at the port of the separate address for operators. False if none is set."""
        address = self._settings.operations_address
        return address is not None and scope["server"][1] == address.port

    def _count_refusal(self, status: int) -> None:
        """Count a refused request in the metrics by its reason.

        Only statuses in _REASONS are counted: 408, 413, 429, 503.
        """
        if status in _REASONS:
            self._metrics.count_refusal(_REASONS[status])

    def _collect_connections(self) -> None:
        """Count a request whose body did not arrive whole. After every 50 of them, run the garbage collector.

        The memory of such connections is in reference cycles, which Python else frees late.
        """
        self._incomplete_count += 1
        if self._incomplete_count % _COLLECT_AFTER == 0:
            gc.collect()

    async def _send_refusal(self, exchange: Exchange, document: ProblemJSON) -> None:
        """Send a problem document, and drop the rest of the body.

        Paths of the API get JSON, other paths a page by Flask. JSON of status 503 gets a Retry-After of 10 seconds.
        """
        with closing(RequestBody(exchange.receive, 0, self._held, exchange.address)) as body:
            if exchange.scope["path"].startswith(FOR_PROGRAMS):
                await exchange.send_problem(document, _RETRY if document["status"] == 503 else ())
                await body.discard_rest()
            else:
                exchange.scope[REFUSAL] = document
                await self._answer_by_flask(exchange, body)


def with_body(app: WSGIApplication) -> WSGIApplication:
    """Return a WSGI application that calls `app` with the RequestBody in the ASGI scope as its input.

    It sets CONTENT_LENGTH and removes Transfer-Encoding, even if the client sent the body in chunks. An incomplete body
    has its limit plus 1 as CONTENT_LENGTH, so that Flask answers 413.
    """

    def call_app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Call `app` with the received body as `wsgi.input`, and return its answer.

        Closing the answer closes the body's file.
        """
        body: RequestBody = environ["asgi.scope"][BODY]
        file = body.open()
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        environ |= {"wsgi.input": file, "wsgi.errors": sys.stderr, "CONTENT_LENGTH": str(body.length)}
        return ClosingIterator(app(environ, start_response), file.close)

    return call_app


def _join_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return the values of headers by name. Several values of a name are joined by commas, in their order."""
    joined: dict[bytes, bytes] = {}
    for name, value in headers:
        joined[name] = joined[name] + b"," + value if name in joined else value
    return joined


def _identify(scope: Scope) -> bytes:
    """Return the id of a request: the client's X-Request-Id if it sent exactly one valid id, else 16 random hex digits.

    A valid id has 1 to 128 letters, digits, dots, underscores or hyphens. A new id replaces the X-Request-Id headers in
    the scope.
    """
    headers = scope["headers"]
    sent_ids: list[bytes] = [value for name, value in headers if name == b"x-request-id"]
    if len(sent_ids) == 1 and _REQUEST_ID.fullmatch(sent_ids[0]):
        return sent_ids[0]
    request_id = secrets.token_hex(8).encode()
    scope["headers"] = [(name, value) for name, value in headers if name != b"x-request-id"]
    scope["headers"].append((b"x-request-id", request_id))
    return request_id
