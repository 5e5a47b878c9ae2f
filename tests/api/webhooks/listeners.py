"""Receivers of our own on 127.0.0.1, which take messages over real sockets and fail in the ways that receivers fail."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from standardwebhooks import Webhook as Verifier

Answer = Callable[[BaseHTTPRequestHandler], None]


class Message(NamedTuple):
    """What came, as it came."""

    headers: dict[str, str]
    body: bytes

    @property
    def entry(self):
        return json.loads(self.body)


class Listener:
    """A receiver, what came to it so far, and how it answers the next messages: each in turn, then `answers_else`."""

    def __init__(self, *answers: Answer, port=0, context=None):
        self.messages: list[Message] = []
        self.answers = list(answers)
        self.answers_else = says(204)
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.listener = self
        if context:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}/hook?of=decks"

    @contextmanager
    def serve(self):
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()

    @property
    def told(self):
        """The ids of the entries that came, in their order."""
        return [message.entry["id"] for message in self.messages]

    def verified(self, secret):
        """Return the entries that came, each as somebody else's library lets it through."""
        return [Verifier(secret).verify(message.body, message.headers) for message in self.messages]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Say nothing of a sender that has gone: it was killed, or had waited long enough."""


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        listener = self.server.listener
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.path == "/hook?of=decks"
        listener.messages.append(Message(dict(self.headers), body))
        (listener.answers.pop(0) if listener.answers else listener.answers_else)(self)

    def log_message(self, *_):
        pass


def says(status, **headers) -> Answer:
    def answer(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()

    return answer


def endless(handler):
    """Take the message, and go on answering without end."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"<" * 65536)


def drips(handler):
    """Begin an answer that never gets to the end of its head."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.wfile.write(b"X")
        time.sleep(0.05)


def hangs_up(handler):
    handler.close_connection = True


def waits_for(event) -> Answer:
    """Answer well, as soon as something has happened."""

    def answer(handler):
        event.wait(30)
        says(204)(handler)

    return answer
