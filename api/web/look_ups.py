"""Look-ups: answers that keep nothing of whom they are for, named by their content, so that nobody fetches them twice.

They are kept for a minute and asked for anew by name, as the cards, the lists and the editions behind them may change.
Large ones are packed. None has anything secret in it beside what a stranger may put there, so nothing can be told from
how well it packs (BREACH).
"""

from __future__ import annotations

import gzip

from flask import Response, request

_KEPT = "public, max-age=60"
LARGE = 2_048  # bytes: less than that is sent as soon as it would be packed
MOST = 4_000_000  # bytes: what is larger takes longer to pack than others may wait
_LEVEL = 5


def named_by_content(response: Response) -> Response:
    """Return what a view answers with its name, packed where its reader takes that, or word that he has it already."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200:
        return response
    response.headers.setdefault("Cache-Control", _KEPT)
    response.add_etag()
    is_large = LARGE <= (response.content_length or 0) <= MOST
    is_packed = is_large and request.accept_encodings.quality("gzip") > 0
    if is_large:
        response.vary.add("Accept-Encoding")
    if is_packed:
        digest, _ = response.get_etag()
        response.set_etag(f"{digest}-gzip")
    response.make_conditional(request)
    if is_packed and response.status_code == 200:
        response.set_data(gzip.compress(response.get_data(), _LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response
