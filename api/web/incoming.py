"""Incoming: bodies that come whole, or say that they do not.

Servers differ in what they make of a client that goes away or sends no HTTP: some end the body as if that had been
all of it, others raise errors of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, BinaryIO

from werkzeug.exceptions import BadRequest
from werkzeug.wsgi import get_content_length

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class CutBody(BadRequest):
    """A body that ends before its time."""

    description = "The body ended before its time, came too slowly, or is not in the chunks that HTTP has."


class Incoming:
    """The body of a request as it comes in; reading it raises CutBody where it is not as long as was said."""

    def __init__(self, body: BinaryIO, length: int) -> None:
        self._body = body
        self._missing = length

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, b"" at the end."""
        return self._whole(self._body.read, size)

    def readline(self, size: int = -1) -> bytes:
        """Return the next line, b"" at the end."""
        return self._whole(self._body.readline, size)

    def _whole(self, take: Callable[[int], bytes], size: int) -> bytes:
        try:
            piece = take(size)
        except Exception as error:  # each server has errors of its own
            raise CutBody from error
        self._missing -= len(piece)
        if not piece and size != 0 and self._missing > 0:
            raise CutBody
        return piece


def whole(app: WSGIApplication) -> WSGIApplication:
    """Return an application that gets only bodies that come whole."""

    def called(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.input"] = Incoming(environ["wsgi.input"], get_content_length(environ) or 0)
        return app(environ, start_response)

    return called
