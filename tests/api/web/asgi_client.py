"""A client that calls the ASGI application in this process, as a server does."""

from __future__ import annotations

import asyncio
from typing import NamedTuple


class Answer(NamedTuple):
    """A response as a client gets it."""

    status: int
    headers: list
    body: bytes

    def header(self, name):
        """Return the one value of a header, None if it is not there."""
        values = [value for key, value in self.headers if key == name]
        assert len(values) <= 1
        return values[0] if values else None


def request_scope(method, path, headers=(), query=b""):
    """Return the scope of a request from 192.0.2.1; its Host is x unless `headers` have another."""
    hosts = [] if b"host" in dict(headers) else [(b"host", b"x")]
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "query_string": query,
        "headers": [*hosts, *headers],
        "client": ("192.0.2.1", 40_000),
        "server": ("127.0.0.1", 8000),
    }


def ask(app, method, path, body=b"", headers=(), query=b"", pieces=None):
    """Return the answer to one request; its body may come in several pieces, and be cut off after them by a None."""
    pieces = [body] if pieces is None else pieces
    messages = [
        {"type": "http.request", "body": piece, "more_body": at < len(pieces)}
        for at, piece in enumerate(pieces, 1)
        if piece is not None
    ]
    sent = []

    async def receive():
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    asyncio.run(app(request_scope(method, path, headers, query), receive, send))
    start, *bodies = sent
    names = sorted((name.decode(), value.decode("latin-1")) for name, value in start["headers"])
    assert not bodies[-1].get("more_body")
    return Answer(start["status"], names, b"".join(message.get("body", b"") for message in bodies))
