"""Middleware: the security and CORS headers of answers, and the sessions of pages with forms."""

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
NO_STORE: Mapping[str, str] = {"Cache-Control": "no-store"}

ANY = "*"
_EXPOSED = "Content-Disposition, Deckproof-Legal, Deckproof-Warning, Retry-After, X-Request-Id"
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}


def add_guard_headers(app: WSGIApplication) -> WSGIApplication:
    """Return a WSGI application that calls `app` and adds the security headers of GUARDS to answers that lack them.

    Errors, and answers to other methods than GET and HEAD, also get Cache-Control `no-store` if they lack it. They are
    for one person or one moment.
    """

    def call_app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the answer of the app, with the missing headers added at its start."""
        is_read = environ["REQUEST_METHOD"] in ("GET", "HEAD")

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            """Start the answer with its headers and the missing ones.

            Errors and answers to other methods than GET and HEAD also get `no-store`.
            """
            names = {name.title() for name, _ in headers}
            required = GUARDS if is_read and status < "4" else {**GUARDS, **NO_STORE}
            missing = [pair for pair in required.items() if pair[0] not in names]
            return start_response(status, headers + missing, *more)

        return app(environ, start)

    return call_app


class PathSessions(SecureCookieSessionInterface):
    """Flask sessions in signed cookies for the pages below one path.

    Requests to other paths have no session and no cookie.
    """

    def __init__(self, root: str, secret: Callable[[], str], scoped_name: Callable[[str], str]) -> None:
        """Create the interface. `secret` returns the signing key, and is called at the first session only.

        `root` is the path. `scoped_name` returns the name to use for a cookie in the current request.
        """
        self._root = root
        self._scoped_name = scoped_name
        self._secret = secret  # called for the first session

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the session of a request, None if its path does not begin with the root.

        Sets the app's key if it has none.
        """
        if not request.path.startswith(self._root):
            return None
        if not app.secret_key:
            app.secret_key = self._secret()
        return super().open_session(app, request)

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the session cookie for the current request. http and https may have different names."""
        return self._scoped_name(super().get_cookie_name(app))

    def get_cookie_path(self, app: Flask) -> str:
        """Return the path below which browsers send the session cookie: the server's own root and that of the pages."""
        return f"{request.script_root}{self._root}"

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return True if the current request came by https: browsers may then send the cookie by https only."""
        return request.is_secure


def allow_origins(app: Flask, origins: Iterable[str], paths: Iterable[str]) -> None:
    """Register a hook that lets pages of other sites (CORS) call some paths of an application and the paths below.

    `origins` such as "https://example.org" are compared without case. ANY ("*") allows all sites. Empty allows none.
    Cookies are never allowed.
    """
    allowed_origins = frozenset(map(str.lower, origins))
    open_paths = tuple(f"{path}/" for path in paths)

    @app.after_request
    def allow(response: Response) -> Response:
        """Return the response, with the headers of `cors_headers` if its path is open.

        A preflight (OPTIONS) from an allowed site also gets the allowed methods.
        """
        if not allowed_origins or not f"{request.path}/".startswith(open_paths):
            return response
        for name, value in cors_headers(allowed_origins, request.headers.get("Origin", "")):
            response.headers.add(name, value)
        if request.method == "OPTIONS" and "Access-Control-Allow-Origin" in response.headers:
            response.headers.update(_PREFLIGHT)
        return response


def cors_headers(allowed_origins: Collection[str], site: str) -> Iterator[tuple[str, str]]:
    """Yield the CORS headers for a request from a page of the origin `site`, "" if the request has no Origin header.

    `allowed_origins` are in lower case. With ANY in it, all sites (also "") are allowed and there is no Vary. Without
    ANY the header Vary is always yielded. The headers of permission are yielded only if the site is allowed. Empty
    `allowed_origins` yields nothing.
    """
    if allowed_origins and ANY not in allowed_origins:
        yield "Vary", "Origin"
    allowed = ANY if ANY in allowed_origins else site if site.lower() in allowed_origins else None
    if allowed:
        yield "Access-Control-Allow-Origin", allowed
        yield "Access-Control-Expose-Headers", _EXPOSED
