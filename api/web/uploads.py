"""Uploads: a file that a request carries, bare or as a part of a form, with the fields that come with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from api.service.errors import Invalid, Wrong
from api.sheets.person_names import cleaned
from api.web.bodies import check_media_type, once, whole_body

FORM = "multipart/form-data"
LONGEST_NAME = 100
_LONGEST_SUFFIX = 10


class Upload(NamedTuple):
    """A file, what it is called ("" where nobody says), and the fields of the query and the form."""

    data: bytes
    name: str
    fields: dict[str, str]


def uploaded(most: int, media_types: Mapping[str, str]) -> Upload:
    """Return the file of the request, of at most `most` bytes: the part `file` of a form, or the whole body.

    A bare file is of one of some media types; each has the suffix that a file without a name gets.
    """
    request.max_content_length = most
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge(f"A file may have {most:,} bytes.")
    if request.mimetype == FORM:
        return _part()
    check_media_type(FORM, *media_types)
    fields = once(request.args)
    return Upload(whole_body(), fields.pop("name", f"decks{media_types[request.mimetype]}"), fields)


def _part() -> Upload:
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
    """Return what a file is called, fit for a message and a header: without folders, on one line, not too long."""
    last = PurePosixPath(cleaned(name[: 4 * LONGEST_NAME]).replace("\\", "/")).name.strip(". ")
    stem, dot, suffix = last.rpartition(".")
    if dot and len(suffix) <= _LONGEST_SUFFIX:
        return f"{stem[: LONGEST_NAME - len(suffix) - 1]}.{suffix}"
    return last[:LONGEST_NAME].strip() or "decks"
