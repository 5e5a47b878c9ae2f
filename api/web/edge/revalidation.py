"""Revalidation: an answer that may be kept, and is asked for again by the name of its content."""

from __future__ import annotations

from flask import Response, request

_FOR_EVER = "public, max-age=31536000, immutable"  # at an address that has the content's own name
_LOOK_AGAIN = "public, no-cache"


def kept_as(content: bytes, media_type: str, digest: str, squeezed: bytes | None = None) -> Response:
    """Return a content with its digest as a strong ETag, or 304 where the client has it.

    Where the address says the digest, as `v`, what is there never changes. `squeezed`, by gzip, is for clients that
    take it so.
    """
    is_squeezed = squeezed is not None and request.accept_encodings.quality("gzip") > 0
    answer = Response(squeezed if is_squeezed else content, content_type=media_type)
    if squeezed is not None:
        answer.vary.add("Accept-Encoding")
    if is_squeezed:
        answer.content_encoding = "gzip"
    answer.headers["Cache-Control"] = _FOR_EVER if request.args.get("v") == digest else _LOOK_AGAIN
    answer.set_etag(f"{digest}-gzip" if is_squeezed else digest)
    answer.make_conditional(request)
    return answer
