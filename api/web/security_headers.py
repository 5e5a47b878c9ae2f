"""Security headers: what every answer forbids a browser to make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

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
