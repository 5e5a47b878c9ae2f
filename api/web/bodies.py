"""Contents of requests: JSON, text or an uploaded file, and the fields of the query and of a form.

A query parameter that the OpenAPI document lacks for an operation is refused by name. A body with another media type or
with a Content-Encoding is refused with 415.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from flask import request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from api.service.errors import Invalid, Wrong
from api.service.shapes import parse_json, step
from api.sheets.person_names import clean_text
from api.sheets.sheet_files import KINDS
from api.web.components import Document, parameters_of
from api.web.language_choice import LANG
from validator.language import Phrase, phrase
from validator.words import join_with_or

NDJSON = "application/x-ndjson"
NDJSON_TYPES = (NDJSON, "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines")
FORM = "multipart/form-data"
# The media types of spreadsheets, with the suffix of a file. Programs use several for CSV.
SPREADSHEET_TYPES = {
    KINDS["xlsx"].media_type: ".xlsx",
    "text/csv": ".csv",
    "application/csv": ".csv",
    "application/vnd.ms-excel": ".xlsx",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/zip": ".zip",
}
LONGEST_NAME = 100  # characters of the name of a file
_VERSIONED = "/v1/"  # other paths take any parameters, because probes add them
_ROUTE_PART = re.compile("<(?:[^<>:]+:)?([^<>]+)>")
_LONGEST_SUFFIX = 10  # characters of a suffix that stay in a shortened name


def json_body() -> Any:
    """Return the parsed JSON of the current request.

    Raises NotJson, or UnsupportedMediaType for another media type or a Content-Encoding.
    """
    return parse_json(json_text())


def json_text() -> bytes:
    """Return the body of the current request, which has to be JSON by its media type. The body is not parsed.

    Raises UnsupportedMediaType unless the media type is application/json or ends with `+json`, or if the body has a
    Content-Encoding.
    """
    if not request.is_json:
        raise _unsupported_media_type("application/json")
    _check_encoding()
    return request.get_data()


_IN_JSON = phrase("Write this in the JSON; parameters go with a plain text.")
_GIVEN_TWICE = phrase("This is given more than once; give it once.")


def is_text() -> bool:
    """Return True if the media type of the current request is text/plain."""
    return request.mimetype == "text/plain"


def refuse_query() -> None:
    """Raise Invalid if the current request has query parameters other than `lang`.

    For JSON requests, which have these values in their body. Plain texts have them in the query.
    """
    if beside := [name for name in request.args if name != LANG]:
        raise Invalid(Wrong(step(name), _IN_JSON) for name in beside)


def text_body() -> bytes:
    """Return the body of the current request as bytes, because the decklist readers detect the encoding of the text.

    The media type is not checked. Raises UnsupportedMediaType if the body has a Content-Encoding.
    """
    _check_encoding()
    return request.get_data()


def check_ndjson() -> None:
    """Raise UnsupportedMediaType if the media type of the current request is not in NDJSON_TYPES.

    Also raised if the body has a Content-Encoding.
    """
    if request.mimetype not in NDJSON_TYPES:
        raise _unsupported_media_type(NDJSON)
    _check_encoding()


def check_media_type(*media_types: str) -> None:
    """Raise UnsupportedMediaType if the current request has none of these media types, or has a Content-Encoding."""
    if request.mimetype not in media_types:
        raise _unsupported_media_type(" or ".join(media_types))
    _check_encoding()


def _unsupported_media_type(media_type: str) -> UnsupportedMediaType:
    """Return the error that advises to send `media_type`.

    It quotes the first 100 characters of the request's media type, "none" if it has none.
    """
    given = request.mimetype[:100] or "none"
    return UnsupportedMediaType(
        phrase("Send the body as {media_type}; its Content-Type is {given}.", media_type=media_type, given=given)
    )


def _check_encoding() -> None:
    """Raise UnsupportedMediaType if the current request has a Content-Encoding other than "identity", such as gzip."""
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise UnsupportedMediaType(phrase("Send the body without Content-Encoding; no compression is read here."))


def single_fields(*groups: MultiDict[str, str]) -> dict[str, str]:
    """Return the values of queries and forms by field, without `lang`.

    Raises Invalid if a field (even `lang`) occurs twice. A field may also not be in two of the `groups`, for example in
    the query and in the form.
    """
    fields = [field for group in groups for field in group.items(multi=True)]
    times = Counter(name for name, _ in fields)
    if twice := [name for name in times if times[name] > 1]:
        raise Invalid(Wrong(step(name), _GIVEN_TWICE) for name in twice)
    return {name: value for name, value in fields if name != LANG}


def check_query(names_by_operation: Mapping[tuple[str, str], Collection[str]], route: str) -> None:
    """Raise Invalid if the query of the current request has parameters that its operation lacks.

    `names_by_operation`: the result of `query_names`. `route` is the Flask route of the request. HEAD is checked as
    GET. An operation that is not in the mapping accepts all parameters.
    """
    names = names_by_operation.get((_document_path(route), request.method.replace("HEAD", "GET").lower()))
    if names is not None and (unknown := [name for name in request.args if name not in names]):
        raise Invalid(Wrong(step(name), _unknown_name(name, names)) for name in unknown)


def query_names(document: Document) -> dict[tuple[str, str], list[str]]:
    """Return the names of the query parameters of each operation below /v1/, by (path, method in lower case).

    `document` is the OpenAPI document. Operations without query parameters have an empty list.
    """
    return {
        (path, method): [
            parameter["name"] for parameter in parameters_of(document, operation) if parameter["in"] == "query"
        ]
        for path, item in document["paths"].items()
        if path.startswith(_VERSIONED)
        for method, operation in item.items()
        if method != "parameters"
    }


@lru_cache(maxsize=256)  # there are fewer routes
def _document_path(route: str) -> str:
    """Return a Flask route as a path of the OpenAPI document: `/cards/<number:number>` is `/cards/{number}`."""
    return _ROUTE_PART.sub(r"{\1}", route)


def _unknown_name(name: str, names: Collection[str]) -> str:
    """Return the message for an unknown query parameter. It suggests up to two similar `names`, else lists all of them.

    If `names` is empty, the message is that the path takes no parameters.
    """
    if not names:
        return phrase("This path takes no parameters in the query.")
    if near := get_close_matches(name[:40].lower(), names, n=2):
        meant = Phrase(join_with_or, near)
        return phrase("There is no such parameter here; did you mean {names}?", names=meant)
    return phrase("There is no such parameter here; there are {names}.", names=", ".join(sorted(names)))


class Upload(NamedTuple):
    """An uploaded file, its name as the client sent it, and the values of the query and the form by field.

    Without a sent name it is "decks", for a file that is the whole body with a suffix. `fields` has no `name` and no
    `lang`.
    """

    data: bytes
    name: str
    fields: dict[str, str]


def read_upload(most: int) -> Upload:
    """Return the uploaded spreadsheet of the current request: the part `file` of a form, or the whole body.

    The name of a whole body is the query parameter `name`, by default "decks" with the suffix of its media type. Raises
    RequestEntityTooLarge if the body (the whole form) has more than `most` bytes. Raises UnsupportedMediaType if a
    whole body has none of SPREADSHEET_TYPES, or a Content-Encoding, and Invalid for a wrong form or a field that occurs
    twice. Sets the limit of the request to `most`.
    """
    request.max_content_length = most
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge(phrase("A file may have at most {most:,} bytes.", most=most))
    if request.mimetype == FORM:
        return _form_part()
    check_media_type(FORM, *SPREADSHEET_TYPES)
    fields = single_fields(request.args)
    return Upload(request.get_data(), fields.pop("name", f"decks{SPREADSHEET_TYPES[request.mimetype]}"), fields)


def _form_part() -> Upload:
    """Return the file of a form. Its name is the field `name`, else that of the file, else "decks".

    Raises Invalid unless the form has exactly one file, named `file`. Also raises Invalid if a field of query and form
    occurs twice. Raises RequestEntityTooLarge if the form has too many parts or bytes.
    """
    try:
        files = list(request.files.items(multi=True))
    except RequestEntityTooLarge:
        raise RequestEntityTooLarge(
            phrase(
                "A form may have at most {parts:,} parts, {beside:,} bytes beside its file and {whole:,} with it.",
                parts=request.max_form_parts,
                beside=request.max_form_memory_size,
                whole=request.max_content_length,
            )
        ) from None
    if [name for name, _ in files] != ["file"]:
        raise Invalid([Wrong("/file", phrase("Send one file, as the part `file` of the form."))])
    fields = single_fields(request.args, request.form)
    file = files[0][1]
    return Upload(file.read(), fields.pop("name", file.filename or "decks"), fields)


def plain_name(name: str) -> str:
    """Return a file name that is safe in a message or a header: without folders, on one line, at most 100 characters.

    A suffix of up to 10 characters is kept if the name is shortened. "decks" if nothing is left.
    """
    last = PurePosixPath(clean_text(name[: 4 * LONGEST_NAME]).replace("\\", "/")).name.strip(". ")
    stem, dot, suffix = last.rpartition(".")
    if dot and len(suffix) <= _LONGEST_SUFFIX:
        return f"{stem[: LONGEST_NAME - len(suffix) - 1]}.{suffix}"
    return last[:LONGEST_NAME].strip() or "decks"
