"""Bodies: what a request carries, taken only in a media type that is spoken here, and read as JSON or text."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import UnsupportedMediaType

from api.service.errors import Invalid, Wrong
from api.service.shapes import parsed, step
from api.web.language_choice import LANG

ETAG = {"ETag": {"schema": {"type": "string"}, "description": "The name of what is answered, in this state."}}
LOCATION = {"Location": {"schema": {"type": "string"}, "description": "Where what was begun is from now on."}}
NDJSON = "application/x-ndjson"
NDJSON_TYPES = (NDJSON, "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines")


def json_body() -> Any:
    """Return the JSON of the request; 415 where it is said to be something else, NotJson where it is none."""
    return parsed(json_text())


def json_text() -> bytes:
    """Return the body of the request, which is JSON; 415 where it is said to be something else."""
    if not request.is_json:
        raise _unspoken("application/json")
    _check_encoding()
    return whole_body()


def is_text() -> bool:
    """Tell whether the request is said to be plain text."""
    return request.mimetype == "text/plain"


def no_query() -> None:
    """Refuse parameters beside JSON, which has entries for all of them but the language of the answer."""
    if beside := [name for name in request.args if name != LANG]:
        raise Invalid(Wrong(step(name), "Write this in the JSON; parameters go with a plain text.") for name in beside)


def text_body() -> bytes:
    """Return the text of the request in whatever characters a file is written in: its readers tell them apart."""
    _check_encoding()
    return whole_body()


def whole_body() -> bytes:
    """Return the body of the request; 413 where it is larger than is taken."""
    return request.get_data()


def check_ndjson() -> None:
    """Refuse a body that is said to be something else than NDJSON."""
    if request.mimetype not in NDJSON_TYPES:
        raise _unspoken(NDJSON)
    _check_encoding()


def check_media_type(*spoken: str) -> None:
    """Refuse a body that is said to be of none of some media types."""
    if request.mimetype not in spoken:
        raise _unspoken(" or ".join(spoken))
    _check_encoding()


def _unspoken(wanted: str) -> UnsupportedMediaType:
    given = request.mimetype[:100] or "none"
    return UnsupportedMediaType(f"Send the body as {wanted}; its Content-Type is {given}.")


def _check_encoding() -> None:
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise UnsupportedMediaType("Send the body without Content-Encoding; no compression is read here.")


def once(*given: MultiDict[str, str]) -> dict[str, str]:
    """Return the fields of a query, and of a form that comes with it; Invalid has those that are there twice.

    The language of the answer is none of them: `language_choice` has it, for every path.
    """
    fields = [field for each in given for field in each.items(multi=True)]
    times = Counter(name for name, _ in fields)
    if twice := [name for name in times if times[name] > 1]:
        raise Invalid(Wrong(step(name), "This is given more than once; give it once.") for name in twice)
    return {name: value for name, value in fields if name != LANG}
