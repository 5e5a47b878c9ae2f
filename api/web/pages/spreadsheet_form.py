"""The spreadsheet of a form. Used by the workbook page and the import page of an event.

A page carries a small spreadsheet along, so that it can be read another way without choosing the file again.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Mapping

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from api.service.errors import Invalid, Wrong
from api.web.bodies import Upload, plain_name
from api.web.services import services
from validator.language import phrase

_NO_FILE = phrase("Choose the spreadsheet.")


def read_spreadsheet(fields: Mapping[str, str], name_field: str, default_name: str) -> Upload:
    """Return the spreadsheet of the form, or the one that the page carried along, with these fields.

    `name_field` is the form's field with the name of a carried file. Raises Invalid if there is no spreadsheet, and
    RequestEntityTooLarge if it is too large.
    """
    file, most = request.files.get("file"), services().settings.max_workbook
    if file and (data := file.read()):
        if len(data) > most:
            raise RequestEntityTooLarge(f"A file may have {most:,} bytes.")
        return Upload(data, plain_name(file.filename or default_name), dict(fields))
    try:
        data = b64decode(request.form.get("carried", ""), validate=True)
    except NotBase64:
        data = b""
    if not data:
        raise Invalid([Wrong("/file", _NO_FILE)])
    return Upload(data, plain_name(request.form.get(name_field) or default_name), dict(fields))
