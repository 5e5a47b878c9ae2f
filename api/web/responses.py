"""Responses of views: JSON, files to download, and contents that clients cache and revalidate by an ETag.

Answers to look-ups are the same for all clients. Clients cache them for a minute, because the cards, the lists and the
editions may change. Large answers are packed by gzip. They contain no secrets beside text that a client may choose, so
their packed size reveals nothing (BREACH).
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from urllib.parse import quote

import orjson
from flask import Response, request
from werkzeug.datastructures import Headers

from api.events.storage.idempotency import Reply
from api.web.language_choice import HEADERS
from validator.language import Language
from validator.texts import nfkd

_CACHED = "public, max-age=60"
_CACHED_FOREVER = "public, max-age=31536000, immutable"  # at an address that contains the digest of the content
_REVALIDATED = "public, no-cache"
_LEAST_PACKED = 2_048  # bytes: packing a smaller answer takes as long as sending it
_MOST_PACKED = 4_000_000  # bytes: packing a larger answer would delay other requests
_LEVEL = 5  # of gzip


def answer(content: object, status: int = 200, translate: Language | None = None) -> Response:
    """Return a value as a JSON response. `translate` only adds the header with its language (None: no header)."""
    return json_response(orjson.dumps(content), status, translate)


def json_response(body: bytes, status: int = 200, translate: Language | None = None) -> Response:
    """Return bytes that are already JSON as a response.

    `translate` only adds the header with its language (None: no header).
    """
    return Response(body, status, HEADERS[translate.code] if translate else None, mimetype="application/json")


def private_response(reply: Reply) -> Response:
    """Return a desk's reply (JSON) as a response that neither browsers nor proxies cache.

    A reply without a body gets no Content-Type.
    """
    response = Response(reply.body, reply.status, reply.headers, mimetype="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    if not reply.body:
        del response.headers["Content-Type"]
    return response


def preferred_kind(media_types: Mapping[str, str], default: str) -> str:
    """Return the kind of file that the Accept header of the current request prefers, `default` if it accepts none.

    `media_types` are the media types by kind, such as "text/csv" for "csv". The header may leave out their parameters.
    Of equally preferred kinds the default is returned, else the first.
    """
    bare = {media_type.partition(";")[0]: kind for kind, media_type in media_types.items()}
    exact = {media_type: kind for kind, media_type in media_types.items()}
    both = {media_types[default]: default} | exact | bare  # the first of equal types is used
    return both.get(request.accept_mimetypes.best_match(list(both)) or "", default)


def file_headers(name: str) -> Headers:
    """Return the headers of a download that must not be cached, with its file name.

    Non-ASCII characters of the name are replaced by plain ones (`é` is `e`) or dropped. Such a name is also sent whole,
    encoded as `filename*`.
    """
    headers = Headers({"Cache-Control": "private, no-store"})
    plain = nfkd(name).encode("ascii", "ignore").decode().strip()
    # A header is ASCII. The whole name is a second parameter (RFC 6266, 4.3).
    whole = {} if name.isascii() else {"filename*": f"UTF-8''{quote(name, safe='')}"}
    headers.set("Content-Disposition", "attachment", filename=plain, **whole)
    return headers


def with_etag(response: Response) -> Response:
    """Return the response of a look-up with an ETag, or an empty 304 if the client has the same content.

    Changes `response`. Answers from 2,048 to 4,000,000 bytes are compressed if the client accepts gzip. Clients may
    cache the answer for a minute unless the view set Cache-Control. Answers with another status than 200 or to other
    methods than GET and HEAD are returned unchanged.
    """
    if request.method not in ("GET", "HEAD") or response.status_code != 200:
        return response
    response.headers.setdefault("Cache-Control", _CACHED)
    response.add_etag()
    is_large = _LEAST_PACKED <= (response.content_length or 0) <= _MOST_PACKED
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


def cacheable_response(content: bytes, media_type: str, digest: str, squeezed: bytes | None = None) -> Response:
    """Return a response with `digest` as its strong ETag, or an empty 304 if the client has the same content.

    If the query parameter `v` is the digest, clients may cache it for ever, else they must ask again each time.
    `squeezed` is the content compressed by gzip, for clients that accept it (None: never compressed). The compressed
    content has `-gzip` after the digest.
    """
    is_squeezed = squeezed is not None and request.accept_encodings.quality("gzip") > 0
    response = Response(squeezed if is_squeezed else content, content_type=media_type)
    if squeezed is not None:
        response.vary.add("Accept-Encoding")
    if is_squeezed:
        response.content_encoding = "gzip"
    response.headers["Cache-Control"] = _CACHED_FOREVER if request.args.get("v") == digest else _REVALIDATED
    response.set_etag(f"{digest}-gzip" if is_squeezed else digest)
    response.make_conditional(request)
    return response
