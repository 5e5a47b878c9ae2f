"""Downloads: a file as an answer."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from flask import request
from werkzeug.datastructures import Headers

from validator.texts import nfkd


def accepted(media_types: Mapping[str, str], default: str) -> str:
    """Return the kind of file, of some with their media types, that `Accept` asks for, else the default."""
    bare = {media_type.partition(";")[0]: kind for kind, media_type in media_types.items()}
    exact = {media_type: kind for kind, media_type in media_types.items()}
    both = {media_types[default]: default} | exact | bare  # of equals the first is taken
    return both.get(request.accept_mimetypes.best_match(list(both)) or "", default)


def file_headers(name: str) -> Headers:
    """Return the headers of a file that is called so: it is to be kept, and is nobody else's business."""
    headers = Headers({"Cache-Control": "private, no-store"})
    plain = nfkd(name).encode("ascii", "ignore").decode().strip()
    # A header is ASCII; what a name has beyond that stands beside it (RFC 6266, 4.3).
    whole = {} if name.isascii() else {"filename*": f"UTF-8''{quote(name, safe='')}"}
    headers.set("Content-Disposition", "attachment", filename=plain, **whole)
    return headers
