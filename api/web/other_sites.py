"""Other sites: whose pages may ask, in a browser, and read the answers (the CORS protocol of the Fetch standard).

A few lines of our own: flask-cors takes ten times as long, at each request, to find the pattern that a path is of.
"""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask, Response, request

ANY = "*"
_READ = "Content-Disposition, Deckproof-Legal, Deckproof-Warning, Retry-After"
_BEFOREHAND = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}


def open_to(app: Flask, origins: Iterable[str], paths: Iterable[str]) -> None:
    """Let pages of some origins, or of ANY, ask at some paths and under them; none sends who its reader is."""
    may_ask = frozenset(map(str.lower, origins))
    opened = tuple(f"{path}/" for path in paths)

    @app.after_request
    def allow(response: Response) -> Response:
        if not may_ask or not f"{request.path}/".startswith(opened):
            return response
        if ANY in may_ask:
            _allow(response, ANY)
            return response
        response.vary.add("Origin")
        if (site := request.headers.get("Origin", "")).lower() in may_ask:
            _allow(response, site)
        return response


def _allow(response: Response, site: str) -> None:
    response.headers["Access-Control-Allow-Origin"] = site
    response.headers["Access-Control-Expose-Headers"] = _READ
    if request.method == "OPTIONS":
        response.headers.update(_BEFOREHAND)
