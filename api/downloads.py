"""Downloads: a file as an answer."""

from __future__ import annotations

import unicodedata
from urllib.parse import quote

from werkzeug.datastructures import Headers


def file_headers(name: str) -> Headers:
    """Return the headers of a file that is called so: it is to be kept, and is nobody else's business."""
    headers = Headers({"Cache-Control": "private, no-store"})
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().strip()
    # A header is ASCII; what a name has beyond that stands beside it (RFC 6266, 4.3).
    whole = {} if name.isascii() else {"filename*": f"UTF-8''{quote(name, safe='')}"}
    headers.set("Content-Disposition", "attachment", filename=plain, **whole)
    return headers
