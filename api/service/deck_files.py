"""Deck files: detect files that are not a deck list, such as pictures and spreadsheets.

Called by `deckproof check` and by the check page.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from validator.decklists.encoding import decoded
from validator.language import phrase

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CHARACTERS_PER_CONTROL = 16  # a text has at most one control character in this many


class OtherFile(NamedTuple):
    """A file that is not a deck list: a sentence with advice, and whether it may contain many decks."""

    says: str
    is_spreadsheet: bool = False


_PICTURE = OtherFile(phrase("This is a picture; write the list down as text."))
_SIGNATURES = {
    b"PK\x03\x04": OtherFile(phrase("This is a spreadsheet or an archive, and no list of one deck."), True),
    b"\xd0\xcf\x11\xe0": OtherFile(phrase("This is an old spreadsheet; save it as .xlsx."), True),
    b"%PDF": OtherFile(phrase("This is a PDF; copy the list out of it into a text file.")),
    b"\x89PNG": _PICTURE,
    b"\xff\xd8\xff": _PICTURE,
}
_BINARY = OtherFile(phrase("This is no text; a deck list is text, as one would type it."))


def detect_other_file(data: bytes) -> OtherFile | None:
    """Return the kind of a file that cannot be a deck list. Return None if the file is text."""
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            return kind
    text = decoded(data).text
    return _BINARY if _CHARACTERS_PER_CONTROL * len(_CONTROL.findall(text)) > len(text) else None
