"""Encoding: the text of a file of unknown encoding, of a deck list or of a table."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import NamedTuple

LAST_RESORT = "cp1252"
# Encodings that spreadsheet programs write in some countries, with their usual names.
REGIONAL = {"cp932": "Shift-JIS", "gb18030": "GB18030", "cp949": "EUC-KR", "big5": "Big5", LAST_RESORT: "Windows-1252"}
_USUAL_PAIRS: Mapping[str, re.Pattern[bytes]] = {
    # Korean comes before Chinese, because its range is a part of the Chinese one.
    # Kana and the first level of kanji, the first level of hanzi, hangul: nearly all writing consists of these.
    "cp932": re.compile(rb"[\x81-\x83][\x40-\x9e\x9f-\xfc]|[\x88-\x97][\x40-\xfc]|\x98[\x40-\x72]"),
    "cp949": re.compile(rb"[\xa1\xa3][\xa1-\xfe]|[\xb0-\xc8][\xa1-\xfe]"),
    "gb18030": re.compile(rb"[\xa1\xa3][\xa1-\xfe]|[\xb0-\xd7][\xa1-\xfe]"),
    "big5": re.compile(rb"[\xa1][\x40-\xbf]|[\xa4-\xc6][\x40-\x7e\xa1-\xfe]"),
}
_PAIRS: Mapping[str, re.Pattern[bytes]] = {
    "cp932": re.compile(rb"[\x81-\x9f\xe0-\xfc][\x40-\xfc]|[\xa1-\xdf]"),
    "gb18030": re.compile(rb"[\x81-\xfe][\x40-\xfe]"),
    "cp949": re.compile(rb"[\x81-\xfe][\x41-\xfe]"),
    "big5": re.compile(rb"[\x81-\xfe][\x40-\xfe]"),
}
_LIKELY = 0.7  # share of usual characters in a text of the encoding
_SAMPLE = 100_000  # bytes
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# UTF-16 without a byte order mark: every other byte of its ASCII characters is 0, and few bytes between are.
_OPENING = 400  # bytes that are examined
_SELDOM = 8  # at most every eighth byte
_WRITING = 0.95  # of the characters of an opening


class Decoded(NamedTuple):
    """A text and the Python name of its encoding.

    `is_damaged` is True if a part could not be decoded and became U+FFFD.
    """

    text: str
    encoding: str
    is_damaged: bool = False


def decode_text(data: bytes) -> Decoded:
    """Return the text of a file, with the encoding that was found: UTF-8, UTF-16, a regional one, else Windows-1252.

    The function never raises. Bytes that cannot be decoded become U+FFFD.
    """
    encoding = _find_unicode(data)
    try:
        return Decoded(data.decode(encoding or "utf-8"), encoding or "utf-8")
    except UnicodeDecodeError:
        encoding = encoding or _find_regional(data) or LAST_RESORT
        text = data.decode(encoding, errors="replace")
        return Decoded(text, encoding, "\ufffd" in text)


def _find_regional(data: bytes) -> str | None:
    """Return the regional encoding, such as "cp932", in which the largest share of characters beyond ASCII is usual.

    None if the share is under 70 percent in each.
    """
    shares = {encoding: _usual_share(data, encoding) for encoding in _USUAL_PAIRS}
    best = max(shares, key=lambda encoding: shares[encoding])
    return best if shares[best] >= _LIKELY else None


def _usual_share(data: bytes, encoding: str) -> float:
    """Return the share, 0 to 1, of characters beyond ASCII that are usual in an East Asian encoding.

    Only the first 100,000 bytes are counted. 0 if the data cannot be decoded, or has only ASCII characters.
    """
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    pairs = _PAIRS[encoding].findall(data[:_SAMPLE])
    usual = sum(_USUAL_PAIRS[encoding].fullmatch(pair) is not None for pair in pairs)
    return usual / len(pairs) if pairs else 0.0


def _find_unicode(data: bytes) -> str | None:
    """Return the Unicode encoding that the beginning of a file proves, such as "utf-16-le". None if there is no proof.

    A proof is a byte order mark, or the zero bytes of UTF-16. Plain UTF-8 has none.
    """
    if marked := next((name for mark, name in _MARKS.items() if data.startswith(mark)), None):
        return marked
    opening = data[: _OPENING & ~1]
    first, second = opening[::2].count(0), opening[1::2].count(0)
    if _SELDOM * max(first, second) < len(opening) or _SELDOM * min(first, second) > max(first, second):
        return _find_utf16(opening) if len(data) % 2 == 0 else None
    return "utf-16-be" if first > second else "utf-16-le"


def _find_utf16(opening: bytes) -> str | None:
    """Return "utf-16-le" or "utf-16-be", if over 95 percent of the opening's characters are usual in writing under it.

    None if neither fits, and for an opening without a zero byte.
    """
    if b"\0" not in opening:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        text = opening.decode(encoding, errors="replace")
        if sum(map(_is_usual_in_tables, text)) > _WRITING * len(text):
            return encoding
    return None


def _is_usual_in_tables(character: str) -> bool:
    """Return True if a character is usual in a table: a printable one of the scripts below, a line break, or a tab.

    The scripts are Latin, Greek, Cyrillic, Armenian, Hebrew, Japanese, Chinese and Korean. All printable characters
    from U+AC00 on are usual.
    """
    return (
        character.isprintable() and (character < "\u0600" or "\u3000" <= character < "\u9fff" or character >= "\uac00")
    ) or (character in "\r\n\t")
