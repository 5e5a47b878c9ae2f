"""Catalog files: the texts of a .po file as translations of the standard library's gettext.

The languages beside this module read their catalogs with it. babel reads them too, but it has 36 MB for other tasks.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO

_MAGIC, _VERSION, _HEADER_BYTES = 0x950412DE, 0, 28
_FIELDS = ("msgid", "msgid_plural", "msgstr")


def read_catalog(text: str) -> GNUTranslations:
    """Return the translations in the text of a .po file.

    Messages without a translation, or with an empty plural form, are skipped. Raises ValueError, with the number of the
    line, for a line that is neither blank nor a comment nor has a text in quotes.
    """
    messages = {}
    for entry in _entries(text):
        id = "\0".join(entry[field] for field in _FIELDS[:2] if field in entry)
        translated = [value for field, value in entry.items() if field.startswith("msgstr")]
        if all(translated):
            messages[id] = "\0".join(translated)
    return GNUTranslations(BytesIO(_compile(messages)))


def _entries(text: str) -> Iterator[dict[str, str]]:
    """Yield the fields of each message of a .po file by keyword, such as `msgid` and `msgstr`.

    A plural has `msgid_plural`, and `msgstr[0]`, `msgstr[1]`, … instead of `msgstr`. Comments are skipped, continued
    lines are joined. Raises ValueError, with the number of the line, for another line without a text in quotes.
    """
    entry: dict[str, str] = {}
    field = ""
    for number, line in enumerate(text.splitlines(), 1):
        keyword, _, quoted = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if line.startswith('"'):
            quoted = line
        elif keyword.partition("[")[0] in _FIELDS:
            if keyword == "msgid" and entry:
                yield entry
                entry = {}
            field = keyword
        try:
            entry[field] = entry.get(field, "") + json.loads(quoted)  # the escapes are those of JSON
        except ValueError:
            raise ValueError(f"line {number} of a catalog is no text in quotes: {line[:80]!r}") from None
    if entry:
        yield entry


def _compile(messages: dict[str, str]) -> bytes:
    """Return messages (translations by English text) in the binary format of a .mo file, which gettext reads.

    In keys with a plural, and in their values, the forms are separated by NUL.
    """
    pairs = sorted((id.encode(), text.encode()) for id, text in messages.items())
    texts = [id for id, _ in pairs] + [text for _, text in pairs]
    place = _HEADER_BYTES + 8 * len(texts)
    table = bytearray()
    for encoded in texts:
        table += struct.pack("<II", len(encoded), place)
        place += len(encoded) + 1
    header = (_MAGIC, _VERSION, len(pairs), _HEADER_BYTES, _HEADER_BYTES + 8 * len(pairs), 0, place)
    return struct.pack("<7I", *header) + bytes(table) + b"".join(encoded + b"\0" for encoded in texts)
