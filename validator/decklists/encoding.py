"""Encoding: the text of a file that does not say how it is encoded."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

LAST_RESORT = "cp1252"
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# UTF-16 with no mark: a list begins with plain characters, and every other byte of those is nothing.
_UTF_16 = re.compile(rb"([^\0]\0){2}|(?:\0[^\0]){2}")


class Decoded(NamedTuple):
    """A text, the encoding that it was in, and whether something in it could not be read."""

    text: str
    encoding: str
    is_damaged: bool = False


def decoded(data: bytes) -> Decoded:
    """Return the text of a file in UTF-8, UTF-16 or, failing these, Windows-1252."""
    encoding = _told(data)
    try:
        return Decoded(data.decode(encoding or "utf-8"), encoding or "utf-8")
    except UnicodeDecodeError:
        text = data.decode(encoding or LAST_RESORT, errors="replace")
        return Decoded(text, encoding or LAST_RESORT, "\ufffd" in text)


def _told(data: bytes) -> str | None:
    """Return the encoding that the beginning of a file tells, None where it tells none."""
    if marked := next((name for mark, name in _MARKS.items() if data.startswith(mark)), None):
        return marked
    found = _UTF_16.match(data)
    return found and ("utf-16-le" if found[1] else "utf-16-be")
