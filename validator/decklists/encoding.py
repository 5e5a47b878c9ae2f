"""Encoding: the text of a file that does not say how it is encoded."""

from __future__ import annotations

import codecs
from typing import NamedTuple

LAST_RESORT = "cp1252"
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# UTF-16 with no mark: of its plain characters every other byte is nothing, and hardly any of the bytes between.
_OPENING = 400  # bytes that tell
_SELDOM = 8  # one in so many


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
    opening = data[:_OPENING]
    first, second = opening[::2].count(0), opening[1::2].count(0)
    if _SELDOM * max(first, second) < len(opening) or _SELDOM * min(first, second) > max(first, second):
        return None
    return "utf-16-be" if first > second else "utf-16-le"
