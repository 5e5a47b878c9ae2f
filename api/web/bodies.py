"""Bodies of requests: JSON, text or an uploaded file, with the fields of the query and of a form.

A body with another media type, or with a Content-Encoding, is refused with 415.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from flask import request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from api.service.errors import Invalid, Wrong
from api.service.shapes import parsed, step
from api.sheets.person_names import cleaned
from api.web.language_choice import LANG

ETAG = {"ETag": {"schema": {"type": "string"}, "description": "The name of what is answered, in this state."}}
LOCATION = {"Location": {"schema": {"type": "string"}, "description": "Where what was begun is from now on."}}
NDJSON = "application/x-ndjson"
NDJSON_TYPES = (NDJSON, "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines")
FORM = "multipart/form-data"
LONGEST_NAME = 100  # characters of the name of a file
_LONGEST_SUFFIX = 10  # characters that are kept of a long name


def json_body() -> Any:
    """Return the parsed JSON of the request. Raises UnsupportedMediaType for another media type, NotJson."""
    return parsed(json_text())


def json_text() -> bytes:
    """Return the body of a JSON request, not parsed. Raises UnsupportedMediaType if it has another media type."""
    if not request.is_json:
        raise _unsupported("application/json")
    _check_encoding()
    return request.get_data()


def is_text() -> bool:
    """Return True if the media type of the request is text/plain."""
    return request.mimetype == "text/plain"


def no_query() -> None:
    """Raise Invalid if the query has parameters beside `lang`: a JSON request has entries for all others."""
    if beside := [name for name in request.args if name != LANG]:
        raise Invalid(Wrong(step(name), "Write this in the JSON; parameters go with a plain text.") for name in beside)


def text_body() -> bytes:
    """Return the text of the request as bytes. Its readers detect the encoding."""
    _check_encoding()
    return request.get_data()


def check_ndjson() -> None:
    """Raise UnsupportedMediaType if the body is not NDJSON by its media type."""
    if request.mimetype not in NDJSON_TYPES:
        raise _unsupported(NDJSON)
    _check_encoding()


def check_media_type(*media_types: str) -> None:
    """Raise UnsupportedMediaType if the body has none of these media types."""
    if request.mimetype not in media_types:
        raise _unsupported(" or ".join(media_types))
    _check_encoding()


def _unsupported(wanted: str) -> UnsupportedMediaType:
    given = request.mimetype[:100] or "none"
    return UnsupportedMediaType(f"Send the body as {wanted}; its Content-Type is {given}.")


def _check_encoding() -> None:
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise UnsupportedMediaType("Send the body without Content-Encoding; no compression is read here.")


def once(*given: MultiDict[str, str]) -> dict[str, str]:
    """Return the fields of a query and of a form without `lang`. Raises Invalid if a field is given more than once."""
    fields = [field for each in given for field in each.items(multi=True)]
    times = Counter(name for name, _ in fields)
    if twice := [name for name in times if times[name] > 1]:
        raise Invalid(Wrong(step(name), "This is given more than once; give it once.") for name in twice)
    return {name: value for name, value in fields if name != LANG}


class Upload(NamedTuple):
    """An uploaded file, its name, and the fields of the query and the form."""

    data: bytes
    name: str
    fields: dict[str, str]


def uploaded(most: int, media_types: Mapping[str, str]) -> Upload:
    """Return the file of the request, of at most `most` bytes: the part `file` of a form, or the whole body.

    `media_types` are those of a whole body, each with the suffix of the name that a file without a name gets.
    """
    request.max_content_length = most
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge(f"A file may have {most:,} bytes.")
    if request.mimetype == FORM:
        return _form_part()
    check_media_type(FORM, *media_types)
    fields = once(request.args)
    return Upload(request.get_data(), fields.pop("name", f"decks{media_types[request.mimetype]}"), fields)


def _form_part() -> Upload:
    try:
        files = list(request.files.items(multi=True))
    except RequestEntityTooLarge:
        raise RequestEntityTooLarge(
            f"A form may have {request.max_form_parts:,} parts, {request.max_form_memory_size:,} bytes beside its file "
            f"and {request.max_content_length:,} with it."
        ) from None
    if [name for name, _ in files] != ["file"]:
        raise Invalid([Wrong("/file", "Send one file, as the part `file` of the form.")])
    fields = once(request.args, request.form)
    file = files[0][1]
    return Upload(file.read(), fields.pop("name", file.filename or "decks"), fields)


def plain_name(name: str) -> str:
    """Return the name of a file for a message or a header: without folders, on one line, not too long."""
    last = PurePosixPath(cleaned(name[: 4 * LONGEST_NAME]).replace("\\", "/")).name.strip(". ")
    stem, dot, suffix = last.rpartition(".")
    if dot and len(suffix) <= _LONGEST_SUFFIX:
        return f"{stem[: LONGEST_NAME - len(suffix) - 1]}.{suffix}"
    return last[:LONGEST_NAME].strip() or "decks"
