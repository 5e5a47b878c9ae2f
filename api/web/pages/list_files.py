"""List files: the text of a limits list that a form sends as a file.

Called by the pages that create and change events, and by the impact page.
"""

from __future__ import annotations

from flask import request

from api.events.bounds import LONGEST_FILE
from api.service.errors import Invalid, Wrong
from validator.language import phrase

_NOT_UTF8 = phrase("The file is not text. Choose a TOML file in UTF-8.")
_TOO_LARGE = phrase("The file is too large. Leave some changes out.")


def read_list_file(name: str) -> str:
    """Return the text of an uploaded limits list in the form field `name`, "" if no file was sent.

    Raises Invalid if the file is larger than LONGEST_FILE or no UTF-8. It can be read again.
    """
    file = request.files.get(name)
    if file is None:
        return ""
    file.seek(0)
    data: bytes = file.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise Invalid([Wrong(f"/{name}", _TOO_LARGE)])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid([Wrong(f"/{name}", _NOT_UTF8)]) from None
